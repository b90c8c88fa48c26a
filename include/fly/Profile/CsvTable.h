//===- CsvTable.h - Reading tables of comma-separated values ----*- C++ -*-===//
//
// What problem: profilers' CSVs are edited, cut, appended to and gigabytes
// long; a reader that trusts them prints numbers that no file holds.
// What idea: rows are streamed through libcsv, one at a time; columns are found
// by the names of the header; each error names the file, the line, the column,
// what was expected and what was found.
// What it refuses: rows with more or fewer cells than the header, a column that
// stands twice, an open quote, UTF-16, a cell or row beyond the limits below,
// and a last row that may have been cut. Rows whose first cell starts with '#'
// are comments.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_CSVTABLE_H
#define FLY_PROFILE_CSVTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::profile {

struct CsvOptions {
  /// Accept a last row whose unquoted last cell ends with the file. It may be
  /// the rest of a cut file, whose last number is then short of digits; files
  /// that people write are often so.
  bool allowOpenEnd = false;
  /// Most bytes of a row; what is longer is an error, not memory.
  size_t maxRowBytes = size_t(1) << 22;
};

/// Calls \p row with each row of the file, the header first, and the line on
/// which it starts (from 1). Comments and blank lines are left out. An error of
/// \p row ends the reading and is returned as it is; others name the file. "-"
/// is standard input.
llvm::Error forEachCsvRow(
    llvm::StringRef path, const CsvOptions &options,
    llvm::function_ref<llvm::Error(uint64_t line,
                                   llvm::ArrayRef<llvm::StringRef> cells)>
        row);

/// A column that a reader knows.
struct CsvColumn {
  llvm::StringRef name;
  /// The file must have it, and each row must fill it.
  bool required = true;
};

/// A row of a table, by the columns that the reader named.
class CsvRow {
public:
  CsvRow(llvm::StringRef path, llvm::ArrayRef<CsvColumn> columns,
         llvm::ArrayRef<int> positions)
      : path(path), columns(columns), positions(positions) {}

  uint64_t line() const { return lineNumber; }
  /// The cell of \p column (its position in the reader's list); empty where
  /// the file has no such column.
  llvm::StringRef text(unsigned column) const;
  /// The cell as a whole number; nothing where it is empty or not there.
  llvm::Expected<std::optional<uint64_t>> number(unsigned column) const;
  /// The cell as a finite number; nothing where it is empty or not there.
  llvm::Expected<std::optional<double>> real(unsigned column) const;
  /// "'file.csv': line 7, column 'Kernel_Name': " and \p text.
  llvm::Error error(unsigned column, const llvm::Twine &text) const;

  void set(uint64_t line, llvm::ArrayRef<llvm::StringRef> rowCells) {
    lineNumber = line;
    cells = rowCells;
  }

private:
  llvm::StringRef path;
  llvm::ArrayRef<CsvColumn> columns;
  llvm::ArrayRef<int> positions; ///< Of the columns in the file; -1: none.
  uint64_t lineNumber = 0;
  llvm::ArrayRef<llvm::StringRef> cells;
};

/// Reads a table: checks its header against \p columns, then calls \p row with
/// each row. Columns that no one named are ignored. A table without rows is an
/// error that ends with \p emptyHint.
llvm::Error readCsvTable(llvm::StringRef path,
                         llvm::ArrayRef<CsvColumn> columns,
                         llvm::StringRef emptyHint,
                         llvm::function_ref<llvm::Error(const CsvRow &)> row,
                         const CsvOptions &options = {});

/// The names of a table's header, without reading on.
llvm::Expected<std::vector<std::string>> readCsvHeader(llvm::StringRef path);

/// The number that \p cell is: digits with a sign, a point or an exponent.
/// Empty for other text, and for what is too large for a double.
std::optional<double> decimalOf(llvm::StringRef cell);

} // namespace fly::profile

#endif // FLY_PROFILE_CSVTABLE_H
