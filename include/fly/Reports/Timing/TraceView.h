//===- TraceView.h - A timed launch as profilers tell it --------*- C++ -*-===//
//
// What problem: a simulated launch should be looked at with what people have
// for traces of hardware.
// What idea: what the timing model says, in the form of a thread trace and of a
// dispatch with counters (fly/Profile), whose writers know the files.
// What differs: an XCD stands for a shader engine, since the model has none of
// those; time in which a wave has no instruction to issue (its start, fetches)
// is idle, everything else before an issue is stall. The time from the last
// instruction until the wave is gone belongs to none.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_TIMING_TRACEVIEW_H
#define FLY_REPORTS_TIMING_TRACEVIEW_H

#include "fly/Isa/Decoder.h"
#include "fly/Profile/ThreadTrace.h"
#include "fly/Profile/WriteCsv.h"
#include "fly/Sim/Timing.h"

#include <array>

namespace fly::reports {

/// A launch that was timed, and the code that it ran.
struct TimedDispatch {
  const sim::TimingResult *timing = nullptr;
  const isa::Program *program = nullptr;
  const isa::Kernel *kernel = nullptr;
  std::array<uint32_t, 3> workgroups = {1, 1, 1};
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};
  uint32_t dynamicLdsBytes = 0;
  uint64_t id = 1;      ///< From 1, in the order of launches.
  uint64_t startNs = 0; ///< Where launches before it end.

  /// When it ends.
  uint64_t endNs() const;
};

/// The agent that the simulator calls itself in traces.
inline constexpr const char *simulatorAgent = "1";

/// Waves whose events were kept, and sums over these.
profile::ThreadTrace toThreadTrace(const TimedDispatch &dispatch);

/// Counters of the whole launch under the hardware's names; see
/// TimingResult::launchCounters.
profile::CountedDispatch toCountedDispatch(const TimedDispatch &dispatch);

} // namespace fly::reports

#endif // FLY_REPORTS_TIMING_TRACEVIEW_H
