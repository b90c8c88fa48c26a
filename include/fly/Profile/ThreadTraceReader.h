//===- ThreadTraceReader.h - Reading thread traces --------------*- C++ -*-===//
//
// What problem: reports need the numbers of a `ui_output_agent_*_dispatch_*`
// directory, whoever wrote it and whatever happened to it since.
// What idea: each file is streamed; sums are kept for each instruction, and
// what waves did when is handed on event by event, or kept where asked for.
// Only code.json must be there: filenames.json, occupancy.json, snapshots.json
// and wave files are read where they are.
// What it refuses: a trace without instructions, rows that lack a column or
// hold another type, numbers whose sum overflows, files beyond the limits of
// the options. Errors name the file, the place in it and the fix.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_THREADTRACEREADER_H
#define FLY_PROFILE_THREADTRACEREADER_H

#include "fly/Profile/ThreadTrace.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace fly::profile {

struct ThreadTraceOptions {
  bool waves = false;     ///< Keep what each wave did (ThreadTrace::waves).
  bool occupancy = false; ///< Keep where waves began and ended.
  bool sources = false;   ///< Keep the texts of source files.
  bool timelines = true;  ///< Of waves that are read: keep their stretches.
  bool waits = true;      ///< And what their waits waited for.
  /// Most instructions, and most events of waves and occupancy together, that
  /// are kept; more is an error.
  size_t maxInstructions = 1000000;
  size_t maxEvents = 8000000;
  /// Most pairs of a wait and an access for a wave, however often each occurs.
  size_t maxWaitPairs = 1 << 18;
};

/// Reads the directory of a traced dispatch.
llvm::Expected<ThreadTrace>
readThreadTrace(llvm::StringRef directory,
                const ThreadTraceOptions &options = {});

/// Reads a stats_ui_output_*.csv, which holds the sums of a trace alone. Lines
/// are numbered as the rows are, from 1.
llvm::Expected<ThreadTrace>
readThreadTraceStats(llvm::StringRef csv,
                     const ThreadTraceOptions &options = {});

/// The paths of the wave files of a directory, in order of place and time:
/// those that filenames.json names, or where there is none, those there are.
llvm::Expected<std::vector<std::string>>
listWaveFiles(llvm::StringRef directory);

/// Reads one wave file: where and when the wave ran, its timeline and waits go
/// to \p wave, its events to \p event one by one, in the order of the file.
/// `wave.events` is left alone.
llvm::Error
readWaveFile(llvm::StringRef path, TracedWave &wave,
             llvm::function_ref<llvm::Error(const WaveEvent &)> event,
             const ThreadTraceOptions &options = {});

} // namespace fly::profile

#endif // FLY_PROFILE_THREADTRACEREADER_H
