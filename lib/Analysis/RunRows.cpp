//===- RunRows.cpp - Rows of what a run measured --------------------------===//
//
// What is kept of a table is charged to it: names and samples may be as many as
// a file is long.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"

#include "RunTables.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

/// Columns whose values make variants of a kernel: rows that differ in them
/// alone are of the same work.
static constexpr llvm::StringLiteral variantNames[] = {
    "schedule", "config", "chip", "arch", "compiler"};

llvm::Error fly::analysis::chargeTable(RunTable &table, uint64_t bytes) {
  table.bytes += bytes;
  if (table.rows.size() <= RunTable::maxRows &&
      table.bytes <= RunTable::maxBytes)
    return llvm::Error::success();
  return llvm::createStringError(
      "'" + table.path + "' has more than " +
      (table.rows.size() > RunTable::maxRows
           ? llvm::Twine(RunTable::maxRows) + " different rows"
           : llvm::Twine(RunTable::maxBytes >> 20) +
                 " MiB of rows and samples") +
      "; name fewer columns by --key");
}

llvm::Expected<RunRow *> fly::analysis::rowOf(RunTable &table,
                                              const std::string &key) {
  auto [found, isNew] = table.rows.try_emplace(key);
  if (isNew)
    if (llvm::Error error =
            chargeTable(table, key.size() + sizeof(*found) + 64))
      return std::move(error);
  return &found->second;
}

/// Of more samples than there is room for, each stays with the same probability
/// (by a generator of its own, so that a run is like the next).
llvm::Error fly::analysis::addSample(RunTable &table, RunRow &row,
                                     double value) {
  ++row.count;
  if (row.samples.size() < RunTable::maxSamples) {
    row.samples.push_back(value);
    return chargeTable(table, 2 * sizeof(double)); // Vectors grow by doubling.
  }
  uint64_t mixed = row.count * 0x9E3779B97F4A7C15ull;
  mixed ^= mixed >> 31;
  uint64_t place = mixed % row.count;
  if (place < row.samples.size())
    row.samples[place] = value;
  return llvm::Error::success();
}

std::string fly::analysis::quoteCell(StringRef cell) {
  return cell.contains(' ') ? ("\"" + cell + "\"").str() : cell.str();
}

std::string fly::analysis::workOf(const RunTable &table, const RunRow &row) {
  std::string work;
  for (auto [name, cell] : llvm::zip(table.keys, row.cells))
    if (!llvm::is_contained(variantNames, StringRef(name)))
      work += (work.empty() ? "" : " ") + quoteCell(cell);
  return work;
}

std::string fly::analysis::variantOf(const RunTable &table, const RunRow &row,
                                     const RunRow &other) {
  std::string variant;
  for (auto [name, cell, otherCell] :
       llvm::zip(table.keys, row.cells, other.cells))
    if (cell != otherCell)
      variant += (variant.empty() ? "" : ", ") + name + " '" + cell + "'";
  return variant;
}
