//===- TimingNames.cpp - names of reasons, resources and counters ---------===//

#include "fly/Sim/Timing.h"

#include <algorithm>
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

llvm::StringRef fly::sim::scheduleEdit(FreeResource resource) {
  static constexpr const char *edits[freeResourceCount] = {
      "swizzle the LDS tiles (lds.swizzle = xor, or pad)",
      "order the workgroups by XCD (grid.xcd), larger tiles",
      "fewer barriers an iteration (more LDS stages)",
      "prefetch further ahead (pipeline stages), more waves a SIMD",
      "hoist or unroll what computes addresses",
  };
  return edits[unsigned(resource)];
}

TimingCounters &TimingCounters::operator+=(const TimingCounters &other) {
  uint64_t TimingCounters::*const members[] = {&TimingCounters::waves,
                                               &TimingCounters::busyCycles,
                                               &TimingCounters::waveCycles,
                                               &TimingCounters::waitAny,
                                               &TimingCounters::waitIssue,
                                               &TimingCounters::waitLds,
                                               &TimingCounters::valu,
                                               &TimingCounters::salu,
                                               &TimingCounters::smem,
                                               &TimingCounters::vmem,
                                               &TimingCounters::lds,
                                               &TimingCounters::branch,
                                               &TimingCounters::mfma,
                                               &TimingCounters::mfmaBusyCycles,
                                               &TimingCounters::ldsBankConflict,
                                               &TimingCounters::ldsIndexActive,
                                               &TimingCounters::l1Requests,
                                               &TimingCounters::l1Hits,
                                               &TimingCounters::l2ReadRequests,
                                               &TimingCounters::l2WriteRequests,
                                               &TimingCounters::l2Hits,
                                               &TimingCounters::l2Misses,
                                               &TimingCounters::memoryReads,
                                               &TimingCounters::memoryReads32,
                                               &TimingCounters::mallHits,
                                               &TimingCounters::memoryWrites};
  // And those by type, and the one that is no sum.
  static_assert(sizeof(members) / sizeof(members[0]) +
                        2 * arch::matrixCounterCount + 1 ==
                    sizeof(TimingCounters) / sizeof(uint64_t),
                "a counter is missing here");
  for (uint64_t TimingCounters::*member : members)
    this->*member += other.*member;
  for (unsigned i = 0; i != arch::matrixCounterCount; ++i) {
    matrixInstructions[i] += other.matrixInstructions[i];
    matrixOperations[i] += other.matrixOperations[i];
  }
  guiActive = std::max(guiActive, other.guiActive);
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
  visit("SQ_LDS_IDX_ACTIVE", c.ldsIndexActive);
  visit("TCP_TOTAL_CACHE_ACCESSES_sum", c.l1Requests);
  visit("TCP_TCC_READ_REQ_sum", c.l2ReadRequests);
  visit("TCP_TCC_WRITE_REQ_sum", c.l2WriteRequests);
  visit("TCC_REQ_sum", c.l2ReadRequests + c.l2WriteRequests);
  visit("TCC_HIT_sum", c.l2Hits);
  visit("TCC_MISS_sum", c.l2Misses);
  visit("TCC_EA0_RDREQ_sum", c.memoryReads);
  visit("TCC_EA0_RDREQ_32B_sum", c.memoryReads32);
  visit("TCC_EA0_RDREQ_DRAM_sum", c.memoryReads - c.mallHits);
  visit("TCC_EA0_WRREQ_sum", c.memoryWrites);
}
