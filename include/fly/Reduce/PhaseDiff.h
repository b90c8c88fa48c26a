//===- PhaseDiff.h - Which pass makes a kernel wrong? -----------*- C++ -*-===//
//
// What problem: a kernel's code object gives other values than the kernel.
// Which of the passes in between is to blame?
// What idea: the state behind each pass is a kernel, too. While it is at tile
// level the reference executor runs it: the first pass behind which the result
// differs is wrong. If all agree and the object does not, each pass that
// changed something is left out in turn, from the last one on; one without
// which the object is right is wrong, or shows what is.
// What it leaves open: passes that cannot be left out (distribution, waits, the
// conversion) and LLVM are only named together.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REDUCE_PHASEDIFF_H
#define FLY_REDUCE_PHASEDIFF_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace fly::reduce {

/// What running one state of a kernel showed.
enum class StateVerdict {
  Right,
  Wrong,
  NotRun, ///< The state is at a level that cannot run there, or is refused.
};

struct StateRun {
  StateVerdict verdict = StateVerdict::NotRun;
  /// What is wrong, or why it did not run; empty where its level says why.
  std::string detail;
};

/// How a state is run, and compared with what the source gives.
struct StateRunners {
  /// On the reference executor; NotRun below tile level.
  std::function<StateRun(mlir::ModuleOp)> onHost;
  /// What is left of the way down, and the simulator.
  std::function<StateRun(mlir::ModuleOp)> onSimulator;
};

struct PhaseDiff {
  struct Step {
    std::string pass;
    bool isChange = false; ///< Whether the pass changed anything.
    StateRun run;          ///< Behind the pass, on the host.
    /// With the pass left out, on the simulator.
    StateRun without;
  };
  std::vector<Step> steps; ///< Up to the pass that is wrong.
  StateRun object;         ///< Of all passes; NotRun if one before is wrong.
  /// The pass that is wrong; empty if nothing is, or if none could be told.
  std::string wrongPass;
};

/// Runs the passes, given as text, on copies of `source`. Fails after a
/// diagnostic where a pass fails. They must be registered.
mlir::FailureOr<PhaseDiff> diffPhases(mlir::ModuleOp source,
                                      llvm::ArrayRef<std::string> passes,
                                      const StateRunners &runners);

} // namespace fly::reduce

#endif // FLY_REDUCE_PHASEDIFF_H
