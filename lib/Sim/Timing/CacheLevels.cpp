//===- CacheLevels.cpp - where the blocks of a launch are -----------------===//

#include "CacheLevels.h"

#include "llvm/Support/MathExtras.h"

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

namespace {

/// One workgroup while its blocks are looked up.
struct Stream {
  const WorkgroupTrace *trace = nullptr;
  std::vector<MemoryLevel> *levels = nullptr;
  /// Blocks that its compute unit still has in its L1, by their low bits.
  std::vector<uint64_t> recent;
};

} // namespace

/// `now` counts steps: lines keep it, and where they came from, as their time
/// of arrival.
static MemoryLevel lookUp(uint64_t block, Cache &l2, Cache &mall,
                          uint64_t now) {
  // Half lines come and go with what asks for them.
  if (Ticks *fetched = l2.find(block)) {
    if (*fetched / 2 != now)
      return MemoryLevel::L2;
    return *fetched % 2 ? MemoryLevel::JoinedMemory : MemoryLevel::JoinedMall;
  }
  bool isMemory = !mall.find(block);
  if (isMemory)
    mall.insert(block, 0);
  l2.insert(block, now * 2 + isMemory);
  return isMemory ? MemoryLevel::Memory : MemoryLevel::Mall;
}

/// A cache of `bytes`, or of so many that `blocks` never fill a set: most
/// launches touch a small part of the caches, and setting up all costs more
/// than they do.
static Cache makeCache(uint64_t bytes, unsigned ways, uint64_t blocks,
                       const Machine &machine) {
  uint64_t enough = 16 * std::max<uint64_t>(blocks, 64) * machine.requestBytes;
  return Cache(std::min(bytes, llvm::PowerOf2Ceil(enough)),
               machine.requestBytes, ways);
}

struct CacheLevels::Caches {
  std::vector<Cache> l2; ///< By XCD.
  Cache mall;
  uint64_t now = 1; ///< Counts steps.
};

CacheLevels::CacheLevels(const LaunchTrace &trace, const Placement &placement,
                         bool isWarm) {
  const Machine &machine = trace.machine;
  uint64_t blocks = 0;
  for (uint64_t workgroup = 0; workgroup != trace.plan.size(); ++workgroup)
    if (const WorkgroupTrace *group = trace.find(workgroup))
      blocks += group->blocks.size();
  Caches caches{
      std::vector<Cache>(
          placement.xcds,
          makeCache(machine.l2Bytes, machine.l2Ways, blocks, machine)),
      makeCache(machine.mallBytes, machine.mallWays, blocks, machine)};
  if (isWarm)
    advance(trace, placement, caches, /*keepLevels=*/false);
  advance(trace, placement, caches, /*keepLevels=*/true);
}

/// Looks up a block of a stream behind its L1, and counts.
static MemoryLevel request(BlockAccess access, Stream &stream, Cache &l2,
                           Cache &mall, uint64_t now, CacheTraffic &traffic) {
  uint64_t block = access.block();
  uint64_t &recent = stream.recent[block % stream.recent.size()];
  if (recent == block + 1)
    return MemoryLevel::L2;
  recent = block + 1;
  MemoryLevel level = lookUp(block, l2, mall, now);
  ++traffic.requests;
  traffic.mallHits += level == MemoryLevel::Mall;
  traffic.l2Hits += level != MemoryLevel::Mall && level != MemoryLevel::Memory;
  return level;
}

/// Lets all workgroups run, round after round.
void CacheLevels::advance(const LaunchTrace &trace, const Placement &placement,
                          Caches &caches, bool keepLevels) {
  const Machine &machine = trace.machine;
  total = CacheTraffic();
  std::mt19937 draw; // The same numbers in every run.
  uint64_t perRound = placement.perRound() * placement.xcds;
  for (uint64_t first = 0; first < trace.plan.size(); first += perRound) {
    uint64_t last = std::min<uint64_t>(first + perRound, trace.plan.size());
    std::vector<Stream> streams;
    uint64_t longest = 0;
    for (uint64_t workgroup = first; workgroup != last; ++workgroup) {
      Stream &stream = streams.emplace_back();
      stream.trace = trace.find(workgroup);
      if (!stream.trace)
        continue;
      ++total.workgroups;
      stream.recent.resize(machine.l1Bytes / machine.requestBytes);
      longest = std::max<uint64_t>(longest, stream.trace->blocks.size());
      if (keepLevels && trace.plan[workgroup] == TraceDepth::Full)
        stream.levels = &levels[workgroup];
    }
    uint64_t steps = (longest + blocksPerStep - 1) / blocksPerStep;
    std::vector<size_t> order(streams.size());
    std::iota(order.begin(), order.end(), size_t(0));
    for (uint64_t step = 0; step != steps; ++step, ++caches.now)
      for (size_t turn = 0; turn != streams.size(); ++turn) {
        std::swap(order[turn], order[turn + draw() % (order.size() - turn)]);
        size_t i = order[turn];
        Stream &stream = streams[i];
        if (!stream.trace)
          continue;
        uint64_t count = stream.trace->blocks.size();
        Cache &l2 = caches.l2[placement.xcdOf(first + i)];
        for (uint64_t at = count * step / steps,
                      end = count * (step + 1) / steps;
             at != end; ++at) {
          MemoryLevel level = request(stream.trace->blocks[at], stream, l2,
                                      caches.mall, caches.now, total);
          if (stream.levels)
            stream.levels->push_back(level);
        }
      }
  }
}

llvm::ArrayRef<MemoryLevel> CacheLevels::of(uint64_t workgroup) const {
  auto it = levels.find(workgroup);
  if (it == levels.end())
    return {};
  return it->second;
}
