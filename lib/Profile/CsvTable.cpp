//===- CsvTable.cpp - Reading tables of comma-separated values ------------===//
//
// Columns by name, cells by type, errors by place.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/CsvTable.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

#include "InputStream.h"

using namespace fly;
using namespace fly::profile;
using llvm::StringRef;

/// A cell for a message: whole if it is short.
static std::string quoted(StringRef cell) {
  static constexpr size_t most = 40;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '\'';
  llvm::printEscapedString(cell.take_front(most), os);
  os << (cell.size() > most ? "...'" : "'");
  return text;
}

StringRef CsvRow::text(unsigned column) const {
  return positions[column] < 0 ? StringRef() : cells[positions[column]];
}

llvm::Error CsvRow::error(unsigned column, const llvm::Twine &text) const {
  return fileError(path, "line " + llvm::Twine(lineNumber) + ", column '" +
                             columns[column].name + "': " + text);
}

llvm::Expected<std::optional<uint64_t>> CsvRow::number(unsigned column) const {
  StringRef cell = text(column);
  if (cell.empty())
    return std::nullopt;
  uint64_t value;
  if (cell.getAsInteger(10, value))
    return error(column, "expected a whole number from 0 to 2^64-1, found " +
                             quoted(cell));
  return value;
}

std::optional<double> fly::profile::decimalOf(StringRef cell) {
  // LLVM takes exponents without digits, and hexadecimal numbers.
  double value = 0;
  if (cell.find_first_not_of("+-.eE0123456789") != StringRef::npos ||
      cell.ends_with_insensitive("e") || cell.ends_with("+") ||
      cell.ends_with("-") || cell.getAsDouble(value) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

llvm::Expected<std::optional<double>> CsvRow::real(unsigned column) const {
  StringRef cell = text(column);
  if (cell.empty())
    return std::nullopt;
  std::optional<double> value = decimalOf(cell);
  if (!value)
    return error(column, "expected a finite number, found " + quoted(cell));
  if (!isMeasurement(*value))
    return error(column, quoted(cell) + " is no measurement: expected 0 or a "
                                        "number of 1e-90 to 1e90");
  return value;
}

/// Where each column is in the header.
static llvm::Error placeColumns(StringRef path, uint64_t line,
                                llvm::ArrayRef<StringRef> header,
                                llvm::ArrayRef<CsvColumn> columns,
                                llvm::MutableArrayRef<int> positions) {
  std::string missing;
  for (auto [column, position] : llvm::zip(columns, positions)) {
    auto *found = llvm::find(header, column.name);
    position = found == header.end() ? -1 : int(found - header.begin());
    if (position < 0) {
      if (column.required)
        missing += (missing.empty() ? "" : ", ") + column.name.str();
      continue;
    }
    if (std::find(found + 1, header.end(), column.name) != header.end())
      return fileError(path, "line " + llvm::Twine(line) + ": the column '" +
                                 column.name + "' stands twice");
  }
  if (missing.empty())
    return llvm::Error::success();
  static constexpr size_t shown = 30;
  std::string found;
  for (StringRef name : header.take_front(shown))
    found += (found.empty() ? "" : ", ") + quoted(name);
  if (header.size() > shown)
    found += ", ...";
  return fileError(path, "line " + llvm::Twine(line) + ": no column " +
                             missing + "; found: " + found);
}

llvm::Error
fly::profile::readCsvTable(StringRef path, llvm::ArrayRef<CsvColumn> columns,
                           StringRef emptyHint,
                           llvm::function_ref<llvm::Error(const CsvRow &)> row,
                           const CsvOptions &options) {
  llvm::SmallVector<int> positions(columns.size(), -1);
  CsvRow current(path, columns, positions);
  size_t width = 0;
  uint64_t rows = 0;
  auto visit = [&](uint64_t line,
                   llvm::ArrayRef<StringRef> cells) -> llvm::Error {
    if (width == 0) {
      width = cells.size();
      return placeColumns(path, line, cells, columns, positions);
    }
    ++rows;
    if (cells.size() != width)
      return fileError(path, "line " + llvm::Twine(line) + ": " +
                                 llvm::Twine(cells.size()) +
                                 " cells, expected " + llvm::Twine(width) +
                                 " as in the header; is the file cut?");
    current.set(line, cells);
    for (auto [index, column] : llvm::enumerate(columns))
      if (column.required && current.text(index).empty())
        return current.error(index, "is empty, expected a value");
    return row(current);
  };
  if (llvm::Error error = forEachCsvRow(path, options, visit))
    return error;
  if (width == 0)
    return fileError(path, "is empty, expected a header and rows");
  if (rows == 0)
    return fileError(path, "has a header and no row; " + emptyHint);
  return llvm::Error::success();
}

namespace {
/// Ends a reading that has what it wants.
struct Enough : llvm::ErrorInfo<Enough> {
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "enough"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};
char Enough::ID;
} // namespace

llvm::Expected<std::vector<std::string>>
fly::profile::readCsvHeader(StringRef path) {
  std::vector<std::string> header;
  CsvOptions options;
  options.allowOpenEnd = true;
  llvm::Error error = forEachCsvRow(
      path, options,
      [&](uint64_t, llvm::ArrayRef<StringRef> cells) -> llvm::Error {
        for (StringRef cell : cells)
          header.push_back(cell.str());
        return llvm::make_error<Enough>();
      });
  error = llvm::handleErrors(std::move(error), [](const Enough &) {});
  if (error)
    return std::move(error);
  if (header.empty())
    return fileError(path, "is empty");
  return header;
}
