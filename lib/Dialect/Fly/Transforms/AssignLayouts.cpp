//===- AssignLayouts.cpp - A layout for every tile ------------------------===//
//
// Which wave, lane and register holds which element becomes part of each
// tile's type. Values that elementwise ops, casts, loops and pipelines tie
// together share one layout (a class). A class is seeded by what cares:
//
//   accumulators of a dot     #fly.mma of the schedule's shape and waves
//   operands of a dot         kept in registers (`regs`): #fly.operand;
//                             otherwise a copy layout (#fly.blocked, 16 bytes
//                             a thread), converted where the dot reads it
//   sources of broadcasts     #fly.slice of the result's layout
//   results of reductions     #fly.slice of the source's layout; where waves
//                             share the reduced dimension they exchange parts
//                             through LDS
//   everything else           #fly.blocked
//
// Where a dot wants a value in another layout, a fly.convert_layout is inserted
// at the dot. Everything is decided, for all kernels, before a type changes.
// Refuses tiles that no layout holds, with the extents, tiles of other ranks
// than 1 and 2, and tiles beyond the registers of a lane.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

#include "AssignLayouts/CopyLayout.h"
#include "AssignLayouts/ExchangeParts.h"
#include "Instantiated.h"
#include "PassRemark.h"
#include "TileFlow.h"
#include "TileRegisters.h"

#define DEBUG_TYPE "fly-assign-layouts"

namespace fly {
#define GEN_PASS_DEF_FLYASSIGNLAYOUTSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
/// The assignment for one kernel.
class LayoutAssignment {
public:
  LayoutAssignment(FunctionOpInterface kernel, const arch::ArchInfo &chip,
                   Schedule resolved)
      : kernel(kernel), chip(chip), schedule(std::move(resolved)),
        threads(schedule.threads()) {}

  /// Decides on all layouts; changes nothing.
  LogicalResult plan();
  /// Gives the tiles their types and inserts the conversions.
  void apply();
  unsigned numTiles = 0, numConversions = 0;

private:
  void tie(Value lhs, Value rhs) {
    if (tileType(lhs) && tileType(rhs))
      classes.unionSets(lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer());
  }
  void tieAll(ValueRange lhs, ValueRange rhs) {
    for (auto [l, r] : llvm::zip(lhs, rhs))
      tie(l, r);
  }
  const void *leader(Value value) {
    return classes.getOrInsertLeaderValue(value.getAsOpaquePointer());
  }

  LogicalResult collect();
  void tieOp(Operation *op);
  void tieWholes();
  /// Gives the class of `value` a layout; an error where it has another.
  LogicalResult seed(Operation *op, Value value, Attribute layout);
  LogicalResult seedDots();
  LogicalResult seedOperand(DotOp dot, OpOperand &operand, OperandSide side);
  LogicalResult seedBroadcasts();
  LogicalResult seedReductions();
  /// The layout of the class of `value`; the copy layout where it has none.
  Attribute getLayout(Value value);
  /// The load of a class, or null.
  LoadOp findLoad(Value value);
  /// Gives the classes without a seed the copy layout; checks all tiles.
  LogicalResult complete();
  void convertOperands();

  FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  Schedule schedule;
  int64_t threads;
  SmallVector<Value> values;
  llvm::EquivalenceClasses<const void *> classes;
  DenseMap<const void *, Attribute> layouts;
  DenseMap<const void *, CopyTraits> traits;
  /// Reductions along a dimension that waves share, with the number of parts.
  SmallVector<std::pair<ReduceOp, int64_t>> exchanges;
  /// Operand layouts that dots read, by use.
  SmallVector<std::pair<OpOperand *, Attribute>> reads;
};
} // namespace

void LayoutAssignment::tieOp(Operation *op) {
  if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    tieAll(pipeline.getPrefetchYield().getValues(),
           ValueRange(pipeline.getPrefetchedArgs()));
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
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    tie(dot.getAcc(), dot.getResult());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    if (store.getMask())
      tie(store.getTile(), store.getMask());
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    if (load.getMask())
      tie(load.getTile(), load.getMask());
  } else if (isa<ReduceOp, ScanOp>(op)) {
    for (Value operand : op->getOperands())
      tie(operand, op->getOperand(0));
  } else if (isElementwise(op)) {
    for (Value operand : op->getOperands())
      tie(operand, op->getResult(0));
  }
}

Attribute LayoutAssignment::getLayout(Value value) {
  Attribute &layout = layouts[leader(value)];
  if (!layout)
    layout = getCopyLayout(tileType(value), traits[leader(value)], schedule);
  return layout;
}

/// Ties tiles whose slices share a layout: a slice's layout names that of the
/// whole, so two of one shape cannot differ.
void LayoutAssignment::tieWholes() {
  struct Slice {
    Value whole, slice;
    uint64_t dim;
  };
  SmallVector<Slice> slices;
  kernel->walk([&](Operation *op) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      slices.push_back(
          {broadcast.getResult(), broadcast.getSource(), broadcast.getDim()});
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

LogicalResult LayoutAssignment::collect() {
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
  auto access = [&](Value tile) {
    int64_t bits = tileType(tile).getElementTypeBitWidth();
    int64_t &narrowest = traits[leader(tile)].accessBits;
    narrowest = narrowest ? std::min(narrowest, bits) : bits;
  };
  kernel->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      access(load.getTile());
    else if (auto store = dyn_cast<StoreOp>(op))
      access(store.getTile());
    else if (auto reduce = dyn_cast<ReduceOp>(op))
      traits[leader(reduce.getSources().front())]
          .reducesAlong[reduce.getDim()] = true;
  });
  return success();
}

LogicalResult LayoutAssignment::seed(Operation *op, Value value,
                                     Attribute layout) {
  auto emitError = [&] {
    return op->emitOpError() << "cannot distribute " << value.getType() << ": ";
  };
  if (auto distributed = dyn_cast<LayoutAttrInterface>(layout))
    if (failed(distributed.verifyShape(tileType(value).getShape(), emitError)))
      return failure();
  auto [it, inserted] = layouts.try_emplace(leader(value), layout);
  if (inserted || it->second == layout)
    return success();
  return op->emitOpError()
         << "needs its tile as " << layout << ", but another use fixed it as "
         << it->second
         << (findLoad(value)
                 ? ": load the tile once for each of these uses, or through LDS"
                 : ": no pass moves it between these; compute it once for each "
                   "of these uses, or store it in one kernel and load it in "
                   "the next");
}

LoadOp LayoutAssignment::findLoad(Value value) {
  const void *wanted = leader(value);
  for (Value member : values)
    if (auto load = member.getDefiningOp<LoadOp>())
      if (leader(member) == wanted)
        return load;
  return {};
}

LogicalResult LayoutAssignment::seedOperand(DotOp dot, OpOperand &operand,
                                            OperandSide side) {
  auto parent = cast<MmaAttr>(layouts.lookup(leader(dot.getResult())));
  RankedTensorType type = tileType(operand.get());
  int64_t pack = arch::widestAccessBytes * 8 / type.getElementTypeBitWidth();
  auto layout = OperandAttr::get(type.getContext(), side, parent, pack);
  auto emitError = [&] {
    return dot.emitOpError()
           << "cannot read operand " << stringifyOperandSide(side) << " ("
           << type << "): ";
  };
  if (failed(layout.verifyShape(type.getShape(), emitError)))
    return failure();
  reads.push_back({&operand, layout});
  // A tile that stays in registers is loaded as the dot wants it; else the
  // class takes the copy layout, which apply() gives to whatever has none.
  LoadOp load = findLoad(operand.get());
  if (!load) {
    // Computed in place: as the dot wants it, unless it has a layout already.
    layouts.try_emplace(leader(operand.get()), layout);
    return success();
  }
  const OperandPolicy *policy =
      load.getLabel() ? schedule.operand(*load.getLabel()) : nullptr;
  if (policy && !policy->inLds)
    return seed(dot, operand.get(), layout);
  return success();
}

LogicalResult LayoutAssignment::seedDots() {
  SmallVector<DotOp> dots;
  kernel->walk([&](DotOp dot) { dots.push_back(dot); });
  for (DotOp dot : dots) {
    const DotPolicy &policy = schedule.dot(dot);
    auto layout = MmaAttr::get(dot.getContext(), {policy.mfma, policy.mfma},
                               schedule.waves, policy.transposed);
    if (failed(seed(dot, dot.getResult(), layout)))
      return failure();
  }
  for (DotOp dot : dots)
    if (failed(seedOperand(dot, dot.getAMutable(), OperandSide::A)) ||
        failed(seedOperand(dot, dot.getBMutable(), OperandSide::B)))
      return failure();
  return success();
}

LogicalResult LayoutAssignment::seedBroadcasts() {
  // A broadcast whose result has no seed gets the copy layout first.
  WalkResult walk = kernel->walk([&](BroadcastOp op) {
    RankedTensorType type = tileType(op.getResult());
    auto slice =
        SliceAttr::get(op.getContext(), op.getDim(),
                       type.getDimSize(op.getDim()), getLayout(op.getResult()));
    if (failed(seed(op, op.getSource(), slice)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult LayoutAssignment::seedReductions() {
  WalkResult walk = kernel->walk([&](ReduceOp op) {
    Value source = op.getSources().front();
    RankedTensorType type = tileType(source);
    Attribute layout = getLayout(source);
    auto slice = SliceAttr::get(op.getContext(), op.getDim(),
                                type.getDimSize(op.getDim()), layout);
    for (Value result : op.getResults())
      if (failed(seed(op, result, slice)))
        return WalkResult::interrupt();
    FailureOr<int64_t> parts =
        countParts(op, cast<LayoutAttrInterface>(layout));
    if (failed(parts))
      return WalkResult::interrupt();
    if (*parts > 1)
      exchanges.push_back({op, *parts});
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void LayoutAssignment::convertOperands() {
  for (auto [use, layout] : reads) {
    RankedTensorType type = tileType(use->get());
    if (type.getEncoding() == layout)
      continue;
    OpBuilder builder(use->getOwner());
    // A constant is as cheap in any layout.
    Operation *producer = use->get().getDefiningOp();
    if (isa_and_nonnull<ConstantOp, SplatOp>(producer)) {
      Operation *copy = builder.clone(*producer);
      copy->getResult(0).setType(type.cloneWithEncoding(layout));
      use->set(copy->getResult(0));
      continue;
    }
    use->set(ConvertLayoutOp::create(builder, use->getOwner()->getLoc(),
                                     type.cloneWithEncoding(layout),
                                     use->get()));
    ++numConversions;
  }
}

LogicalResult LayoutAssignment::complete() {
  for (Value value : values) {
    RankedTensorType type = tileType(value);
    Attribute layout = getLayout(value);
    auto emitError = [&] {
      return mlir::emitError(value.getLoc())
             << "cannot distribute " << type << ": ";
    };
    if (failed(cast<LayoutAttrInterface>(layout).verifyShape(type.getShape(),
                                                             emitError)) ||
        failed(checkTileFits(value.getLoc(), type, layout, chip, schedule)))
      return failure();
  }
  return success();
}

LogicalResult LayoutAssignment::plan() {
  return success(succeeded(collect()) && succeeded(seedDots()) &&
                 succeeded(seedBroadcasts()) && succeeded(seedReductions()) &&
                 succeeded(complete()));
}

void LayoutAssignment::apply() {
  for (Value value : values) {
    auto type = tileType(value).cloneWithEncoding(layouts[leader(value)]);
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      constant.setValueAttr(
          cast<DenseElementsAttr>(constant.getValue()).reshape(type));
    value.setType(type);
  }
  numTiles = values.size();
  convertOperands();
  unsigned number = 0;
  for (auto [op, parts] : exchanges) {
    // Buffers that no label of the author has.
    auto makeBuffer = [&] {
      std::string buffer;
      do
        buffer = "reduce" + std::to_string(number++);
      while (schedule.operand(buffer));
      return buffer;
    };
    numConversions += 2 * exchangeParts(op, parts, makeBuffer);
  }
}

namespace {
struct FlyAssignLayoutsPass
    : fly::impl::FlyAssignLayoutsPassBase<FlyAssignLayoutsPass> {
  using FlyAssignLayoutsPassBase::FlyAssignLayoutsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function->hasAttr(FlyDialect::getScheduleAttrName()))
        kernels.push_back(function);
    });
    SmallVector<std::unique_ptr<LayoutAssignment>> assignments;
    for (FunctionOpInterface kernel : kernels) {
      const arch::ArchInfo *chip = getCompiledArch(kernel);
      if (!chip || failed(checkIsInstantiated(kernel)))
        return signalPassFailure();
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule))
        return signalPassFailure();
      assignments.push_back(std::make_unique<LayoutAssignment>(
          kernel, *chip, std::move(*schedule)));
      if (failed(assignments.back()->plan()))
        return signalPassFailure();
    }
    for (auto [kernel, assignment] : llvm::zip(kernels, assignments)) {
      assignment->apply();
      numTiles += assignment->numTiles;
      numConversions += assignment->numConversions;
      remarkPassed(kernel, DEBUG_TYPE, "Assigned",
                   Twine(assignment->numTiles) + " tiles have layouts, " +
                       Twine(assignment->numConversions) + " conversions");
    }
  }
};
} // namespace
