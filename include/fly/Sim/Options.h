//===- Options.h - how a launch is simulated --------------------*- C++ -*-===//

#ifndef FLY_SIM_OPTIONS_H
#define FLY_SIM_OPTIONS_H

#include "fly/Sim/Checks.h"
#include "fly/Sim/Debug.h"
#include "fly/Sim/Timing.h"

#include <cstdint>

namespace fly::sim {

/// Switches of one launch. The defaults find errors; hardware behaviour without
/// checks is reached by clearing the check flags.
struct SimOptions {
  /// Host threads that run workgroups, at least 1. Results do not depend on
  /// it: kernels whose global atomics do not commute run on one thread.
  unsigned threads = 1;
  /// Most instructions of one wave before the launch fails with a budget
  /// fault. Bounds the time of kernels that never end.
  uint64_t maxInstructionsPerWave = uint64_t(1) << 26;
  /// Instructions that a wave runs before its neighbours get a turn, so that a
  /// wave that polls LDS or memory lets the writer go on.
  uint64_t timeSliceInstructions = uint64_t(1) << 16;
  /// What is checked. The default costs no time; CheckSet::all() up to about
  /// three times that of an unchecked launch. Without any, a launch behaves as
  /// hardware does: ended waves leave a barrier's count, LDS reads outside of
  /// the allocation give 0 and writes there are dropped.
  CheckSet checks = CheckSet().add(Check::Bounds).add(Check::Barriers);
  /// With the delivery check: when results of memory instructions arrive. 0: at
  /// the last moment that waits allow. Else at a moment before, drawn by seed.
  uint32_t deliverySeed = 0;
  /// Which wave, of which of several workgroups, executes how many instructions
  /// next is drawn by this seed. 0: waves in turn, workgroups in dispatch
  /// order.
  uint32_t interleaveSeed = 0;
  /// The order in which workgroups run. 0: that of the grid. Else another one,
  /// which the seed chooses; on one thread the same in every launch.
  uint32_t dispatchSeed = 0;
  /// What vector registers, LDS and scratch hold before the kernel writes
  /// them. Not zero by default, so that reliance on zero shows.
  uint32_t uninitialisedFill = 0x7fc1dead;
  /// Whether the launch is timed, and how.
  TimingOptions timing;
  /// What the launch tells of its way; nothing by default.
  DebugOptions debug;
};

} // namespace fly::sim

#endif // FLY_SIM_OPTIONS_H
