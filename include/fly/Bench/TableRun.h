//===- TableRun.h - A table of kernels on the simulator ---------*- C++ -*-===//
//
// What problem: a change must be judged on many kernels, shapes, types and
// schedules, ours and those of other compilers, in one table.
// What idea: each row of a CSV is one launch of fly-run, in a process of its
// own, so that a row that fails is a row that says so. What comes out is a CSV
// with the row's own names and what was simulated, which `fly-report compare`
// reads.
// What it leaves out: repeats. The timing model gives the same each time.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_TABLERUN_H
#define FLY_BENCH_TABLERUN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fly::bench {

/// A row of the table: names that are copied, and a launch.
struct TableRow {
  uint64_t line = 0;
  std::vector<std::string> names; ///< Cells of TableRun::names.
  std::vector<std::string> words; ///< Arguments of fly-run.
  std::optional<double> flop, bytes;
};

/// The table.
struct Table {
  std::vector<std::string> names; ///< Columns that are copied.
  std::vector<TableRow> rows;
};

/// Reads a CSV with the columns `file` (a kernel or an object) and, where they
/// are needed, `arguments` (words for fly-run: M=512, --grid=4, --arg=...),
/// `chip`, `kernel`, `schedule`, `size` (options of that name), `flop`, `bytes`
/// (for rates). All but `file`, `arguments`, `flop` and `bytes` are copied,
/// with others that only name the row. Paths are relative to the table's
/// folder.
llvm::Expected<Table> readTable(llvm::StringRef path);

/// What a launch came to.
struct TableResult {
  /// "ok", "wrong" (results, guards or checks), "error".
  std::string status;
  std::string message; ///< Of those that are not ok.
  std::optional<double> microseconds, cycles, mfmaUtil, hbmBytes;
  std::optional<uint64_t> wavesPerSimd, vgpr, agpr, ldsBytes;
};

/// Runs one row by the fly-run at \p program, for at most that many seconds (0:
/// as long as it takes).
TableResult runRow(const TableRow &row, llvm::StringRef program,
                   unsigned timeoutSeconds);

/// Prints the header, or a row, of the resulting CSV.
void printHeader(llvm::raw_ostream &os, const Table &table);
void printRow(llvm::raw_ostream &os, const TableRow &row,
              const TableResult &result);

} // namespace fly::bench

#endif // FLY_BENCH_TABLERUN_H
