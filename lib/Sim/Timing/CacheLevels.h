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

#include "Recorder.h"
#include "VectorMemory.h"

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

class CacheLevels {
public:
  /// `isWarm`: all of it has run once before.
  CacheLevels(const LaunchTrace &trace, const Placement &placement,
              bool isWarm);
  /// Of each block of a workgroup that was recorded in full.
  llvm::ArrayRef<MemoryLevel> of(uint64_t workgroup) const;
  /// Of all workgroups.
  const CacheTraffic &traffic() const { return total; }

private:
  struct Caches;
  void advance(const LaunchTrace &trace, const Placement &placement,
               Caches &caches, bool keepLevels);

  std::map<uint64_t, std::vector<MemoryLevel>> levels;
  CacheTraffic total;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHELEVELS_H
