//===- RunRequest.h - What fly-run is asked to do ---------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_RUN_RUNREQUEST_H
#define FLY_TOOLS_FLY_RUN_RUNREQUEST_H

#include "fly/Launch/Arguments.h"
#include "fly/Launch/Compare.h"
#include "fly/Launch/GpuLaunch.h"
#include "fly/Pipelines/Source.h"
#include "fly/Sim/Checks.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fly::tools {

enum class Device { Reference, Simulator, Gpu };

/// An argument that must hold what a SPEC describes after the launch.
struct Expectation {
  launch::NamedSpec spec;
  launch::Tolerance tolerance;
};

/// Files that show a timed launch; empty for those that nobody asks for.
struct ViewFiles {
  std::string threadTrace; ///< Folder of a `ui_output_*` directory.
  std::string kernelTrace, counters, perfetto, html;

  bool needEvents() const {
    return !threadTrace.empty() || !perfetto.empty() || !html.empty();
  }
  bool any() const {
    return needEvents() || !kernelTrace.empty() || !counters.empty();
  }
};

/// The command line, parsed.
struct RunRequest {
  std::string input;
  /// What messages start with, where they are not about `input`.
  std::string subject;
  /// Where messages go; null: to standard error.
  std::string *complaints = nullptr;
  std::string kernel;
  std::string chip;
  ScheduleOverrides overrides;
  std::vector<launch::NamedSpec> specs;
  Device device = Device::Simulator;
  std::optional<std::array<uint32_t, 3>> grid, block;
  std::optional<uint32_t> dynamicLdsBytes;
  /// Argument (name or number) and file.
  std::vector<std::pair<std::string, std::string>> outputs;
  std::vector<Expectation> expectations;
  std::string against;
  bool checkReference = true, checkGuards = true, checkAsserts = true;
  /// What the simulator checks.
  sim::CheckSet simChecks = sim::CheckSet::all();
  bool json = false;
  /// Whether to time launches, on the model or the GPU.
  bool timing = false;
  launch::GpuOptions gpu;
  /// Whether to time them with each resource free, and with edits that may get
  /// at it.
  bool whatIf = true;
  /// Whether only the time is of interest, not what the launch writes.
  bool timeOnly = false;
  ViewFiles views;
  uint64_t seed = 0;
  /// Seed of the order of execution, 0: the simulator's own.
  uint32_t interleaveSeed = 0;
  /// The order of workgroups on the simulator; 0: that of the grid.
  uint32_t dispatchSeed = 0;
  unsigned threads = 1;
  /// What is told of the way: see DebugRequest.h for their forms.
  std::vector<std::string> watches, breaks;
  bool firstNan = false;
  std::optional<uint64_t> dumpLds; ///< Workgroup in dispatch order.
  /// Whether to look for the pass that makes the kernel wrong.
  bool diffPhases = false;
};

/// "C=SPEC[,atol=1e-3][,rtol=1e-2]".
llvm::Expected<Expectation> parseExpectation(llvm::StringRef text);
/// "4,4,1" or "4".
llvm::Expected<std::array<uint32_t, 3>> parseExtents(llvm::StringRef option,
                                                     llvm::StringRef text);
/// "all", "none" or a list of reference, guards, asserts and the simulator's
/// checks; "lds" is an older name of bounds.
llvm::Error parseChecks(llvm::StringRef text, RunRequest &request);

/// Runs the request; gives the exit code.
int runRequest(const RunRequest &request);

/// Looks for the smallest launch that ends as this command line does, and
/// prints its command line; gives the exit code. The first word is the program.
int shrinkRequest(const RunRequest &request, llvm::ArrayRef<char *> words);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_RUNREQUEST_H
