//===- TileClasses.cpp - Tiles that share a layout ------------------------===//
//
// Elementwise ops, casts, loops, branches and pipelines tie their tiles
// together: a class has one layout. Refuses tiles that no layout holds,
// whatever the schedule: without elements, of other ranks than 1 and 2, beyond
// the registers of a lane.
//
//===----------------------------------------------------------------------===//
#include "TileClasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

#include "../ScanOrder.h"
#include "../TileFlow.h"
#include "../TileRegisters.h"

using namespace mlir;
using namespace fly;

void TileClasses::tieOp(Operation *op) {
  if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    for (unsigned stage = 0; stage <= pipeline.getMiddles().size(); ++stage)
      tieAll(pipeline.getYielded(stage),
             ValueRange(pipeline.getHandedArgs(stage + 1)));
    tieAll(pipeline.getComputeYield().getValues(), pipeline.getResults());
    tieAll(ValueRange(pipeline.getIterArgs()), pipeline.getResults());
    tieAll(pipeline.getInits(), pipeline.getResults());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    tieAll(loop.getInitArgs(), loop.getResults());
    tieAll(ValueRange(loop.getRegionIterArgs()), loop.getResults());
    tieAll(loop.getYieldedValues(), loop.getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : branch.getRegions())
      if (!region->empty())
        tieAll(region->front().getTerminator()->getOperands(),
               branch.getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    auto condition = loop.getConditionOp();
    tieAll(loop.getInits(), ValueRange(loop.getBeforeArguments()));
    tieAll(condition.getArgs(), ValueRange(loop.getAfterArguments()));
    tieAll(condition.getArgs(), loop.getResults());
    tieAll(loop.getYieldOp().getOperands(),
           ValueRange(loop.getBeforeArguments()));
  } else if (auto dot = dyn_cast<ProductOpInterface>(op)) {
    tie(dot.getAccumulator().get(), op->getResult(0));
  } else if (isa<LoadOp, GatherOp, StoreOp, ScatterOp, AtomicOp>(op)) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, GatherOp, StoreOp, ScatterOp, AtomicOp>([&](auto access) {
          if (access.getMask())
            tie(access.getTile(), access.getMask());
        });
  } else if (auto record = dyn_cast<RecordOp>(op)) {
    if (record.getCondition())
      for (Value value : record.getValues())
        tie(value, record.getCondition());
  } else if (isa<ReduceOp, ScanOp>(op)) {
    for (Value operand : op->getOperands())
      tie(operand, op->getOperand(0));
    if (isa<ScanOp>(op))
      for (Value result : op->getResults())
        tie(result, op->getOperand(0));
  } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    tie(slice.getDest(), slice.getResult());
  } else if (isElementwise(op)) {
    for (Value operand : op->getOperands())
      tie(operand, op->getResult(0));
  }
}

/// Ties tiles whose slices share a layout: a slice's layout names that of the
/// whole, so two of one shape cannot differ.
void TileClasses::tieWholes() {
  struct Slice {
    Value whole, slice;
    uint64_t dim;
  };
  SmallVector<Slice> slices;
  kernel->walk([&](Operation *op) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      slices.push_back(
          {broadcast.getResult(), broadcast.getSource(), broadcast.getDim()});
    else if (auto repeat = dyn_cast<RepeatOp>(op))
      slices.push_back(
          {repeat.getResult(), repeat.getSource(), repeat.getDim()});
    else if (auto reduce = dyn_cast<ReduceOp>(op))
      for (Value result : reduce.getResults())
        slices.push_back(
            {reduce.getSources().front(), result, reduce.getDim()});
  });
  auto mustShare = [&](const Slice &lhs, const Slice &rhs) {
    return lhs.dim == rhs.dim && leader(lhs.slice) == leader(rhs.slice) &&
           tileType(lhs.whole).getShape() == tileType(rhs.whole).getShape();
  };
  // Tied wholes may be slices' neighbours in turn.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Slice &lhs : slices)
      for (const Slice &rhs : slices)
        if (mustShare(lhs, rhs) && leader(lhs.whole) != leader(rhs.whole)) {
          tie(lhs.whole, rhs.whole);
          changed = true;
        }
  }
}

/// What no layout holds, whatever the schedule.
static LogicalResult verifyTile(Value value) {
  RankedTensorType type = tileType(value);
  if (llvm::is_contained(type.getShape(), 0))
    return emitError(value.getLoc())
           << "cannot distribute " << type
           << ": it has no elements, extents must be at least 1";
  if (type.getRank() < 1 || type.getRank() > 2)
    return emitError(value.getLoc())
           << "cannot distribute " << type
           << ": layouts hold tiles of rank 1 and 2, got rank "
           << type.getRank()
           << (type.getRank() ? "" : "; reduce a tile of one row instead");
  if (!type.getElementType().isIntOrFloat())
    return emitError(value.getLoc())
           << "cannot distribute " << type
           << ": its elements must be integers or floats";
  // The layout becomes part of the constant's type as well.
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (constant && !isa<DenseElementsAttr>(constant.getValue()))
    return constant.emitOpError()
           << "must be dense to become a tile, got " << constant.getValue();
  return success();
}

LogicalResult TileClasses::collect(const arch::ArchInfo &chip,
                                   const Schedule &schedule) {
  auto add = [&](Value value) {
    if (!tileType(value))
      return;
    values.push_back(value);
    leader(value);
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  for (Value value : values)
    if (failed(verifyTile(value)) ||
        failed(checkTileFits(value.getLoc(), tileType(value), chip, schedule)))
      return failure();
  kernel->walk([&](Operation *op) { tieOp(op); });
  tieWholes();
  // A kind has something to put in the place of what lies beyond the tile; for
  // a scan that is in the way only where it comes first.
  auto along = [&](Value tile, int64_t dim, bool even) {
    CopyTraits &its = traits[leader(tile)];
    its.reducesAlong[dim] = true;
    its.evenAlong[dim] |= even;
  };
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, GatherOp, StoreOp, ScatterOp, AtomicOp>([&](auto move) {
          traits[leader(move.getTile())].addAccess(tileType(move.getTile()),
                                                   move.getView().getType());
        });
    if (auto reduce = dyn_cast<ReduceOp>(op))
      along(reduce.getSources().front(), reduce.getDim(), reduce.hasCombiner());
    else if (auto scan = dyn_cast<ScanOp>(op))
      along(scan.getSources().front(), scan.getDim(), needsEvenLanes(scan));
  });
  return success();
}

Operation *TileClasses::findLoad(Value value) {
  const void *wanted = leader(value);
  for (Value member : values)
    if (isTileLoad(member.getDefiningOp()) && leader(member) == wanted)
      return member.getDefiningOp();
  return nullptr;
}
