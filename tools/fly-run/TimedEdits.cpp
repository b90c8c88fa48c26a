//===- TimedEdits.cpp - what edits of the schedule do to the time ---------===//
//
// Each edit is compiled and timed as a launch of its own, so that what is
// printed is what the run with that edit gives. An edit that does not compile,
// or whose launch fails, is none. Nothing is tried for a resource that costs
// nothing; nor are orders of the grid where the L2s miss only what nobody has
// asked for before, since every order has to fetch that once.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Diagnostics.h"

#include "LoadedKernel.h"
#include "ScheduleEdits.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using launch::Argument;
using sim::FreeResource;

namespace {

/// Times one kernel with changed schedules.
class EditTimer {
public:
  EditTimer(ModuleOp module, const RunRequest &asked, StringRef kernel)
      : module(module), request(asked) {
    // The module has been selected and overridden already.
    request.overrides = {};
    request.chip.clear();
    request.kernel = kernel.str();
    request.complaints = &complaints;
    request.whatIf = false;
    request.timeOnly = true;
    request.simChecks = sim::CheckSet();
    request.views = {};
    request.watches.clear();
    request.breaks.clear();
    request.firstNan = false;
    request.dumpLds.reset();
  }

  /// Cycles with the edit, if the compiler takes it.
  std::optional<uint64_t>
  time(const std::string &edit,
       llvm::function_ref<std::optional<uint64_t>(LoadedKernel &,
                                                  const RunRequest &)>
           launch);

private:
  ModuleOp module;
  RunRequest request;
  std::string complaints;
  /// An edit may be for several resources.
  llvm::StringMap<std::optional<uint64_t>> known;
};

} // namespace

std::optional<uint64_t>
EditTimer::time(const std::string &edit,
                llvm::function_ref<std::optional<uint64_t>(LoadedKernel &,
                                                           const RunRequest &)>
                    launch) {
  auto [place, isNew] = known.try_emplace(edit);
  if (!isNew)
    return place->second;
  // A refusal is an answer.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  RunRequest changed = request;
  changed.overrides.schedule = splitOverrides(edit);
  int exitCode;
  auto loaded =
      LoadedKernel::ofModule(module, changed, Device::Simulator, exitCode);
  if (succeeded(loaded))
    place->second = launch(**loaded, changed);
  return place->second;
}

/// Whether L2s miss what some L2 has fetched before, beside a few arguments.
static bool fetchesTwice(const sim::CacheTraffic &traffic) {
  return 100 * traffic.mallHits > traffic.requests;
}

void LoadedKernel::timeEdits(const RunRequest &request,
                             const std::vector<Argument> &inputs) {
  sim::Result &result = *records.front().result;
  auto timing = std::make_shared<sim::TimingResult>(*result.timing);
  ScheduleEdits edits = findScheduleEdits(*module, kernelName);
  EditTimer timer(*module, request, kernelName);
  auto launch = [&](LoadedKernel &trial,
                    const RunRequest &changed) -> std::optional<uint64_t> {
    // With the channel, which `trial` does not know of: nobody reads what is
    // in it afterwards.
    std::vector<Argument> arguments = inputs;
    if (failed(trial.launchKernel(arguments, changed, Device::Simulator)) ||
        !trial.records.front().result->timing)
      return std::nullopt;
    return trial.records.front().result->timing->cycles;
  };
  for (sim::WhatIf &entry : timing->whatIf) {
    if (entry.cycles >= timing->cycles ||
        (entry.resource == FreeResource::L2 && !fetchesTwice(timing->traffic)))
      continue;
    for (const std::string &edit : edits[unsigned(entry.resource)])
      if (std::optional<uint64_t> cycles = timer.time(edit, launch)) {
        entry.edit = "--schedule=" + edit;
        entry.editCycles = *cycles;
        break;
      }
  }
  result.timing = std::move(timing);
}
