//===- CounterTotals.cpp - Putting counters together ----------------------===//
//
// Rows of one counter in one dispatch are its instances: dies, engines or
// channels. Events are added. What each die counts of the same time (cycles
// that the device is busy) is not: the largest stands for the dispatch. Ratios
// that a profiler has computed can only be averaged. A name's suffix says what
// the profiler has done already.
//
// Several files may hold the same dispatches, each with other counters, as a
// profiler does that runs a program once for each set; what belongs together
// is known within a run only, so runs stay apart until figures are made.
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
      .StartsWith("SQC_DCACHE_", true)
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

llvm::Error CounterCollector::charge(uint64_t more) {
  bytes += more;
  if (bytes <= maxBytes)
    return llvm::Error::success();
  return llvm::createStringError(
      "its counters, with those of the files before it, need more than " +
      llvm::Twine(maxBytes >> 20) +
      " MiB; count fewer dispatches (kernel_iteration_range of rocprofv3), or "
      "name one kernel by --kernel");
}

/// What the containers need for an element, about.
static constexpr uint64_t nodeBytes = 64;

llvm::Expected<unsigned>
CounterCollector::runOf(unsigned input, const profile::Dispatch &dispatch) {
  std::string key =
      std::to_string(input) + '\n' + dispatch.process + '\n' + dispatch.agent;
  auto [found, isNew] = runs.try_emplace(key, unsigned(runs.size()));
  if (isNew) {
    if (llvm::Error error = charge(key.size() + nodeBytes))
      return std::move(error);
    inputOfRun.push_back(input);
  }
  return found->second;
}

llvm::Expected<CounterCollector::Kernel *>
CounterCollector::kernelOf(const profile::Dispatch &dispatch) {
  auto [found, isNew] = indexOf.try_emplace(dispatch.kernel, kernels.size());
  if (isNew) {
    if (llvm::Error error =
            charge(2 * (sizeof(Kernel) + dispatch.kernel.size()) + nodeBytes))
      return std::move(error);
    kernels.emplace_back().name = dispatch.kernel;
  }
  Kernel &kernel = kernels[found->second];
  if (!dispatch.chip.empty() &&
      !llvm::is_contained(kernel.chips, dispatch.chip) &&
      kernel.chips.size() < 2) // Two are as many as a hundred.
    kernel.chips.push_back(dispatch.chip);
  return &kernel;
}

llvm::Error CounterCollector::addTo(Rows &rows, Combination combination,
                                    uint64_t dispatch, double value,
                                    std::optional<unsigned> instance) {
  ++rows.rows;
  bool isNew = rows.entries.empty() || rows.entries.back().dispatch != dispatch;
  if (isNew) {
    // Vectors grow by doubling.
    if (llvm::Error error = charge(2 * sizeof(Rows::Entry)))
      return error;
    // Instances have numbers only as long as the rows of a dispatch are
    // together, which ascending dispatches show.
    if (!rows.entries.empty() && rows.entries.back().dispatch > dispatch)
      rows.hasInstances = false;
    rows.entries.push_back({dispatch, value, 1});
  } else {
    Rows::Entry &entry = rows.entries.back();
    entry.value = combine(combination, entry.value, value);
    ++entry.rows;
  }
  uint64_t index = instance ? *instance : rows.entries.back().rows - 1;
  if (index >= maxInstances)
    rows.hasInstances = false;
  if (!rows.hasInstances)
    return llvm::Error::success();
  auto [found, isFirst] = rows.instances.try_emplace(unsigned(index), 0);
  found->second += value;
  return isFirst ? charge(nodeBytes) : llvm::Error::success();
}

llvm::Error CounterCollector::add(unsigned input,
                                  const profile::Dispatch &dispatch,
                                  const profile::CounterValue &value) {
  llvm::Expected<unsigned> run = runOf(input, dispatch);
  if (!run)
    return run.takeError();
  llvm::Expected<Kernel *> kernel = kernelOf(dispatch);
  if (!kernel)
    return kernel.takeError();
  auto [name, instance] = splitCounterName(value.counter);
  auto [counter, isFirst] = (*kernel)->counters.try_emplace(name.str());
  if (isFirst) {
    if (llvm::Error error =
            charge(sizeof(*counter) + 2 * name.size() + nodeBytes))
      return error;
    counter->second.combination = combinationOf(name);
  }
  auto [rows, isFirstRun] = counter->second.runs.try_emplace(*run);
  if (isFirstRun)
    if (llvm::Error error = charge(sizeof(*rows) + nodeBytes))
      return error;
  return addTo(rows->second, counter->second.combination, *dispatch.id,
               value.value, instance);
}

CounterTotal CounterCollector::Rows::total(Combination combination) {
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
  if (isEven)
    total.instances.assign(instances.begin(), instances.end());
  return total;
}

CounterTotal CounterCollector::Counter::total() {
  CounterTotal whole;
  whole.combination = combination;
  std::map<unsigned, double> instances;
  std::map<unsigned, uint64_t> dispatchesOf; // Of each instance.
  bool isEven = true;
  for (auto &[run, rows] : runs) {
    CounterTotal total = rows.total(combination);
    whole.value += total.value;
    whole.rows += total.rows;
    whole.dispatches += total.dispatches;
    whole.runs.push_back({run, total.value, total.dispatches});
    isEven &= !total.instances.empty();
    for (auto [index, value] : total.instances) {
      instances[index] += value;
      dispatchesOf[index] += total.dispatches;
    }
  }
  if (combination == Combination::Mean && whole.dispatches)
    whole.value /= double(whole.dispatches);
  // Instances that were counted more often than others have no balance.
  for (auto [index, dispatches] : dispatchesOf)
    isEven &= dispatches == dispatchesOf.begin()->second;
  if (isEven)
    whole.instances.assign(instances.begin(), instances.end());
  return whole;
}

std::vector<KernelCounters> CounterCollector::take() {
  std::vector<KernelCounters> result;
  for (Kernel &kernel : kernels) {
    KernelCounters &counters = result.emplace_back();
    counters.name = std::move(kernel.name);
    counters.chips = std::move(kernel.chips);
    for (auto &[name, counter] : kernel.counters) {
      CounterTotal total = counter.total();
      total.isKnown = isKnownCounter(name);
      // Each pass of a program dispatches the same again.
      std::map<unsigned, uint64_t> ofInput;
      for (const CounterTotal::Run &run : total.runs)
        counters.dispatches =
            std::max(counters.dispatches,
                     ofInput[inputOfRun[run.run]] += run.dispatches);
      counters.counters.emplace(name, std::move(total));
      counter.runs.clear(); // The next ones need the memory.
    }
  }
  return result;
}
