//===- Timing.h - how long a launch takes, and why --------------*- C++ -*-===//
//
// What problem: a kernel's values say nothing of its time.
// What idea: the launch is recorded while it is executed, and replayed on a
// model of a compute unit and its memory. What comes out is plain data: cycles,
// for each instruction what it issued and what it waited for, counters under
// the hardware's names, and what a launch would take with one resource free.
// Views read this and nothing of the engine. See docs/Simulator/Timing.md.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_TIMING_H
#define FLY_SIM_TIMING_H

#include "fly/Arch/MatrixWork.h"
#include "fly/Arch/Occupancy.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fly::sim {

/// Why a wave did not issue, as a thread trace books it: on the instruction
/// that waited.
enum class StallReason : uint8_t {
  Start,            ///< From the start of the wave to its first instruction.
  Fetch,            ///< Instruction fetch: taken branches, lines not cached.
  ValuResult,       ///< Address or data from a vector instruction.
  WaitVmem,         ///< s_waitcnt on vector memory.
  WaitLds,          ///< s_waitcnt on LDS.
  WaitScalar,       ///< s_waitcnt on scalar memory.
  Barrier,          ///< s_barrier, until the last wave arrives.
  LdsQueue,         ///< Too many LDS instructions wait for the port.
  VmemQueue,        ///< Too many vector memory instructions wait.
  CounterFull,      ///< A counter of outstanding instructions is at its limit.
  MatrixDependency, ///< The matrix unit still makes the addend.
  MatrixBusy,       ///< The matrix unit works for another instruction.
  VectorBusy,       ///< So does the vector unit.
  Arbiter,          ///< Another wave was chosen.
  End,              ///< s_endpgm, until the wave is gone.
};
constexpr unsigned stallReasonCount = unsigned(StallReason::End) + 1;
/// "wait-vmem"
llvm::StringRef stallReasonName(StallReason reason);
/// "for vector memory, as s_waitcnt": what the instruction waits for.
llvm::StringRef stallReasonText(StallReason reason);
using StallCycles = std::array<uint64_t, stallReasonCount>;
/// Sum over all reasons.
uint64_t totalStall(const StallCycles &stalls);

/// A resource that costs nothing in a what-if.
enum class FreeResource : uint8_t {
  Conflicts, ///< LDS banks never conflict.
  L2,        ///< What misses the vector L1 hits an L2 of any bandwidth.
  Barriers,  ///< Nobody waits at barriers.
  Waits,     ///< s_waitcnt never waits.
  Addresses, ///< Arithmetic whose results are only addresses takes no issue.
};
constexpr unsigned freeResourceCount = unsigned(FreeResource::Addresses) + 1;
/// "conflicts"
llvm::StringRef freeResourceName(FreeResource resource);

/// What a launch with timing computes.
struct TimingOptions {
  bool enabled = false;
  /// Replays with each resource free.
  bool whatIf = false;
  /// Keeps when each instruction of the waves in detail issued.
  bool timeline = false;
  /// Of so many compute units in detail, the first ones.
  unsigned timelineUnits = ~0u;
  /// Most events that are kept in all. A wave is kept whole or not at all:
  /// those that find no room are counted.
  uint64_t timelineEvents = uint64_t(1) << 22;
  /// Counts what each bank of LDS serves, instruction by instruction.
  bool ldsBanks = false;
  /// Caches and translations hold what the same launch left before, as in the
  /// second run of a benchmark; of a launch whose later workgroups are not
  /// recorded, what those would leave (WARM-CACHES). Else they are empty.
  bool isWarm = false;
  /// Executes only the workgroups that are recorded: memory does not hold the
  /// results of the others.
  bool recordedOnly = false;
  /// The same, and of these workgroups only what time depends on: the paths of
  /// waves and their addresses. Memory keeps what it held before the launch.
  /// Without effect where a check or a debugger watches the execution.
  bool timeOnly = false;
  /// Most workgroups of a compute unit that are replayed in detail: so many
  /// times what it holds at once.
  unsigned rounds = 2;
  /// The machine that carries the chip, "MI325X"; empty: the chip's default.
  std::string product;
};

/// One static instruction, over all waves in detail.
struct InstructionTiming {
  uint64_t pc = 0;
  std::string text;
  std::string source; ///< "gemm.mlir:12"; empty where nothing is known.
  uint64_t hits = 0;
  uint64_t issueCycles = 0;
  StallCycles stalls = {};
  /// Of LDS instructions: cycles of the banks, and those of them that
  /// conflicts add.
  uint64_t ldsCycles = 0, ldsConflictCycles = 0;
  /// Cycles that the matrix unit works for one execution.
  unsigned matrixCycles = 0;
};

/// What the banks served for one LDS instruction, over all waves in detail.
struct LdsBankTiming {
  uint32_t instruction = 0; ///< Index in TimingResult::instructions.
  unsigned banks = 0;       ///< That the instruction sees.
  /// By bank: dwords that it served, and those of them that had to wait for
  /// other lanes' in their phase.
  std::array<uint64_t, 64> dwords = {}, waits = {};
};

/// One issue of a wave.
struct IssueEvent {
  uint32_t instruction = 0; ///< Index in TimingResult::instructions.
  uint32_t stall = 0;       ///< Cycles before the issue.
  /// Of these: without an instruction to issue (StallReason::Start, Fetch).
  uint32_t idle = 0;
  uint16_t issue = 0;                      ///< Cycles that the issue takes.
  StallReason reason = StallReason::Start; ///< Of most of the stall.
  uint64_t time = 0; ///< Cycle of the first attempt; issue is at time + stall.
};

/// The life of one wave: issue and stalls add up to it.
struct WaveTiming {
  uint64_t workgroup = 0; ///< In dispatch order.
  uint32_t wave = 0;      ///< In the workgroup.
  uint32_t xcd = 0, cu = 0, simd = 0, slot = 0;
  uint64_t begin = 0, end = 0; ///< Cycles.
  uint64_t instructions = 0;
  uint64_t issueCycles = 0;
  StallCycles stalls = {};
  std::vector<IssueEvent> events; ///< With TimingOptions::timeline.
};

/// Counts under the hardware's names; see forEachCounter(). What they are of,
/// the waves in detail or the whole launch, the member that holds them says.
struct TimingCounters {
  /// Busy: in detail of compute units, of a launch of shader engines.
  uint64_t waves = 0, busyCycles = 0, waveCycles = 0;
  uint64_t waitAny = 0, waitIssue = 0, waitLds = 0;
  uint64_t valu = 0, salu = 0, smem = 0, vmem = 0, lds = 0, branch = 0,
           mfma = 0;
  uint64_t mfmaBusyCycles = 0;
  /// Cycles of all units together, from the first to the last.
  uint64_t guiActive = 0;
  /// By arch::MatrixCounter: matrix instructions, and their operations.
  std::array<uint64_t, arch::matrixCounterCount> matrixInstructions = {},
                                                 matrixOperations = {};
  uint64_t ldsBankConflict = 0, ldsAddressConflict = 0, ldsIndexActive = 0;
  uint64_t l1Requests = 0, l1Hits = 0;
  /// Lines that scalar loads ask for, those of them that their cache has, and
  /// those that are under way to it.
  uint64_t scalarRequests = 0, scalarHits = 0, scalarPending = 0;
  uint64_t l2ReadRequests = 0, l2WriteRequests = 0, l2Hits = 0, l2Misses = 0;
  /// Reads behind the L2, those of them that fetch 32 of 64 bytes, and those
  /// that the memory-side cache serves, which the L2 cannot tell.
  uint64_t memoryReads = 0, memoryReads32 = 0, mallHits = 0;
  uint64_t memoryWrites = 0;

  TimingCounters &operator+=(const TimingCounters &other);
  /// All of them so many times, rounded to whole numbers.
  TimingCounters times(double factor) const;
};
/// Calls `visit` with the name of a counter ("SQ_INSTS_VALU") and its value.
void forEachCounter(const TimingCounters &counters,
                    llvm::function_ref<void(llvm::StringRef, uint64_t)> visit);

/// Requests for blocks of 64 bytes, of all workgroups that were recorded and
/// not only of those in detail. They are made in the order of dispatch, all
/// resident workgroups at one pace.
struct CacheTraffic {
  uint64_t workgroups = 0;
  uint64_t l1Hits = 0;   ///< Loads, scalar ones too, that go no further.
  uint64_t requests = 0; ///< Behind the L1s.
  /// In the L2 of the XCD, or under way to it for another workgroup.
  uint64_t l2Hits = 0;
  /// Of those that miss the L2: mostly blocks that another L2 has fetched.
  uint64_t mallHits = 0;

  // Of vector memory alone.
  uint64_t misses = 0; ///< Of the L2.
  /// Loads from behind the L2, and those of them that take 32 of the 64 bytes;
  /// the same of those that the memory-side cache serves.
  uint64_t reads = 0, reads32 = 0, mallReads = 0, mallReads32 = 0;
  /// Blocks that become dirty, each of which is written back some day, and
  /// their halves of 32 bytes.
  uint64_t writes = 0, writtenHalves = 0;

  /// Share of the requests that hit the L2, 0 to 1.
  double l2HitShare() const {
    return requests ? double(l2Hits) / double(requests) : 0;
  }
  uint64_t mallBytes() const { return mallReads * 64 - mallReads32 * 32; }
  /// Loaded from, and stored to, the memory behind all caches.
  uint64_t loadedBytes() const {
    return reads * 64 - reads32 * 32 - mallBytes();
  }
  uint64_t storedBytes() const { return writtenHalves * 32; }

  CacheTraffic &operator-=(const CacheTraffic &other);
  /// Adds \p other so many times, rounded to whole numbers.
  CacheTraffic &addTimes(const CacheTraffic &other, double times);
};

/// Cycles with one resource free.
struct WhatIf {
  FreeResource resource = FreeResource::Conflicts;
  uint64_t cycles = 0; ///< Of the launch.
  /// An edit of the schedule that may get at it, and the cycles of the launch
  /// with it. Whoever has the source fills them; empty: there is none.
  std::string edit;
  uint64_t editCycles = 0;
};

/// What the timing model says of a launch.
struct TimingResult {
  std::string chip, product;
  unsigned clockMhz = 0;
  /// Cycles of the whole launch, and of the part in detail.
  uint64_t cycles = 0, detailCycles = 0;
  double microseconds() const {
    return clockMhz ? double(cycles) / clockMhz : 0;
  }

  // What was replayed, and what the rest is taken from.
  uint64_t workgroups = 0, detailWorkgroups = 0;
  unsigned detailCus = 0;
  unsigned activeCus = 0; ///< Compute units with workgroups.
  unsigned workgroupsPerCu = 0, wavesPerSimd = 0;
  std::string occupancyLimiter;
  /// What the kernel uses and is allotted in this launch, and what follows.
  arch::KernelResources resources;
  arch::Occupancy occupancy;
  /// One sentence for each thing that was extrapolated.
  std::vector<std::string> extrapolated;

  // Of the waves in detail.
  uint64_t instructionsReplayed = 0;
  uint64_t issueCycles = 0;
  StallCycles stalls = {};
  TimingCounters counters;
  /// Share of the cycles of the matrix units in detail that they work, from the
  /// first to the last wave of their compute unit, 0 to 1.
  double mfmaBusyShare = 0;

  // Of the whole launch: counts grow with the workgroups; behind the L2 those
  // of all recorded workgroups, of later rounds those of the last one.
  TimingCounters launchCounters;
  CacheTraffic traffic;       ///< Of the workgroups that were recorded.
  CacheTraffic launchTraffic; ///< Of all of them.
  unsigned simdsPerCu = 0, computeUnits = 0; ///< Of the product.
  /// MfmaUtil by the profilers' formula, in percent: SQ_VALU_MFMA_BUSY_CYCLES
  /// of GRBM_GUI_ACTIVE of all SIMDs of the machine, those without work too.
  double mfmaUtil() const {
    double all = double(launchCounters.guiActive) * simdsPerCu * computeUnits;
    return all ? 100 * double(launchCounters.mfmaBusyCycles) / all : 0;
  }
  std::vector<InstructionTiming> instructions; ///< In address order.
  std::vector<WaveTiming> waves;
  /// Waves of TimingOptions::timelineUnits whose events found no room.
  uint64_t wavesWithoutEvents = 0;
  /// With TimingOptions::ldsBanks, ascending by instruction.
  std::vector<LdsBankTiming> ldsBanks;
  std::vector<WhatIf> whatIf;
  /// Ids in the ledger that the figures rest on, sorted.
  std::vector<std::string> assumptions;
};

} // namespace fly::sim

#endif // FLY_SIM_TIMING_H
