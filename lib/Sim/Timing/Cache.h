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
        entries(sets * ways) {}

  uint64_t lineOf(uint64_t address) const { return address / lineBytes; }

  /// The line's time of arrival, if it is here or under way; null if not.
  Ticks *find(uint64_t line) {
    Entry *set = &entries[indexOf(line)];
    for (unsigned way = 0; way != ways; ++way)
      if (set[way].tag == line + 1) {
        set[way].used = ++clock;
        return &set[way].arrival;
      }
    return nullptr;
  }
  /// Puts a line in place of the one that was not used for longest.
  void insert(uint64_t line, Ticks arrival) {
    Entry *set = &entries[indexOf(line)];
    Entry *oldest =
        std::min_element(set, set + ways, [](const Entry &a, const Entry &b) {
          return a.used < b.used;
        });
    *oldest = {line + 1, ++clock, arrival};
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
  size_t indexOf(uint64_t line) const {
    // Folds upper bits in, as hardware does, so that strides of powers of two
    // do not meet in one set.
    return size_t((line ^ (line >> 10) ^ (line >> 20)) % sets) * ways;
  }

  unsigned lineBytes, ways;
  uint64_t sets;
  std::vector<Entry> entries;
  uint64_t clock = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHE_H
