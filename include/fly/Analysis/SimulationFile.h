//===- SimulationFile.h - What fly-run --timing --json prints ---*- C++ -*-===//
//
// What problem: several reports read the simulator's JSON, of one launch or of
// a program's launches.
// What idea: one reader, which keeps the times of each launch.
// What it refuses: files without a timing, values of a wrong type, more
// launches than maxLaunches.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_SIMULATIONFILE_H
#define FLY_ANALYSIS_SIMULATIONFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fly::analysis {

/// A launch with its timing.
struct SimulatedLaunch {
  std::string kernel;
  std::string product; ///< The machine that was simulated.
  double microseconds = 0, cycles = 0;
};

struct SimulationFile {
  static constexpr size_t maxLaunches = 1 << 14;
  std::vector<SimulatedLaunch> launches; ///< At least one.
};

/// True for JSON of fly-run, with or without a timing.
bool isSimulation(llvm::StringRef path);

llvm::Expected<SimulationFile> readSimulationFile(llvm::StringRef path);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_SIMULATIONFILE_H
