//===- CompareRuns.cpp - Two runs of the same benchmarks ------------------===//
#include "fly/Analysis/CompareRuns.h"

#include "fly/Support/Samples.h"

#include "llvm/ADT/STLExtras.h"
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
  if (rows.empty())
    return true;
  // A benchmark that no longer runs, or that cannot be judged, passes no gate.
  return failAbove && (!failures().empty() || !missing.empty() ||
                       !unmeasured.empty() || count(Change::Unknown));
}

static ComparedRow compareRow(llvm::StringRef key, const RunRow &before,
                              const RunRow &after, bool isExact) {
  ComparedRow row;
  row.key = key.str();
  row.metric = before.metric;
  row.higherIsBetter = before.higherIsBetter;
  row.before = getMedian(before.samples);
  row.after = getMedian(after.samples);
  row.samplesBefore = before.count;
  row.samplesAfter = after.count;
  // Decimal fractions are rounded once more as binary ones.
  constexpr double binary = 1 + 1e-9;
  double noise =
      std::max(getSpread(before.samples) + getSpread(after.samples),
               isExact ? 0 : (before.rounding + after.rounding) * binary);
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
  if (before.machine != after.machine)
    result.warnings.push_back("'" + before.path + "' is of " + before.machine +
                              ", '" + after.path + "' of " + after.machine);
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

namespace {
/// Finds what belongs together in two tables.
class Pairs {
public:
  Pairs(const RunTable &before, const RunTable &after,
        const CompareOptions &options, RunComparison &result)
      : before(before), after(after), options(options), result(result) {}

  void compare() {
    // One kernel in each simulation: the same one, whatever it is called.
    if (!before.machine.empty() && before.rows.size() == 1 &&
        after.rows.size() == 1) {
      addPair(before.rows.begin()->first, before.rows.begin()->second,
              after.rows.begin()->second);
      return;
    }
    std::vector<const Row *> gone, fresh;
    for (const Row &row : before.rows)
      if (auto found = after.rows.find(row.first); found != after.rows.end())
        addPair(row.first, row.second, found->second);
      else
        gone.push_back(&row);
    for (const Row &row : after.rows)
      if (!before.rows.count(row.first))
        fresh.push_back(&row);
    // Columns that the user named are what tells rows apart.
    if (options.keys.empty())
      pairVariants(gone, fresh);
    for (const Row *row : gone)
      result.missing.push_back(row->first);
    for (const Row *row : fresh)
      result.added.push_back(row->first);
  }

private:
  using Row = std::pair<const std::string, RunRow>;

  ComparedRow *addPair(llvm::StringRef key, const RunRow &row,
                       const RunRow &other) {
    if (row.samples.empty() || other.samples.empty())
      result.unmeasured.push_back(
          (key + ": no value in '" +
           (row.samples.empty() ? result.before : result.after) + "'")
              .str());
    else if (row.metric != other.metric)
      result.unmeasured.push_back((key + ": measured by '" + row.metric +
                                   "' before and by '" + other.metric +
                                   "' after")
                                      .str());
    else {
      result.rows.push_back(
          compareRow(key, row, other, before.isSimulated && after.isSimulated));
      return &result.rows.back();
    }
    return nullptr;
  }

  /// Rows of the same work in one variant before and in one other after.
  void pairVariants(std::vector<const Row *> &gone,
                    std::vector<const Row *> &fresh) {
    struct Candidates {
      std::vector<const Row *> before, after;
    };
    std::map<std::string, Candidates> works;
    for (const Row *row : gone)
      if (!row->second.cells.empty())
        works[workOf(before, row->second)].before.push_back(row);
    for (const Row *row : fresh)
      if (!row->second.cells.empty())
        works[workOf(after, row->second)].after.push_back(row);
    unsigned ambiguous = 0;
    for (const auto &[work, rows] : works) {
      if (rows.before.empty() || rows.after.empty())
        continue;
      if (rows.before.size() > 1 || rows.after.size() > 1) {
        ++ambiguous;
        continue;
      }
      const Row *row = rows.before.front(), *other = rows.after.front();
      if (ComparedRow *pair = addPair(work, row->second, other->second)) {
        pair->variantBefore = variantOf(before, row->second, other->second);
        pair->variantAfter = variantOf(after, other->second, row->second);
      }
      llvm::erase(gone, row);
      llvm::erase(fresh, other);
    }
    if (ambiguous)
      result.warnings.push_back(
          formatv("{0} kernels have several schedules (or chips, ...) of which "
                  "none is on both sides; name by --key what tells rows apart",
                  ambiguous));
  }

  const RunTable &before, &after;
  const CompareOptions &options;
  RunComparison &result;
};
} // namespace

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
  Pairs(tables->first, tables->second, options, result).compare();
  addWarnings(tables->first, tables->second, result);
  return result;
}
