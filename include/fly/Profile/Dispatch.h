//===- Dispatch.h - Dispatches of kernels and their counters ----*- C++ -*-===//
//
// One dispatch as kernel_trace CSVs, counter CSVs and rocpd databases record
// it: when it ran, what it holds, what the counters said. A value that a file
// does not give is empty, never 0.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_DISPATCH_H
#define FLY_PROFILE_DISPATCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fly::profile {

/// What a wave and a workgroup of the kernel hold, as the runtime allots them.
struct DispatchResources {
  std::optional<uint64_t> archVgprs, accumVgprs, sgprs; ///< A wave.
  std::optional<uint64_t> ldsBytes;                     ///< A workgroup.
  std::optional<uint64_t> scratchBytes;                 ///< A work item.
  std::optional<std::array<uint64_t, 3>> workgroup;     ///< Work items.
  std::optional<std::array<uint64_t, 3>> grid;          ///< Work items.
};

struct Dispatch {
  std::string kernel; ///< Its name, as the file spells it.
  std::string agent;  ///< "Agent 4"; empty where the file names none.
  std::string chip;   ///< As the chip tables name it; may be empty.
  /// What tells its process from the others of the file, each of which numbers
  /// its dispatches from the start; may be empty.
  std::string process;
  std::optional<uint64_t> id; ///< Dispatch_Id of the file.
  std::optional<uint64_t> startNs, endNs;
  DispatchResources resources;
};

/// One value of one counter in one dispatch. Files in long form have a row for
/// each; several rows of one counter are instances (XCDs, channels).
struct CounterValue {
  std::string counter; ///< "TCC_HIT_sum"
  double value = 0;
};

/// What a *_stats file says of all calls of one kernel.
struct KernelTotals {
  std::string kernel;
  uint64_t calls = 0;
  double totalNs = 0;
  std::optional<double> averageNs, minNs, maxNs, stdDevNs;
  std::optional<double> percentage; ///< Of the time of all kernels, 0 to 100.
};

} // namespace fly::profile

#endif // FLY_PROFILE_DISPATCH_H
