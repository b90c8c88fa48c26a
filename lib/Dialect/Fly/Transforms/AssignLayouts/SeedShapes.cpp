//===- SeedShapes.cpp - Layouts that follow from other tiles --------------===//
//
// Ops that rename the elements of a tile (lanes, bitcasts, repeats, transposes,
// slices, broadcasts) tie the layout of one side to that of the other. The side
// that something prefers decides; what cannot follow is converted.
//
//===----------------------------------------------------------------------===//
#include "../LayoutMoves.h"
#include "../ShapeOps.h"
#include "../TileRegisters.h"
#include "CopyLayout.h"
#include "LayoutAssignment.h"
#include "ShapeLayouts.h"

using namespace mlir;
using namespace fly;

/// An error where threads of the workgroup hold less than the whole tile.
static LogicalResult checkIsHeld(LanesOp op, RankedTensorType tile,
                                 int64_t threads) {
  ArrayRef<int64_t> shape = tile.getShape();
  LaneMap map = cast<LayoutAttrInterface>(op.getLayout()).getLaneMap(shape);
  llvm::DenseSet<int64_t> held;
  for (int64_t thread = 0; thread < threads; ++thread)
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      int64_t number = 0;
      bool exists = true;
      for (auto [extent, at] : llvm::zip(shape, map.evaluate(thread, reg))) {
        exists &= at < extent;
        number = number * extent + at;
      }
      if (exists)
        held.insert(number);
    }
  if (int64_t(held.size()) == tile.getNumElements())
    return success();
  return op.emitOpError() << "has a layout in which the " << threads
                          << " threads of the workgroup hold " << held.size()
                          << " of the " << tile.getNumElements()
                          << " elements of " << tile
                          << ": fix: 'waves' of the schedule, or a layout of "
                          << threads << " threads";
}

/// The stated layout is that of tiles which nothing gives another; others are
/// converted.
LogicalResult LayoutAssignment::seedLanes() {
  WalkResult walk = kernel->walk([&](LanesOp op) {
    for (Value tile : llvm::concat<Value>(SmallVector<Value>(op.getSources()),
                                          SmallVector<Value>(op.getResults())))
      if (failed(checkIsHeld(op, tileType(tile), schedule.threads())) ||
          (!hasPreference(tile) && failed(seed(op, tile, op.getLayout()))))
        return WalkResult::interrupt();
    for (OpOperand &use : op->getOpOperands())
      need(use, op.getLayout());
    for (OpResult result : op->getResults())
      give(result, op.getLayout());
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Bits become other elements in the lanes where they are: the side that
/// something prefers decides.
LogicalResult LayoutAssignment::seedBitcasts() {
  WalkResult walk = kernel->walk([&](BitcastOp op) {
    RankedTensorType from = tileType(op.getSource());
    RankedTensorType to = tileType(op.getResult());
    int64_t fromBits = from.getElementTypeBitWidth();
    int64_t toBits = to.getElementTypeBitWidth();
    if (!hasPreference(op.getResult()) && hasPreference(op.getSource()))
      if (Attribute layout =
              getBitcastLayout(getLayout(op.getSource()), fromBits, toBits))
        layouts.try_emplace(classes.leader(op.getResult()), layout);
    Attribute layout = getLayout(op.getResult());
    Attribute source = getBitcastLayout(layout, toBits, fromBits);
    if (!source) {
      op.emitOpError() << "has a result in " << layout << ", of which a lane "
                       << "holds no whole elements of "
                       << from.getElementType();
      return WalkResult::interrupt();
    }
    ++classes.getTraits(op.getSource()).byRows;
    return failed(seedRead(op.getSourceMutable(), source, "its source"))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedRepeats() {
  WalkResult walk = kernel->walk([&](RepeatOp op) {
    auto layout = RepeatedAttr::get(op.getContext(), op.getDim(),
                                    op.getFactor(), getLayout(op.getResult()));
    return failed(seedRead(op.getSourceMutable(), layout, "its source"))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A side that prefers no layout takes the transpose of the other's, which
/// moves nothing.
LogicalResult LayoutAssignment::seedTransposes() {
  SmallVector<TransposeOp> transposes;
  kernel->walk([&](TransposeOp op) { transposes.push_back(op); });
  for (TransposeOp op : transposes) {
    bool isIdentity = op.getPermutation().front() == 0;
    auto other = [&](Attribute layout) {
      return isIdentity ? layout : getTransposed(layout);
    };
    if (!hasPreference(op.getResult()) && hasPreference(op.getSource()) &&
        failed(seed(op, op.getResult(), other(getLayout(op.getSource())))))
      return failure();
    Attribute layout = other(getLayout(op.getResult()));
    if (!hasPreference(op.getSource()) &&
        failed(seed(op, op.getSource(), layout)))
      return failure();
    // A tile that lies in LDS is read where its transpose is taken.
    if (isStaged(op.getSource()))
      reads.push_back({&op.getSourceMutable(), layout});
    else
      need(op.getSourceMutable(), layout);
  }
  return success();
}

bool LayoutAssignment::accepts(Value value, Attribute layout) {
  const CopyTraits &traits = classes.getTraits(value);
  Attribute own = getOwnCopyLayout(value);
  if (!hasPreference(value) || layout == own)
    return true;
  if (traits.reducesAlong[0] || traits.reducesAlong[1])
    return false;
  RankedTensorType type = tileType(value);
  bool byColumns = type.getRank() == 2 && !traits.byRows && traits.byColumns;
  unsigned contiguous = byColumns ? 0 : type.getRank() - 1;
  auto getMap = [&](Attribute layout) {
    return cast<LayoutAttrInterface>(layout).getLaneMap(type.getShape());
  };
  auto getWidth = [&](const LaneMap &map) {
    return getContiguousGroup(map, contiguous, type.getElementTypeBitWidth());
  };
  LaneMap map = getMap(layout), ownMap = getMap(own);
  return getWidth(map) >= getWidth(ownMap) &&
         map.tails.size() <= ownMap.tails.size();
}

/// Slices, concatenations and reshapes rename registers where layouts can be
/// found that do; elsewhere they go through LDS.
LogicalResult LayoutAssignment::seedShapes() {
  WalkResult walk = kernel->walk([&](Operation *op) {
    if (!isShapeOp(op))
      return WalkResult::advance();
    if (failed(checkShapeOp(op)))
      return WalkResult::interrupt();
    SmallVector<ShapeSide> sides;
    auto add = [&](Value tile) {
      Attribute fixed = isSeeded(tile) ? getLayout(tile) : Attribute();
      sides.push_back({tile, fixed, fixed ? fixed : getOwnCopyLayout(tile)});
    };
    llvm::for_each(op->getOperands(), add);
    add(op->getResult(0));
    if (auto layouts = findFreeLayouts(op, sides, schedule.threads(),
                                       [&](Value tile, Attribute layout) {
                                         return accepts(tile, layout);
                                       }))
      for (auto [side, layout] : llvm::zip(sides, *layouts))
        if (failed(seed(op, side.tile, layout)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedBroadcasts() {
  // A broadcast whose result has no seed gets the copy layout first.
  WalkResult walk = kernel->walk([&](BroadcastOp op) {
    RankedTensorType type = tileType(op.getResult());
    Attribute slice = getSlice(op.getDim(), type.getDimSize(op.getDim()),
                               getLayout(op.getResult()));
    if (failed(seed(op, op.getSource(), slice)))
      return WalkResult::interrupt();
    need(op.getSourceMutable(), slice);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
