//===- CaptureConfig.h - Input files for rocprofv3 --------------*- C++ -*-===//
//
// What problem: a profile that answers the reports' questions needs the right
// kernel, iterations, units and counters, and counters that fit into a pass.
// What idea: two inputs for one kernel: a thread trace, and jobs of counters,
// each with at most four of the L2's (TCC), which is what a pass reads of it,
// and with all counters of a figure. A third file defines what the profiler
// has no name for: the requests to each channel of the L2.
// What it refuses: a kernel's name that is empty or holds line breaks.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_CAPTURECONFIG_H
#define FLY_ANALYSIS_CAPTURECONFIG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fly::analysis {

struct CaptureOptions {
  std::string kernel; ///< Its name, taken literally.
  /// Which dispatches of it: the first warm up caches and clocks.
  unsigned firstIteration = 2, lastIteration = 4;
  unsigned targetUnit = 1; ///< Compute unit that is traced.
  uint64_t bufferBytes = 0x6000000;
  std::string outputFolder = "profile";
};

/// Counters that the reports read, in jobs that a pass can count.
std::vector<std::vector<std::string>> counterJobs();

/// YAML for `rocprofv3 -i`: the thread trace, and the counters.
llvm::Expected<std::string> traceConfig(const CaptureOptions &options);
llvm::Expected<std::string> counterConfig(const CaptureOptions &options);
/// YAML for `rocprofv3 -E`, which the jobs of channels need.
std::string channelDefinitions();

} // namespace fly::analysis

#endif // FLY_ANALYSIS_CAPTURECONFIG_H
