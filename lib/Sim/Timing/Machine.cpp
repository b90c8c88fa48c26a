//===- Machine.cpp - parameters of the timing engine ----------------------===//
//
// Published latencies run from the issue of an instruction to the issue of what
// uses its result; what lies between the units is taken off here, so that the
// engine, which adds it, comes out at the published figure.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "fly/Arch/TimingTable.h"

#include <set>

using namespace fly;
using namespace fly::sim;

namespace {

/// Takes facts and remembers the assumptions behind them.
class FactReader {
public:
  template <typename T>
  T operator()(const arch::Fact<T> &fact) {
    if (*fact.assumption())
      ids.insert(fact.assumption());
    return *fact;
  }
  std::set<std::string> ids;
};

} // namespace

static void fillIssue(Machine &m, const arch::ArchInfo &arch,
                      const arch::TimingTable &table, FactReader &take) {
  m.simds = take(arch.simdsPerCu);
  m.slot = take(arch.issue.slot);
  m.valu = take(arch.issue.valu);
  m.transcendental = take(arch.issue.transcendental);
  m.fp64 = take(arch.issue.fp64);
  m.nopUnit = take(arch.issue.nopUnit);
  m.mfmaPass = take(arch.issue.mfmaPass);
  m.mfmaCoIssue = take(arch.issue.mfmaCoIssue);
  m.valuToMemory = take(table.valuToMemory);
  m.takenBranch = take(table.takenBranch);
  m.fetchLineBytes = take(table.fetchLineBytes);
  m.fetchNextLine = take(table.fetchNextLine);
  m.fetchCacheBytes = take(arch.instructionCacheBytes);
  m.coldStart = take(table.coldStart);
  m.warmStart = take(table.warmStart);
  m.waveInterval = take(table.waveInterval);
  m.end = take(arch.latency.storeToEnd);
  m.vmLimit = take(arch.counters.vmcnt);
  m.lgkmLimit = take(arch.counters.lgkmcnt);
}

static void fillLds(Machine &m, const arch::ArchInfo &arch,
                    const arch::TimingTable &table, FactReader &take) {
  m.ldsPorts = take(arch.lds.ports);
  m.ldsReadBytes = take(arch.lds.portReadBytes);
  m.ldsInputBytes = take(table.ldsInputBytes);
  m.ldsWritePhase = take(table.ldsWritePhase);
  m.ldsQueue = take(table.ldsQueue);
  m.ldsOverhead = take(table.ldsOverheadQuarters);
  m.ldsSameSimd = take(table.ldsSameSimd) * ticksPerCycle;
  m.ldsSameWave = take(table.ldsSameWave) * ticksPerCycle;
  m.ldsArrayBytes = take(arch.lds.banks) * take(arch.lds.bankBytes);
  // The base latency is that of an instruction which takes the port for one
  // issue slot.
  m.ldsLatency = (take(arch.latency.ldsReadBase) - m.slot) * ticksPerCycle;
}

static void fillMemory(Machine &m, const arch::ArchInfo &arch,
                       const arch::TimingTable &table, FactReader &take) {
  // A pointer chase waits, computes the next address and issues.
  unsigned chase = m.slot + m.valuToMemory;
  m.l1Latency = take(arch.latency.vectorL1Hit) - chase;
  m.l2Latency = take(arch.latency.l2Hit) - chase;
  m.mallLatency = take(arch.latency.mallHit) - chase;
  m.translationMiss = take(table.translationMiss);
  m.translationReach = take(table.translationReach);
  // The figure of HBM is from a footprint that translations do not cover.
  m.memoryLatency = take(arch.latency.hbm) - chase - m.translationMiss;
  m.translation = take(arch.latency.coldMiss) - take(arch.latency.hbm);
  m.missSpread = take(table.missSpread);
  m.vmemQueue = take(table.vmemQueue);
  m.requestBytes = take(table.requestBytes);
  m.requestsPerCycle = take(table.requestsPerCycle);
  m.returnBytes = take(arch.issue.vmemBytes);
  m.l1Bytes = take(arch.vectorL1Bytes);
  m.l1Ways = take(table.vectorL1Ways);
  m.l2Bytes = take(arch.l2BytesPerXcd);
  m.l2Ways = take(table.l2Ways);
  m.mallWays = take(table.mallWays);
  m.pageBytes = take(table.pageBytes);
  m.l2BytesPerCycle = take(table.l2BytesPerCycle);
  m.mallBytesPerCycle = take(table.mallBytesPerCycle);
  m.scalarBytes = take(table.scalarCacheBytes);
  m.scalarLineBytes = take(table.scalarLineBytes);
  m.scalarWays = take(table.scalarWays);
  // A wait lies between a scalar load and its use.
  m.scalarCold = take(arch.latency.scalarLoadCold) - m.slot;
  m.scalarHit = m.l1Latency;
  m.scalarL2 = m.l2Latency;
}

llvm::Expected<Machine> Machine::of(llvm::StringRef chip,
                                    llvm::StringRef named) {
  const arch::ArchInfo *arch = arch::ArchInfo::lookup(chip);
  const arch::TimingTable *table =
      arch ? arch::timingTable(arch->chip) : nullptr;
  const arch::Product *product =
      arch ? arch::defaultProduct(arch->chip) : nullptr;
  if (!table || !product)
    return llvm::createStringError(
        "there are no figures for the timing of chip '%s'", chip.str().c_str());
  if (!named.empty())
    product = arch::lookupProduct(named);
  if (!product || product->chip != arch->chip)
    return llvm::createStringError("there is no product '%s' with chip '%s'",
                                   named.str().c_str(), arch->name);
  Machine m;
  m.chip = arch->chip;
  m.arch = arch;
  m.product = product;
  FactReader take;
  fillIssue(m, *arch, *table, take);
  fillLds(m, *arch, *table, take);
  fillMemory(m, *arch, *table, take);
  m.xcds = take(product->xcds);
  m.cusPerXcd = take(product->computeUnits) / m.xcds;
  m.shaderEnginesPerXcd = take(product->shaderEngines) / m.xcds;
  m.mallBytes = take(product->mallBytes);
  double peak = take(product->hbmGBs) * 1e3 / take(product->clockMhz);
  m.memoryReadBytes = peak * take(table->memoryReadShare) / 1000;
  m.memoryWriteBytes = peak * take(table->memoryWriteShare) / 1000;
  m.assumptions.assign(take.ids.begin(), take.ids.end());
  return m;
}
