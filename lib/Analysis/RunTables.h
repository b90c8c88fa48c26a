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

/// Adds to what a table keeps; an error where that is too much.
llvm::Error chargeTable(RunTable &table, uint64_t bytes);
/// A cell in a key: one with blanks stays apart from its neighbours.
std::string quoteCell(llvm::StringRef cell);
/// The row of a key, which is made where there is none; an error where the
/// table has no room.
llvm::Expected<RunRow *> rowOf(RunTable &table, const std::string &key);
llvm::Error addSample(RunTable &table, RunRow &row, double value);

/// True of what is no table of a benchmark: a profile, or a simulation.
bool isProfileOrSimulation(llvm::StringRef path);
/// Reads both such files, by kernel.
llvm::Error readProfiles(RunTable &before, RunTable &after);

/// The key without what makes variants of one kernel: "gemm 64x64 bf16".
std::string workOf(const RunTable &table, const RunRow &row);
/// What the row is of where another one differs: "schedule 'a.stages=2'".
std::string variantOf(const RunTable &table, const RunRow &row,
                      const RunRow &other);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_RUNTABLES_H
