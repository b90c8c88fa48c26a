//===- RunTables.h - Reading what two runs measured -------------*- C++ -*-===//
#ifndef FLY_LIB_ANALYSIS_RUNTABLES_H
#define FLY_LIB_ANALYSIS_RUNTABLES_H

#include "fly/Analysis/CompareRuns.h"

#include <utility>

namespace fly::analysis {

/// Reads both tables; they have the same columns as keys.
llvm::Expected<std::pair<RunTable, RunTable>>
readRuns(llvm::StringRef before, llvm::StringRef after,
         const CompareOptions &options);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_RUNTABLES_H
