//===- CounterReport.h - What hardware counters say -------------*- C++ -*-===//
//
// What problem: counters come as rows: of several dispatches, of several dies
// and channels of one dispatch, under names that tell little. Means of ratios,
// sums of maxima and missing rows give figures that look right.
// What idea: each counter has a rule by which its instances, and then its
// dispatches, are put together; figures are ratios of what was put together,
// and each names the counters that it is made of.
// A profiler that runs a program once for each set of counters gives a file a
// set: figures are made within a run, and across runs only of counters that no
// run has together.
// What it refuses: a figure whose counters were not read in the same number of
// dispatches, or not at all: it is not told, and says why. Values that no
// hardware gives (hit rates above 1, negative counts) stand as they are, marked
// impossible. More rows than its memory is limited to.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_COUNTERREPORT_H
#define FLY_ANALYSIS_COUNTERREPORT_H

#include "fly/Arch/Products.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// How the instances of a counter in one dispatch become one number. Over
/// dispatches, sums and largest values are added, means are averaged.
enum class Combination : uint8_t { Sum, Largest, Least, Mean };

/// One counter of one kernel, over all its dispatches.
struct CounterTotal {
  Combination combination = Combination::Sum;
  bool isKnown = true; ///< A reader of this report knows what it means.
  double value = 0;
  uint64_t rows = 0, dispatches = 0;
  /// Sums by the number of the instance, ascending, where each dispatch has as
  /// many; empty otherwise.
  std::vector<std::pair<unsigned, double>> instances;
  /// What one process counted on one GPU into one file.
  struct Run {
    unsigned run = 0;
    double value = 0;
    uint64_t dispatches = 0;
  };
  std::vector<Run> runs; ///< Ascending.
};

/// A figure made of counters.
struct CounterFigure {
  std::string name; ///< "L2 hit rate"
  std::string unit; ///< "%", "bytes", "x"
  std::optional<double> value;
  std::string evidence;   ///< The counters with their values.
  std::string notTold;    ///< What is missing, where there is no value.
  std::string impossible; ///< Why the value can not be.
};

struct KernelCounters {
  std::string name;
  std::vector<std::string> chips; ///< That the files name; at most two.
  uint64_t dispatches = 0;        ///< Most of any counter in one input.
  std::map<std::string, CounterTotal> counters;
  std::vector<CounterFigure> figures;
  /// Counters that are impossible by themselves: "SQ_WAVES is -1".
  std::vector<std::string> impossible;
  bool hasImpossible() const;
};

struct CounterReport {
  std::vector<KernelCounters> kernels; ///< In order of the file.
  std::vector<std::string> unknown;    ///< Names, ascending.
  bool hasImpossible() const;
};

struct CounterOptions {
  std::string kernel;  ///< This one alone; "" for all.
  std::string chip;    ///< Where the file names none.
  std::string product; ///< Whose units and dies; "" for the chip's default.
  /// Bytes that one dispatch has to read at least.
  std::optional<double> idealBytes;
};

/// Reads counter CSVs and databases, and folders of such (listCounterFiles).
/// Errors: those of the readers, unknown chips and products, a kernel that is
/// not there.
llvm::Expected<CounterReport> reportCounters(llvm::ArrayRef<std::string> inputs,
                                             const CounterOptions &options);

void print(llvm::raw_ostream &os, const CounterReport &report);
llvm::json::Value toJSON(const CounterReport &report);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_COUNTERREPORT_H
