//===- VectorMemory.h - the path of loads and stores ------------*- C++ -*-===//
//
// What problem: a load may be served by the vector L1, the L2 of its XCD, the
// memory-side cache (MALL) or memory, each with its latency and a bandwidth
// that compute units share.
// What idea: everything is decided when the instruction issues, in the order of
// issue: the address unit takes blocks of 64 bytes one after the other, each is
// looked up, bandwidth is reserved where it is used, and the data go back over
// one bus. The simulated compute unit gets its share of what all share.
// Where a block is behind the L1 was found before, from the traces of all
// workgroups (CacheLevels.h).
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_VECTORMEMORY_H
#define FLY_LIB_SIM_TIMING_VECTORMEMORY_H

#include "fly/Sim/Timing.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

#include "Bandwidth.h"
#include "Cache.h"
#include "TimedInstruction.h"
#include "Trace.h"

namespace fly::sim {

/// Where a block is that the vector L1 does not hold. Joined: another workgroup
/// has just asked for it, so that it takes as long and no bandwidth. WriteBack:
/// a store to a block that the L2 has and that is not dirty.
enum class MemoryLevel : uint8_t {
  L2,
  JoinedMall,
  JoinedMemory,
  Mall,
  Memory,
  WriteBack
};

/// What the simulated compute unit shares with others.
struct MemoryShares {
  unsigned cusOfXcd = 1; ///< That are at work.
  unsigned cus = 1;      ///< Of the device.
};

class VectorMemory {
public:
  VectorMemory(const Machine &machine, const MemoryShares &shares,
               TimingCounters &counters);

  /// True if another instruction may wait for the address unit at `now`.
  bool hasRoom(Ticks now);
  /// When it may, if it may not.
  Ticks roomAt() const { return waiting.front(); }
  /// When the instruction, which issues at `now`, is complete. `levels` is one
  /// a block.
  Ticks issue(Ticks now, const TimedInstruction &timed, const BlockRun &blocks,
              llvm::ArrayRef<MemoryLevel> levels);
  /// The same of a scalar load.
  Ticks issueScalar(Ticks now, const BlockRun &blocks,
                    llvm::ArrayRef<MemoryLevel> levels);

private:
  Ticks load(Ticks start, BlockAccess access, MemoryLevel level, bool &isMiss);
  Ticks store(Ticks start, BlockAccess access, MemoryLevel level);
  Ticks translate(Ticks start, uint64_t address);

  const Machine &machine;
  TimingCounters &counters;
  Cache l1, scalar, translations;
  Bandwidth returnBus, l2, mall, memory; ///< Memory counts in bytes read.
  /// Pages that were accessed, and when their translation is known.
  llvm::DenseMap<uint64_t, Ticks> pages;
  uint64_t lastPage = ~uint64_t(0); ///< The latest, which is at hand.
  std::deque<Ticks> waiting;        ///< Starts at the address unit.
  Ticks addressFree = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_VECTORMEMORY_H
