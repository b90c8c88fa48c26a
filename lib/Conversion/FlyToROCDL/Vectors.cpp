//===- Vectors.cpp - Register arrays as lists of registers ----------------===//
//
// At the explicit level a lane's registers are vectors of any rank:
// vector<4x8x4xf32> is a 4 x 8 array of 4-element registers. Here each inner
// vector becomes a value of its own, through loops and branches, so that LLVM
// sees one virtual register (tuple) for each and no aggregate that it would
// have to take apart. Positions are static; an op that mixes inner vectors in
// another way than listed here is refused by name.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/TypeSwitch.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

namespace {

using Parts = SmallVector<Value>;

/// The type as a register array, or null for other types.
VectorType getArray(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() > 1 ? vector : VectorType();
}

VectorType getRegister(VectorType array) {
  return VectorType::get(array.getShape().back(), array.getElementType());
}

int64_t countRegisters(VectorType array) {
  return ShapedType::getNumElements(array.getShape().drop_back());
}

/// Number of an array's register at the leading coordinates.
int64_t linearize(ArrayRef<int64_t> leadingShape, ArrayRef<int64_t> position) {
  int64_t index = 0;
  for (auto [dim, size] : llvm::enumerate(leadingShape))
    index = index * size + (dim < position.size() ? position[dim] : 0);
  return index;
}

SmallVector<int64_t> delinearize(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<int64_t> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    position[dim] = index % shape[dim];
  return position;
}

class Flattener {
public:
  LogicalResult flatten(Block &block);
  void eraseOld() {
    // Ops that moved into a new loop still name arguments of the old one.
    for (Operation *op : old)
      op->dropAllReferences();
    for (Operation *op : llvm::reverse(old))
      op->erase();
  }

private:
  LogicalResult flattenOp(Operation *op);
  LogicalResult flattenLoop(scf::ForOp loop);
  LogicalResult flattenWhile(scf::WhileOp loop);
  LogicalResult flattenBranch(scf::IfOp branch);
  LogicalResult elementwise(Operation *op);
  LogicalResult visit(arith::ConstantOp op);
  LogicalResult visit(ub::PoisonOp op);
  LogicalResult visit(vector::BroadcastOp op);
  LogicalResult visit(vector::ExtractOp op);
  LogicalResult visit(vector::InsertOp op);
  LogicalResult visit(vector::ShapeCastOp op);
  LogicalResult visit(vector::BitCastOp op);
  LogicalResult visit(vector::ExtractStridedSliceOp op);
  LogicalResult visit(vector::InsertStridedSliceOp op);
  LogicalResult visit(vector::FromElementsOp op);
  LogicalResult visit(vector::ToElementsOp op);

  /// A value as registers: itself if it is no array.
  Parts getParts(Value value) {
    auto found = parts.find(value);
    return found == parts.end() ? Parts{value} : found->second;
  }
  Parts getParts(ValueRange values) {
    Parts all;
    for (Value value : values)
      llvm::append_range(all, getParts(value));
    return all;
  }
  /// Takes the registers of `types` from the front of `values` and gives them
  /// to `olds`: arrays as parts, other values by replacement.
  void bind(ValueRange olds, ValueRange values);
  SmallVector<Type> expandTypes(TypeRange types);
  LogicalResult done(Operation *op, Parts result) {
    if (getArray(op->getResult(0).getType()))
      parts[op->getResult(0)] = std::move(result);
    else
      op->getResult(0).replaceAllUsesWith(result.front());
    old.push_back(op);
    return success();
  }
  SmallVector<Value> getElements(Value value, OpBuilder &builder);
  Parts fromElements(VectorType type, ArrayRef<Value> elements,
                     OpBuilder &builder, Location loc);

  DenseMap<Value, Parts> parts;
  SmallVector<Operation *> old;
};

bool touchesArrays(Operation *op) {
  auto isArray = [](Type type) { return bool(getArray(type)); };
  return llvm::any_of(op->getOperandTypes(), isArray) ||
         llvm::any_of(op->getResultTypes(), isArray);
}

} // namespace

SmallVector<Type> Flattener::expandTypes(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types) {
    if (VectorType array = getArray(type))
      expanded.append(countRegisters(array), getRegister(array));
    else
      expanded.push_back(type);
  }
  return expanded;
}

void Flattener::bind(ValueRange olds, ValueRange values) {
  for (Value value : olds) {
    VectorType array = getArray(value.getType());
    size_t count = array ? countRegisters(array) : 1;
    if (array)
      parts[value] = Parts(values.take_front(count));
    else
      value.replaceAllUsesWith(values.front());
    values = values.drop_front(count);
  }
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

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

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

LogicalResult Flattener::visit(vector::ExtractOp op) {
  if (op.hasDynamicPosition())
    return op.emitOpError() << "has a dynamic position in a register array";
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
  if (op.hasDynamicPosition())
    return op.emitOpError() << "has a dynamic position in a register array";
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
  if (from.getShape().back() != to.getShape().back())
    return op.emitOpError() << "cuts registers of a register array";
  ArrayRef<int64_t> fromLeading = from.getShape().drop_back();
  ArrayRef<int64_t> toLeading = to.getShape().drop_back();
  Parts source = getParts(op.getSource()), result;
  for (int64_t i = 0, e = countRegisters(to); i < e; ++i) {
    SmallVector<int64_t> position = delinearize(toLeading, i);
    for (auto [dim, offset] : llvm::enumerate(op.getOffsets()))
      if (dim < position.size())
        position[dim] += cast<IntegerAttr>(offset).getInt();
    result.push_back(source[linearize(fromLeading, position)]);
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult Flattener::flattenLoop(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto flat = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(),
                                 getParts(loop.getInitArgs()), nullptr,
                                 loop.getUnsignedCmp());
  flat->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!flat.getBody()->empty())
    flat.getBody()->getTerminator()->erase();
  Block *body = flat.getBody(), *oldBody = loop.getBody();
  body->getOperations().splice(body->end(), oldBody->getOperations());
  loop.getInductionVar().replaceAllUsesWith(flat.getInductionVar());
  bind(loop.getRegionIterArgs(), flat.getRegionIterArgs());
  if (failed(flatten(*body)))
    return failure();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  yield->setOperands(getParts(yield.getOperands()));
  bind(loop.getResults(), flat.getResults());
  old.push_back(loop);
  return success();
}

LogicalResult Flattener::flattenWhile(scf::WhileOp loop) {
  OpBuilder builder(loop);
  auto flat = scf::WhileOp::create(builder, loop.getLoc(),
                                   expandTypes(loop.getResultTypes()),
                                   getParts(loop.getInits()));
  flat->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  for (auto [to, from] : llvm::zip(flat->getRegions(), loop->getRegions())) {
    Block &body = to.emplaceBlock(), &oldBody = from.front();
    for (Type type : expandTypes(oldBody.getArgumentTypes()))
      body.addArgument(type, loop.getLoc());
    body.getOperations().splice(body.end(), oldBody.getOperations());
    bind(oldBody.getArguments(), body.getArguments());
    if (failed(flatten(body)))
      return failure();
    Operation *terminator = body.getTerminator();
    terminator->setOperands(getParts(terminator->getOperands()));
  }
  bind(loop.getResults(), flat.getResults());
  old.push_back(loop);
  return success();
}

LogicalResult Flattener::flattenBranch(scf::IfOp branch) {
  OpBuilder builder(branch);
  auto flat = scf::IfOp::create(builder, branch.getLoc(),
                                expandTypes(branch.getResultTypes()),
                                branch.getCondition());
  for (auto [to, from] : llvm::zip(flat->getRegions(), branch->getRegions())) {
    to.takeBody(from);
    for (Block &block : to) {
      if (failed(flatten(block)))
        return failure();
      auto yield = cast<scf::YieldOp>(block.getTerminator());
      yield->setOperands(getParts(yield.getOperands()));
    }
  }
  bind(branch.getResults(), flat.getResults());
  old.push_back(branch);
  return success();
}

LogicalResult Flattener::flattenOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && touchesArrays(op))
    return flattenLoop(loop);
  auto carriesArrays = [](scf::WhileOp loop) {
    return llvm::any_of(loop.getAfterBody()->getArgumentTypes(),
                        [](Type type) { return bool(getArray(type)); });
  };
  if (auto loop = dyn_cast<scf::WhileOp>(op);
      loop && (touchesArrays(op) || carriesArrays(loop)))
    return flattenWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && touchesArrays(op))
    return flattenBranch(branch);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument arg : block.getArguments())
        if (getArray(arg.getType()))
          return op->emitOpError()
                 << "carries the register array " << arg.getType()
                 << ", which only scf.for, scf.while and scf.if may do";
      if (failed(flatten(block)))
        return failure();
    }
  if (!touchesArrays(op) || isa<scf::YieldOp, scf::ConditionOp>(op))
    return success();
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

LogicalResult Flattener::flatten(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(flattenOp(&op)))
      return failure();
  return success();
}

LogicalResult fly::flattenVectors(gpu::GPUFuncOp kernel) {
  Flattener flattener;
  for (Block &block : kernel.getBody()) {
    for (BlockArgument arg : block.getArguments())
      if (getArray(arg.getType()))
        return kernel.emitOpError() << "takes the register array "
                                    << arg.getType() << " as an argument";
    if (failed(flattener.flatten(block)))
      return failure();
  }
  flattener.eraseOld();
  return success();
}
