//===- DiffPhases.cpp - fly-run --diff-phases -----------------------------===//
//
// Runs the states of a kernel behind each pass, on the reference executor or as
// an object on the simulator, and prints the first one that is wrong.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reduce/PhaseDiff.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include "Complaint.h"
#include "Verdict.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using launch::Argument;
using reduce::StateRun;
using reduce::StateVerdict;

namespace {

/// Runs states on the same inputs, and compares with the same results.
class StateRunner {
public:
  StateRunner(LoadedKernel &source, const RunRequest &asked,
              const std::vector<Argument> &inputs,
              std::vector<Argument> &expected)
      : source(source), request(asked), inputs(inputs), expected(expected) {
    // The module has been selected and overridden already.
    request.overrides = {};
    request.chip.clear();
    request.kernel = source.name();
    request.checkAsserts = false;
    request.complaints = &complaints;
  }

  StateRun run(ModuleOp module, Device device);

private:
  StateRun judge(LoadedKernel &kernel, std::vector<Argument> &arguments);

  LoadedKernel &source;
  RunRequest request;
  const std::vector<Argument> &inputs;
  std::vector<Argument> &expected;
  std::string complaints;
};

} // namespace

StateRun StateRunner::judge(LoadedKernel &kernel,
                            std::vector<Argument> &arguments) {
  Verdict verdict;
  if (failed(
          compareAll(source, arguments, expected, inputs, kReference, verdict)))
    return {StateVerdict::NotRun, complaints};
  if (llvm::Error error = launch::checkGuards(arguments))
    verdict.guardError = llvm::toString(std::move(error));
  for (const LaunchRecord &record : kernel.launches())
    if (record.result)
      llvm::append_range(verdict.findings, record.result->findings);
  if (verdict.isRight())
    return {StateVerdict::Right, ""};
  if (!verdict.isWrong())
    return {StateVerdict::NotRun, "no element has an error bound to judge by"};
  for (const ComparedBuffer &compared : verdict.comparisons)
    if (!compared.comparison.isRight())
      return {StateVerdict::Wrong,
              launch::describe(compared.comparison, compared.name,
                               compared.tolerance)};
  return {StateVerdict::Wrong, verdict.guardError.empty()
                                   ? verdict.findings.front().message
                                   : verdict.guardError};
}

StateRun StateRunner::run(ModuleOp module, Device device) {
  complaints.clear();
  // The first error says why a state does not run; warnings of the compiler are
  // no news.
  std::string why;
  ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &diag) {
    if (why.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      why = diag.str();
  });
  // A level is no reason: there is nothing to say.
  if (device == Device::Reference &&
      !LoadedKernel::isAtTileLevel(module, source.name()))
    return {StateVerdict::NotRun, ""};
  int exitCode;
  auto loaded = LoadedKernel::ofModule(module, request, device, exitCode);
  if (failed(loaded))
    return {StateVerdict::NotRun, complaints.empty() ? why : complaints};
  FailureOr<std::vector<Argument>> arguments = (*loaded)->bind(request);
  if (failed(arguments))
    return {StateVerdict::NotRun, complaints.empty() ? why : complaints};
  copyInputs(inputs, *arguments);
  if (failed((*loaded)->launch(*arguments, request, device))) {
    bool isWrong = (*loaded)->exitCodeOfFailure() == FailedCheck;
    return {isWrong ? StateVerdict::Wrong : StateVerdict::NotRun,
            complaints.empty() ? why : complaints};
  }
  return judge(**loaded, *arguments);
}

static const char *nameOf(StateVerdict verdict) {
  switch (verdict) {
  case StateVerdict::Right:
    return "right";
  case StateVerdict::Wrong:
    return "wrong";
  case StateVerdict::NotRun:
    return "not run";
  }
  return "";
}

static void printPhases(llvm::raw_ostream &os, const LoadedKernel &kernel,
                        const reduce::PhaseDiff &diff) {
  const bool isObjectWrong = diff.object.verdict == StateVerdict::Wrong;
  os << kernel.name() << "  ";
  if (diff.wrongPass.empty())
    os << (isObjectWrong ? "wrong, no single pass is to blame"
           : diff.object.verdict == StateVerdict::Right ? "right in all phases"
                                                        : "does not run")
       << '\n';
  else
    os << "wrong by " << diff.wrongPass << '\n';
  for (const reduce::PhaseDiff::Step &step : diff.steps) {
    os << llvm::formatv("  {0,-24}", step.pass);
    if (!step.isChange)
      os << " changes nothing";
    else if (step.run.verdict != StateVerdict::NotRun)
      os << ' ' << nameOf(step.run.verdict) << " on the reference executor";
    else if (step.run.detail.empty())
      os << " below the reference executor";
    else
      os << " does not run on the reference executor";
    if (step.run.verdict != StateVerdict::Right && !step.run.detail.empty())
      os << ": " << step.run.detail;
    if (step.without.verdict != StateVerdict::NotRun)
      os << "; without it the object is " << nameOf(step.without.verdict);
    os << '\n';
  }
  if (diff.object.verdict == StateVerdict::NotRun && !diff.wrongPass.empty())
    return;
  os << llvm::formatv("  {0,-24} {1}", "code object",
                      nameOf(diff.object.verdict));
  if (diff.object.verdict != StateVerdict::NotRun)
    os << " on the simulator";
  if (!diff.object.detail.empty())
    os << ": " << diff.object.detail;
  os << '\n';
}

static void printPhasesJson(llvm::raw_ostream &os, const LoadedKernel &kernel,
                            const reduce::PhaseDiff &diff) {
  auto toJson = [](const StateRun &run) {
    return llvm::json::Object{{"verdict", nameOf(run.verdict)},
                              {"detail", run.detail}};
  };
  llvm::json::Array phases;
  for (const reduce::PhaseDiff::Step &step : diff.steps)
    phases.push_back(llvm::json::Object{{"pass", step.pass},
                                        {"changes", step.isChange},
                                        {"reference", toJson(step.run)},
                                        {"without", toJson(step.without)}});
  llvm::json::Object all{{"kernel", kernel.name()},
                         {"phases", std::move(phases)},
                         {"object", toJson(diff.object)}};
  all["wrong_by"] = diff.wrongPass.empty() ? llvm::json::Value(nullptr)
                                           : llvm::json::Value(diff.wrongPass);
  os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}

int fly::tools::diffPhases(LoadedKernel &kernel, const RunRequest &request,
                           const std::vector<Argument> &inputs) {
  registerAllPasses();
  registerTransformsPasses();
  std::vector<Argument> expected = inputs;
  if (failed(kernel.launchReference(expected)))
    return kernel.exitCodeOfFailure();
  StateRunner runner(kernel, request, inputs, expected);
  reduce::StateRunners runners{
      [&](ModuleOp state) { return runner.run(state, Device::Reference); },
      [&](ModuleOp state) { return runner.run(state, Device::Simulator); }};
  FailureOr<reduce::PhaseDiff> diff =
      reduce::diffPhases(kernel.getModule(), listPasses(), runners);
  if (failed(diff))
    return UserError;
  if (request.json)
    printPhasesJson(llvm::outs(), kernel, *diff);
  else
    printPhases(llvm::outs(), kernel, *diff);
  if (!diff->wrongPass.empty() || diff->object.verdict == StateVerdict::Wrong)
    return FailedCheck;
  return diff->object.verdict == StateVerdict::Right ? Right : UserError;
}
