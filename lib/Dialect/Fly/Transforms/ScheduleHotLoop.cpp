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
// that are a turn apart (ScheduleHotLoop/PingPong.cpp); unasked where they gain
// by it (ScheduleHotLoop/Turns.cpp).
//
// Interleaved (`interleave`): the evenly spread form as a real order, held by
// fences (ScheduleHotLoop/Interleave.cpp). Loops whose accumulators fill a
// register file get it unasked where it can be had: LLVM puts hints there
// second to registers. A wave has its SIMD alone then, so last products are
// carried over barriers (ScheduleHotLoop/CarryProducts.cpp).
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

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

#include "LlvmAttributes.h"
#include "PassRemark.h"
#include "ScheduleHotLoop/CarryProducts.h"
#include "ScheduleHotLoop/Hints.h"
#include "ScheduleHotLoop/Interleave.h"
#include "ScheduleHotLoop/PingPong.h"
#include "ScheduleHotLoop/Stretches.h"
#include "ScheduleHotLoop/Turns.h"

#define DEBUG_TYPE "fly-schedule-hot-loop"

namespace fly {
#define GEN_PASS_DEF_FLYSCHEDULEHOTLOOPPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

namespace {
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
  FailureOr<bool> orderByTurns(scf::ForOp loop);
  FailureOr<bool> orderOrHint(scf::ForOp loop);
  LogicalResult interleaveLoop(scf::ForOp loop);
  FailureOr<bool> hintLoop(scf::ForOp loop, Attribute wish);
  bool addClaim(unsigned mfmas, std::string text);

  /// Of the kernel: an order that stays in every form of code generation, and
  /// what the loop with most matrix instructions claims and has.
  bool isAsked = false, takesTurns = false;
  unsigned mostMfmas = 0;
  std::string claim, order;
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

/// Work beyond which a stretch gets no hints: LLVM tries every instruction for
/// every group and walks their graph each time, so it grows as the groups and
/// as the square of the instructions. Measured: 1 s at 60 million, 14 s at
/// 430 million, more than 7 minutes at 2.5 billion. [LLVM22] AMDGPUIGroupLP
static constexpr uint64_t kMostWork = 280'000'000;

/// Whether the loop is the one with most matrix instructions so far.
bool ScheduleHotLoop::addClaim(unsigned mfmas, std::string text) {
  ++numLoops;
  if (mfmas <= mostMfmas)
    return false;
  mostMfmas = mfmas;
  claim = std::move(text);
  return true;
}

static unsigned countMatrixOps(scf::ForOp loop) {
  unsigned count = 0;
  loop.getBody()->walk([&](Operation *op) { count += isMatrixOp(op); });
  return count;
}

/// Turns of the loop, where they are to be taken: asked for, or because waves
/// gain by them. None where hints are left to it; failure where what is asked
/// for cannot be.
static FailureOr<std::optional<Turns>>
chooseTurns(scf::ForOp loop, bool isWanted, std::string &text) {
  // Nobody who did not ask need say which chip it is.
  const arch::ArchInfo *chip =
      isWanted ? getCompiledArch(loop) : lookupArchOrNull(loop);
  if (!chip && isWanted)
    return failure();
  if (!isWanted &&
      (!chip || !chip->canCompile || !hasTwoWavesASimd(loop, *chip)))
    return std::optional<Turns>();
  std::string why;
  FailureOr<Turns> turns = findTurns(loop, *chip, why);
  if (failed(turns) && isWanted)
    return loop.emitOpError() << "cannot have 'hot_loop = pingpong': " << why;
  if (succeeded(turns)) {
    std::optional<TurnCost> cost = weighTurns(loop, turns->clusters, *chip);
    if (cost)
      text = describe(*cost);
    if (!isWanted)
      why = cost ? whyInStep(*cost, *chip) : "what turns cost is not known";
  }
  if (why.empty())
    return std::optional<Turns>(std::move(*turns));
  // Without matrix instructions there is nothing that turns could hide behind.
  if (countMatrixOps(loop))
    remarkMissed(loop, DEBUG_TYPE, "InStep", "no turns of waves: " + why);
  return std::optional<Turns>();
}

/// Whether the order was placed; failure where it cannot be.
FailureOr<bool> ScheduleHotLoop::orderByTurns(scf::ForOp loop) {
  Attribute wish = loop->getAttr(hotLoopAttrName);
  auto word = dyn_cast_or_null<StringAttr>(wish);
  if (wish && !(word && word == "pingpong"))
    return false;
  bool isWanted = wish != nullptr;
  std::string text;
  FailureOr<std::optional<Turns>> chosen = chooseTurns(loop, isWanted, text);
  if (failed(chosen))
    return failure();
  if (!*chosen)
    return false;
  const Clusters &clusters = (*chosen)->clusters;
  unsigned mfmas = 0, most = 0, matrix = 0;
  for (const Cluster &cluster : clusters.all) {
    mfmas += cluster.mfmas;
    most = std::max(most, cluster.mfmas);
    matrix += cluster.isMatrix;
  }
  size_t before = clusters.barriers.size();
  size_t barriers = clusters.all.size() - clusters.joinsRound;
  takeTurns(loop, **chosen);
  loop->removeAttr(hotLoopAttrName);
  isAsked = takesTurns = true;
  if (addClaim(mfmas, llvm::formatv("1,mfma={0},barrier={1}", mfmas, barriers)))
    order = isWanted ? "pingpong" : "pingpong, chosen: " + text;
  remarkPassed(loop, DEBUG_TYPE, "TakesTurns",
               Twine(matrix) + " matrix clusters of up to " + Twine(most) +
                   " instructions and " + Twine(clusters.all.size() - matrix) +
                   " memory clusters by turns, waves from " +
                   Twine((*chosen)->early) + " on a turn behind; " +
                   Twine(barriers) + " barriers a round instead of " +
                   Twine(before) + (text.empty() ? "" : "; ") + text);
  return true;
}

namespace {
/// What of a loop's body is ordered.
struct HotStretches {
  /// Those with matrix instructions.
  SmallVector<Stretch> all;
  /// Operations of the others: there is nothing to order, but the loop has
  /// them, too.
  SchedCounts elsewhere = {};
};
} // namespace

static FailureOr<HotStretches> findHotStretches(scf::ForOp loop,
                                                std::string &why) {
  FailureOr<SmallVector<Stretch>> found = findStretches(*loop.getBody(), why);
  if (failed(found))
    return failure();
  HotStretches hot;
  for (Stretch &stretch : *found) {
    if (stretch.counts[size_t(SchedClass::Mfma)] != 0) {
      hot.all.push_back(std::move(stretch));
      continue;
    }
    for (auto [sum, count] : llvm::zip_equal(hot.elsewhere, stretch.counts))
      sum += count;
  }
  if (!hot.all.empty())
    return hot;
  why = "the loop has no matrix instructions";
  return failure();
}

/// Adds what stands elsewhere to the classes that are claimed.
static std::string describeClaim(SchedCounts sums, const HotStretches &hot) {
  for (auto [sum, count] : llvm::zip_equal(sums, hot.elsewhere))
    sum += sum ? count : 0;
  return describeClaim(sums, hot.all.size());
}

/// Registers of factors that wait for the next round: with those of the step
/// that is read meanwhile they share a file of 256 with the addresses.
static constexpr unsigned kMostCarried = 96;

/// Puts last products of stretches behind their barriers; whether any.
/// `loop` is the new loop then.
static bool carryLast(scf::ForOp &loop) {
  std::string why;
  FailureOr<SmallVector<Stretch>> all = findStretches(*loop.getBody(), why);
  if (failed(all) || !llvm::all_of(*all, [&](const Stretch &stretch) {
        return canInterleave(stretch, why);
      }))
    return false;
  FailureOr<CarriedProducts> carried = carryProducts(loop, kMostCarried, why);
  if (failed(carried)) {
    remarkMissed(loop, DEBUG_TYPE, "NotCarried",
                 "products stay in front of their barriers: " + why);
    return false;
  }
  loop = carried->loop;
  remarkPassed(loop, DEBUG_TYPE, "Carried",
               Twine(carried->products) +
                   " products stand behind the barrier after them; their "
                   "factors go round the loop in " +
                   Twine(carried->registers) + " registers");
  return true;
}

LogicalResult ScheduleHotLoop::interleaveLoop(scf::ForOp loop) {
  // The order asks no fact of the chip, but is for chips that there is code
  // for.
  if (!getCompiledArch(loop))
    return failure();
  std::string why;
  FailureOr<HotStretches> hot = findHotStretches(loop, why);
  if (failed(hot) || !llvm::all_of(hot->all, [&](const Stretch &stretch) {
        return canInterleave(stretch, why);
      }))
    return loop.emitOpError() << "cannot have 'hot_loop = interleave': " << why;
  bool isAlone = fillsRegisterFile(loop);
  if (isAlone && carryLast(loop))
    hot = findHotStretches(loop, why);
  SchedCounts sums = {};
  size_t numGroups = 0;
  for (const Stretch &stretch : hot->all) {
    SmallVector<SchedGroup> groups =
        spread(stretch, isAlone ? countLoadSlots(loop, stretch) : 0);
    for (auto [schedClass, count] : groups)
      at(sums, schedClass) += count;
    numGroups += groups.size();
    placeInOrder(stretch, groups);
  }
  isAsked = true;
  unsigned mfmas = at(sums, SchedClass::Mfma);
  addClaim(mfmas, describeClaim(sums, *hot));
  remarkPassed(loop, DEBUG_TYPE, "Interleaved",
               Twine(mfmas) +
                   " matrix instructions and what stands between them in " +
                   Twine(numGroups) + " groups, each held by a fence");
  return success();
}

/// Why LLVM would take too long for hints in one of these; empty where it does
/// not.
static std::string explainTooMuch(ArrayRef<Stretch> stretches) {
  for (const Stretch &stretch : stretches) {
    uint64_t groups = spread(stretch).size();
    uint64_t instructions = std::accumulate(
        stretch.counts.begin(), stretch.counts.end(), stretch.arithmetic);
    if (groups * instructions * instructions > kMostWork)
      return llvm::formatv("a stretch between barriers has {0} groups for "
                           "about {1} instructions, more than LLVM orders in a "
                           "reasonable time (groups times instructions squared "
                           "is to stay below {2})",
                           groups, instructions, kMostWork);
  }
  return "";
}

/// Whether hints were placed, or unasked the order that they ask for.
FailureOr<bool> ScheduleHotLoop::hintLoop(scf::ForOp loop, Attribute wish) {
  auto pattern = dyn_cast_or_null<ArrayAttr>(wish);
  auto word = dyn_cast_or_null<StringAttr>(wish);
  unsigned mfmas = countMatrixOps(loop);
  std::string why;
  FailureOr<HotStretches> hot = findHotStretches(loop, why);
  if (succeeded(hot) && !pattern)
    why = explainTooMuch(hot->all);
  // Code generation keeps or drops the hints of all loops.
  if (why.empty() && !wish && takesTurns)
    why = "waves take turns in another loop of the kernel";
  if (!why.empty()) {
    // Nobody asked where the compiler decides.
    if (wish || mfmas)
      remarkMissed(loop, DEBUG_TYPE, "NotHinted", why);
    return false;
  }
  SmallVector<SchedGroup> written;
  if (pattern) {
    auto read = readSchedPattern(pattern, [&] {
      return loop.emitOpError() << "'" << hotLoopAttrName << "': ";
    });
    if (failed(read))
      return failure();
    written = std::move(*read);
  }
  std::string whyNot;
  bool isReal = !wish && fillsRegisterFile(loop) &&
                llvm::all_of(hot->all, [&](const Stretch &stretch) {
                  return canInterleave(stretch, whyNot);
                });
  if (isReal && carryLast(loop))
    hot = findHotStretches(loop, why);
  SchedCounts sums = {};
  size_t numGroups = 0;
  for (const Stretch &stretch : hot->all) {
    SmallVector<SchedGroup> groups =
        pattern ? written
        : word && word == "guide"
            ? guide(stretch)
            : spread(stretch, isReal ? countLoadSlots(loop, stretch) : 0);
    for (auto [schedClass, count] : groups)
      at(sums, schedClass) += count;
    numGroups += groups.size();
    if (isReal) {
      placeInOrder(stretch, groups);
      continue;
    }
    // The fence keeps groups from reaching beyond the barrier.
    groups.push_back({SchedClass::Fence, 1});
    placeHints(groups, stretch.end);
  }
  isAsked |= wish != nullptr;
  addClaim(mfmas, describeClaim(sums, *hot));
  if (isReal) {
    remarkPassed(loop, DEBUG_TYPE, "Interleaved",
                 Twine(mfmas) +
                     " matrix instructions and what stands between them in " +
                     Twine(numGroups) +
                     " groups, each held by a fence, kept where the machine "
                     "code gains by it");
    return true;
  }
  remarkPassed(loop, DEBUG_TYPE, "Hinted",
               Twine(numGroups) + " groups for " + Twine(mfmas) +
                   " matrix instructions in " + Twine(hot->all.size()) +
                   " stretches between barriers" +
                   (wish ? "" : ", kept where the machine code gains by them"));
  return true;
}

/// Whether hints or the interleaved order were placed.
FailureOr<bool> ScheduleHotLoop::orderOrHint(scf::ForOp loop) {
  Attribute wish = loop->getAttr(hotLoopAttrName);
  loop->removeAttr(hotLoopAttrName);
  StringRef word;
  if (auto text = dyn_cast_or_null<StringAttr>(wish))
    word = text.getValue();
  if (word == "off")
    return false;
  if (word != "interleave")
    return hintLoop(loop, word == "hints" ? Attribute() : wish);
  if (failed(interleaveLoop(loop)))
    return failure();
  return true;
}

LogicalResult ScheduleHotLoop::scheduleKernel(gpu::GPUFuncOp kernel) {
  isAsked = takesTurns = false;
  mostMfmas = 0;
  order.clear();
  bool hasHints = false, isRight = true;
  // Hints of the author stay whatever the machine code says.
  kernel.walk([&](Operation *op) { isAsked |= isHint(op); });
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (!loop.getBody()
             ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
             .wasInterrupted())
      loops.push_back(loop);
  });
  auto place = [&](auto &&byForm) {
    llvm::erase_if(loops, [&](scf::ForOp loop) {
      FailureOr<bool> isPlaced = byForm(loop);
      isRight &= succeeded(isPlaced);
      hasHints |= succeeded(isPlaced) && *isPlaced;
      return failed(isPlaced) || *isPlaced;
    });
  };
  place([&](scf::ForOp loop) { return orderByTurns(loop); });
  place([&](scf::ForOp loop) { return orderOrHint(loop); });
  if (!isRight)
    return failure();
  if (!order.empty())
    setLlvmAttribute(kernel, hotLoopOrderAttrName, order);
  if (hasHints)
    setLlvmAttribute(kernel, isAsked ? hintsClaimAttrName : hintsAttrName,
                     isAsked ? StringRef(claim) : StringRef(codegenAuto));
  return success();
}
