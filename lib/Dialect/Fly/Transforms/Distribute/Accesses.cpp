//===- Accesses.cpp - Loads and stores of tiles ---------------------------===//
//
// A tile is read or written group by group, each group the widest run of
// registers that is contiguous in memory.
//
// Memory answers in order, and who waits for an answer has all before it. So
// what is used first is read last, of operands of dots, and what was read last
// is written to LDS first: one wait is enough for all, where each register
// would have its own.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

SmallVector<int64_t> distribute::positionOf(ArrayRef<int64_t> shape,
                                            int64_t index) {
  SmallVector<int64_t> position(shape.size());
  for (unsigned d = shape.size(); d-- > 0;) {
    position[d] = index % shape[d];
    index /= shape[d];
  }
  return position;
}

Value distribute::insertGroup(OpBuilder &builder, Location loc, Value group,
                              Value array, ArrayRef<int64_t> position) {
  auto type = cast<VectorType>(array.getType());
  int64_t length = cast<VectorType>(group.getType()).getNumElements();
  if (length == type.getShape().back()) {
    if (type.getRank() == 1)
      return group;
    return vector::InsertOp::create(builder, loc, group, array,
                                    position.drop_back());
  }
  SmallVector<int64_t> strides(1, 1);
  return vector::InsertStridedSliceOp::create(builder, loc, group, array,
                                              position, strides);
}

Value distribute::extractGroup(OpBuilder &builder, Location loc, Value array,
                               ArrayRef<int64_t> position, int64_t length) {
  auto type = cast<VectorType>(array.getType());
  Value inner = array;
  if (type.getRank() > 1)
    inner =
        vector::ExtractOp::create(builder, loc, array, position.drop_back());
  if (length == type.getShape().back())
    return inner;
  return vector::ExtractStridedSliceOp::create(
      builder, loc, inner, ArrayRef<int64_t>{position.back()},
      ArrayRef<int64_t>{length}, ArrayRef<int64_t>{1});
}

Value Distributor::readTile(LaneAccess &access, RankedTensorType tile,
                            Location loc) {
  auto type = VectorType::get(access.getRegisters(), tile.getElementType());
  Value array = ub::PoisonOp::create(builder, loc, type);
  bool isOperand = isa_and_nonnull<OperandAttr>(tile.getEncoding());
  unsigned groups = access.getNumGroups();
  for (unsigned n = 0; n < groups; ++n) {
    unsigned i = isOperand ? groups - 1 - n : n;
    array = insertGroup(builder, loc, access.read(i), array,
                        positionOf(type.getShape(), i * access.getGroup()));
  }
  if (access.getOrder().empty())
    return array;
  SmallVector<unsigned> back(access.getOrder().size());
  for (auto [reg, own] : llvm::enumerate(access.getOrder()))
    back[own] = reg;
  return renameRegisters(builder, loc, array, back, getRegisterType(tile));
}

bool Distributor::isReadByDot(LoadOp op) {
  if (!op.getView().getType().getInLds() || !op.getTile().hasOneUse())
    return false;
  OpOperand *use = &*op.getTile().getUses().begin();
  // Bytes are cast to the dot's elements piece by piece, too, and a transpose
  // has the same pieces.
  if (Operation *owner = use->getOwner();
      isa<BitcastOp, TransposeOp>(owner) && owner->hasOneUse())
    use = &*owner->getUses().begin();
  auto dot = dyn_cast<ProductOpInterface>(use->getOwner());
  if (!dot || dot->getBlock() != op->getBlock() ||
      (use != &dot.getLhs() && use != &dot.getRhs()))
    return false;
  // Nothing between may write LDS or order it.
  for (Operation *next = op->getNextNode(); next != dot;
       next = next->getNextNode())
    if (!isa<LoadOp>(next) && !isMemoryEffectFree(next))
      return false;
  return true;
}

/// The pad of `op` in every element.
FailureOr<Value> Distributor::makePad(Operation *op, Pad kind,
                                      VectorType type) {
  TypedAttr pad = getPadElement(kind, type.getElementType());
  if (!pad)
    return op->emitOpError() << "pads with " << stringifyPad(kind) << ", which "
                             << type.getElementType() << " does not have";
  return arith::ConstantOp::create(builder, op->getLoc(),
                                   DenseElementsAttr::get(type, pad))
      .getResult();
}

template <typename OpT>
LogicalResult Distributor::readTileOf(OpT op, const Window &window) {
  LaneAccess access(builder, op.getLoc(), coordinates, window,
                    tileType(op.getTile()), /*mayReorder=*/true);
  access.transposeReads(chip);
  Value array = readTile(access, tileType(op.getTile()), op.getLoc());
  if (op.getMask()) {
    // What the mask leaves out lies in the view or reads as the pad anyway.
    FailureOr<Value> pad =
        makePad(op, op.getPad(), cast<VectorType>(array.getType()));
    if (failed(pad))
      return failure();
    array = arith::SelectOp::create(builder, op.getLoc(), lookup(op.getMask()),
                                    array, *pad);
  }
  mapping.map(op.getTile(), array);
  return success();
}

LogicalResult Distributor::distribute(LoadOp op) {
  if (isReadByDot(op))
    return success();
  FailureOr<Window> window = makeWindow(op);
  return failed(window) ? failure() : readTileOf(op, *window);
}

LogicalResult Distributor::distribute(GatherOp op) {
  FailureOr<Window> window = makeRowWindow(op);
  return failed(window) ? failure() : readTileOf(op, *window);
}

template <typename OpT>
void Distributor::forEachGroup(
    OpT op, const LaneAccess &access,
    function_ref<void(unsigned, Value, Value)> visit) {
  Value array = lookup(op.getTile());
  if (!access.getOrder().empty())
    array = renameRegisters(
        builder, op.getLoc(), array, access.getOrder(),
        VectorType::get(access.getRegisters(), access.getElementType()));
  ArrayRef<int64_t> shape = cast<VectorType>(array.getType()).getShape();
  unsigned groups = access.getNumGroups();
  for (unsigned n = 0; n < groups; ++n) {
    unsigned i = access.isInLds() ? groups - 1 - n : n;
    SmallVector<int64_t> position = positionOf(shape, i * access.getGroup());
    auto group = [&](Value values) {
      return extractGroup(builder, op.getLoc(), values, position,
                          access.getGroup());
    };
    Value mask;
    if (op.getMask())
      mask = makeMask(op.getMask(), group);
    visit(i, group(array), mask);
  }
}

template void
Distributor::forEachGroup(AtomicOp op, const LaneAccess &access,
                          function_ref<void(unsigned, Value, Value)> visit);

template <typename OpT>
LogicalResult Distributor::writeTileOf(OpT op, const Window &window) {
  // Masks are compared in the tile's own order.
  LaneAccess access(builder, op.getLoc(), coordinates, window,
                    tileType(op.getTile()), /*mayReorder=*/!op.getMask());
  forEachGroup(op, access, [&](unsigned index, Value values, Value mask) {
    access.write(index, values, mask);
  });
  return success();
}

LogicalResult Distributor::distribute(StoreOp op) {
  FailureOr<Window> window = makeWindow(op);
  return failed(window) ? failure() : writeTileOf(op, *window);
}

LogicalResult Distributor::distribute(ScatterOp op) {
  FailureOr<Window> window = makeRowWindow(op);
  return failed(window) ? failure() : writeTileOf(op, *window);
}
