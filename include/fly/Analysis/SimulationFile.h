//===- SimulationFile.h - What fly-run --timing --json prints ---*- C++ -*-===//
//
// What problem: reports and tables read the simulator's JSON, each some of its
// numbers, of one launch or of a program's launches.
// What idea: one reader, which hands on launch by launch what any of them
// needs, so that memory does not grow with the launches.
// What it refuses: files without a timing, values of a wrong type or beyond
// what can be measured, launches of more numbers than any has.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_SIMULATIONFILE_H
#define FLY_ANALYSIS_SIMULATIONFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// The cycles of a launch with one cause free, and of the edit that gets at it.
struct SimulatedWhatIf {
  std::string cause; ///< "conflicts"
  double cycles = 0;
  std::string edit; ///< "--schedule=a.swizzle=xor"; may be empty.
  std::optional<double> editCycles;
};

/// How often an instruction was executed.
struct ExecutedInstruction {
  uint64_t hits = 0;
  bool isMatrix = false;
};

/// A launch with its timing.
struct SimulatedLaunch {
  static constexpr size_t maxNumbers = 1 << 14;
  static constexpr size_t maxInstructions = 1 << 20;

  std::string kernel;
  std::string product; ///< The machine that was simulated or measured.
  /// By their paths, without "timing.": "cycles", "bytes.hbm",
  /// "detail.stall_cycles.barrier", "resources.vgpr".
  std::map<std::string, double, std::less<>> numbers;
  std::vector<double> samplesUs; ///< On a GPU.
  std::vector<SimulatedWhatIf> whatIf;
  std::vector<ExecutedInstruction> instructions; ///< In the order of the code.

  std::optional<double> find(llvm::StringRef name) const;
  /// Of all numbers whose name begins so.
  double sum(llvm::StringRef prefix) const;
};

/// What the root of the file says.
struct SimulationFile {
  bool isMeasured = false; ///< On a GPU.
  bool isProgram = false;  ///< Of several launches.
};

/// True for JSON of fly-run, with or without a timing.
bool isSimulation(llvm::StringRef path);

/// Hands on each launch that has a timing, in the order of the file. Errors:
/// those of the callback, and files without such a launch.
llvm::Expected<SimulationFile> readSimulationFile(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(const SimulatedLaunch &)> launch);

/// The share of matrix instructions in the loop that executes most of them: in
/// what runs at least half as often as the one that runs most. Empty without a
/// loop, when nothing runs twice as often as the kernel's first instruction.
std::optional<double>
matrixShareOfLoop(llvm::ArrayRef<ExecutedInstruction> instructions);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_SIMULATIONFILE_H
