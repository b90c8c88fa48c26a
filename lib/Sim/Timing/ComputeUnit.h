//===- ComputeUnit.h - replays workgroups on one compute unit ---*- C++ -*-===//
//
// What problem: how long waves take that share a compute unit, and what each of
// their instructions waited for.
// What idea: each SIMD has an issue slot every four cycles, in which up to one
// instruction of each category issues, of different waves, by priority and age.
// A wave knows the earliest time of its next instruction by itself (fetch,
// results, counters); units that it shares are asked in the slot. Times at
// which nothing can happen are skipped.
// What it refuses to guess: all parameters are Machine's.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_COMPUTEUNIT_H
#define FLY_LIB_SIM_TIMING_COMPUTEUNIT_H

#include "fly/Sim/Timing.h"

#include <deque>
#include <queue>

#include "Cache.h"
#include "LdsUnit.h"
#include "TimedWave.h"
#include "VectorMemory.h"

namespace fly::sim {

/// Sums over all waves of one compute unit.
struct UnitResult {
  uint64_t cycles = 0; ///< Until the last wave has ended.
  uint64_t instructions = 0;
  TimingCounters counters;
  std::vector<InstructionTiming> perInstruction; ///< By number; no text.
  std::vector<WaveTiming> waves;
  uint64_t events = 0;             ///< That the waves keep.
  uint64_t wavesWithoutEvents = 0; ///< They found no room.
  /// When each workgroup ended, in the order they were given.
  std::vector<uint64_t> workgroupEnds;
};

class ComputeUnit {
public:
  struct Group {
    const WorkgroupTrace *trace = nullptr;
    llvm::ArrayRef<MemoryLevel> levels;
    /// By wave: executed instructions that take no time in a what-if.
    const std::vector<std::vector<bool>> *skipped = nullptr;
  };
  struct Options {
    unsigned residentGroups = 1;
    /// Most events that are kept; none keeps nothing.
    std::optional<uint64_t> timelineEvents;
    std::optional<FreeResource> free;
  };

  ComputeUnit(const Machine &machine, const TimedProgram &program,
              const MemoryShares &shares, const Options &options);
  /// Replays the groups; as many at once as are resident, each next one when
  /// one has ended.
  UnitResult run(llvm::ArrayRef<Group> groups);

private:
  struct Simd {
    Ticks next = never; ///< Slot in which it has to be looked at.
    Ticks vectorFree = 0, matrixFree = 0;
    unsigned matrixWave = ~0u;
    isa::RegisterRange matrixResult;
    std::vector<unsigned> order; ///< Live waves by priority and age.
    std::vector<Ticks> slotEnds; ///< When the wave of each slot is gone.
  };
  struct GroupRun {
    Group group;
    unsigned live = 0, arrived = 0;
    std::vector<unsigned> waves;
  };
  struct Copy {
    Ticks time;
    unsigned bytes;
    bool operator<(const Copy &other) const { return time > other.time; }
  };

  void startGroup(Ticks now);
  unsigned takeSlot(Simd &simd, Ticks now);
  void startWave(unsigned group, unsigned index, Ticks now);
  void evaluate(unsigned simd, Ticks now);
  /// Whether a ready wave issues in this slot; books what keeps it.
  bool tryIssue(TimedWave &wave, Simd &simd, Ticks now, unsigned &categories,
                Ticks &next);
  std::optional<StallReason> findObstacle(const TimedWave &wave,
                                          const Simd &simd, Ticks now,
                                          Ticks &until);
  bool passBarrier(TimedWave &wave, Ticks now);
  void releaseBarrier(GroupRun &group, Ticks now);
  void issue(TimedWave &wave, Simd &simd, Ticks now);
  void issueMemory(TimedWave &wave, const TimedInstruction &timed, Ticks now);
  void countIssue(const TimedInstruction &timed);
  void fetchNext(TimedWave &wave, uint64_t behind, bool isJump, Ticks now);
  void endWave(TimedWave &wave, Ticks now);
  void serveLds(unsigned port);
  void wake(const TimedWave &wave, Ticks time);
  void sortWaves(Simd &simd);
  Ticks slotAt(unsigned simd, Ticks time) const;

  const Machine &machine;
  const TimedProgram &program;
  const Options options;
  UnitResult result;
  VectorMemory memory;
  LdsUnit lds;
  Cache fetchCache;
  std::vector<Simd> simds;
  std::vector<TimedWave> waves;
  std::vector<GroupRun> groups;
  llvm::ArrayRef<Group> pending;
  std::priority_queue<Copy> copies;
  std::priority_queue<Ticks, std::vector<Ticks>, std::greater<Ticks>> starts;
  unsigned nextSimd = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_COMPUTEUNIT_H
