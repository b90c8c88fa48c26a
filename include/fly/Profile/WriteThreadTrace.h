//===- WriteThreadTrace.h - A thread trace as viewers load it ---*- C++ -*-===//
//
// What problem: people look at thread traces with the viewers that they have.
// What idea: the directory that rocprofv3 writes, file by file, so that its
// viewers and analyzers load a simulated launch as they load a traced one.
// What it refuses: to write over anything that it has not written itself.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_WRITETHREADTRACE_H
#define FLY_PROFILE_WRITETHREADTRACE_H

#include "fly/Profile/ThreadTrace.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace fly::profile {

/// "ui_output_agent_1_dispatch_1", by the trace's agent and dispatch.
std::string directoryName(const ThreadTrace &trace);

/// Writes the directory of that name and its `stats_*.csv` into `folder`, which
/// is made where it is missing. A trace that was written before is replaced,
/// when all files of the new one are there.
llvm::Error writeThreadTrace(const ThreadTrace &trace, llvm::StringRef folder);

/// The waves of a trace as a Chrome (Perfetto) trace: a process a SIMD, a
/// thread a slot, a slice for each instruction that issues and for each wait.
/// Times are microseconds of the trace's clock, cycles where it is unknown.
void writePerfetto(llvm::raw_ostream &os, llvm::ArrayRef<ThreadTrace> traces);

} // namespace fly::profile

#endif // FLY_PROFILE_WRITETHREADTRACE_H
