//===- CacheLevels.h - where the blocks of a launch are ---------*- C++ -*-===//
//
// What problem: whether a load hits the L2 depends on what all other workgroups
// of its XCD load, and whether it hits the memory-side cache, on all others.
// What idea: the blocks of all recorded workgroups go through models of these
// caches before anything is timed: rounds of residency in dispatch order, and
// workgroups that are resident together advance together, in equal shares of
// what they access. Who comes first in a step is drawn anew, so that each of
// those that share a block fetches it as often as the others: a fixed order
// would have the workgroups in detail miss too much or too little.
// What it leaves out: who gets ahead of whom.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_CACHELEVELS_H
#define FLY_LIB_SIM_TIMING_CACHELEVELS_H

#include "fly/Sim/Timing.h"

#include <map>

#include "CacheContents.h"
#include "Recorder.h"

namespace fly::sim {

/// How workgroups are dealt out to compute units.
struct Placement {
  uint64_t workgroups = 0;
  unsigned xcds = 1, cusPerXcd = 1;
  unsigned perCu = 1; ///< Workgroups that a compute unit holds.

  unsigned xcdOf(uint64_t workgroup) const {
    return unsigned(workgroup % xcds);
  }
  /// Position among the workgroups of the XCD.
  uint64_t indexInXcd(uint64_t workgroup) const { return workgroup / xcds; }
  unsigned cuOf(uint64_t workgroup) const {
    return unsigned(indexInXcd(workgroup) % cusPerXcd);
  }
  uint64_t workgroupsOfXcd(unsigned xcd) const {
    return (workgroups + xcds - 1 - xcd) / xcds;
  }
  /// Workgroups of an XCD that are resident together.
  uint64_t perRound() const { return uint64_t(cusPerXcd) * perCu; }
  uint64_t roundOf(uint64_t workgroup) const {
    return indexInXcd(workgroup) / perRound();
  }
  /// Compute units that have a workgroup.
  unsigned activeCusOfXcd(unsigned xcd) const {
    return unsigned(std::min<uint64_t>(workgroupsOfXcd(xcd), cusPerXcd));
  }
  unsigned activeCus() const;
};

/// What caches hold of what was recorded when the launch begins.
enum class WarmCaches : uint8_t {
  None,
  Memory, ///< The memory-side cache does, no L2.
  All,    ///< What a run of what was recorded leaves.
};

class CacheLevels {
public:
  CacheLevels(const LaunchTrace &trace, const Placement &placement,
              WarmCaches warm);
  /// Of each block of a workgroup that was recorded in full.
  llvm::ArrayRef<MemoryLevel> of(uint64_t workgroup) const;
  /// Of all workgroups that were recorded.
  const CacheTraffic &traffic() const { return total; }
  /// Of all workgroups of the launch: rounds behind those that were recorded
  /// move what the last of these moved.
  CacheTraffic launchTraffic() const;

private:
  struct Pass;
  void advance(const LaunchTrace &trace, CacheContents &caches,
               bool keepLevels);
  void runRound(const LaunchTrace &trace, uint64_t first, uint64_t last,
                CacheContents &caches, Pass &pass);

  std::map<uint64_t, std::vector<MemoryLevel>> levels;
  const Placement placement;
  CacheTraffic total;
  CacheTraffic lastRound; ///< Of the last round that was recorded.
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHELEVELS_H
