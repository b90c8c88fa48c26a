//===- ScheduleHotLoop.cpp - Hints for the order of matrix loops ----------===//
//
// LLVM orders a loop by latencies that it guesses. Group hints say instead in
// which order machine operations of each class follow each other. They are
// positional: a group that asks for an operation too many or too few makes all
// behind it slip. So nothing here is a table by tile; the hints are made from
// the operations that the loop really holds, stretch by stretch between its
// barriers.
//
// Evenly spread (`on`): what is read before the first matrix instructions comes
// first; the reads of each later step are spread over the matrix instructions
// of the step before, or of one farther ahead where steps are shorter than a
// read takes, so that fragments are double-buffered in registers; loads
// come one a matrix instruction from the front; LDS writes over the last ones.
// Guide-like (`guide`): the tuning guide's head and groups, each class clipped
// to what there is, the rest spread.
//
// By turns (`pingpong`): no hints but a real order, for two groups of waves
// that are a turn apart (ScheduleHotLoop/PingPong.cpp).
//
// Interleaved (`interleave`): the evenly spread form as a real order, held by
// fences (ScheduleHotLoop/Interleave.cpp).
//
// Stretches with control flow are left alone, with a remark. So are loops whose
// author has placed hints. A real order that cannot be had is an error.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Support/CodegenForms.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

#include "LlvmAttributes.h"
#include "PassRemark.h"
#include "ScheduleHotLoop/Interleave.h"
#include "ScheduleHotLoop/PingPong.h"
#include "ScheduleHotLoop/Stretches.h"

#define DEBUG_TYPE "fly-schedule-hot-loop"

namespace fly {
#define GEN_PASS_DEF_FLYSCHEDULEHOTLOOPPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

namespace {
void emit(ArrayRef<SchedGroup> groups, Operation *before) {
  OpBuilder builder(before);
  Location loc = before->getLoc();
  auto make = [&](auto op, unsigned count) {
    decltype(op)::create(builder, loc, count);
  };
  for (auto [schedClass, count] : groups) {
    switch (schedClass) {
    case SchedClass::Mfma:
      make(SchedMfmaOp(), count);
      break;
    case SchedClass::DsRead:
      make(SchedDsrdOp(), count);
      break;
    case SchedClass::DsWrite:
      make(SchedDswrOp(), count);
      break;
    case SchedClass::VmemRead:
      make(SchedVmemOp(), count);
      break;
    case SchedClass::VmemWrite:
      make(SchedVmemWriteOp(), count);
      break;
    case SchedClass::Valu:
      make(SchedValuOp(), count);
      break;
    case SchedClass::Salu:
      make(SchedSaluOp(), count);
      break;
    case SchedClass::Trans:
      make(SchedTransOp(), count);
      break;
    case SchedClass::Fence:
      SchedBarrierOp::create(builder, loc);
      break;
    }
  }
}

struct ScheduleHotLoop
    : public fly::impl::FlyScheduleHotLoopPassBase<ScheduleHotLoop> {
  using FlyScheduleHotLoopPassBase::FlyScheduleHotLoopPassBase;

  void runOnOperation() override {
    bool isRight = true;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      isRight &= succeeded(scheduleKernel(kernel));
    });
    if (!isRight)
      signalPassFailure();
  }

private:
  LogicalResult scheduleKernel(gpu::GPUFuncOp kernel);
  FailureOr<bool> scheduleLoop(scf::ForOp loop);
  FailureOr<bool> orderByTurns(scf::ForOp loop);

  /// Of the kernel: hints that somebody asked for, and what the loop with most
  /// matrix instructions claims.
  bool isAsked = false;
  unsigned mostMfmas = 0;
  std::string claim;
};

} // namespace

/// The sums of all stretches as the attribute has them: "2,mfma=144,dsrd=0".
static std::string describeClaim(const SchedCounts &sums, size_t stretches) {
  std::string text = std::to_string(stretches);
  for (size_t i = 0; i < size_t(SchedClass::Fence); ++i)
    text +=
        "," + getSchedWord(SchedClass(i)).str() + "=" + std::to_string(sums[i]);
  return text;
}

/// Accesses of a stretch beyond which it gets no hints: LLVM tries every
/// instruction for every group and walks their graph each time, which took
/// minutes where tiles were loaded byte by byte, 700 accesses and the
/// arithmetic around them. Loops with whole vectors have less than 200.
/// [LLVM22] AMDGPUIGroupLP
static constexpr unsigned kMostAccesses = 384;

/// Whether the order was placed; failure where it cannot be.
FailureOr<bool> ScheduleHotLoop::orderByTurns(scf::ForOp loop) {
  auto kernel = loop->getParentOfType<gpu::GPUFuncOp>();
  const arch::ArchInfo *chip = getCompiledArch(kernel);
  auto waves =
      kernel->getAttrOfType<IntegerAttr>(FlyDialect::getWavesAttrName());
  unsigned early = chip ? *chip->simdsPerCu : 0;
  auto refuse = [&] {
    return loop.emitOpError() << "cannot have 'hot_loop = pingpong': ";
  };
  if (!early)
    return refuse() << "the chip of its module is not known";
  if (!waves || waves.getInt() != 2 * early)
    return refuse() << "two waves on each of " << early
                    << " SIMDs take turns, that is waves = " << 2 * early
                    << "; the workgroup has "
                    << (waves ? std::to_string(waves.getInt())
                              : std::string("no 'fly.waves'"));
  std::string why;
  FailureOr<Clusters> clusters = formClusters(*loop.getBody(), *chip, why);
  if (failed(clusters))
    return refuse() << why;
  // Its author's barrier says that all waves go round the loop alike.
  if (clusters->barriers.empty())
    return refuse() << "the loop has no barrier of its own, and waves that go "
                       "round it unlike would wait for ever";
  unsigned mfmas = 0, most = 0, matrix = 0;
  for (const Cluster &cluster : clusters->all) {
    mfmas += cluster.mfmas;
    most = std::max(most, cluster.mfmas);
    matrix += cluster.isMatrix;
  }
  size_t before = clusters->barriers.size();
  size_t barriers = clusters->all.size() - clusters->joinsRound;
  takeTurns(loop, *clusters, early);
  isAsked = true;
  if (mfmas > mostMfmas) {
    mostMfmas = mfmas;
    claim = ("1,mfma=" + Twine(mfmas) + ",barrier=" + Twine(barriers)).str();
  }
  remarkPassed(loop, DEBUG_TYPE, "TakesTurns",
               Twine(matrix) + " matrix clusters of up to " + Twine(most) +
                   " instructions and " + Twine(clusters->all.size() - matrix) +
                   " memory clusters by turns, waves from " + Twine(early) +
                   " on a turn behind; " + Twine(barriers) +
                   " barriers a round instead of " + Twine(before));
  ++numLoops;
  return true;
}

/// Whether hints were placed.
FailureOr<bool> ScheduleHotLoop::scheduleLoop(scf::ForOp loop) {
  Attribute wish = loop->getAttr(hotLoopAttrName);
  auto word = dyn_cast_or_null<StringAttr>(wish);
  loop->removeAttr(hotLoopAttrName);
  if (word && word == "pingpong")
    return orderByTurns(loop);
  unsigned mfmas = 0;
  loop.getBody()->walk([&](Operation *op) { mfmas += isMatrixOp(op); });
  if (word && word == "off")
    return false;
  std::string why;
  FailureOr<SmallVector<Stretch>> stretches =
      findStretches(*loop.getBody(), why);
  // Without matrix instructions there is nothing to order, but the loop has
  // these operations, too.
  SchedCounts elsewhere = {};
  if (succeeded(stretches))
    llvm::erase_if(*stretches, [&](const Stretch &stretch) {
      if (stretch.counts[size_t(SchedClass::Mfma)] != 0)
        return false;
      for (auto [sum, count] : llvm::zip_equal(elsewhere, stretch.counts))
        sum += count;
      return true;
    });
  if (succeeded(stretches) && stretches->empty())
    why = "the loop has no matrix instructions";
  bool isReal = word && word == "interleave";
  if (succeeded(stretches) && isReal)
    for (const Stretch &stretch : *stretches)
      if (why.empty() && !canInterleave(stretch, why))
        break;
  if (succeeded(stretches) && !isReal && !isa_and_nonnull<ArrayAttr>(wish))
    for (const Stretch &stretch : *stretches) {
      unsigned accesses =
          std::accumulate(stretch.counts.begin(), stretch.counts.end(), 0u) -
          stretch.counts[size_t(SchedClass::Mfma)];
      if (accesses > kMostAccesses)
        why = "a stretch between barriers has " + std::to_string(accesses) +
              " accesses, more than the " + std::to_string(kMostAccesses) +
              " that LLVM puts into groups in a reasonable time";
    }
  if (!why.empty() && isReal)
    return loop.emitOpError() << "cannot have 'hot_loop = interleave': " << why;
  if (!why.empty()) {
    // Nobody asked where the compiler decides.
    if (wish || mfmas)
      remarkMissed(loop, DEBUG_TYPE, "NotHinted", why);
    return false;
  }
  SchedCounts sums = {};
  size_t numGroups = 0;
  for (const Stretch &stretch : *stretches) {
    SmallVector<SchedGroup> groups;
    if (auto pattern = dyn_cast_or_null<ArrayAttr>(wish)) {
      auto read = readSchedPattern(pattern, [&] {
        return loop.emitOpError() << "'" << hotLoopAttrName << "': ";
      });
      if (failed(read))
        return failure();
      groups = std::move(*read);
    } else {
      groups = word && word == "guide" ? guide(stretch) : spread(stretch);
    }
    for (auto [schedClass, count] : groups)
      at(sums, schedClass) += count;
    numGroups += groups.size();
    if (isReal) {
      interleave(stretch, groups);
      continue;
    }
    // The fence keeps groups from reaching beyond the barrier.
    groups.push_back({SchedClass::Fence, 1});
    emit(groups, stretch.end);
  }
  for (auto [sum, count] : llvm::zip_equal(sums, elsewhere))
    sum += sum ? count : 0;
  isAsked |= wish != nullptr;
  if (mfmas > mostMfmas) {
    mostMfmas = mfmas;
    claim = describeClaim(sums, stretches->size());
  }
  if (isReal)
    remarkPassed(loop, DEBUG_TYPE, "Interleaved",
                 Twine(mfmas) +
                     " matrix instructions and what stands between "
                     "them in " +
                     Twine(numGroups) + " groups, each held by a fence");
  else
    remarkPassed(
        loop, DEBUG_TYPE, "Hinted",
        Twine(numGroups) + " groups for " + Twine(mfmas) +
            " matrix instructions in " + Twine(stretches->size()) +
            " stretches between barriers" +
            (wish ? "" : ", kept where the machine code gains by them"));
  ++numLoops;
  return true;
}

LogicalResult ScheduleHotLoop::scheduleKernel(gpu::GPUFuncOp kernel) {
  isAsked = false;
  mostMfmas = 0;
  bool hasHints = false, isRight = true;
  // Hints of the author stay whatever the machine code says.
  kernel.walk([&](Operation *op) { isAsked |= isHint(op); });
  kernel.walk([&](scf::ForOp loop) {
    bool isInnermost =
        !loop.getBody()
             ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
    if (!isInnermost)
      return;
    FailureOr<bool> isHinted = scheduleLoop(loop);
    isRight &= succeeded(isHinted);
    hasHints |= succeeded(isHinted) && *isHinted;
  });
  if (!isRight)
    return failure();
  if (hasHints)
    setLlvmAttribute(kernel, isAsked ? hintsClaimAttrName : hintsAttrName,
                     isAsked ? StringRef(claim) : StringRef(codegenAuto));
  return success();
}
