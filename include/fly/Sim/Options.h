//===- Options.h - how a launch is simulated --------------------*- C++ -*-===//

#ifndef FLY_SIM_OPTIONS_H
#define FLY_SIM_OPTIONS_H

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
  /// A wave that ends while others wait at a barrier is an error. Off: ended
  /// waves leave the count, as on hardware.
  bool checkBarriers = true;
  /// An LDS access outside the workgroup's allocation is an error. Off: reads
  /// give 0 and writes are dropped, as on hardware.
  bool checkLdsBounds = true;
  /// What vector registers, LDS and scratch hold before the kernel writes
  /// them. Not zero by default, so that reliance on zero shows.
  uint32_t uninitialisedFill = 0x7fc1dead;
};

} // namespace fly::sim

#endif // FLY_SIM_OPTIONS_H
