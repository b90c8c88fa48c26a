//===- CompareRuns.cpp - Two runs of the same benchmarks ------------------===//
#include "fly/Analysis/CompareRuns.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "RunTables.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;

const char *fly::analysis::getName(Change change) {
  switch (change) {
  case Change::Same:
    return "same";
  case Change::Better:
    return "better";
  case Change::Worse:
    return "worse";
  case Change::Unknown:
    return "unknown";
  }
  return "";
}

double ComparedRow::worsePercent() const {
  if (before == 0)
    return 0;
  double percent = 100 * delta() / std::abs(before);
  return higherIsBetter ? -percent : percent;
}

unsigned RunComparison::count(Change change) const {
  return unsigned(llvm::count_if(
      rows, [&](const ComparedRow &row) { return row.change == change; }));
}

std::vector<const ComparedRow *> RunComparison::failures() const {
  std::vector<const ComparedRow *> result;
  for (const ComparedRow &row : rows)
    if (failAbove && row.change == Change::Worse &&
        row.worsePercent() > *failAbove)
      result.push_back(&row);
  return result;
}

bool RunComparison::hasFailed() const {
  // A benchmark that no longer runs, or that cannot be judged, passes no gate.
  return failAbove && (!failures().empty() || !missing.empty() ||
                       !unmeasured.empty() || count(Change::Unknown));
}

static ComparedRow compareRow(llvm::StringRef key, const RunRow &before,
                              const RunRow &after) {
  ComparedRow row;
  row.key = key.str();
  row.metric = before.metric;
  row.higherIsBetter = before.higherIsBetter;
  row.before = getMedian(before.samples);
  row.after = getMedian(after.samples);
  row.samplesBefore = before.count;
  row.samplesAfter = after.count;
  double noise = getSpread(before.samples) + getSpread(after.samples);
  if (row.before == 0) {
    row.change = row.after == 0 ? Change::Same : Change::Unknown;
    return row;
  }
  row.ratio = row.after / row.before;
  row.noisePercent = 100 * noise / std::abs(row.before);
  if (std::abs(row.delta()) > noise)
    row.change = row.worsePercent() > 0 ? Change::Worse : Change::Better;
  return row;
}

/// Warnings about differences that clocks may have made.
static void addWarnings(const RunTable &before, const RunTable &after,
                        RunComparison &result) {
  if (before.isSimulated && after.isSimulated)
    return;
  unsigned small = 0, single = 0;
  for (const ComparedRow &row : result.rows) {
    bool isChange = row.change == Change::Better || row.change == Change::Worse;
    small += isChange && std::abs(row.worsePercent()) < 100 * clockNoiseShare;
    single += row.samplesBefore == 1 || row.samplesAfter == 1;
  }
  if (small)
    result.warnings.push_back(formatv(
        "{0} of the changes are less than the {1:f0} % by which clocks alone "
        "may move a result",
        small, 100 * clockNoiseShare));
  if (single)
    result.warnings.push_back(
        formatv("{0} rows have a single sample: their noise is unknown; take "
                "the median of 7 runs",
                single));
}

llvm::Expected<RunComparison>
fly::analysis::compareRuns(llvm::StringRef before, llvm::StringRef after,
                           const CompareOptions &options) {
  auto tables = readRuns(before, after, options);
  if (!tables)
    return tables.takeError();
  RunComparison result;
  result.before = before.str();
  result.after = after.str();
  result.failAbove = options.failAbove;
  for (const auto &[key, row] : tables->first.rows) {
    auto found = tables->second.rows.find(key);
    if (found == tables->second.rows.end()) {
      result.missing.push_back(key);
      continue;
    }
    const RunRow &other = found->second;
    if (row.samples.empty() || other.samples.empty())
      result.unmeasured.push_back(
          key + ": no value in '" +
          (row.samples.empty() ? result.before : result.after) + "'");
    else if (row.metric != other.metric)
      result.unmeasured.push_back(key + ": measured by '" + row.metric +
                                  "' before and by '" + other.metric +
                                  "' after");
    else
      result.rows.push_back(compareRow(key, row, other));
  }
  for (const auto &[key, row] : tables->second.rows)
    if (!tables->first.rows.count(key))
      result.added.push_back(key);
  addWarnings(tables->first, tables->second, result);
  return result;
}

static void printList(llvm::raw_ostream &os, llvm::StringRef title,
                      const std::vector<std::string> &keys) {
  if (keys.empty())
    return;
  os << title << '\n';
  for (const std::string &key : keys)
    os << "  " << key << '\n';
}

void fly::analysis::print(llvm::raw_ostream &os,
                          const RunComparison &comparison) {
  os << comparison.before << " -> " << comparison.after << '\n';
  size_t width = 0;
  for (const ComparedRow &row : comparison.rows)
    width = std::max(width, row.key.size());
  for (const ComparedRow &row : comparison.rows) {
    os << "  " << llvm::left_justify(row.key, unsigned(width)) << "  "
       << llvm::format("%10.4g -> %10.4g ", row.before, row.after)
       << row.metric;
    if (row.ratio)
      os << llvm::format("  ratio %.3f  delta %+.4g (%+.1f %%)", *row.ratio,
                         row.delta(), 100 * (*row.ratio - 1));
    os << "  " << getName(row.change);
    if (row.samplesBefore > 1 || row.samplesAfter > 1)
      os << llvm::format(" (%llu and %llu samples, noise %.1f %%)",
                         (unsigned long long)row.samplesBefore,
                         (unsigned long long)row.samplesAfter,
                         row.noisePercent);
    os << '\n';
  }
  printList(os, "missing in " + comparison.after + ":", comparison.missing);
  printList(os, "new in " + comparison.after + ":", comparison.added);
  printList(os, "not compared:", comparison.unmeasured);
  for (const std::string &warning : comparison.warnings)
    os << "warning: " << warning << '\n';
  os << formatv("{0} worse, {1} better, {2} the same, {3} missing\n",
                comparison.count(Change::Worse),
                comparison.count(Change::Better),
                comparison.count(Change::Same), comparison.missing.size());
  if (comparison.failAbove)
    os << formatv("{0} worse by more than {1} %: {2}\n",
                  comparison.failures().size(),
                  llvm::format("%g", *comparison.failAbove),
                  comparison.hasFailed() ? "failed" : "passed");
}

static llvm::json::Array texts(const std::vector<std::string> &keys) {
  llvm::json::Array array;
  for (const std::string &key : keys)
    array.push_back(llvm::json::fixUTF8(key));
  return array;
}

llvm::json::Value fly::analysis::toJSON(const RunComparison &comparison) {
  llvm::json::Array rows;
  for (const ComparedRow &row : comparison.rows)
    rows.push_back(
        llvm::json::Object{{"key", llvm::json::fixUTF8(row.key)},
                           {"metric", llvm::json::fixUTF8(row.metric)},
                           {"higher_is_better", row.higherIsBetter},
                           {"before", row.before},
                           {"after", row.after},
                           {"samples_before", int64_t(row.samplesBefore)},
                           {"samples_after", int64_t(row.samplesAfter)},
                           {"ratio", row.ratio ? llvm::json::Value(*row.ratio)
                                               : llvm::json::Value(nullptr)},
                           {"delta", row.delta()},
                           {"worse_percent", row.worsePercent()},
                           {"noise_percent", row.noisePercent},
                           {"change", getName(row.change)}});
  llvm::json::Object object{{"before", llvm::json::fixUTF8(comparison.before)},
                            {"after", llvm::json::fixUTF8(comparison.after)},
                            {"rows", std::move(rows)},
                            {"missing", texts(comparison.missing)},
                            {"added", texts(comparison.added)},
                            {"not_compared", texts(comparison.unmeasured)},
                            {"warnings", texts(comparison.warnings)}};
  if (comparison.failAbove)
    object["failed"] = comparison.hasFailed();
  return object;
}
