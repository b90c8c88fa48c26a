//===- CompareRuns.h - Two runs of the same benchmarks ----------*- C++ -*-===//
//
// What problem: two tables of times differ everywhere by a little; which of it
// is a change?
// What idea: rows of the same key are samples of one thing. Medians are
// compared; a difference within what the samples of both sides scatter, or are
// rounded by, is none. Rows of the same work in another variant (schedule,
// configuration, chip, compiler) are compared where each side has one. Rows
// that one side does not have are listed, not passed over.
// What it refuses: tables without a column that names or a column that
// measures; values that are no numbers; a side without rows.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_COMPARERUNS_H
#define FLY_ANALYSIS_COMPARERUNS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

struct CompareOptions {
  /// Columns that name a row; empty: all known ones that both tables have.
  std::vector<std::string> keys;
  /// The column that measures; empty: a known one, times first.
  std::string value;
  bool higherIsBetter = false; ///< Of `value`.
  /// Percent from which on a worse row fails the comparison, if at all.
  std::optional<double> failAbove;
};

/// What was measured of one key.
struct RunRow {
  std::string metric; ///< The column; empty without a value.
  bool higherIsBetter = false;
  /// At most `maxSamples`, chosen evenly from `count`.
  std::vector<double> samples;
  uint64_t count = 0;
  std::vector<std::string> cells; ///< Of the table's keys; empty of profiles.
  double rounding = 0; ///< By which a sample may be rounded, at most.
};

struct RunTable {
  static constexpr size_t maxSamples = 4096, maxRows = 1 << 16;
  /// Of names and samples together, about.
  static constexpr uint64_t maxBytes = uint64_t(128) << 20;
  std::string path;
  std::vector<std::string> keys;
  std::map<std::string, RunRow> rows;
  /// Whether all of it comes from a simulator, so that nothing scatters.
  bool isSimulated = false;
  std::string machine; ///< That was simulated; may be empty.
  uint64_t bytes = 0;  ///< Of `maxBytes`.
};

enum class Change { Same, Better, Worse, Unknown };
/// "same", "better", "worse", "unknown".
const char *getName(Change change);

struct ComparedRow {
  std::string key, metric;
  /// What variant each side is of, where they differ: "schedule 'a.stages=2'".
  std::string variantBefore, variantAfter;
  bool higherIsBetter = false;
  double before = 0, after = 0; ///< Medians.
  uint64_t samplesBefore = 0, samplesAfter = 0;
  /// after / before; nothing where before is 0.
  std::optional<double> ratio;
  double noisePercent = 0; ///< What both sides scatter, of `before`.
  Change change = Change::Same;

  double delta() const { return after - before; }
  /// By how much it is worse, negative where it is better.
  double worsePercent() const;
};

struct RunComparison {
  std::string before, after; ///< Paths.
  std::vector<ComparedRow> rows;
  /// Keys that only one side has.
  std::vector<std::string> missing, added;
  /// Keys without a value, or measured by different columns, and why.
  std::vector<std::string> unmeasured;
  std::vector<std::string> warnings;
  std::optional<double> failAbove;

  unsigned count(Change change) const;
  /// Rows that are worse by more than `failAbove`.
  std::vector<const ComparedRow *> failures() const;
  /// With `failAbove`: such rows, or ones that went missing. In any case: no
  /// row that could be compared.
  bool hasFailed() const;
};

/// Compares two CSVs of benchmarks, or by kernel two kernel traces, databases
/// or kernel statistics, or two simulations (fly-run --timing --json).
llvm::Expected<RunComparison> compareRuns(llvm::StringRef before,
                                          llvm::StringRef after,
                                          const CompareOptions &options);

/// For people; keys of the JSON form are in docs/Guide/Compare.md.
void print(llvm::raw_ostream &os, const RunComparison &comparison);
llvm::json::Value toJSON(const RunComparison &comparison);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_COMPARERUNS_H
