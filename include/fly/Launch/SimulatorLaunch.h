//===- SimulatorLaunch.h - Run a kernel with arguments ----------*- C++ -*-===//
//
// Puts guarded buffers into a simulator's memory, launches, and brings them
// back. Guard bands travel with the buffers, so that a stray write of the
// kernel is found on the host.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_SIMULATORLAUNCH_H
#define FLY_LAUNCH_SIMULATORLAUNCH_H

#include "fly/Launch/Arguments.h"
#include "fly/Sim/Simulator.h"

namespace fly::launch {

/// How many work items, and LDS beside what the kernel declares.
struct LaunchSize {
  std::array<uint32_t, 3> workgroups = {1, 1, 1};
  std::array<uint32_t, 3> workgroupSize = {64, 1, 1};
  uint32_t dynamicLdsBytes = 0;
};

/// The size that a contract gives for these arguments; the requirements of the
/// contract are checked first.
llvm::Expected<LaunchSize> sizeOf(const contract::LaunchContract &contract,
                                  llvm::ArrayRef<Argument> arguments);

/// Runs `kernel` of the object (its only kernel where empty). Buffers hold
/// what was written, also after a fault.
llvm::Expected<sim::Result>
launchOnSimulator(llvm::StringRef object, llvm::StringRef kernel,
                  const LaunchSize &size, std::vector<Argument> &arguments,
                  const sim::SimOptions &options = {});

} // namespace fly::launch

#endif // FLY_LAUNCH_SIMULATORLAUNCH_H
