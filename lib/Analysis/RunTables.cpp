//===- RunTables.cpp - Reading what two runs measured ---------------------===//
//
// Benchmarks' tables name their columns as they like; a short list of names is
// known, others are given. A value may be missing ("", "-", "skip"): then the
// next known column of the row is taken, as a benchmark without operations has
// only a bandwidth.
//
//===----------------------------------------------------------------------===//
#include "RunTables.h"

#include "fly/Profile/CsvTable.h"
#include "fly/Support/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <tuple>

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

/// Columns that name what a row is of.
static constexpr llvm::StringLiteral keyNames[] = {
    "op",   "kernel",   "name",   "shape", "M",    "N",        "K",     "dtype",
    "type", "schedule", "config", "chip",  "arch", "compiler", "device"};

namespace {
struct MetricName {
  llvm::StringLiteral name;
  bool higherIsBetter;
};
} // namespace

/// Columns that measure, the preferred ones first: times tell more than rates,
/// which a change of the formula moves too.
static constexpr MetricName metricNames[] = {
    {"avg_us", false},  {"median_us", false},    {"us", false},
    {"time_us", false}, {"microseconds", false}, {"duration_ns", false},
    {"cycles", false},  {"real_time", false},    {"tflops", true},
    {"TFLOPS", true},   {"tops", true},          {"tbps", true},
    {"gbps", true}};

static constexpr llvm::StringLiteral noValues[] = {"", "-", "skip", "nan"};

/// Half a unit of the last digit of a number that is written with a fraction:
/// what it was rounded by. Whole numbers are counts.
static double roundingOf(StringRef text) {
  auto [mantissa, exponent] = text.split('e');
  if (mantissa.size() == text.size())
    std::tie(mantissa, exponent) = text.split('E');
  size_t point = mantissa.find('.');
  int power = 0;
  if (point == StringRef::npos || exponent.getAsInteger(10, power))
    power = 0;
  if (point == StringRef::npos)
    return 0;
  return 0.5 * std::pow(10.0, power - double(mantissa.size() - point - 1));
}

namespace {
/// One CSV of a benchmark.
class TableReader {
public:
  TableReader(RunTable &table, const CompareOptions &options)
      : table(table), options(options) {}

  llvm::Error read() {
    profile::CsvOptions csv;
    // Scripts write these tables; a last line without its end is whole.
    csv.allowOpenEnd = true;
    llvm::Error error = profile::forEachCsvRow(
        table.path, csv,
        [&](uint64_t line, llvm::ArrayRef<StringRef> cells) -> llvm::Error {
          if (!isHeaderRead)
            return readHeader(cells);
          return readRow(line, cells);
        });
    if (error)
      return error;
    if (table.rows.empty())
      return llvm::createStringError("'" + table.path + "' has no rows");
    table.isSimulated = devices && devices == simulated;
    return llvm::Error::success();
  }

private:
  llvm::Error readHeader(llvm::ArrayRef<StringRef> cells) {
    isHeaderRead = true;
    width = cells.size();
    for (auto [index, cell] : llvm::enumerate(cells))
      if (llvm::is_contained(cells.take_front(index), cell))
        return llvm::createStringError("'" + table.path + "' has the column '" +
                                       cell.trim() + "' twice");
    auto find = [&](StringRef name) {
      auto found = llvm::find_if(
          cells, [&](StringRef cell) { return cell.trim() == name; });
      return found == cells.end() ? -1 : int(found - cells.begin());
    };
    for (const std::string &key : table.keys)
      keys.push_back(find(key));
    if (llvm::is_contained(keys, -1))
      return llvm::createStringError(
          "'" + table.path + "' has no column '" +
          table.keys[llvm::find(keys, -1) - keys.begin()] +
          "'; it has: " + llvm::join(cells, ", "));
    device = find("device");
    if (!options.value.empty()) {
      int column = find(options.value);
      if (column == -1)
        return llvm::createStringError("'" + table.path + "' has no column '" +
                                       options.value +
                                       "'; it has: " + llvm::join(cells, ", "));
      metrics.push_back({options.value, options.higherIsBetter, column});
      return llvm::Error::success();
    }
    for (const MetricName &known : metricNames)
      if (int column = find(known.name); column != -1)
        metrics.push_back({known.name.str(), known.higherIsBetter, column});
    if (!metrics.empty())
      return llvm::Error::success();
    std::string names;
    for (const MetricName &known : metricNames)
      names += (names.empty() ? "" : ", ") + known.name.str();
    return llvm::createStringError(
        "'" + table.path + "' has none of the columns " + names +
        "; name the one that measures by --value. It has: " +
        llvm::join(cells, ", "));
  }

  llvm::Error readRow(uint64_t line, llvm::ArrayRef<StringRef> cells) {
    if (cells.size() != width)
      return llvm::createStringError(
          "'" + table.path + "': line " + llvm::Twine(line) + ": expected " +
          llvm::Twine(width) + " cells as in the header, found " +
          llvm::Twine(cells.size()));
    std::string key;
    for (int column : keys) {
      StringRef cell = cells[column].trim();
      key += key.empty() ? "" : " ";
      key += keys.size() > 1 ? quoteCell(cell) : cell.str();
    }
    if (device != -1) {
      ++devices;
      simulated += cells[device].trim() == "sim";
    }
    llvm::Expected<RunRow *> made = rowOf(table, key);
    if (!made)
      return made.takeError();
    RunRow &row = **made;
    if (row.cells.empty()) {
      for (int column : keys)
        row.cells.push_back(cells[column].trim().str());
      if (llvm::Error error = chargeTable(
              table, key.size() + keys.size() * sizeof(std::string)))
        return error;
    }
    for (const Metric &metric : metrics) {
      StringRef text = cells[metric.column].trim();
      if (llvm::is_contained(noValues, text.lower()))
        continue;
      std::optional<double> number = profile::decimalOf(text);
      if (!number || !isMeasurement(*number))
        return llvm::createStringError(
            "'" + table.path + "': line " + llvm::Twine(line) + ", column '" +
            metric.name + "': expected a number" +
            (number ? " of 1e-90 to 1e90" : "") + ", found '" + text + "'");
      double value = *number;
      // Known columns are times and rates; what is named may be a difference.
      if (options.value.empty() && value < 0)
        return llvm::createStringError(
            "'" + table.path + "': line " + llvm::Twine(line) + ", column '" +
            metric.name + "': is negative: '" + text + "'");
      // Samples of a row are of one column.
      if (!row.metric.empty() && row.metric != metric.name)
        continue;
      row.metric = metric.name;
      row.higherIsBetter = metric.higherIsBetter;
      row.rounding = std::max(row.rounding, roundingOf(text));
      return addSample(table, row, value);
    }
    return llvm::Error::success();
  }

  struct Metric {
    std::string name;
    bool higherIsBetter;
    int column;
  };
  RunTable &table;
  const CompareOptions &options;
  bool isHeaderRead = false;
  size_t width = 0; ///< Cells of the header.
  std::vector<int> keys;
  std::vector<Metric> metrics;
  int device = -1;
  uint64_t devices = 0, simulated = 0;
};
} // namespace

/// The key columns that both tables have.
static llvm::Expected<std::vector<std::string>> chooseKeys(StringRef before,
                                                           StringRef after) {
  auto first = profile::readCsvHeader(before);
  if (!first)
    return first.takeError();
  auto second = profile::readCsvHeader(after);
  if (!second)
    return second.takeError();
  std::vector<std::string> keys;
  auto has = [](const std::vector<std::string> &header, StringRef name) {
    return llvm::any_of(header,
                        [&](StringRef cell) { return cell.trim() == name; });
  };
  for (StringRef name : keyNames)
    if (has(*first, name) && has(*second, name))
      keys.push_back(name.str());
  if (!keys.empty())
    return keys;
  return llvm::createStringError(
      "'" + before + "' and '" + after +
      "' share no column that names a row (op, shape, dtype, kernel, ...); "
      "name some by --key. The first has: " +
      llvm::join(*first, ", "));
}

llvm::Expected<std::pair<RunTable, RunTable>>
fly::analysis::readRuns(StringRef before, StringRef after,
                        const CompareOptions &options) {
  std::pair<RunTable, RunTable> tables;
  tables.first.path = before.str();
  tables.second.path = after.str();
  bool isProfile[2] = {isProfileOrSimulation(before),
                       isProfileOrSimulation(after)};
  if (isProfile[0] || isProfile[1]) {
    if (!options.keys.empty() || !options.value.empty())
      return llvm::createStringError(
          "--key and --value are for tables of benchmarks; kernels of a "
          "profile are compared by name and time");
    if (llvm::Error error = readProfiles(tables.first, tables.second))
      return std::move(error);
    return tables;
  }
  std::vector<std::string> keys = options.keys;
  if (keys.empty()) {
    auto chosen = chooseKeys(before, after);
    if (!chosen)
      return chosen.takeError();
    keys = std::move(*chosen);
  }
  for (RunTable *table : {&tables.first, &tables.second}) {
    table->keys = keys;
    if (llvm::Error error = TableReader(*table, options).read())
      return std::move(error);
  }
  return tables;
}
