//===- CacheTest.cpp - lines of caches against a plain list ---------------===//
#include "../../../lib/Sim/Timing/Cache.h"

#include <gtest/gtest.h>
#include <list>
#include <random>

using namespace fly::sim;

namespace {

/// The lines of one set, the latest first.
class PlainSet {
public:
  explicit PlainSet(size_t ways) : ways(ways) {}
  Ticks *find(uint64_t line) {
    for (auto it = lines.begin(); it != lines.end(); ++it)
      if (it->first == line) {
        lines.splice(lines.begin(), lines, it);
        return &it->second;
      }
    return nullptr;
  }
  void insert(uint64_t line, Ticks arrival) {
    lines.emplace_front(line, arrival);
    if (lines.size() > ways)
      lines.pop_back();
  }
  uint64_t sum() const {
    uint64_t sum = 0;
    for (auto [line, arrival] : lines)
      sum += arrival;
    return sum;
  }

private:
  size_t ways;
  std::list<std::pair<uint64_t, Ticks>> lines;
};

class CacheWays : public testing::TestWithParam<unsigned> {};

} // namespace

// One set, so that the plain list is the whole cache: hits, what is replaced,
// what is kept with a line, and what a cleared cache holds.
TEST_P(CacheWays, replacesTheLeastRecentlyUsed) {
  const unsigned ways = GetParam();
  Cache cache(uint64_t(64) * ways, 64, ways);
  PlainSet plain(ways);
  std::mt19937_64 random(ways);
  unsigned hits = 0;
  for (unsigned i = 1; i != 20000; ++i) {
    if (i == 10000) {
      cache.clear();
      plain = PlainSet(ways);
    }
    uint64_t line = random() % (2 * ways + 1);
    Ticks *found = cache.find(line), *expected = plain.find(line);
    ASSERT_EQ(found == nullptr, expected == nullptr) << i;
    if (!found) {
      cache.insert(line, i);
      plain.insert(line, i);
      continue;
    }
    ++hits;
    ASSERT_EQ(*found, *expected) << i;
    *found += line;
    *expected += line;
  }
  EXPECT_GT(hits, 1000u);
  uint64_t sum = 0;
  cache.forEachArrival([&](Ticks &arrival) { sum += arrival; });
  EXPECT_EQ(sum, plain.sum());
}

INSTANTIATE_TEST_SUITE_P(Ways, CacheWays,
                         testing::Values(1, 2, 4, 7, 8, 9, 15, 16, 17, 64));
