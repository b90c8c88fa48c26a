//===- ChecklistSource.h - What a kernel's source tells ---------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_REPORT_CHECKLISTSOURCE_H
#define FLY_TOOLS_FLY_REPORT_CHECKLISTSOURCE_H

#include "fly/Analysis/Checklist.h"

#include "llvm/ADT/StringMap.h"

#include "KernelSource.h"

namespace fly::tools {

/// A kernel file and how it is read. Plain data: linking resets the options of
/// the command line.
struct SourceRequest {
  std::string input;
  SourceEdits edits;
  llvm::StringMap<int64_t> arguments;
};

/// Adds what the schedule and the grid of a kernel file tell, and what its
/// machine code does. Gives the exit code; errors are printed.
int addSource(analysis::Checklist &list, const SourceRequest &request);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_REPORT_CHECKLISTSOURCE_H
