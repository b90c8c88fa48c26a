//===- TimeSlice.h - what has to be executed for its time -------*- C++ -*-===//
//
// What problem: a launch that is only timed executes its matrix instructions,
// conversions and copies for values that nobody reads.
// What idea: time depends on the paths of waves and on addresses. Backwards
// over the blocks of the kernel, registers are found that end in one of them;
// vector arithmetic that writes none of these is left out. LDS and scratch are
// one cell each: a load from LDS whose result is needed makes all that is
// stored there needed, too. Of workgroups whose blocks of memory alone are
// recorded, LDS is left out as a whole where no needed value goes through it.
// Global memory keeps what it held: stores are dropped, so that a launch can be
// repeated in full. That is done where a needed value comes from an allocation
// that the launch stores to, and where a wave faults.
// What it refuses: calls, jumps to registers, indexed registers, and atomics
// whose results are needed; all of such a kernel is executed.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_TIMESLICE_H
#define FLY_LIB_SIM_TIMING_TIMESLICE_H

#include "fly/Sim/Simulator.h"

#include <memory>
#include <vector>

#include "Recorder.h"

namespace fly::sim {

class TimeSlice {
public:
  /// The slice of the launch's kernel; null where all has to be executed.
  static std::unique_ptr<TimeSlice> of(const LaunchState &launch,
                                       const LaunchTrace &trace);

  /// What to call for each slot of the program, for a workgroup. A null
  /// executor: nothing, and nobody has to hear of it.
  const LoadedProgram::Slot *slotsOf(uint64_t workgroup) const {
    return trace.plan[workgroup] == TraceDepth::Full ? full.data()
                                                     : blocks.data();
  }
  /// Whether the instruction loads from global memory what is needed.
  bool needsMemory(uint32_t slot) const { return feeds[slot]; }

private:
  explicit TimeSlice(const LaunchTrace &trace) : trace(trace) {}

  const LaunchTrace &trace;
  std::vector<LoadedProgram::Slot> full, blocks;
  std::vector<bool> feeds;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_TIMESLICE_H
