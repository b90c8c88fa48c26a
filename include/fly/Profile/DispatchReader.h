//===- DispatchReader.h - Reading dispatches and counters -------*- C++ -*-===//
//
// What problem: what ran, what it held and what counters said stands in
// rocprofv3's CSVs or in a rocpd database, which are edited, cut, locked, and
// as long as a run was.
// What idea: one callback for each dispatch, counter or kernel, whichever file
// it comes from; memory does not grow with the file. The reader of a number
// says that it needs it: a file without is then an error, which names what is
// missing and what is there.
// What it refuses: see CsvTable.h; of databases, those of another schema than
// rocpd's version 3. A value of the wrong type is an error wherever it stands.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_DISPATCHREADER_H
#define FLY_PROFILE_DISPATCHREADER_H

#include "fly/Profile/Dispatch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fly::profile {

/// What a file may be.
enum class ProfileKind : uint8_t {
  ThreadTrace,      ///< A folder with code.json.
  ThreadTraceStats, ///< stats_ui_output_*.csv
  KernelTrace,      ///< *_kernel_trace.csv
  Counters,         ///< *_counter_collection.csv
  KernelStats,      ///< *_kernel_stats.csv, *_stats.csv
  Database,         ///< rocpd, SQLite
};
/// "a kernel trace", ...
llvm::StringRef name(ProfileKind kind);

/// What \p path is, by what it holds, never by its name. A folder with one
/// thread trace below it is no trace itself: the error names that one.
llvm::Expected<ProfileKind> identifyProfile(llvm::StringRef path);

/// What a dispatch must have for its reader; the rest may be empty.
struct DispatchNeeds {
  bool times = false;     ///< Start and end.
  bool registers = false; ///< VGPRs of both kinds, and SGPRs.
  bool shape = false;     ///< LDS, workgroup and grid.
};

using DispatchCallback = llvm::function_ref<llvm::Error(const Dispatch &)>;
using CounterCallback =
    llvm::function_ref<llvm::Error(const Dispatch &, const CounterValue &)>;

/// Each row of a kernel_trace CSV.
llvm::Error readKernelTrace(llvm::StringRef csv, const DispatchNeeds &needs,
                            DispatchCallback dispatch);
/// Each row of a counter_collection CSV; `id` is always there.
llvm::Error readCounters(llvm::StringRef csv, CounterCallback counter);
/// Each row of a *_stats CSV.
llvm::Error
readKernelStats(llvm::StringRef csv,
                llvm::function_ref<llvm::Error(const KernelTotals &)> kernel);

/// Each dispatch of a rocpd database, in the order of its table.
llvm::Error readDatabaseDispatches(llvm::StringRef database,
                                   const DispatchNeeds &needs,
                                   DispatchCallback dispatch);
/// Each counter value of a dispatch in a rocpd database; `id` is always there.
llvm::Error readDatabaseCounters(llvm::StringRef database,
                                 CounterCallback counter);

/// True if a rocpd database has counters of dispatches.
llvm::Expected<bool> holdsCounters(llvm::StringRef database);

/// Dispatches of a kernel trace or a database, whichever \p path is.
llvm::Error forEachDispatch(llvm::StringRef path, const DispatchNeeds &needs,
                            DispatchCallback dispatch);
/// Counters of a counter CSV or a database, whichever \p path is.
llvm::Error forEachCounter(llvm::StringRef path, CounterCallback counter);

/// The files with counters that \p inputs name, each once: files as they are,
/// and of folders each `*counter_collection.csv` in them or below, or the
/// databases (`.db`) where a folder has no such table. Sorted within a folder.
llvm::Expected<std::vector<std::string>>
listCounterFiles(llvm::ArrayRef<std::string> inputs);

} // namespace fly::profile

#endif // FLY_PROFILE_DISPATCHREADER_H
