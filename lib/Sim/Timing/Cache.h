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
    for (size_t at = setOf(line); at < entries.size(); at += sets) {
      Entry &entry = entries[at];
      if (entry.tag == line + 1) {
        entry.used = ++clock;
        return &entry.arrival;
      }
      if (entry.tag == 0)
        break;
    }
    return nullptr;
  }
  /// Puts a line in place of the one that was not used for longest.
  void insert(uint64_t line, Ticks arrival) {
    size_t set = setOf(line), oldest = set, at = set;
    for (; at < entries.size() && entries[at].tag != 0; at += sets)
      if (entries[at].used < entries[oldest].used)
        oldest = at;
    if (at < sets * ways) {
      oldest = at;
      if (at >= entries.size())
        entries.resize(entries.size() + sets);
    }
    entries[oldest] = {line + 1, ++clock, arrival};
  }
  /// Has the host fetch what find() will look at first.
  void prefetch(uint64_t line) const {
    if (size_t at = setOf(line); at < entries.size())
      __builtin_prefetch(&entries[at]);
  }
  /// Calls `visit` with the time of each line that is here.
  template <typename Visit>
  void forEachArrival(Visit visit) {
    for (Entry &entry : entries)
      if (entry.tag)
        visit(entry.arrival);
  }

private:
  struct Entry {
    uint64_t tag = 0; ///< Line and 1; 0 is empty.
    uint64_t used = 0;
    Ticks arrival = 0;
  };
  size_t setOf(uint64_t line) const {
    // Folds upper bits in, as hardware does, so that strides of powers of two
    // do not meet in one set.
    uint64_t folded = line ^ (line >> 10) ^ (line >> 20);
    return size_t(mask ? folded & mask : folded % sets);
  }

  unsigned lineBytes, ways;
  uint64_t sets;
  uint64_t mask; ///< Of a power of two of sets: a division costs more than all.
  /// The first ways of all sets, then the second ones, and so on, as far as
  /// some set has so many lines: most launches touch a small part of a large
  /// cache, and neighbours in memory then are neighbours here. Ways of a set
  /// fill in order.
  std::vector<Entry> entries;
  uint64_t clock = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHE_H
