//===- Cache.h - which lines a cache holds ----------------------*- C++ -*-===//
//
// Sets of a number of ways, the least recently used one is replaced. A line
// has a time when it has arrived, so that an access to a line under way waits
// for it and does not fetch it again.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_CACHE_H
#define FLY_LIB_SIM_TIMING_CACHE_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Machine.h"

namespace fly::sim {

class Cache {
public:
  /// Sizes in bytes; the number of sets is rounded down to at least one.
  Cache(uint64_t bytes, unsigned lineBytes, unsigned ways)
      : lineBytes(lineBytes), ways(ways),
        sets(std::max<uint64_t>(bytes / lineBytes / ways, 1)),
        mask((sets & (sets - 1)) == 0 ? sets - 1 : 0) {}

  uint64_t lineOf(uint64_t address) const { return address / lineBytes; }

  /// The line's time of arrival, if it is here or under way; null if not.
  /// Valid until the next insert().
  Ticks *find(uint64_t line) {
    if (filled == 0)
      return nullptr;
    size_t set = setOf(line);
    const uint8_t *row = &marks[set * ways], mark = markOf(line);
    for (unsigned way = 0; way != ways && row[way]; ++way) {
      if (row[way] != mark)
        continue;
      Entry &entry = entries[placeOf(set, way)];
      if (entry.line != line)
        continue;
      entry.used = ++clock;
      return &entry.arrival;
    }
    return nullptr;
  }
  /// Puts a line in place of the one that was not used for longest.
  void insert(uint64_t line, Ticks arrival) {
    if (filled == 0)
      marks.resize(sets * ways);
    size_t set = setOf(line);
    uint8_t *row = &marks[set * ways];
    unsigned way = 0;
    while (way != ways && row[way])
      ++way;
    if (way == ways)
      way = oldestOf(set);
    if (way >= filled) {
      unsigned added = filled == 0 ? 1 : planeWays;
      entries.resize(entries.size() + sets * added);
      filled += added;
    }
    row[way] = markOf(line);
    entries[placeOf(set, way)] = {line, ++clock, arrival};
  }
  /// Has the host fetch what find() will look at first.
  void prefetch(uint64_t line) const {
    if (filled == 0)
      return;
    size_t set = setOf(line);
    __builtin_prefetch(&marks[set * ways]);
    __builtin_prefetch(&entries[set]);
  }
  /// Calls `visit` with the time of each line that is here.
  template <typename Visit>
  void forEachArrival(Visit visit) {
    for (Entry &entry : entries)
      if (entry.used)
        visit(entry.arrival);
  }

private:
  struct Entry {
    uint64_t line = 0;
    uint64_t used = 0; ///< 0: never, it is empty.
    Ticks arrival = 0;
  };
  size_t setOf(uint64_t line) const {
    // Folds upper bits in, as hardware does, so that strides of powers of two
    // do not meet in one set.
    uint64_t folded = line ^ (line >> 10) ^ (line >> 20);
    return size_t(mask ? folded & mask : folded % sets);
  }

  /// Some bits of a line, never 0, which is an empty place.
  static uint8_t markOf(uint64_t line) {
    return uint8_t(line * 0x9E3779B97F4A7C15u >> 56) | 1;
  }
  unsigned oldestOf(size_t set) const {
    unsigned oldest = 0;
    for (unsigned way = 1; way != ways; ++way)
      if (entries[placeOf(set, way)].used < entries[placeOf(set, oldest)].used)
        oldest = way;
    return oldest;
  }
  size_t placeOf(size_t set, unsigned way) const {
    if (way == 0)
      return set;
    size_t plane = (way - 1) / planeWays;
    return sets + (plane * sets + set) * planeWays + (way - 1) % planeWays;
  }

  /// Neighbours, which one access of the host fetches.
  static constexpr unsigned planeWays = 5;

  unsigned lineBytes, ways;
  uint64_t sets;
  uint64_t mask; ///< Of a power of two of sets: a division costs more than all.
  /// The first ways of all sets, then some more of each set side by side, and
  /// so on, as far as some set has so many lines: most launches touch a small
  /// part of a large cache, and neighbours in memory then are neighbours here.
  /// Ways of a set fill in order.
  std::vector<Entry> entries;
  unsigned filled = 0; ///< Ways that have places.
  /// Of each way of each set, side by side: most lines that are not here are
  /// found to be so without a look at the entries.
  std::vector<uint8_t> marks;
  uint64_t clock = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHE_H
