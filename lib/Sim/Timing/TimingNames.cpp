//===- TimingNames.cpp - names of reasons, resources and counters ---------===//

#include "fly/Sim/Timing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

using namespace fly::sim;

llvm::StringRef fly::sim::stallReasonName(StallReason reason) {
  static constexpr const char *names[stallReasonCount] = {
      "start",
      "fetch",
      "valu-result",
      "wait-vmem",
      "wait-lds",
      "wait-scalar",
      "barrier",
      "lds-queue",
      "vmem-queue",
      "counter-full",
      "matrix-dependency",
      "matrix-busy",
      "vector-busy",
      "arbiter",
      "end",
  };
  return names[unsigned(reason)];
}

llvm::StringRef fly::sim::stallReasonText(StallReason reason) {
  static constexpr const char *texts[stallReasonCount] = {
      "for the start of the wave and the first fetch",
      "for the next instructions: a taken branch, or code that is not cached",
      "for an address or data that a vector instruction has just made",
      "for vector memory, as s_waitcnt",
      "for LDS, as s_waitcnt",
      "for scalar memory, as s_waitcnt",
      "for the last wave of the workgroup, as s_barrier",
      "for the LDS port, at which too many instructions wait",
      "for the address unit, at which too many instructions wait",
      "since vmcnt or lgkmcnt is at its limit",
      "for the matrix unit to make its addend",
      "for the matrix unit, which works for another instruction",
      "for the vector unit, which works for another instruction",
      "since another wave was chosen in the slot",
      "until the wave is gone, as s_endpgm",
  };
  return texts[unsigned(reason)];
}

uint64_t fly::sim::totalStall(const StallCycles &stalls) {
  return std::accumulate(stalls.begin(), stalls.end(), uint64_t(0));
}

llvm::StringRef fly::sim::freeResourceName(FreeResource resource) {
  static constexpr const char *names[freeResourceCount] = {
      "conflicts", "l2", "barriers", "waits", "addresses"};
  return names[unsigned(resource)];
}

using Counters = TimingCounters;
static constexpr uint64_t Counters::*const counterMembers[] = {
    &Counters::waves,
    &Counters::busyCycles,
    &Counters::waveCycles,
    &Counters::waitAny,
    &Counters::waitIssue,
    &Counters::waitLds,
    &Counters::valu,
    &Counters::salu,
    &Counters::smem,
    &Counters::vmem,
    &Counters::lds,
    &Counters::branch,
    &Counters::mfma,
    &Counters::mfmaBusyCycles,
    &Counters::ldsBankConflict,
    &Counters::ldsAddressConflict,
    &Counters::ldsIndexActive,
    &Counters::l1Requests,
    &Counters::l1Hits,
    &Counters::scalarRequests,
    &Counters::scalarHits,
    &Counters::scalarPending,
    &Counters::l2ReadRequests,
    &Counters::l2WriteRequests,
    &Counters::l2Hits,
    &Counters::l2Misses,
    &Counters::memoryReads,
    &Counters::memoryReads32,
    &Counters::mallHits,
    &Counters::memoryWrites,
};
// And those by type, and the one that is no sum.
static_assert(std::size(counterMembers) + 2 * fly::arch::matrixCounterCount +
                      1 ==
                  sizeof(TimingCounters) / sizeof(uint64_t),
              "a counter is missing here");

TimingCounters &TimingCounters::operator+=(const TimingCounters &other) {
  for (uint64_t Counters::*member : counterMembers)
    this->*member += other.*member;
  for (unsigned i = 0; i != arch::matrixCounterCount; ++i) {
    matrixInstructions[i] += other.matrixInstructions[i];
    matrixOperations[i] += other.matrixOperations[i];
  }
  guiActive = std::max(guiActive, other.guiActive);
  return *this;
}

static uint64_t timesOf(uint64_t count, double factor) {
  return uint64_t(std::llround(double(count) * factor));
}

TimingCounters TimingCounters::times(double factor) const {
  TimingCounters result = *this;
  for (uint64_t Counters::*member : counterMembers)
    result.*member = timesOf(this->*member, factor);
  for (unsigned i = 0; i != arch::matrixCounterCount; ++i) {
    result.matrixInstructions[i] = timesOf(matrixInstructions[i], factor);
    result.matrixOperations[i] = timesOf(matrixOperations[i], factor);
  }
  result.guiActive = timesOf(guiActive, factor);
  return result;
}

using Traffic = CacheTraffic;
static constexpr uint64_t Traffic::*const trafficMembers[] = {
    &Traffic::workgroups,  &Traffic::l1Hits,   &Traffic::requests,
    &Traffic::l2Hits,      &Traffic::mallHits, &Traffic::misses,
    &Traffic::reads,       &Traffic::reads32,  &Traffic::mallReads,
    &Traffic::mallReads32, &Traffic::writes,   &Traffic::writtenHalves,
};
static_assert(std::size(trafficMembers) * sizeof(uint64_t) ==
                  sizeof(CacheTraffic),
              "a count is missing here");

CacheTraffic &CacheTraffic::operator-=(const CacheTraffic &other) {
  for (uint64_t Traffic::*member : trafficMembers)
    this->*member -= other.*member;
  return *this;
}

CacheTraffic &CacheTraffic::addTimes(const CacheTraffic &other, double times) {
  for (uint64_t Traffic::*member : trafficMembers)
    this->*member += timesOf(other.*member, times);
  return *this;
}

void fly::sim::forEachCounter(
    const TimingCounters &c,
    llvm::function_ref<void(llvm::StringRef, uint64_t)> visit) {
  visit("SQ_WAVES", c.waves);
  visit("SQ_BUSY_CYCLES", c.busyCycles);
  // These count in quads of cycles.
  visit("SQ_WAVE_CYCLES", c.waveCycles / 4);
  visit("SQ_WAIT_ANY", c.waitAny / 4);
  visit("SQ_WAIT_INST_ANY", c.waitIssue / 4);
  visit("SQ_WAIT_INST_LDS", c.waitLds / 4);
  visit("SQ_INSTS_VALU", c.valu);
  visit("SQ_INSTS_MFMA", c.mfma);
  visit("SQ_INSTS_SALU", c.salu);
  visit("SQ_INSTS_SMEM", c.smem);
  visit("SQ_INSTS_VMEM", c.vmem);
  visit("SQ_INSTS_LDS", c.lds);
  visit("SQ_INSTS_BRANCH", c.branch);
  for (unsigned i = 0; i != arch::matrixCounterCount; ++i) {
    std::string name = arch::matrixCounterName(arch::MatrixCounter(i));
    visit("SQ_INSTS_VALU_MFMA_" + name, c.matrixInstructions[i]);
    // In units of 512 operations.
    visit("SQ_INSTS_VALU_MFMA_MOPS_" + name, c.matrixOperations[i] / 512);
  }
  visit("SQ_VALU_MFMA_BUSY_CYCLES", c.mfmaBusyCycles);
  visit("GRBM_GUI_ACTIVE", c.guiActive);
  visit("SQ_LDS_BANK_CONFLICT", c.ldsBankConflict);
  visit("SQ_LDS_ADDR_CONFLICT", c.ldsAddressConflict);
  visit("SQ_LDS_IDX_ACTIVE", c.ldsIndexActive);
  visit("SQC_DCACHE_REQ", c.scalarRequests);
  visit("SQC_DCACHE_HITS", c.scalarHits);
  visit("SQC_DCACHE_MISSES", c.scalarRequests - c.scalarHits - c.scalarPending);
  visit("SQC_DCACHE_MISSES_DUPLICATE", c.scalarPending);
  visit("TCP_TOTAL_CACHE_ACCESSES_sum", c.l1Requests);
  visit("TCP_TCC_READ_REQ_sum", c.l2ReadRequests);
  visit("TCP_TCC_WRITE_REQ_sum", c.l2WriteRequests);
  visit("TCC_REQ_sum", c.l2ReadRequests + c.l2WriteRequests);
  visit("TCC_HIT_sum", c.l2Hits);
  visit("TCC_MISS_sum", c.l2Misses);
  visit("TCC_EA0_RDREQ_sum", c.memoryReads);
  visit("TCC_EA0_RDREQ_32B_sum", c.memoryReads32);
  // To memory as against to I/O: the L2 sees no hit of the cache behind it.
  visit("TCC_EA0_RDREQ_DRAM_sum", c.memoryReads);
  visit("TCC_EA0_WRREQ_sum", c.memoryWrites);
}
