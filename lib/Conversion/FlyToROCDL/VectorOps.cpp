//===- VectorOps.cpp - Ops on register arrays, register by register -------===//
//
// What each op makes of the registers of its operands: most take, give or mix
// whole registers; reshapes and slices of other widths go element by element.
// Refused: positions that are no constants, ops that mix registers in another
// way.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Flattener.h"

using namespace mlir;
using namespace fly;
using namespace fly::flatten;

/// Number of an array's register at the leading coordinates.
static int64_t linearize(ArrayRef<int64_t> leadingShape,
                         ArrayRef<int64_t> position) {
  int64_t index = 0;
  for (auto [dim, size] : llvm::enumerate(leadingShape))
    index = index * size + (dim < position.size() ? position[dim] : 0);
  return index;
}

static SmallVector<int64_t> delinearize(ArrayRef<int64_t> shape,
                                        int64_t index) {
  SmallVector<int64_t> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    position[dim] = index % shape[dim];
  return position;
}

SmallVector<Value> Flattener::getElements(Value value, OpBuilder &builder) {
  SmallVector<Value> elements;
  for (Value part : getParts(value)) {
    auto vector = dyn_cast<VectorType>(part.getType());
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(
          vector::ExtractOp::create(builder, value.getLoc(), part, i));
  }
  return elements;
}

Parts Flattener::fromElements(VectorType type, ArrayRef<Value> elements,
                              OpBuilder &builder, Location loc) {
  VectorType reg = type.getRank() > 1 ? getRegister(type) : type;
  size_t size = reg.getNumElements();
  Parts result;
  for (size_t first = 0; first < elements.size(); first += size)
    result.push_back(vector::FromElementsOp::create(
        builder, loc, reg, elements.slice(first, size)));
  return result;
}

LogicalResult Flattener::elementwise(Operation *op) {
  OpBuilder builder(op);
  VectorType array = getArray(op->getResult(0).getType());
  Parts result;
  for (int64_t i = 0, e = countRegisters(array); i < e; ++i) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Parts list = getParts(operand);
      mapping.map(operand, list.size() == 1 ? list[0] : list[i]);
    }
    Operation *copy = builder.cloneWithoutRegions(*op, mapping);
    copy->getResult(0).setType(getRegister(array));
    result.push_back(copy->getResult(0));
  }
  return done(op, std::move(result));
}

LogicalResult Flattener::visit(arith::ConstantOp op) {
  OpBuilder builder(op);
  VectorType array = getArray(op.getType());
  VectorType reg = getRegister(array);
  auto values = cast<DenseElementsAttr>(op.getValue());
  Parts result;
  SmallVector<Attribute> all;
  if (!values.isSplat())
    llvm::append_range(all, values.getValues<Attribute>());
  for (int64_t i = 0, e = countRegisters(array); i < e; ++i) {
    auto attr =
        values.isSplat()
            ? DenseElementsAttr::get(reg, values.getSplatValue<Attribute>())
            : DenseElementsAttr::get(
                  reg, ArrayRef<Attribute>(all).slice(i * reg.getNumElements(),
                                                      reg.getNumElements()));
    result.push_back(arith::ConstantOp::create(builder, op.getLoc(), attr));
  }
  return done(op, std::move(result));
}

LogicalResult Flattener::visit(ub::PoisonOp op) {
  OpBuilder builder(op);
  VectorType array = getArray(op.getType());
  Value poison = ub::PoisonOp::create(builder, op.getLoc(), getRegister(array));
  return done(op, Parts(countRegisters(array), poison));
}

LogicalResult Flattener::visit(vector::BroadcastOp op) {
  OpBuilder builder(op);
  VectorType array = getArray(op.getType());
  ArrayRef<int64_t> leading = array.getShape().drop_back();
  auto source = dyn_cast<VectorType>(op.getSource().getType());
  Parts from = getParts(op.getSource());
  Parts result;
  // Registers that are broadcast once and used often.
  DenseMap<Value, Value> made;
  for (int64_t i = 0, e = countRegisters(array); i < e; ++i) {
    Value part = from.front();
    if (source && source.getRank() > 1) {
      ArrayRef<int64_t> sourceLeading = source.getShape().drop_back();
      SmallVector<int64_t> position = delinearize(leading, i);
      position.erase(position.begin(), position.end() - sourceLeading.size());
      for (auto [at, size] : llvm::zip_equal(position, sourceLeading))
        if (size == 1)
          at = 0;
      part = from[linearize(sourceLeading, position)];
    }
    Value &wide = made[part];
    if (!wide)
      wide = part.getType() == getRegister(array)
                 ? part
                 : Value(vector::BroadcastOp::create(builder, op.getLoc(),
                                                     getRegister(array), part));
    result.push_back(wide);
  }
  return done(op, std::move(result));
}

/// Positions are numbers in the array; upstream also has -1 for poison.
template <typename OpT>
static LogicalResult checkPosition(OpT op, VectorType array) {
  if (op.hasDynamicPosition())
    return op.emitOpError()
           << "has a position in a register array that is no constant: "
              "fly.static_for gives constants";
  for (auto [at, size] : llvm::zip(op.getStaticPosition(), array.getShape()))
    if (at < 0 || at >= size)
      return op.emitOpError()
             << "has the position " << at << " in a dimension of " << size;
  return success();
}

LogicalResult Flattener::visit(vector::ExtractOp op) {
  if (failed(checkPosition(op, op.getSourceVectorType())))
    return failure();
  OpBuilder builder(op);
  VectorType array = cast<VectorType>(op.getSource().getType());
  ArrayRef<int64_t> leading = array.getShape().drop_back();
  ArrayRef<int64_t> position = op.getStaticPosition();
  Parts from = getParts(op.getSource());
  int64_t first = linearize(leading, position.take_front(leading.size()));
  if (position.size() == leading.size() + 1)
    return done(op, {vector::ExtractOp::create(builder, op.getLoc(),
                                               from[first], position.back())});
  VectorType result = getArray(op.getType());
  size_t count = result ? countRegisters(result) : 1;
  return done(op, Parts(ArrayRef<Value>(from).slice(first, count)));
}

LogicalResult Flattener::visit(vector::InsertOp op) {
  if (failed(checkPosition(op, op.getDestVectorType())))
    return failure();
  OpBuilder builder(op);
  VectorType array = cast<VectorType>(op.getDest().getType());
  ArrayRef<int64_t> leading = array.getShape().drop_back();
  ArrayRef<int64_t> position = op.getStaticPosition();
  Parts into = getParts(op.getDest());
  int64_t first = linearize(leading, position.take_front(leading.size()));
  if (position.size() == leading.size() + 1) {
    into[first] =
        vector::InsertOp::create(builder, op.getLoc(), op.getValueToStore(),
                                 into[first], position.back());
  } else {
    for (auto [i, part] : llvm::enumerate(getParts(op.getValueToStore())))
      into[first + i] = part;
  }
  return done(op, std::move(into));
}

LogicalResult Flattener::visit(vector::ShapeCastOp op) {
  OpBuilder builder(op);
  VectorType from = op.getSourceVectorType(), to = op.getResultVectorType();
  if (from.getRank() == 0 || to.getRank() == 0)
    return op.emitOpError() << "of rank 0 is not supported";
  if (from.getShape().back() == to.getShape().back())
    return done(op, getParts(op.getSource()));
  return done(op, fromElements(to, getElements(op.getSource(), builder),
                               builder, op.getLoc()));
}

LogicalResult Flattener::visit(vector::BitCastOp op) {
  OpBuilder builder(op);
  VectorType reg = getRegister(getArray(op.getType()));
  Parts result;
  for (Value part : getParts(op.getSource()))
    result.push_back(
        vector::BitCastOp::create(builder, op.getLoc(), reg, part));
  return done(op, std::move(result));
}

LogicalResult Flattener::visit(vector::ExtractStridedSliceOp op) {
  VectorType from = op.getSourceVectorType(), to = getArray(op.getType());
  OpBuilder builder(op);
  bool wholeRegisters = from.getShape().back() == to.getShape().back();
  auto offsets = llvm::map_to_vector(op.getOffsets(), [](Attribute offset) {
    return cast<IntegerAttr>(offset).getInt();
  });
  ArrayRef<int64_t> fromLeading = from.getShape().drop_back();
  ArrayRef<int64_t> toLeading = to.getShape().drop_back();
  Parts source = getParts(op.getSource()), result;
  for (int64_t i = 0, e = countRegisters(to); i < e; ++i) {
    SmallVector<int64_t> position = delinearize(toLeading, i);
    for (auto [at, offset] : llvm::zip(position, offsets))
      at += offset;
    Value part = source[linearize(fromLeading, position)];
    if (!wholeRegisters)
      part = vector::ExtractStridedSliceOp::create(
          builder, op.getLoc(), part, ArrayRef<int64_t>{offsets.back()},
          ArrayRef<int64_t>{to.getShape().back()}, ArrayRef<int64_t>{1});
    result.push_back(part);
  }
  return done(op, std::move(result));
}

LogicalResult Flattener::visit(vector::InsertStridedSliceOp op) {
  OpBuilder builder(op);
  VectorType from = op.getSourceVectorType();
  VectorType to = op.getDestVectorType();
  ArrayRef<int64_t> toLeading = to.getShape().drop_back();
  SmallVector<int64_t> fromLeading(to.getRank() - from.getRank(), 1);
  llvm::append_range(fromLeading, from.getShape().drop_back());
  SmallVector<int64_t> offsets;
  for (Attribute offset : op.getOffsets())
    offsets.push_back(cast<IntegerAttr>(offset).getInt());
  bool wholeRegisters = from.getShape().back() == to.getShape().back();
  Parts into = getParts(op.getDest());
  for (auto [i, part] : llvm::enumerate(getParts(op.getValueToStore()))) {
    SmallVector<int64_t> position = delinearize(fromLeading, i);
    for (auto [at, offset] : llvm::zip(position, offsets))
      at += offset;
    Value &target = into[linearize(toLeading, position)];
    target =
        wholeRegisters
            ? part
            : Value(vector::InsertStridedSliceOp::create(
                  builder, op.getLoc(), part, target,
                  ArrayRef<int64_t>{offsets.back()}, ArrayRef<int64_t>{1}));
  }
  return done(op, std::move(into));
}

LogicalResult Flattener::visit(vector::FromElementsOp op) {
  OpBuilder builder(op);
  return done(op,
              fromElements(op.getType(), SmallVector<Value>(op.getElements()),
                           builder, op.getLoc()));
}

LogicalResult Flattener::visit(vector::ToElementsOp op) {
  OpBuilder builder(op);
  op->replaceAllUsesWith(getElements(op.getSource(), builder));
  old.push_back(op);
  return success();
}

LogicalResult Flattener::visitOp(Operation *op) {
  auto unsupported = [](Operation *op) -> LogicalResult {
    return op->emitOpError()
           << "on register arrays (vectors of rank above 1) is not supported";
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp, ub::PoisonOp, vector::BroadcastOp,
            vector::ExtractOp, vector::InsertOp, vector::ShapeCastOp,
            vector::BitCastOp, vector::ExtractStridedSliceOp,
            vector::InsertStridedSliceOp, vector::FromElementsOp,
            vector::ToElementsOp>([&](auto each) { return visit(each); })
      .Default([&](Operation *each) {
        bool lanewise =
            each->hasTrait<OpTrait::Elementwise>() || isa<vector::FMAOp>(each);
        if (lanewise && each->getNumResults() == 1 &&
            getArray(each->getResult(0).getType()))
          return elementwise(each);
        return unsupported(each);
      });
}
