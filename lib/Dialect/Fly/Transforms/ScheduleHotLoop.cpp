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
// of the step before, so that fragments are double-buffered in registers; loads
// come one a matrix instruction from the front; LDS writes over the last ones.
// Guide-like (`guide`): the tuning guide's head and groups, each class clipped
// to what there is, the rest spread.
//
// Stretches with control flow are left alone, with a remark. So are loops whose
// author has placed hints.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Support/CodegenForms.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

#include "LlvmAttributes.h"
#include "PassRemark.h"

#define DEBUG_TYPE "fly-schedule-hot-loop"

namespace fly {
#define GEN_PASS_DEF_FLYSCHEDULEHOTLOOPPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

unsigned &at(SchedCounts &counts, SchedClass schedClass) {
  return counts[size_t(schedClass)];
}

/// Machine operations of a loop's body between two barriers.
struct Stretch {
  /// The barrier or terminator that ends it.
  Operation *end = nullptr;
  SchedCounts counts = {};
  /// Runs of LDS reads and matrix instructions in the order of the program: a
  /// step is what is read and what is multiplied then.
  struct Step {
    unsigned reads = 0, mfmas = 0;
  };
  SmallVector<Step> steps;
  /// Matrix instructions from the first on that share an operand.
  unsigned group = 0;
};

/// How many accesses of the machine one op becomes: 16 bytes each, fewer where
/// the alignment that is known allows no more.
unsigned countAccesses(Type type, std::optional<uint64_t> align, Type element) {
  unsigned elementBytes =
      std::max(unsigned(element.getIntOrFloatBitWidth()) / 8, 1u);
  auto vector = dyn_cast<VectorType>(type);
  uint64_t elements = vector ? vector.getNumElements() : 1;
  uint64_t width =
      std::max<uint64_t>(arch::widestAccessBytes / elementBytes, 1);
  if (align)
    width = std::min(width, *align & (~*align + 1));
  return unsigned(llvm::divideCeil(elements, std::max<uint64_t>(width, 1)));
}

bool isMatrixOp(Operation *op) {
  return isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op);
}

bool isHint(Operation *op) {
  return isa<SchedMfmaOp, SchedDsrdOp, SchedDswrOp, SchedVmemOp,
             SchedVmemWriteOp, SchedValuOp, SchedSaluOp, SchedTransOp,
             SchedBarrierOp>(op);
}

void countMatrixOp(Stretch &stretch, Operation *op, Value &shared) {
  ++at(stretch.counts, SchedClass::Mfma);
  if (stretch.steps.empty())
    stretch.steps.emplace_back();
  ++stretch.steps.back().mfmas;
  // The first ones share one of their two operands, whichever.
  if (stretch.group == 0) {
    shared = Value();
    stretch.group = 1;
    return;
  }
  Operation *previous = op->getPrevNode();
  while (previous && !isMatrixOp(previous))
    previous = previous->getPrevNode();
  if (!previous || at(stretch.counts, SchedClass::Mfma) != stretch.group + 1)
    return;
  for (unsigned i = 0; i < 2; ++i) {
    Value operand = op->getOperand(i);
    bool isShared =
        operand == previous->getOperand(i) && (!shared || shared == operand);
    if (!isShared)
      continue;
    shared = operand;
    ++stretch.group;
    return;
  }
}

void countRead(Stretch &stretch, ReadOp read) {
  ViewType view = read.getView().getType();
  unsigned accesses = countAccesses(read.getValue().getType(), read.getAlign(),
                                    view.getElementType());
  if (!view.getInLds()) {
    at(stretch.counts, SchedClass::VmemRead) += accesses;
    return;
  }
  at(stretch.counts, SchedClass::DsRead) += accesses;
  if (stretch.steps.empty() || stretch.steps.back().mfmas != 0)
    stretch.steps.emplace_back();
  stretch.steps.back().reads += accesses;
}

/// Stretches of a body; failure where it has control flow or hints, which
/// `why` says.
FailureOr<SmallVector<Stretch>> findStretches(Block &body, std::string &why) {
  SmallVector<Stretch> stretches;
  Stretch current;
  Value shared;
  for (Operation &op : body) {
    if (op.getNumRegions()) {
      why = "control flow in the loop (" + op.getName().getStringRef().str() +
            "): hints order straight code";
      return failure();
    }
    if (isHint(&op)) {
      why = "the loop has hints of its author";
      return failure();
    }
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](ReadOp read) { countRead(current, read); })
        .Case([&](WriteOp write) {
          ViewType view = write.getView().getType();
          at(current.counts,
             view.getInLds() ? SchedClass::DsWrite : SchedClass::VmemWrite) +=
              countAccesses(write.getValue().getType(), write.getAlign(),
                            view.getElementType());
        })
        .Case([&](DmaOp) { ++at(current.counts, SchedClass::VmemRead); })
        .Default([&](Operation *other) {
          if (isMatrixOp(other))
            countMatrixOp(current, other, shared);
        });
    if (isa<BarrierOp>(op) || op.hasTrait<OpTrait::IsTerminator>()) {
      current.end = &op;
      stretches.push_back(std::move(current));
      current = Stretch();
    }
  }
  return stretches;
}

/// Puts groups together, never more of a class than there is.
class GroupBuilder {
public:
  explicit GroupBuilder(const SchedCounts &counts) : left(counts) {}

  unsigned remaining(SchedClass schedClass) { return at(left, schedClass); }
  void take(SchedClass schedClass, unsigned count) {
    count = std::min(count, remaining(schedClass));
    if (!count)
      return;
    at(left, schedClass) -= count;
    if (!groups.empty() && groups.back().schedClass == schedClass)
      groups.back().count += count;
    else
      groups.push_back({schedClass, count});
  }
  /// Share `slot` of `slots` of `total` operations, evenly.
  void share(SchedClass schedClass, unsigned total, unsigned slot,
             unsigned slots) {
    take(schedClass,
         unsigned(llvm::divideCeil(uint64_t(slot + 1) * total, slots) -
                  llvm::divideCeil(uint64_t(slot) * total, slots)));
  }
  /// What is left, spread over the matrix instructions that are left.
  void finish() {
    SchedCounts rest = left;
    unsigned slots = std::max(remaining(SchedClass::Mfma), 1u);
    for (unsigned slot = 0; slot < slots; ++slot) {
      for (SchedClass each : {SchedClass::VmemRead, SchedClass::DsRead})
        share(each, at(rest, each), slot, slots);
      take(SchedClass::Mfma, 1);
      for (SchedClass each : {SchedClass::DsWrite, SchedClass::VmemWrite})
        share(each, at(rest, each), slot, slots);
    }
  }

  SmallVector<SchedGroup> groups;

private:
  SchedCounts left;
};

/// The evenly spread form.
SmallVector<SchedGroup> spread(const Stretch &stretch) {
  SchedCounts counts = stretch.counts;
  GroupBuilder builder(counts);
  unsigned mfmas = at(counts, SchedClass::Mfma);
  unsigned writes = at(counts, SchedClass::DsWrite);
  // Writes go to the tail, one a matrix instruction where they fit.
  unsigned tail = std::min(writes, mfmas);
  ArrayRef<Stretch::Step> steps = stretch.steps;
  builder.take(SchedClass::DsRead, steps.front().reads);
  unsigned done = 0;
  for (auto [index, step] : llvm::enumerate(steps)) {
    unsigned ahead = index + 1 < steps.size() ? steps[index + 1].reads : 0;
    for (unsigned slot = 0; slot < step.mfmas; ++slot, ++done) {
      builder.take(
          SchedClass::VmemRead,
          unsigned(llvm::divideCeil(at(counts, SchedClass::VmemRead), mfmas)));
      builder.take(SchedClass::Mfma, 1);
      builder.share(SchedClass::DsRead, ahead, slot, step.mfmas);
      if (done + tail >= mfmas)
        builder.share(SchedClass::DsWrite, writes, done + tail - mfmas, tail);
    }
  }
  builder.finish();
  return std::move(builder.groups);
}

/// The guide's form, clipped.
SmallVector<SchedGroup> guide(const Stretch &stretch) {
  SchedCounts counts = stretch.counts;
  GroupBuilder builder(counts);
  builder.take(SchedClass::DsRead, 2);
  builder.take(SchedClass::Mfma, 1);
  builder.take(SchedClass::Mfma, 1);
  unsigned group = std::max(stretch.group, 1u);
  unsigned rounds =
      unsigned(llvm::divideCeil(at(counts, SchedClass::Mfma), 2 * group));
  unsigned writes = at(counts, SchedClass::DsWrite);
  unsigned first = rounds > writes + 2 ? rounds - writes - 2 : 0;
  for (unsigned round = 0; round < rounds; ++round) {
    builder.take(SchedClass::VmemRead, 1);
    builder.take(SchedClass::Mfma, group);
    builder.take(SchedClass::DsRead, 1);
    builder.take(SchedClass::Mfma, group);
    if (round + 1 >= first)
      builder.take(SchedClass::DsWrite, 1);
  }
  builder.finish();
  return std::move(builder.groups);
}

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

/// Whether hints were placed.
FailureOr<bool> ScheduleHotLoop::scheduleLoop(scf::ForOp loop) {
  Attribute wish = loop->getAttr(hotLoopAttrName);
  auto word = dyn_cast_or_null<StringAttr>(wish);
  loop->removeAttr(hotLoopAttrName);
  unsigned mfmas = 0;
  loop.getBody()->walk([&](Operation *op) { mfmas += isMatrixOp(op); });
  if (word && word == "off")
    return false;
  std::string why;
  FailureOr<SmallVector<Stretch>> stretches =
      findStretches(*loop.getBody(), why);
  if (succeeded(stretches))
    llvm::erase_if(*stretches, [](const Stretch &stretch) {
      return stretch.counts[size_t(SchedClass::Mfma)] == 0;
    });
  if (succeeded(stretches) && stretches->empty())
    why = "the loop has no matrix instructions";
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
    // The fence keeps groups from reaching beyond the barrier.
    groups.push_back({SchedClass::Fence, 1});
    emit(groups, stretch.end);
  }
  isAsked |= wish != nullptr;
  if (mfmas > mostMfmas) {
    mostMfmas = mfmas;
    claim = describeClaim(sums, stretches->size());
  }
  remarkPassed(loop, DEBUG_TYPE, "Hinted",
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
