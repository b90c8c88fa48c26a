//===- Portfolio.cpp - Applying and choosing codegen forms ----------------===//
//
// Forms without accumulation registers are given those that fit all tiles; the
// others size them by what a loop accumulates.
//
//===----------------------------------------------------------------------===//
#include "Portfolio.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <cmath>

using namespace fly;
using namespace fly::target;

namespace {

/// Spilled registers beyond which no other order is tried in the same register
/// form: 157 and more spills stayed spills under it, after 9 s instead of 1.6
/// s (measured with LLVM 22.1.8).
constexpr unsigned kMostSpillsToTry = 64;
/// Pipe cover from which another order gains nothing.
constexpr double kFullCover = 0.99;
/// Share of instructions that are neither MFMA nor memory accesses up to which
/// a busy loop is left alone.
constexpr double kFewOthers = 0.25;

/// Share of the matrix units' time from which hints gain nothing: behind it are
/// barriers, which they leave where they are.
constexpr double kFullWalk = 0.9;
/// Steps in which shares are compared. Differences of less than a tenth are not
/// the walk's to tell: 61 % against 57 % was 4489 cycles against 4282.
constexpr double kWalkSteps = 10;

/// Instructions of a round up to which a loop without spills and moves is left
/// alone: what memory makes it wait for, no order of so few hides, and tests
/// and tuners compile such kernels by the thousand.
constexpr unsigned kShortLoop = 64;

/// Registers are handed out in blocks of this many.
constexpr unsigned registerGranule = 8;

constexpr llvm::StringLiteral agprAttrName = "amdgpu-agpr-alloc";
constexpr llvm::StringLiteral strategyAttrName = "amdgpu-sched-strategy";

/// Whether a statement about the order is a hint: a group, or a fence for
/// everything. Waits are counted by fences for some operations.
bool isHint(const llvm::IntrinsicInst &call) {
  if (call.getIntrinsicID() == llvm::Intrinsic::amdgcn_sched_group_barrier)
    return true;
  auto *mask = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return mask && mask->isZero();
}

void dropHints(llvm::Function &kernel) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(kernel)))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if ((call->getIntrinsicID() ==
               llvm::Intrinsic::amdgcn_sched_group_barrier ||
           call->getIntrinsicID() == llvm::Intrinsic::amdgcn_sched_barrier) &&
          isHint(*call))
        call->eraseFromParent();
}

} // namespace

bool fly::target::hasOptionalHints(const llvm::Function &kernel) {
  return kernel.getFnAttribute(hintsAttrName).getValueAsString() == codegenAuto;
}

llvm::SmallVector<unsigned>
fly::target::furtherForms(llvm::Function &kernel,
                          const reports::CodegenFigures &first) {
  llvm::SmallVector<unsigned> forms;
  bool hasLoop = first.instructions != 0;
  if (first.isClean() && (!hasLoop || first.instructions <= kShortLoop))
    return forms;
  // What is busy by the sum of its waits may still stand at each; another order
  // helps there, other registers do not.
  bool isBusy = first.isClean() && first.pipeCover >= kFullCover &&
                first.others <= kFewOthers * first.instructions;
  if (isBusy && first.walkedCover.value_or(1) >= kFullWalk)
    return forms;
  bool accumulates = hasLoop && useAccumulatorRegisters(kernel,
                                                        /*change=*/false) != 0;
  for (auto [index, form] : llvm::enumerate(getCodegenForms())) {
    bool applies =
        index != 0 && (!form.accumulatorRegisters || accumulates) &&
        (!form.hints || (hasLoop && hasOptionalHints(kernel))) &&
        (!isBusy || (form.hints && !form.accumulatorRegisters)) &&
        (form.accumulatorRegisters || first.spills <= kMostSpillsToTry);
    if (applies)
      forms.push_back(unsigned(index));
  }
  return forms;
}

void fly::target::applyForm(llvm::Function &kernel, const CodegenForm &form) {
  if (!form.hints && hasOptionalHints(kernel))
    dropHints(kernel);
  keepAddendsInLoops(kernel);
  kernel.removeFnAttr(codegenAttrName);
  kernel.removeFnAttr(hintsAttrName);
  kernel.removeFnAttr(hintsClaimAttrName);
  kernel.removeFnAttr(hotLoopOrderAttrName);
  if (!form.strategy.empty() && !kernel.hasFnAttribute(strategyAttrName))
    kernel.addFnAttr(strategyAttrName, form.strategy);
  // A kernel whose calls LLVM does not see has none of the attributes.
  if (!form.accumulatorRegisters ||
      kernel.getFnAttribute(agprAttrName).getValueAsString() != "0")
    return;
  unsigned registers = useAccumulatorRegisters(kernel, /*change=*/true);
  registers = (registers + registerGranule - 1) & ~(registerGranule - 1);
  if (registers)
    kernel.addFnAttr(agprAttrName, std::to_string(registers));
}

reports::CodegenFigures
fly::target::figuresOf(const reports::KernelReport &report,
                       llvm::StringRef form) {
  reports::CodegenFigures figures;
  figures.form = form.str();
  figures.spills = report.vgprSpills + report.sgprSpills;
  figures.wavesPerSimd = report.wavesPerSimd;
  if (const std::optional<reports::LoopReport> &loop = report.hotLoop) {
    figures.accMoves = loop->accMove;
    figures.laneLoops = loop->laneLoops;
    figures.instructions = loop->instructions;
    figures.others = loop->countOthers();
    figures.pipeCover = loop->pipeCover;
    figures.walkedCover = loop->walkedCover;
    figures.distances = loop->distances;
  }
  return figures;
}

bool fly::target::isBetter(const reports::CodegenFigures &a,
                           const reports::CodegenFigures &b) {
  auto key = [](const reports::CodegenFigures &f) {
    // Moves cost an issue slot each, spills a memory access and more, loops
    // over lanes several and a branch for each access.
    return std::make_tuple(f.failed, f.refused != 0, f.races != 0, f.laneLoops,
                           !f.isClean(), f.spills, f.accMoves,
                           -std::lround(f.walkedCover.value_or(0) * kWalkSteps),
                           -std::lround(f.pipeCover * 100),
                           -int(f.wavesPerSimd), f.instructions,
                           -std::lround(f.walkedCover.value_or(0) * 100));
  };
  return key(a) < key(b);
}
