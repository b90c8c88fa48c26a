//===- CacheContents.cpp - what the caches of a chip hold -----------------===//

#include "CacheContents.h"

#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::sim;

namespace {

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

/// Whether it is there; it is from now on.
static bool touch(std::vector<uint64_t> &places, BlockAccess access) {
  size_t size = places.size();
  uint64_t &place =
      places[(size & (size - 1)) == 0 ? access.block() & (size - 1)
                                      : access.block() % size];
  uint64_t block = access.block() + 1, halves = access.halves();
  uint64_t held = place >> 2 == block ? place : block << 2;
  place = held | halves;
  return !(halves & ~held);
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

CacheContents::CacheContents(const Machine &machine, unsigned xcds,
                             uint64_t blocks)
    : mall(makeCache(machine.mallBytes, machine.mallWays, blocks, machine)) {
  for (unsigned xcd = 0; xcd != xcds; ++xcd)
    l2s.push_back(makeCache(machine.l2Bytes, machine.l2Ways, blocks, machine));
}

void CacheContents::emptyL2s() {
  for (Cache &cache : l2s)
    cache.clear();
}

bool CacheContents::fetchBehindL2(uint64_t block, unsigned halves) {
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
MemoryLevel CacheContents::store(BlockAccess access, Ticks *known, Cache &l2) {
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

MemoryLevel CacheContents::load(BlockAccess access, Ticks *known, Cache &l2) {
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

void CacheContents::askL1(const BlockRun &run, size_t begin, size_t end,
                          UnitCaches &unit) {
  if (begin == end)
    return;
  if (run.hasSameList(unit.present)) {
    traffic.l1Hits += end - begin;
    return;
  }
  bool isStore = run[begin].isStore();
  size_t before = asked.size();
  std::vector<uint64_t> &places =
      run[begin].isScalar() ? unit.scalar : unit.vector;
  for (size_t i = begin; i != end; ++i) {
    BlockAccess access = run[i];
    if (!isStore && touch(places, access))
      ++traffic.l1Hits;
    else
      asked.push_back({access, run.first + i});
  }
  if (isStore)
    return;
  if (asked.size() != before)
    unit.present = BlockRun();
  else if (end - begin == run.size())
    unit.present = run;
}

void CacheContents::advance(BlockStream &stream, uint64_t end, unsigned xcd) {
  Cache &l2 = l2s[xcd];
  // Step by step for all of them, so that the host fetches what the models hold
  // of some while it looks at others.
  asked.clear();
  while (stream.at != end) {
    const BlockRun &run = stream.trace->runs[stream.run];
    uint64_t stop = std::min<uint64_t>(end, run.first + run.size());
    askL1(run, stream.at - run.first, stop - run.first, *stream.unit);
    stream.at = stop;
    stream.run += stop == run.first + run.size();
  }
  traffic.requests += asked.size();
  for (const auto &request : asked)
    l2.prefetch(request.first.block());
  for (const auto &request : asked)
    if (!l2.prefetchEntry(request.first.block()))
      mall.prefetch(request.first.block());
  for (auto [access, at] : asked) {
    Ticks *known = l2.find(access.block());
    MemoryLevel level =
        access.isStore() ? store(access, known, l2) : load(access, known, l2);
    if (stream.levels)
      (*stream.levels)[at] = level;
  }
}

void CacheContents::writeBack() {
  for (Cache &cache : l2s)
    cache.forEachArrival([](Ticks &bits) {
      L2Line line(bits);
      line.dirty = 0;
      bits = line.bits();
    });
}
