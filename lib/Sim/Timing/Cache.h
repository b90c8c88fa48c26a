//===- Cache.h - which lines a cache holds ----------------------*- C++ -*-===//
//
// Sets of a number of ways, the least recently used one is replaced. A line
// has a time when it has arrived, so that an access to a line under way waits
// for it and does not fetch it again.
// What it costs the host: most of it is waiting for memory. What most questions
// need of a set stands side by side: a mark of each line, and the order of use.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_CACHE_H
#define FLY_LIB_SIM_TIMING_CACHE_H

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "Machine.h"

namespace fly::sim {

class Cache {
public:
  /// Sizes in bytes; the number of sets is rounded down to at least one.
  Cache(uint64_t bytes, unsigned lineBytes, unsigned ways)
      : lineBytes(lineBytes), ways(ways),
        sets(std::max<uint64_t>(bytes / lineBytes / ways, 1)),
        mask((sets & (sets - 1)) == 0 ? sets - 1 : 0),
        markWords((ways + 7) / 8), rowWords(markWords + (isOrdered() ? 1 : 0)) {
    for (unsigned i = 0; i != 16; ++i)
      firstOrder |= uint64_t(i < ways ? ways - 1 - i : i) << (4 * i);
  }

  uint64_t lineOf(uint64_t address) const { return address / lineBytes; }

  /// The line's time of arrival, if it is here or under way; null if not.
  /// Valid until the next insert().
  Ticks *find(uint64_t line) {
    if (rows.empty())
      return nullptr;
    size_t set = setOf(line);
    const uint64_t *row = &rows[set * rowWords];
    const uint64_t mark = markOf(line) * bytesOfOnes;
    for (unsigned word = 0; word != markWords && row[word]; ++word) {
      uint64_t other = row[word] ^ mark;
      for (uint64_t found = zeroBytes(other); found; found &= found - 1) {
        unsigned way = word * 8 + firstByte(found);
        Entry *entry = entryOf(set, way);
        if ((other >> (way % 8 * 8) & 0xff) || entry->line != line)
          continue;
        use(set, way);
        return &entry->arrival;
      }
    }
    return nullptr;
  }
  /// Puts a line in place of the one that was not used for longest.
  void insert(uint64_t line, Ticks arrival) {
    if (rows.empty()) {
      rows.resize(sets * rowWords);
      lastUses.resize(isOrdered() ? 0 : sets * ways);
    }
    size_t set = setOf(line);
    unsigned way = oldestOf(set);
    if (!entryOf(set, way))
      addPlane();
    uint64_t &word = rows[set * rowWords + way / 8];
    unsigned shift = way % 8 * 8;
    word = (word & ~(uint64_t(0xff) << shift)) | markOf(line) << shift;
    *entryOf(set, way) = {line, arrival};
    use(set, way);
  }
  /// Has the host fetch what find() will look at first.
  void prefetch(uint64_t line) const {
    if (!rows.empty())
      __builtin_prefetch(&rows[setOf(line) * rowWords]);
  }
  /// The same of what it looks at next, if the line seems to be here.
  bool prefetchEntry(uint64_t line) {
    if (rows.empty())
      return false;
    size_t set = setOf(line);
    const uint64_t *row = &rows[set * rowWords];
    const uint64_t mark = markOf(line) * bytesOfOnes;
    for (unsigned word = 0; word != markWords; ++word)
      if (uint64_t found = zeroBytes(row[word] ^ mark)) {
        __builtin_prefetch(entryOf(set, word * 8 + firstByte(found)));
        return true;
      }
    return false;
  }
  /// Calls `visit` with the time of each line that is here.
  template <typename Visit>
  void forEachArrival(Visit visit) {
    for (size_t set = 0; !rows.empty() && set != sets; ++set)
      for (unsigned way = 0; way != ways; ++way)
        if (rows[set * rowWords + way / 8] >> (way % 8 * 8) & 0xff)
          visit(entryOf(set, way)->arrival);
  }
  /// Holds nothing any more.
  void clear() {
    rows.clear();
    lastUses.clear();
  }

private:
  struct Entry {
    uint64_t line;
    Ticks arrival;
  };
  size_t setOf(uint64_t line) const {
    // Folds upper bits in, as hardware does, so that strides of powers of two
    // do not meet in one set.
    uint64_t folded = line ^ (line >> 10) ^ (line >> 20);
    return size_t(mask ? folded & mask : folded % sets);
  }
  /// Some bits of a line, never 0, which is an empty place.
  static uint64_t markOf(uint64_t line) {
    return (line * 0x9E3779B97F4A7C15u >> 56) | 1;
  }

  /// The top bits of bytes that are zero, and of some above them.
  static uint64_t zeroBytes(uint64_t word) {
    return (word - bytesOfOnes) & ~word & (bytesOfOnes << 7);
  }
  static unsigned firstByte(uint64_t bits) {
    return unsigned(llvm::countr_zero(bits)) / 8;
  }

  /// Up to 16 ways: one word has their numbers in the order of use.
  bool isOrdered() const { return ways <= 16; }
  /// Ways in use, from the latest (the lowest four bits) on; those that were
  /// never used are filled in ascending order. 0 stands for `firstOrder`.
  uint64_t orderOf(size_t set) const {
    uint64_t order = rows[set * rowWords + markWords];
    return order ? order : firstOrder;
  }
  void use(size_t set, unsigned way) {
    if (!isOrdered()) {
      lastUses[set * ways + way] = ++clock;
      return;
    }
    uint64_t order = orderOf(set);
    uint64_t other = order ^ (way * nibblesOfOnes);
    uint64_t found = (other - nibblesOfOnes) & ~other & (nibblesOfOnes << 3);
    unsigned place = unsigned(llvm::countr_zero(found)) & ~3u;
    uint64_t before = (uint64_t(1) << place) - 1;
    rows[set * rowWords + markWords] =
        (order & ~(before << 4 | 0xf)) | (order & before) << 4 | way;
  }
  unsigned oldestOf(size_t set) const {
    if (isOrdered())
      return unsigned(orderOf(set) >> (4 * (ways - 1)) & 0xf);
    auto begin = lastUses.begin() + ptrdiff_t(set * ways);
    return unsigned(std::min_element(begin, begin + ways) - begin);
  }

  /// The first ways of all sets, then some more of each set side by side, and
  /// so on, as far as some set has so many lines: most launches touch a small
  /// part of a large cache, and neighbours in memory then are neighbours here.
  /// Null if there is no place for it yet.
  Entry *entryOf(size_t set, unsigned way) {
    if (way == 0)
      return planes.empty() ? nullptr : &planes[0][set];
    size_t plane = 1 + (way - 1) / planeWays;
    return plane < planes.size()
               ? &planes[plane][set * planeWays + (way - 1) % planeWays]
               : nullptr;
  }
  /// Ways of a set fill in order. What is not used costs the host no memory.
  void addPlane() {
    planes.emplace_back(new Entry[sets * (planes.empty() ? 1 : planeWays)]);
  }

  static constexpr unsigned planeWays = 5;
  static constexpr uint64_t bytesOfOnes = 0x0101010101010101,
                            nibblesOfOnes = 0x1111111111111111;

  unsigned lineBytes, ways;
  uint64_t sets;
  uint64_t mask; ///< Of a power of two of sets: a division costs more than all.
  unsigned markWords, rowWords;
  uint64_t firstOrder = 0;
  /// Of each set: the marks of its ways, then their order. Most lines that are
  /// not here are found to be so without a look at the entries.
  std::vector<uint64_t> rows;
  std::vector<std::unique_ptr<Entry[]>> planes;
  /// Of more ways than an order has: when each was used; 0: never.
  std::vector<uint64_t> lastUses;
  uint64_t clock = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_CACHE_H
