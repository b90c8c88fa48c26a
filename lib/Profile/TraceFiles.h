//===- TraceFiles.h - The files of a thread trace ---------------*- C++ -*-===//
#ifndef FLY_LIB_PROFILE_TRACEFILES_H
#define FLY_LIB_PROFILE_TRACEFILES_H

#include "fly/Profile/ThreadTraceReader.h"

namespace fly::profile {

/// Sums of the columns of a trace. What overflows is no time that passed.
class TraceTotals {
public:
  /// An error that names the column whose sum no longer fits.
  llvm::Error add(const TracedInstruction &instruction);

private:
  uint64_t hits = 0, latency = 0, stall = 0, idle = 0;
};

/// The longest stall of an event that viewers keep, in cycles.
inline constexpr uint32_t longestStall = 0xffff;

/// What to do where a trace has no instructions.
extern const llvm::StringLiteral emptyTraceHint;

/// code.json: instructions, and the kernels that its comment rows name.
llvm::Error readCodeFile(llvm::StringRef path, ThreadTrace &trace,
                         const ThreadTraceOptions &options);
/// occupancy.json: `occupancy`, and `kernels` by its names.
llvm::Error readOccupancyFile(llvm::StringRef path, ThreadTrace &trace,
                              const ThreadTraceOptions &options);
/// snapshots.json.
llvm::Error readSnapshotsFile(llvm::StringRef path, ThreadTrace &trace);
/// The names of wave files in filenames.json.
llvm::Error readFilenamesFile(llvm::StringRef path,
                              std::vector<std::string> &waveFiles);

} // namespace fly::profile

#endif // FLY_LIB_PROFILE_TRACEFILES_H
