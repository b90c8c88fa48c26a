//===- TableRun.h - A table of kernels, run ---------------------*- C++ -*-===//
//
// What problem: a change must be judged on many kernels, shapes, types and
// schedules, ours and those of other compilers, in one table.
// What idea: each row of a CSV is one launch of fly-run, in a process of its
// own, so that a row that fails is a row that says so. What comes out is a CSV
// with the row's own names and what was simulated or measured, which
// `fly-report compare` reads. A GPU gives a row for each launch: samples, whose
// scatter says what a difference is worth. The timing model gives the same each
// time, and one row.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_TABLERUN_H
#define FLY_BENCH_TABLERUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
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
  std::vector<double> samples; ///< Microseconds of each launch on a GPU.
};

/// How rows are run.
struct TableRunOptions {
  std::string program;            ///< fly-run.
  std::string device = "sim";     ///< Its --device.
  std::vector<std::string> words; ///< More options for it.
  unsigned timeoutSeconds = 0;    ///< Of a row; 0: as long as it takes.
};

/// Runs one row.
TableResult runRow(const TableRow &row, const TableRunOptions &options);

/// Prints the header of the resulting CSV, or the rows of one launch: one for
/// each sample.
void printHeader(llvm::raw_ostream &os, const Table &table);
void printRow(llvm::raw_ostream &os, const TableRow &row,
              const TableResult &result, llvm::StringRef device);
/// The rows of \p table with what their launches came to.
llvm::json::Value toJSON(const Table &table,
                         llvm::ArrayRef<TableResult> results,
                         llvm::StringRef device);

} // namespace fly::bench

#endif // FLY_BENCH_TABLERUN_H
