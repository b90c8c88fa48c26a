//===- PhaseDiff.cpp - Which pass makes a kernel wrong? -------------------===//
#include "fly/Reduce/PhaseDiff.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fly::reduce;

/// "fly-lower-checks{keep=false}" is fly-lower-checks.
static StringRef nameOf(StringRef pass) {
  return pass.take_until([](char c) { return c == '{'; });
}

static LogicalResult runPass(ModuleOp module, StringRef pass) {
  PassManager pm(module.getContext());
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (failed(parsePassPipeline(pass, pm, os)))
    return module.emitError() << problem;
  return pm.run(module);
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope());
  return text;
}

/// Runs all passes but one; what fails says nothing, since passes rely on those
/// before them.
static StateRun runWithout(ModuleOp source, ArrayRef<std::string> passes,
                           size_t leftOut,
                           function_ref<StateRun(ModuleOp)> onSimulator) {
  std::string why;
  ScopedDiagnosticHandler quiet(source.getContext(), [&](Diagnostic &diag) {
    if (why.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      why = diag.str();
  });
  OwningOpRef<ModuleOp> state = source.clone();
  for (auto [index, pass] : llvm::enumerate(passes))
    if (index != leftOut && failed(runPass(*state, pass)))
      return {StateVerdict::NotRun, why};
  StateRun run = onSimulator(*state);
  if (run.verdict == StateVerdict::NotRun && run.detail.empty())
    run.detail = why;
  return run;
}

FailureOr<PhaseDiff> fly::reduce::diffPhases(ModuleOp source,
                                             ArrayRef<std::string> passes,
                                             const StateRunners &runners) {
  PhaseDiff diff;
  OwningOpRef<ModuleOp> state = source.clone();
  std::string text = textOf(*state);
  for (const std::string &pass : passes) {
    PhaseDiff::Step &step = diff.steps.emplace_back();
    step.pass = nameOf(pass).str();
    if (failed(runPass(*state, pass)))
      return failure();
    std::string after = textOf(*state);
    step.isChange = after != text;
    text = std::move(after);
    if (!step.isChange && diff.steps.size() > 1) {
      step.run = diff.steps[diff.steps.size() - 2].run;
      continue;
    }
    step.run = runners.onHost(*state);
    if (step.run.verdict == StateVerdict::Wrong) {
      diff.wrongPass = step.pass;
      return diff;
    }
  }
  diff.object = runners.onSimulator(*state);
  if (diff.object.verdict != StateVerdict::Wrong)
    return diff;
  // Without the last pass it would not be at the level of objects.
  for (size_t i = passes.size() - 1; i-- != 0;) {
    PhaseDiff::Step &step = diff.steps[i];
    if (!step.isChange)
      continue;
    step.without = runWithout(source, passes, i, runners.onSimulator);
    if (step.without.verdict == StateVerdict::Right) {
      diff.wrongPass = step.pass;
      return diff;
    }
  }
  return diff;
}
