//===- CacheContents.h - what the caches of a chip hold ---------*- C++ -*-===//
//
// What idea: the blocks of workgroups go through an L1 for each compute unit,
// an L2 for each XCD and the memory-side cache, without times: what is where,
// and what moves.
// Halves of blocks come and go with what asks for them. What is written stays
// in the L2 until the launch has ended, and goes to memory once for each time
// that it became dirty. What it leaves out: the L1s keep one block for each of
// their places, by the low bits of its number.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_CACHECONTENTS_H
#define FLY_LIB_SIM_TIMING_CACHECONTENTS_H

#include "fly/Sim/Timing.h"

#include "Cache.h"
#include "Trace.h"
#include "VectorMemory.h"

namespace fly::sim {

/// What the L1s of a compute unit hold: for each place a block, plus one, and
/// which halves of it; 0 is empty.
struct UnitCaches {
  std::vector<uint64_t> vector, scalar;
  /// A run that was there as a whole, and still is: what comes again in loops
  /// over elements.
  BlockRun present;
  size_t vectorPlaces = 1, scalarPlaces = 1;

  /// Before its first use: most units of most launches have no work.
  void prepare() {
    vector.resize(vectorPlaces);
    scalar.resize(scalarPlaces);
  }
};

/// One workgroup while its blocks are looked up.
struct BlockStream {
  const WorkgroupTrace *trace = nullptr;
  std::vector<MemoryLevel> *levels = nullptr; ///< Kept for it, if any.
  UnitCaches *unit = nullptr;                 ///< Its compute unit.
  size_t run = 0;                             ///< Where it is.
  uint64_t at = 0;                            ///< The same in blocks.
};

class CacheContents {
public:
  /// For a launch that asks for so many blocks in all.
  CacheContents(const Machine &machine, unsigned xcds, uint64_t blocks);

  uint64_t now = 1; ///< Counts steps: who asks in the same one asks together.
  CacheTraffic traffic;

  /// Looks up the blocks of a workgroup up to the one at `end`, and counts.
  void advance(BlockStream &stream, uint64_t end, unsigned xcd);
  /// What is dirty is clean.
  void writeBack();
  /// The L2s hold nothing.
  void emptyL2s();

private:
  /// Of a run, what the L1 does not hold goes to `asked`.
  void askL1(const BlockRun &run, size_t begin, size_t end, UnitCaches &unit);
  MemoryLevel load(BlockAccess access, Ticks *known, Cache &l2);
  MemoryLevel store(BlockAccess access, Ticks *known, Cache &l2);
  /// Whether the memory-side cache lacks some of the halves; from now on it has
  /// them.
  bool fetchBehindL2(uint64_t block, unsigned halves);

  std::vector<Cache> l2s; ///< By XCD.
  Cache mall; ///< Keeps the halves that it has as the line's time of arrival.
  /// What an L2 is asked for, and its position among the blocks.
  std::vector<std::pair<BlockAccess, uint64_t>> asked;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHECONTENTS_H
