//===- CacheLevels.cpp - where the blocks of a launch are -----------------===//

#include "CacheLevels.h"

#include <numeric>
#include <random>

using namespace fly;
using namespace fly::sim;

/// Blocks that a resident workgroup advances by at once: what others touch in
/// the meantime they fetch together.
static constexpr uint64_t blocksPerStep = 64;

unsigned Placement::activeCus() const {
  unsigned count = 0;
  for (unsigned xcd = 0; xcd != xcds; ++xcd)
    count += activeCusOfXcd(xcd);
  return count;
}

CacheLevels::CacheLevels(const LaunchTrace &trace, const Placement &placement,
                         WarmCaches warm)
    : placement(placement) {
  const Machine &machine = trace.machine;
  uint64_t blocks = 0;
  for (uint64_t workgroup = 0; workgroup != trace.plan.size(); ++workgroup)
    if (const WorkgroupTrace *group = trace.find(workgroup))
      blocks += group->blocks;
  CacheContents caches(machine, placement.xcds, blocks);
  if (warm != WarmCaches::None)
    advance(trace, caches, /*keepLevels=*/false);
  if (warm == WarmCaches::Memory)
    caches.emptyL2s();
  caches.writeBack(); // As at the end of a launch.
  advance(trace, caches, /*keepLevels=*/true);
}

/// One run of all workgroups.
struct CacheLevels::Pass {
  std::vector<UnitCaches> units;
  std::mt19937 draw; ///< The same numbers in every run.
  bool keepsLevels = false;
};

/// Lets all workgroups run, round after round.
void CacheLevels::advance(const LaunchTrace &trace, CacheContents &caches,
                          bool keepLevels) {
  Pass pass;
  pass.keepsLevels = keepLevels;
  UnitCaches empty;
  empty.vectorPlaces = trace.machine.l1Bytes / trace.machine.requestBytes;
  empty.scalarPlaces = trace.machine.scalarBytes / trace.machine.requestBytes;
  pass.units.assign(size_t(placement.xcds) * placement.cusPerXcd, empty);
  caches.traffic = CacheTraffic();
  uint64_t perRound = placement.perRound() * placement.xcds;
  for (uint64_t first = 0; first < trace.plan.size(); first += perRound) {
    CacheTraffic before = caches.traffic;
    runRound(trace, first,
             std::min<uint64_t>(first + perRound, trace.plan.size()), caches,
             pass);
    lastRound = caches.traffic;
    lastRound -= before;
  }
  total = caches.traffic;
}

/// Lets the workgroups of a round run side by side.
void CacheLevels::runRound(const LaunchTrace &trace, uint64_t first,
                           uint64_t last, CacheContents &caches, Pass &pass) {
  std::vector<BlockStream> streams;
  uint64_t longest = 0;
  for (uint64_t workgroup = first; workgroup != last; ++workgroup) {
    BlockStream &stream = streams.emplace_back();
    stream.trace = trace.find(workgroup);
    if (!stream.trace)
      continue;
    ++caches.traffic.workgroups;
    stream.unit = &pass.units[placement.xcdOf(workgroup) * placement.cusPerXcd +
                              placement.cuOf(workgroup)];
    stream.unit->prepare();
    longest = std::max<uint64_t>(longest, stream.trace->blocks);
    if (!pass.keepsLevels || trace.plan[workgroup] != TraceDepth::Full)
      continue;
    // What the L1 holds does not matter.
    stream.levels = &levels[workgroup];
    stream.levels->assign(stream.trace->blocks, MemoryLevel::L2);
  }
  uint64_t steps = (longest + blocksPerStep - 1) / blocksPerStep;
  std::vector<size_t> order(streams.size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (uint64_t step = 0; step != steps; ++step, ++caches.now)
    for (size_t turn = 0; turn != streams.size(); ++turn) {
      std::swap(order[turn], order[turn + pass.draw() % (order.size() - turn)]);
      size_t i = order[turn];
      if (const WorkgroupTrace *group = streams[i].trace)
        caches.advance(streams[i], uint64_t(group->blocks) * (step + 1) / steps,
                       placement.xcdOf(first + i));
    }
}

CacheTraffic CacheLevels::launchTraffic() const {
  CacheTraffic result = total;
  if (lastRound.workgroups)
    result.addTimes(lastRound, double(placement.workgroups - total.workgroups) /
                                   double(lastRound.workgroups));
  return result;
}

llvm::ArrayRef<MemoryLevel> CacheLevels::of(uint64_t workgroup) const {
  auto it = levels.find(workgroup);
  if (it == levels.end())
    return {};
  return it->second;
}
