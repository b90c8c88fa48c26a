//===- TimingFile.h - The time of a launch from its JSON --------*- C++ -*-===//
#ifndef FLY_ANALYSIS_TIMINGFILE_H
#define FLY_ANALYSIS_TIMINGFILE_H

#include "fly/Analysis/Roofline.h"

namespace fly::analysis {

struct SimulatedTiming {
  Measured measured;
  std::string product; ///< The machine that was simulated or measured.
};

/// What `fly-run --timing --json` says of time, matrix units and memory.
/// Errors: files that hold no timing, or values of a wrong type.
llvm::Expected<SimulatedTiming> readTiming(llvm::StringRef path);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_TIMINGFILE_H
