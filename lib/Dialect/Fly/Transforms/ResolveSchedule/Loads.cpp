//===- Loads.cpp - Through LDS or registers ------------------------------===//
//
// Operands of dots that a pipeline prefetches go through LDS, all else to
// registers, unless the schedule says otherwise. Refused: LDS for tiles that no
// dot reads or that do not run ahead, distances that the stages of a loop do
// not have, and numbers of buffers that come round together too late.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/ScalarSlot.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// Iterations of a pipeline that its loop holds at most: beyond, the code grows
/// out of the instruction cache.
static constexpr int64_t kMostIterations = 12;

static int64_t getTileBytes(RankedTensorType type) {
  return llvm::divideCeil(
      uint64_t(type.getNumElements()) * type.getElementTypeBitWidth(), 8);
}

int64_t LoadPlan::tileBytes() const {
  int64_t bytes = 0;
  for (Operation *op : ops)
    bytes = std::max(bytes, getTileBytes(getTileType(op->getResult(0))));
  return bytes;
}

LogicalResult ScheduleResolver::collectLoads() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Load)
      continue;
    LoadPlan &load = loads[label];
    load.label = label;
    for (Operation *op : group.ops) {
      load.ops.push_back(op);
      auto pipeline = dyn_cast<PipelineOp>(op->getParentOp());
      load.runsAhead &=
          pipeline && op->getParentRegion() != &pipeline.getCompute();
    }
    auto emitError = [&, op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto request = OperandRequest::read(getEntry(label), emitError);
    if (failed(request))
      return failure();
    load.request = *request;
  }
  for (const DotPlan &dot : dots)
    for (Operation *op : {dot.a, dot.b})
      if (op)
        loads[labelled.label(op)].feedsDot = true;
  return success();
}

/// Bytes of LDS that waves may exchange while the buffers of a pipeline are in
/// use, at most: whether they must follows from layouts, which come later.
/// fly-stage-lds counts what it really is.
int64_t ScheduleResolver::getExchangeBytes() {
  int64_t bytes = 0;
  // Tiles beyond what any chip has are refused elsewhere.
  auto countElements = [](RankedTensorType tile) {
    int64_t count = 1;
    for (int64_t extent : tile.getShape())
      count = std::min<int64_t>(count * std::min<int64_t>(extent, 1 << 20),
                                1 << 30);
    return count;
  };
  auto addParts = [&](ValueRange sources, int64_t dim) {
    RankedTensorType tile = getTileType(sources.front());
    int64_t others =
        countElements(tile) / std::max<int64_t>(1, tile.getDimSize(dim));
    for (Value source : sources)
      if (Type element = getTileType(source).getElementType();
          element.isIntOrFloat())
        bytes += others * waves[0] * waves[1] *
                 std::max<int64_t>(4, element.getIntOrFloatBitWidth() / 8);
  };
  kernel.walk([&](PipelineOp pipeline) {
    pipeline.walk([&](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        addParts(reduce.getSources(), reduce.getDim());
      } else if (auto scan = dyn_cast<ScanOp>(op)) {
        addParts(scan.getSources(), scan.getDim());
      } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
        RankedTensorType tile = getTileType(transpose.getSource());
        if (tile.getElementType().isIntOrFloat())
          bytes += countElements(tile) *
                   llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
      }
    });
  });
  return bytes;
}

/// How far a load runs ahead is its author's choice in loops of more than two
/// stages, the schedule's in others.
LogicalResult ScheduleResolver::checkDistance(const LoadPlan &load) {
  Operation *op = load.ops.front();
  if (!load.policy.inLds && load.policy.depth > 1 && !load.runsAhead)
    return op->emitOpError()
           << "cannot run " << load.policy.depth
           << " iterations ahead: it is not in the prefetch of a fly.pipeline";
  if (!load.runsAhead)
    return success();
  for (Operation *each : load.ops) {
    auto pipeline = cast<PipelineOp>(each->getParentOp());
    if (pipeline.getStages().size() == 2)
      continue;
    int64_t gap = getGap(each);
    int64_t ahead =
        load.policy.inLds ? load.policy.stages - 1 : load.policy.depth;
    if (ahead <= gap)
      continue;
    InFlightDiagnostic diag =
        each->emitOpError()
        << "cannot run " << ahead << " iterations ahead for "
        << (load.policy.inLds ? "stages = " : "depth = ")
        << (load.policy.inLds ? load.policy.stages : load.policy.depth)
        << ": its pipeline has " << pipeline.getStages().size()
        << " stages, which take its tile " << gap
        << (gap == 1 ? " iteration" : " iterations") << " later";
    diag.attachNote(pipeline.getLoc())
        << "fix: another distance in this loop, or "
        << (load.policy.inLds ? "stages = " : "depth = ")
        << (load.policy.inLds ? gap + 1 : gap);
    return diag;
  }
  return success();
}

/// Slots are static places, so a loop holds as many iterations as make all of
/// its buffers come round together.
LogicalResult ScheduleResolver::checkRepetition() {
  llvm::MapVector<Operation *, SmallVector<const LoadPlan *>> byLoop;
  for (auto &[label, load] : loads)
    if (load.policy.inLds)
      for (Operation *op : load.ops)
        byLoop[op->getParentOp()].push_back(&load);
  for (auto &[loop, list] : byLoop) {
    int64_t together = 1;
    std::string each;
    for (const LoadPlan *load : list) {
      together = std::lcm(together, int64_t(load->policy.stages));
      each += (each.empty() ? "" : ", ") + load->label.getValue().str() + " " +
              std::to_string(load->policy.stages);
    }
    if (together > kMostIterations)
      return loop->emitOpError()
             << "has LDS buffers that come round together every " << together
             << " iterations (stages of " << each << "), at most "
             << kMostIterations
             << " are laid out: choose stages that divide each other";
  }
  return success();
}

LogicalResult ScheduleResolver::checkLdsUse(const LoadPlan &load) {
  Operation *op = load.ops.front();
  if (!load.feedsDot)
    return op->emitOpError()
           << "loads a tile that no dot reads as it is, so it "
              "has no use in LDS: schedule it as regs";
  if (!load.runsAhead)
    return op->emitOpError()
           << "cannot go through LDS: it is not in the prefetch of a "
              "fly.pipeline, which hands tiles over; schedule it as regs";
  return success();
}

int64_t ScheduleResolver::getLoadBytes() const {
  int64_t bytes = 0;
  for (const auto &[label, load] : loads)
    bytes += load.ldsBytes();
  return bytes;
}

int64_t ScheduleResolver::getHandedOnBytes() const {
  bool handsOn = false;
  gpu::GPUFuncOp function = kernel;
  function.walk(
      [&](AtomicRmwOp atomic) { handsOn |= !atomic.getResult().use_empty(); });
  return handsOn ? scalarSlotBytes : 0;
}

LogicalResult ScheduleResolver::resolveLoads() {
  for (auto &[label, load] : loads) {
    load.policy.inLds =
        load.request.inLds.value_or(load.feedsDot && load.runsAhead);
    load.policy.stages = load.request.stages.value_or(2);
    load.policy.cache = load.request.cache;
    load.policy.depth = load.request.depth.value_or(1);
    load.policy.carriesFirstPack =
        load.request.carriesFirstPack.value_or(false);
    if (load.policy.inLds) {
      if (failed(checkLdsUse(load)))
        return failure();
      resolveRead(load);
      if (failed(resolveCopy(load)) || failed(resolveSwizzle(load)))
        return failure();
    }
    // Copies have a slot for each tile under way, and one that is read.
    if (!load.request.stages && load.policy.isAsync)
      load.policy.stages = std::max<int64_t>(2, getGap(load.ops.front()) + 1);
  }
  // Two buffers where they fit beside all others, else one; rows farther apart
  // only where they cost no buffer.
  int64_t exchanged = getExchangeBytes() + getHandedOnBytes();
  int64_t limit = *chip.lds.bytes;
  if (exchanged + getLoadBytes() > limit)
    for (auto &[label, load] : loads)
      dropPadding(load);
  int64_t bytes = exchanged + getLoadBytes();
  bool twoFit = bytes <= limit;
  for (auto &[label, load] : loads) {
    Operation *op = load.ops.front();
    if (load.policy.inLds && !load.request.isAsync)
      chooseCopy(load, twoFit || load.request.stages);
    if (load.policy.inLds && !load.request.stages) {
      if (!twoFit && (!load.policy.isAsync || load.policy.stages == 2))
        load.policy.stages = 1;
      passed(op, "Stages",
             llvm::formatv("stages = {0}: two of each take {1} bytes of LDS, "
                           "{2} has {3}",
                           load.policy.stages, bytes, chip.name, limit)
                 .str());
    }
    if (failed(checkDistance(load)))
      return failure();
    if (!load.policy.inLds || load.policy.isAsync)
      continue;
    holds(plan::checkCopy(label.getValue(), load.tileBytes(), threads()));
    int64_t round = threads() * kAccessBytes;
    if (load.tileBytes() % round != 0)
      passed(op, "GuardedCopy",
             llvm::formatv("the tile of {0} bytes is no multiple of {1} ({2} "
                           "threads * 16 bytes): the copy is guarded, some "
                           "threads are idle in its last round",
                           load.tileBytes(), round, threads())
                 .str());
  }
  return checkRepetition();
}
