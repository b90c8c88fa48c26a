//===- Subcommands.h - The reports of fly-report ----------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_REPORT_SUBCOMMANDS_H
#define FLY_TOOLS_FLY_REPORT_SUBCOMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fly::tools {

int captureConfig(int argc, char **argv);
int reportChecklist(int argc, char **argv);
int reportCompare(int argc, char **argv);
int reportCounters(int argc, char **argv);
int reportHotspots(int argc, char **argv);
int reportIsa(int argc, char **argv);
int reportKernels(int argc, char **argv);
int reportLayout(int argc, char **argv);
int reportOccupancy(int argc, char **argv);
int reportPlan(int argc, char **argv);
int reportRoofline(int argc, char **argv);
int reportVerify(int argc, char **argv);

/// Reads a code object; what is none is an error that says so.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readCodeObject(llvm::StringRef path);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_REPORT_SUBCOMMANDS_H
