//===- GpuLaunch.h - Run and time a kernel on a GPU -------------*- C++ -*-===//
//
// What problem: a model says what to try; only the machine says what it gives.
// What idea: the HIP runtime is loaded when a launch asks for it, so that
// nothing depends on it. The first launch is for the result; launches that are
// timed, each by a pair of events, come after warm-ups and take turns in
// copies of all buffers, so that no launch finds the caches full of its own
// operands.
// What it leaves open: what lies between a launch and its events. Of kernels of
// some microseconds, rocprofv3 --kernel-trace tells more.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_GPULAUNCH_H
#define FLY_LAUNCH_GPULAUNCH_H

#include "fly/Launch/SimulatorLaunch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::launch {

/// What is measured.
struct GpuOptions {
  unsigned device = 0; ///< As the runtime counts GPUs.
  unsigned repeat = 0; ///< Launches that are timed; 0: only the result counts.
  unsigned warmup = 3; ///< Launches before them.
  /// Copies of all buffers; 0: as many as hold more than `coldBytes`.
  unsigned rotate = 0;
  /// Twice what the last cache holds, so that a copy is gone from it when its
  /// turn comes again.
  uint64_t coldBytes = 0;
};

/// What was measured.
struct GpuRun {
  std::string device;               ///< As the runtime calls it.
  std::vector<double> microseconds; ///< Of each timed launch, in their order.
  unsigned copies = 1;              ///< Copies of the buffers that took turns.
};

/// Copies that hold more than \p options ask for, at least one and at most
/// `maxCopies`, where one has \p bytes.
unsigned countCopies(const GpuOptions &options, uint64_t bytes);
inline constexpr unsigned maxCopies = 1024;

/// Runs \p kernel of the object on a GPU. Buffers then hold what the first
/// launch wrote. A workspace that has to be found in a certain state is
/// put into it before each launch. Errors: no runtime, no such GPU, an object
/// of another chip, no memory for the copies; they name the call and what the
/// runtime says.
llvm::Expected<GpuRun> launchOnGpu(llvm::StringRef object,
                                   llvm::StringRef kernel,
                                   const LaunchSize &size,
                                   std::vector<Argument> &arguments,
                                   const GpuOptions &options = {});

} // namespace fly::launch

#endif // FLY_LAUNCH_GPULAUNCH_H
