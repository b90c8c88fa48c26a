//===- PipelineLoops.cpp - Stages of a loop run ahead of each other -------===//
//
// Turns fly.pipeline into a prologue, a steady scf.for with loop-carried
// values, and a drain. Prefetched tiles whose schedule says lds(stages = S) are
// handed over through LDS: a fly.convert_layout to #fly.staged<label, slot>
// writes a tile, one from it reads it. Slots are static, so ping and pong stay
// two objects: with two slots the steady loop holds two iterations, and an even
// trip count peels its first iteration.
//
// Refuses (an error, the IR untouched) where a store of compute, of tiles or of
// a lane's vectors, may write what an earlier stage of a later iteration reads.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Plan/Budget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "Aliasing.h"
#include "Instantiated.h"
#include "LabelledOps.h"
#include "PassRemark.h"
#include "PipelineLoops/Rewriter.h"
#include "TileFlow.h"

#define DEBUG_TYPE "fly-pipeline-loops"

namespace fly {
#define GEN_PASS_DEF_FLYPIPELINELOOPSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::pipeline;

/// The view that `op` reads or writes, by its effects, or null.
template <typename EffectT>
static Value getView(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return {};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (Value view = effect.getValue(); view && isa<ViewType>(view.getType()))
      if (isa<EffectT>(effect.getEffect()))
        return view;
  return {};
}

/// Whether accesses must not move over `op`: it makes visible what others
/// wrote.
static bool ordersMemory(Operation *op) {
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return atomic.getOrder() != MemoryOrder::Relaxed;
  if (auto atomic = dyn_cast<AtomicRmwOp>(op))
    return atomic.getOrder() != MemoryOrder::Relaxed;
  return isa<FenceOp>(op);
}

/// C1 across iterations: compute's stores against prefetch's loads.
static LogicalResult verifyNoAlias(PipelineOp op) {
  SmallVector<Operation *> loads;
  SmallVector<Region *, 3> stages = op.getStages();
  for (Region *stage : ArrayRef(stages).drop_back())
    stage->walk([&](Operation *load) {
      if (getView<MemoryEffects::Read>(load))
        loads.push_back(load);
    });
  WalkResult walk = op.getCompute().walk([&](Operation *store) {
    Value written = getView<MemoryEffects::Write>(store);
    bool orders = ordersMemory(store);
    for (Operation *load : loads) {
      bool aliases =
          written && mayAlias(written, getView<MemoryEffects::Read>(load));
      if (!orders && !aliases)
        continue;
      InFlightDiagnostic diag =
          store->emitOpError()
          << (orders ? "orders memory, but a prefetch of a later iteration "
                       "reads before it"
                     : "may write what a prefetch of a later iteration reads");
      diag.attachNote(load->getLoc()) << "this load runs ahead of the store; "
                                         "move the store after the pipeline, "
                                         "or use a plain scf.for";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Iterations that the schedule wants a value of a stage to be under way: as
/// long as the farthest register tile that it is made of.
static int64_t getAhead(Value value, Region &stage, const Schedule &schedule) {
  OpSet slice;
  collectSlice(value, stage, slice);
  int64_t ahead = 1;
  for (Operation *op : slice)
    op->walk([&](Operation *load) {
      StringAttr label =
          isTileLoad(load) ? getWrittenLabel(load) : StringAttr();
      const OperandPolicy *policy = label ? schedule.operand(label) : nullptr;
      if (policy && !policy->inLds)
        ahead = std::max<int64_t>(ahead, policy->depth);
    });
  return ahead;
}

/// The handover of each value that a stage hands on, by the load it comes from.
/// Refuses two loads that would share a buffer.
static FailureOr<Handovers> getHandovers(PipelineOp op,
                                         const Schedule &schedule) {
  Handovers handovers;
  llvm::StringMap<Operation *> buffers;
  for (unsigned stage = 0; stage <= op.getMiddles().size(); ++stage) {
    auto &list = handovers.emplace_back();
    for (Value value : op.getYielded(stage)) {
      Handover &handover = list.emplace_back();
      handover.ahead = getAhead(value, *op.getStages()[stage], schedule);
      Operation *load = value.getDefiningOp();
      StringAttr label =
          isTileLoad(load) ? getWrittenLabel(load) : StringAttr();
      // Of other stages, or of around the loop, it is where it is.
      if (!label || load->getParentRegion() != op.getStages()[stage])
        continue;
      const OperandPolicy *policy = schedule.operand(label);
      if (!policy || !policy->inLds)
        continue;
      handover.buffer = label;
      handover.slots = policy->stages;
      handover.isAsync = policy->isAsync;
      handover.ahead = std::max(handover.ahead, handover.slots - 1);
      Operation *other =
          buffers.try_emplace(handover.buffer, load).first->second;
      if (other == load)
        continue;
      InFlightDiagnostic diag =
          load->emitOpError()
          << "shares the LDS buffer of label '" << handover.buffer
          << "' with another load of its pipeline: give it a label of its "
             "own";
      diag.attachNote(other->getLoc()) << "the other load";
      return diag;
    }
  }
  return handovers;
}

/// Share of a wave's registers, in hundredths, beyond which what iterations
/// hand on and carry leaves no room for two tiles side by side where the order
/// of loads is LLVM's to choose: fragments and addresses take the rest.
static constexpr int64_t kTightShare = 75;

/// Whether the tiles that are under way and carried take more than that.
static bool isTight(PipelineOp op, const Handovers &handovers,
                    const Schedule &schedule) {
  const arch::ArchInfo *chip = lookupArchOrNull(op);
  if (!chip || !chip->registers.vgprsPerSimd || !chip->simdsPerCu)
    return false;
  auto countBits = [&](Value value) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto layout =
        type ? dyn_cast_or_null<LayoutAttrInterface>(type.getEncoding())
             : LayoutAttrInterface();
    if (!layout || !type.getElementType().isIntOrFloat())
      return 0;
    return ShapedType::getNumElements(
               layout.getLaneMap(type.getShape()).registers) *
           type.getElementTypeBitWidth();
  };
  int64_t bits = 0;
  for (Value value : op.getInits())
    bits += countBits(value);
  for (auto [stage, list] : llvm::enumerate(handovers))
    for (auto [value, handover] : llvm::zip(op.getYielded(stage), list)) {
      // In use and under way; on the way to LDS; not at all.
      int64_t sets = !handover.throughLds() ? 1 + handover.ahead
                     : handover.isAsync     ? 0
                                            : 1;
      bits += sets * countBits(value);
    }
  int64_t waves = schedule.threads() / arch::waveLanes;
  unsigned wavesPerSimd = std::max<unsigned>(
      schedule.wavesPerEu, llvm::divideCeil(waves, *chip->simdsPerCu));
  constexpr int64_t registerBits = 32;
  return bits * 100 > registerBits * kTightShare *
                          int64_t(plan::registerLimit(*chip, wavesPerSimd));
}

/// Hands a value that a stage yields twice on once.
static void mergeRepeated(PipelineOp op, Handovers &handovers) {
  for (auto [stage, list] : llvm::enumerate(handovers)) {
    Operation *yield = op.getStages()[stage]->front().getTerminator();
    Block &next = op.getStages()[stage + 1]->front();
    for (unsigned i = 0; i < list.size(); ++i) {
      Value value = yield->getOperand(i);
      for (unsigned j = list.size(); --j > i;) {
        if (yield->getOperand(j) != value)
          continue;
        next.getArgument(1 + j).replaceAllUsesWith(next.getArgument(1 + i));
        next.eraseArgument(1 + j);
        yield->eraseOperand(j);
        list.erase(list.begin() + j);
      }
    }
  }
}

namespace {
struct FlyPipelineLoopsPass
    : fly::impl::FlyPipelineLoopsPassBase<FlyPipelineLoopsPass> {
  using FlyPipelineLoopsPassBase::FlyPipelineLoopsPassBase;

  void runOnOperation() override {
    // What may be refused is asked of all pipelines before one is changed.
    struct Plan {
      PipelineOp op;
      Handovers handovers;
      bool isTight;
    };
    SmallVector<Plan> plans;
    WalkResult walk = getOperation()->walk([&](PipelineOp op) {
      auto kernel = op->getParentOfType<FunctionOpInterface>();
      if (failed(checkIsInstantiated(kernel)) || failed(verifyNoAlias(op)))
        return WalkResult::interrupt();
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule))
        return WalkResult::interrupt();
      auto handovers = getHandovers(op, *schedule);
      if (failed(handovers))
        return WalkResult::interrupt();
      bool tight = isTight(op, *handovers, *schedule);
      plans.push_back({op, std::move(*handovers), tight});
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    // Inner pipelines come first, so that outer ones clone what they became.
    for (auto &[op, handovers, tight] : plans) {
      mergeRepeated(op, handovers);
      size_t prefetched = handovers.front().size();
      size_t stages = handovers.size() + 1;
      PipelineRewriter rewriter(op, std::move(handovers), tight);
      remarkPassed(op, DEBUG_TYPE, "Pipelined",
                   "steady loop of " + Twine(rewriter.getUnroll()) +
                       " iterations, " + Twine(prefetched) +
                       " tiles prefetched" +
                       (stages == 2 ? ""
                                    : ", " + Twine(stages) + " stages over " +
                                          Twine(rewriter.getDepth() + 1) +
                                          " iterations"));
      rewriter.rewrite();
      ++numPipelines;
    }
  }
};
} // namespace
