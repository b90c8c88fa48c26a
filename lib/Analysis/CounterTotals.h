//===- CounterTotals.h - Putting counters together --------------*- C++ -*-===//
#ifndef FLY_LIB_ANALYSIS_COUNTERTOTALS_H
#define FLY_LIB_ANALYSIS_COUNTERTOTALS_H

#include "fly/Analysis/CounterReport.h"
#include "fly/Profile/Dispatch.h"

#include "llvm/ADT/StringMap.h"

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
  llvm::Error add(const profile::Dispatch &dispatch,
                  const profile::CounterValue &value);
  /// What was collected, kernels in order of their first row.
  std::vector<KernelCounters> take();

private:
  static constexpr size_t maxKernels = 1 << 12, maxCounters = 1 << 12,
                          maxInstances = 1 << 12;
  static constexpr uint64_t maxEntries = 1 << 23;

  /// The rows of one counter and kernel, one entry a run of rows of a dispatch.
  struct Rows {
    struct Entry {
      uint64_t dispatch = 0;
      double value = 0;
      uint64_t rows = 0;
    };
    Combination combination = Combination::Sum;
    std::vector<Entry> entries;
    uint64_t rows = 0;
    std::vector<double> instances;
    bool hasInstances = true; ///< Until rows are out of order.

    CounterTotal total();
  };
  struct Kernel {
    std::string name, chip;
    std::map<std::string, Rows> counters;
  };
  llvm::Error addTo(Rows &rows, uint64_t dispatch, double value,
                    std::optional<unsigned> instance);

  std::vector<Kernel> kernels;
  llvm::StringMap<size_t> indexOf;
  uint64_t entryCount = 0;
};

/// Makes the figures of a kernel. \p product may be absent.
void addFigures(KernelCounters &kernel, const arch::Product *product,
                std::optional<double> idealBytes);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_COUNTERTOTALS_H
