//===- CounterTotals.h - Putting counters together --------------*- C++ -*-===//
//
// What problem: rows of counters come in any order, of several files,
// processes, GPUs, dispatches and instances, and as many as a run was long.
// What idea: one entry for each dispatch of a run, where a run is what one
// process counted on one GPU into one file: dispatches are told apart by their
// numbers within it alone. What is kept is charged to one account.
// What it refuses: more than that account holds.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_ANALYSIS_COUNTERTOTALS_H
#define FLY_LIB_ANALYSIS_COUNTERTOTALS_H

#include "fly/Analysis/CounterReport.h"
#include "fly/Profile/Dispatch.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// The name of a counter without the index of its instance: "TCC_HIT[3]" is
/// instance 3 of "TCC_HIT".
std::pair<llvm::StringRef, std::optional<unsigned>>
splitCounterName(llvm::StringRef name);
/// How the instances of a counter are put together.
Combination combinationOf(llvm::StringRef name);
/// True for counters whose meaning the report knows.
bool isKnownCounter(llvm::StringRef name);

/// Collects rows in any order.
class CounterCollector {
public:
  /// Adds a row of the input with the number \p input.
  llvm::Error add(unsigned input, const profile::Dispatch &dispatch,
                  const profile::CounterValue &value);
  /// What was collected, kernels in order of their first row.
  std::vector<KernelCounters> take();

  /// Most bytes that may be kept, about.
  static constexpr uint64_t maxBytes = uint64_t(256) << 20;

private:
  static constexpr unsigned maxInstances = 1 << 12;

  /// The rows of one counter and kernel in one run, one entry a sequence of
  /// rows of a dispatch.
  struct Rows {
    struct Entry {
      uint64_t dispatch = 0;
      double value = 0;
      uint64_t rows = 0;
    };
    std::vector<Entry> entries;
    uint64_t rows = 0;
    std::map<unsigned, double> instances;
    bool hasInstances = true; ///< Until rows are out of order.

    /// What the run tells; its instances are kept if each dispatch has as many.
    CounterTotal total(Combination combination);
  };
  struct Counter {
    Combination combination = Combination::Sum;
    std::map<unsigned, Rows> runs;

    CounterTotal total();
  };
  struct Kernel {
    std::string name;
    std::vector<std::string> chips;
    std::map<std::string, Counter> counters;
  };
  llvm::Error charge(uint64_t bytes);
  llvm::Expected<unsigned> runOf(unsigned input,
                                 const profile::Dispatch &dispatch);
  llvm::Expected<Kernel *> kernelOf(const profile::Dispatch &dispatch);
  llvm::Error addTo(Rows &rows, Combination combination, uint64_t dispatch,
                    double value, std::optional<unsigned> instance);

  std::vector<Kernel> kernels;
  llvm::StringMap<size_t> indexOf;
  llvm::StringMap<unsigned> runs;
  std::vector<unsigned> inputOfRun;
  uint64_t bytes = 0;
};

/// Makes the figures of a kernel. \p product may be absent.
void addFigures(KernelCounters &kernel, const arch::Product *product,
                std::optional<double> idealBytes);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_COUNTERTOTALS_H
