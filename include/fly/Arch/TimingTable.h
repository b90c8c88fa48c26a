//===- TimingTable.h - What only a model of time asks -----------*- C++ -*-===//
//
// Figures of a chip that the timing model needs beside ArchInfo: how ports and
// queues are shared, what fetches and launches cost, shapes of caches. Few of
// them are published one by one; most are what a published table of whole
// kernels implies, and then they are assumptions with an id in the ledger. No
// figure is fitted to a single cell of such a table: each explains several.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_TIMINGTABLE_H
#define FLY_ARCH_TIMINGTABLE_H

#include "fly/Arch/ArchInfo.h"

namespace fly::arch {

/// Figures of one chip. Cycles are those of the shader clock.
struct TimingTable {
  /// Issue of a vector instruction to that of a memory instruction which takes
  /// its result as address or data.
  Fact<unsigned> valuToMemory;
  /// A taken branch to the next issue of its wave, code in the cache.
  Fact<unsigned> takenBranch;

  // Instruction fetch and start of waves.
  Fact<unsigned> fetchLineBytes;
  /// Bubble where straight code runs into a line that is not in the cache.
  Fact<unsigned> fetchNextLine;
  /// Start of a wave to its first issue where nothing of the code is cached.
  Fact<unsigned> coldStart;
  /// The same with cached code.
  Fact<unsigned> warmStart;
  /// A compute unit gets a new wave every so many cycles.
  Fact<unsigned> waveInterval;

  // LDS.
  /// Bytes a cycle of a port's input, which addresses and data share.
  Fact<unsigned> ldsInputBytes;
  /// Cycles of the input port that each phase of a write adds.
  Fact<unsigned> ldsWritePhase;
  /// Quarter cycles of a port that an instruction takes beside its data.
  Fact<unsigned> ldsOverheadQuarters;
  /// Cycles a port loses between two instructions of one SIMD.
  Fact<unsigned> ldsSameSimd;
  /// Cycles between two instructions of one wave at a port.
  Fact<unsigned> ldsSameWave;
  /// LDS instructions of a wave that wait for the port at most.
  Fact<unsigned> ldsQueue;

  // Vector memory.
  /// Bytes of a request of the vector L1, and how many of such blocks of an
  /// instruction are looked up a cycle.
  Fact<unsigned> requestBytes;
  Fact<unsigned> requestsPerCycle;
  /// Instructions of a compute unit that wait for the address unit at most.
  Fact<unsigned> vmemQueue;
  /// Cycles that each further request of an instruction which misses the
  /// vector L1 adds to its latency.
  Fact<unsigned> missSpread;
  Fact<unsigned> vectorL1Ways;
  Fact<unsigned> l2Ways;
  Fact<unsigned> mallWays;
  /// Bytes a cycle that the L2 of an XCD delivers.
  Fact<unsigned> l2BytesPerCycle;
  /// Bytes a cycle that the memory-side cache delivers to all XCDs.
  Fact<unsigned> mallBytesPerCycle;
  /// What reads and writes reach of the product's peak bandwidth, in
  /// thousandths.
  Fact<unsigned> memoryReadShare;
  Fact<unsigned> memoryWriteShare;
  /// Memory that one entry of the address translation covers.
  Fact<unsigned> pageBytes;
  /// Memory whose translations are at hand, and what others add to a latency.
  Fact<unsigned> translationReach;
  Fact<unsigned> translationMiss;

  // Scalar memory.
  Fact<unsigned> scalarCacheBytes;
  Fact<unsigned> scalarLineBytes;
  Fact<unsigned> scalarWays;
};

/// The figures of \p chip; nullptr for chips that the model does not know.
const TimingTable *timingTable(Chip chip);

/// Calls \p visit for each figure of \p table, as forEachFact() does.
void forEachTimingFact(const TimingTable &table,
                       llvm::function_ref<void(const FactView &)> visit);

/// Launches that are timed warm find in the caches what the launch before
/// them left. [INF] An assumption: its id.
inline constexpr const char *warmCachesAssumption = "WARM-CACHES";

} // namespace fly::arch

#endif // FLY_ARCH_TIMINGTABLE_H
