//===- ProgramLaunch.h - Run a program on the simulator ---------*- C++ -*-===//
//
// Several kernels of one object, one after the other on shared memory, as the
// contract of a program says: nothing else is needed, in particular no source.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_PROGRAMLAUNCH_H
#define FLY_LAUNCH_PROGRAMLAUNCH_H

#include "fly/Contract/ObjectContracts.h"
#include "fly/Launch/SimulatorLaunch.h"

namespace fly::launch {

/// The parameters of a program.
llvm::Expected<std::vector<Parameter>>
parametersOf(const contract::ProgramContract &program);

/// The buffers of a program's pointers: each as large as the largest view that
/// a kernel has of it. What the program requires is checked first.
llvm::Error allocateBuffers(std::vector<Argument> &arguments,
                            const contract::ProgramContract &program,
                            llvm::ArrayRef<NamedSpec> specs, uint64_t seed);

/// One launch of a program that has run.
struct ProgramStep {
  std::string kernel;
  LaunchSize size;
  sim::Result result;
};

struct ProgramRun {
  std::vector<ProgramStep> launches;
  /// What a check of workspaces found wrong, empty if nothing: guard bands, and
  /// zeros that a kernel had to find or to leave.
  std::string failedCheck;
};

/// Takes what a kernel said in its checks: the words of its channel, after each
/// launch, also one that failed.
using ChannelReader = llvm::function_ref<void(
    const contract::LaunchContract &kernel, llvm::ArrayRef<uint32_t> words)>;

/// Runs the program on the arguments' buffers and on workspaces of its own,
/// which hold all ones (NaN) until something writes them.
llvm::Expected<ProgramRun> launchOnSimulator(
    llvm::StringRef object, const contract::ObjectContracts &contracts,
    const contract::ProgramContract &program, std::vector<Argument> &arguments,
    const sim::SimOptions &options = {}, ChannelReader readChannel = nullptr);

} // namespace fly::launch

#endif // FLY_LAUNCH_PROGRAMLAUNCH_H
