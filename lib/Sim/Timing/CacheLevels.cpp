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
/// How far ahead the host fetches what the models hold of a block.
static constexpr uint64_t prefetchedBlocks = 8;

unsigned Placement::activeCus() const {
  unsigned count = 0;
  for (unsigned xcd = 0; xcd != xcds; ++xcd)
    count += activeCusOfXcd(xcd);
  return count;
}

namespace {

/// What the L1s of a compute unit hold: for each place a block, plus one, and
/// which halves of it; 0 is empty.
struct UnitCaches {
  std::vector<uint64_t> vector, scalar;
  size_t vectorPlaces = 1, scalarPlaces = 1;

  /// Before its first use: most units of most launches have no work.
  void prepare() {
    vector.resize(vectorPlaces);
    scalar.resize(scalarPlaces);
  }
  /// Whether it is there; it is from now on.
  static bool touch(std::vector<uint64_t> &places, BlockAccess access) {
    size_t size = places.size();
    uint64_t &place =
        places[(size & (size - 1)) == 0 ? access.block() & (size - 1)
                                        : access.block() % size];
    uint64_t block = access.block() + 1, halves = access.halves();
    if (place >> 2 != block)
      place = block << 2;
    bool isHit = !(halves & ~place);
    place |= halves;
    return isHit;
  }
};

/// One workgroup while its blocks are looked up.
struct Stream {
  const WorkgroupTrace *trace = nullptr;
  std::vector<MemoryLevel> *levels = nullptr;
  UnitCaches *unit = nullptr; ///< Its compute unit.
};

/// What an L2 knows of a block that it has: kept as the line's time of arrival.
/// Bits of `valid` and `dirty` are halves.
struct L2Line {
  uint64_t step = 0; ///< In which it was fetched; 0: long ago, or by a store.
  bool isMemory = false;
  unsigned valid = 0, dirty = 0;

  L2Line() = default;
  explicit L2Line(Ticks bits)
      : step(bits >> 5), isMemory(bits >> 4 & 1), valid(bits >> 2 & 3),
        dirty(bits & 3) {}
  Ticks bits() const {
    return step << 5 | uint64_t(isMemory) << 4 | valid << 2 | dirty;
  }
};

} // namespace

/// Numbers of halves among two bits.
static unsigned countHalves(unsigned halves) {
  return (halves & 1) + (halves >> 1);
}

struct CacheLevels::Caches {
  std::vector<Cache> l2; ///< By XCD.
  /// Keeps the halves that it has as the line's time of arrival.
  Cache mall;
  std::vector<UnitCaches> units;
  std::mt19937 draw; ///< The same numbers in every run.
  uint64_t now = 1;  ///< Counts steps.
  CacheTraffic traffic;

  Caches(std::vector<Cache> l2, Cache mall)
      : l2(std::move(l2)), mall(std::move(mall)) {}
  /// Looks up a block that a compute unit asks for, and counts.
  MemoryLevel request(BlockAccess access, UnitCaches &unit, Cache &l2);
  /// What is dirty is clean.
  void writeBack();

private:
  MemoryLevel load(BlockAccess access, Ticks *known, Cache &l2);
  MemoryLevel store(BlockAccess access, Ticks *known, Cache &l2);
  /// Whether the memory-side cache lacks some of the halves; from now on it has
  /// them.
  bool fetchBehindL2(uint64_t block, unsigned halves);
};

bool CacheLevels::Caches::fetchBehindL2(uint64_t block, unsigned halves) {
  Ticks *known = mall.find(block);
  if (!known) {
    mall.insert(block, halves);
    return true;
  }
  bool isMissing = halves & ~*known;
  *known |= halves;
  return isMissing;
}

/// What becomes dirty is written to memory some day.
MemoryLevel CacheLevels::Caches::store(BlockAccess access, Ticks *known,
                                       Cache &l2) {
  L2Line line = known ? L2Line(*known) : L2Line();
  bool isFirst = line.dirty == 0;
  unsigned added = access.halves() & ~line.dirty;
  traffic.writes += isFirst;
  traffic.writtenHalves += countHalves(added);
  if (added)
    fetchBehindL2(access.block(), added);
  line.valid |= access.halves();
  line.dirty |= access.halves();
  if (known) {
    *known = line.bits();
    ++traffic.l2Hits;
    return isFirst ? MemoryLevel::WriteBack : MemoryLevel::L2;
  }
  l2.insert(access.block(), line.bits());
  ++traffic.misses;
  return MemoryLevel::Memory;
}

MemoryLevel CacheLevels::Caches::load(BlockAccess access, Ticks *known,
                                      Cache &l2) {
  L2Line line = known ? L2Line(*known) : L2Line();
  unsigned missing = access.halves() & ~line.valid;
  if (!missing) {
    ++traffic.l2Hits;
    if (line.step != now)
      return MemoryLevel::L2;
    return line.isMemory ? MemoryLevel::JoinedMemory : MemoryLevel::JoinedMall;
  }
  line.isMemory = fetchBehindL2(access.block(), missing);
  line.step = now;
  line.valid |= missing;
  if (known)
    *known = line.bits();
  else
    l2.insert(access.block(), line.bits());
  traffic.mallHits += !line.isMemory;
  if (!access.isScalar()) {
    bool isHalf = missing != 3;
    ++traffic.misses;
    ++traffic.reads;
    traffic.reads32 += isHalf;
    traffic.mallReads += !line.isMemory;
    traffic.mallReads32 += isHalf && !line.isMemory;
  }
  return line.isMemory ? MemoryLevel::Memory : MemoryLevel::Mall;
}

MemoryLevel CacheLevels::Caches::request(BlockAccess access, UnitCaches &unit,
                                         Cache &l2) {
  if (!access.isStore() &&
      UnitCaches::touch(access.isScalar() ? unit.scalar : unit.vector,
                        access)) {
    ++traffic.l1Hits;
    return MemoryLevel::L2;
  }
  ++traffic.requests;
  Ticks *known = l2.find(access.block());
  return access.isStore() ? store(access, known, l2) : load(access, known, l2);
}

void CacheLevels::Caches::writeBack() {
  for (Cache &cache : l2)
    cache.forEachArrival([](Ticks &bits) {
      L2Line line(bits);
      line.dirty = 0;
      bits = line.bits();
    });
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

CacheLevels::CacheLevels(const LaunchTrace &trace, const Placement &placement,
                         WarmCaches warm)
    : placement(placement) {
  const Machine &machine = trace.machine;
  uint64_t blocks = 0;
  for (uint64_t workgroup = 0; workgroup != trace.plan.size(); ++workgroup)
    if (const WorkgroupTrace *group = trace.find(workgroup))
      blocks += group->blocks.size();
  std::vector<Cache> emptyL2s(
      placement.xcds,
      makeCache(machine.l2Bytes, machine.l2Ways, blocks, machine));
  Caches caches(emptyL2s, makeCache(machine.mallBytes, machine.mallWays, blocks,
                                    machine));
  if (warm != WarmCaches::None)
    advance(trace, caches, /*keepLevels=*/false);
  if (warm == WarmCaches::Memory)
    caches.l2 = std::move(emptyL2s);
  caches.writeBack(); // As at the end of a launch.
  advance(trace, caches, /*keepLevels=*/true);
}

/// Lets all workgroups run, round after round.
void CacheLevels::advance(const LaunchTrace &trace, Caches &caches,
                          bool keepLevels) {
  UnitCaches empty;
  empty.vectorPlaces = trace.machine.l1Bytes / trace.machine.requestBytes;
  empty.scalarPlaces = trace.machine.scalarBytes / trace.machine.requestBytes;
  caches.units.assign(size_t(placement.xcds) * placement.cusPerXcd, empty);
  caches.draw = std::mt19937();
  caches.traffic = CacheTraffic();
  uint64_t perRound = placement.perRound() * placement.xcds;
  for (uint64_t first = 0; first < trace.plan.size(); first += perRound) {
    CacheTraffic before = caches.traffic;
    runRound(trace, first,
             std::min<uint64_t>(first + perRound, trace.plan.size()), caches,
             keepLevels);
    lastRound = caches.traffic;
    lastRound -= before;
  }
  total = caches.traffic;
}

/// Lets the workgroups of a round run side by side.
void CacheLevels::runRound(const LaunchTrace &trace, uint64_t first,
                           uint64_t last, Caches &caches, bool keepLevels) {
  std::vector<Stream> streams;
  uint64_t longest = 0;
  for (uint64_t workgroup = first; workgroup != last; ++workgroup) {
    Stream &stream = streams.emplace_back();
    stream.trace = trace.find(workgroup);
    if (!stream.trace)
      continue;
    ++caches.traffic.workgroups;
    stream.unit =
        &caches.units[placement.xcdOf(workgroup) * placement.cusPerXcd +
                      placement.cuOf(workgroup)];
    stream.unit->prepare();
    longest = std::max<uint64_t>(longest, stream.trace->blocks.size());
    if (keepLevels && trace.plan[workgroup] == TraceDepth::Full)
      stream.levels = &levels[workgroup];
  }
  uint64_t steps = (longest + blocksPerStep - 1) / blocksPerStep;
  std::vector<size_t> order(streams.size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (uint64_t step = 0; step != steps; ++step, ++caches.now)
    for (size_t turn = 0; turn != streams.size(); ++turn) {
      std::swap(order[turn],
                order[turn + caches.draw() % (order.size() - turn)]);
      size_t i = order[turn];
      const Stream &stream = streams[i];
      if (!stream.trace)
        continue;
      uint64_t count = stream.trace->blocks.size();
      Cache &l2 = caches.l2[placement.xcdOf(first + i)];
      for (uint64_t at = count * step / steps, end = count * (step + 1) / steps;
           at != end; ++at) {
        if (at + prefetchedBlocks < end) {
          uint64_t soon = stream.trace->blocks[at + prefetchedBlocks].block();
          l2.prefetch(soon);
          caches.mall.prefetch(soon);
        }
        MemoryLevel level =
            caches.request(stream.trace->blocks[at], *stream.unit, l2);
        if (stream.levels)
          stream.levels->push_back(level);
      }
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
