//===- CounterTotals.cpp - Putting counters together ----------------------===//
//
// Rows of one counter in one dispatch are its instances: dies, engines or
// channels. Events are added. What each die counts of the same time (cycles
// that the device is busy) is not: the largest stands for the dispatch. Ratios
// that a profiler has computed can only be averaged. A name's suffix says what
// the profiler has done already.
//
//===----------------------------------------------------------------------===//
#include "CounterTotals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace fly::analysis;
using llvm::StringRef;

std::pair<StringRef, std::optional<unsigned>>
fly::analysis::splitCounterName(StringRef name) {
  auto [base, rest] = name.split('[');
  unsigned index = 0;
  if (rest.consume_back("]") && !rest.getAsInteger(10, index))
    return {base, index};
  return {name, std::nullopt};
}

/// Ratios of rocprofv3's own definitions, most in percent.
static bool isRatio(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"MfmaUtil", "VALUUtilization", "VALUBusy", "SALUBusy",
              "MemUnitBusy", "MemUnitStalled", "WriteUnitStalled", "L2CacheHit",
              "LDSBankConflict", "ALUStalledByLDS", "MeanOccupancyPerCU",
              "MeanOccupancyPerActiveCU", "OccupancyPercent", "GPUBusy",
              "GPU_UTIL"},
             true)
      .Default(false);
}

Combination fly::analysis::combinationOf(StringRef name) {
  if (isRatio(name) || name.ends_with("_avr"))
    return Combination::Mean;
  if (name.ends_with("_max") || name == "GRBM_GUI_ACTIVE" ||
      name == "GRBM_COUNT")
    return Combination::Largest;
  if (name.ends_with("_min"))
    return Combination::Least;
  return Combination::Sum;
}

bool fly::analysis::isKnownCounter(StringRef name) {
  if (isRatio(name))
    return true;
  for (StringRef suffix : {"_sum", "_avr", "_max", "_min"})
    if (name.consume_back(suffix))
      break;
  if (name.starts_with("SQ_INSTS_VALU_MFMA_"))
    return true;
  return llvm::StringSwitch<bool>(name)
      .Cases({"SQ_WAVES", "SQ_WAVE_CYCLES", "SQ_BUSY_CYCLES", "SQ_WAIT_ANY",
              "SQ_WAIT_INST_ANY", "SQ_WAIT_INST_LDS", "SQ_INSTS_VALU",
              "SQ_INSTS_SALU", "SQ_INSTS_SMEM", "SQ_INSTS_VMEM", "SQ_INSTS_LDS",
              "SQ_INSTS_BRANCH", "SQ_INSTS_MFMA", "SQ_VALU_MFMA_BUSY_CYCLES",
              "SQ_LDS_BANK_CONFLICT", "SQ_LDS_IDX_ACTIVE",
              "SQ_LDS_ADDR_CONFLICT", "GRBM_GUI_ACTIVE", "GRBM_COUNT"},
             true)
      .Cases({"TCC_HIT", "TCC_MISS", "TCC_REQ", "TCC_READ", "TCC_WRITE",
              "TCC_BUBBLE", "TCP_TCC_READ_REQ", "TCP_TOTAL_CACHE_ACCESSES",
              "TCP_TCC_WRITE_REQ", "FETCH_SIZE", "WRITE_SIZE"},
             true)
      .StartsWith("TCC_EA0_RDREQ", true)
      .StartsWith("TCC_EA0_WRREQ", true)
      .StartsWith("TCC_EA_RDREQ", true)
      .StartsWith("TCC_EA_WRREQ", true)
      .Default(false);
}

static double combine(Combination combination, double a, double b) {
  switch (combination) {
  case Combination::Largest:
    return std::max(a, b);
  case Combination::Least:
    return std::min(a, b);
  case Combination::Sum:
  case Combination::Mean: // Divided at the end.
    return a + b;
  }
  return 0;
}

llvm::Error CounterCollector::addTo(Rows &rows, uint64_t dispatch, double value,
                                    std::optional<unsigned> instance) {
  ++rows.rows;
  bool isNew = rows.entries.empty() || rows.entries.back().dispatch != dispatch;
  if (isNew) {
    if (++entryCount > maxEntries)
      return llvm::createStringError("counters of more than " +
                                     llvm::Twine(maxEntries) +
                                     " dispatches; count fewer (rocprofv3 "
                                     "--kernel-iteration-range)");
    // Instances have numbers only as long as the rows of a dispatch are
    // together, which ascending dispatches show.
    if (!rows.entries.empty() && rows.entries.back().dispatch > dispatch)
      rows.hasInstances = false;
    rows.entries.push_back({dispatch, value, 1});
  } else {
    Rows::Entry &entry = rows.entries.back();
    entry.value = combine(rows.combination, entry.value, value);
    ++entry.rows;
  }
  uint64_t index = instance ? *instance : rows.entries.back().rows - 1;
  if (index >= maxInstances)
    rows.hasInstances = false;
  if (!rows.hasInstances)
    return llvm::Error::success();
  if (index >= rows.instances.size())
    rows.instances.resize(index + 1, 0);
  rows.instances[index] += value;
  return llvm::Error::success();
}

llvm::Error CounterCollector::add(const profile::Dispatch &dispatch,
                                  const profile::CounterValue &value) {
  auto [found, isNew] = indexOf.try_emplace(dispatch.kernel, kernels.size());
  if (isNew) {
    if (kernels.size() == maxKernels)
      return llvm::createStringError("more than " + llvm::Twine(maxKernels) +
                                     " kernels");
    kernels.emplace_back().name = dispatch.kernel;
    kernels.back().chip = dispatch.chip;
  }
  Kernel &kernel = kernels[found->second];
  auto [name, instance] = splitCounterName(value.counter);
  auto [rows, isFirst] = kernel.counters.try_emplace(name.str());
  if (isFirst) {
    if (kernel.counters.size() > maxCounters)
      return llvm::createStringError("more than " + llvm::Twine(maxCounters) +
                                     " counters of one kernel");
    rows->second.combination = combinationOf(name);
  }
  return addTo(rows->second, *dispatch.id, value.value, instance);
}

CounterTotal CounterCollector::Rows::total() {
  CounterTotal total;
  total.combination = combination;
  total.rows = rows;
  // Runs of one dispatch that others had come between.
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return a.dispatch < b.dispatch;
  });
  bool isEven = hasInstances;
  std::optional<uint64_t> rowsEach;
  for (size_t begin = 0; begin < entries.size();) {
    Entry whole = entries[begin];
    size_t end = begin + 1;
    for (; end < entries.size() && entries[end].dispatch == whole.dispatch;
         ++end) {
      whole.value = combine(combination, whole.value, entries[end].value);
      whole.rows += entries[end].rows;
    }
    begin = end;
    ++total.dispatches;
    isEven &= !rowsEach || *rowsEach == whole.rows;
    rowsEach = whole.rows;
    total.value += combination == Combination::Mean
                       ? whole.value / double(whole.rows)
                       : whole.value;
  }
  if (combination == Combination::Mean && total.dispatches)
    total.value /= double(total.dispatches);
  if (isEven)
    total.instances = std::move(instances);
  return total;
}

std::vector<KernelCounters> CounterCollector::take() {
  std::vector<KernelCounters> result;
  for (Kernel &kernel : kernels) {
    KernelCounters &counters = result.emplace_back();
    counters.name = std::move(kernel.name);
    counters.chip = std::move(kernel.chip);
    for (auto &[name, rows] : kernel.counters) {
      CounterTotal total = rows.total();
      total.isKnown = isKnownCounter(name);
      counters.dispatches = std::max(counters.dispatches, total.dispatches);
      counters.counters.emplace(name, std::move(total));
    }
  }
  return result;
}
