//===- GridWalkTest.cpp - Walks over grids are permutations ---------------===//
#include "fly/Plan/GridWalk.h"

#include <numeric>
#include <set>
#include <vector>

#include "gtest/gtest.h"

using namespace fly::plan;

static llvm::SmallVector<int64_t, 3> getTile(int64_t position,
                                             const std::vector<int64_t> &counts,
                                             const GridWalk &walk) {
  NumberArith b;
  return getCoordinates<NumberArith, int64_t>(
      b, position, counts.size(), [&](unsigned dim) { return counts[dim]; },
      walk);
}

static std::vector<int64_t> getPositions(int64_t total, int64_t xcds) {
  NumberArith b;
  GridWalk walk;
  walk.xcds = xcds;
  std::vector<int64_t> positions;
  for (int64_t id = 0; id < total; ++id)
    positions.push_back(getPosition(b, id, total, walk));
  return positions;
}

TEST(GridWalkTest, TenWorkgroupsOnEightDies) {
  EXPECT_EQ(getPositions(10, 8),
            (std::vector<int64_t>{0, 2, 4, 5, 6, 7, 8, 9, 1, 3}));
}

TEST(GridWalkTest, PositionsArePermutations) {
  for (int64_t xcds : {1, 2, 3, 8})
    for (int64_t total = 1; total <= 512; ++total) {
      std::vector<int64_t> positions = getPositions(total, xcds);
      // Each die has neighbours.
      for (int64_t id = xcds; id < total; ++id)
        ASSERT_EQ(positions[id], positions[id - xcds] + 1);
      std::sort(positions.begin(), positions.end());
      std::vector<int64_t> all(total);
      std::iota(all.begin(), all.end(), 0);
      ASSERT_EQ(positions, all) << total << " on " << xcds;
    }
}

TEST(GridWalkTest, CoordinatesArePermutations) {
  using Order = GridWalk::Order;
  unsigned walks = 0;
  for (std::vector<int64_t> counts : {std::vector<int64_t>{7},
                                      {1, 1},
                                      {5, 3},
                                      {8, 9},
                                      {13, 1},
                                      {1, 13},
                                      {3, 4, 5},
                                      {9, 2, 4},
                                      {1, 6, 2}})
    for (Order order : {Order::NFastest, Order::MFastest, Order::Grouped,
                        Order::LongestFirst})
      for (int64_t group : {1, 2, 4, 5, 100})
        for (unsigned slowest = 0; slowest <= counts.size(); ++slowest) {
          GridWalk walk;
          walk.order = order;
          walk.group = group;
          if (slowest < counts.size())
            walk.slowest = slowest;
          int64_t total = std::accumulate(counts.begin(), counts.end(),
                                          int64_t(1), std::multiplies<>());
          std::set<std::vector<int64_t>> seen;
          for (int64_t position = 0; position < total; ++position) {
            auto at = getTile(position, counts, walk);
            for (unsigned dim = 0; dim < counts.size(); ++dim) {
              ASSERT_GE(at[dim], 0);
              ASSERT_LT(at[dim], counts[dim]);
            }
            seen.insert(std::vector<int64_t>(at.begin(), at.end()));
          }
          ASSERT_EQ(int64_t(seen.size()), total);
          ++walks;
        }
  EXPECT_EQ(walks, 20u * (1 * 2 + 5 * 3 + 3 * 4));
}

static std::vector<std::vector<int64_t>> getWalk(const GridWalk &walk,
                                                 std::vector<int64_t> counts) {
  std::vector<std::vector<int64_t>> result;
  int64_t total = std::accumulate(counts.begin(), counts.end(), int64_t(1),
                                  std::multiplies<>());
  for (int64_t position = 0; position < total; ++position) {
    auto at = getTile(position, counts, walk);
    result.emplace_back(at.begin(), at.end());
  }
  return result;
}

// Two rows of tiles together, then the one that is left.
TEST(GridWalkTest, Grouped) {
  GridWalk walk;
  walk.order = GridWalk::Order::Grouped;
  walk.group = 2;
  EXPECT_EQ(getWalk(walk, {3, 2}),
            (std::vector<std::vector<int64_t>>{
                {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
}

TEST(GridWalkTest, LongestFirst) {
  GridWalk walk;
  walk.order = GridWalk::Order::LongestFirst;
  EXPECT_EQ(getWalk(walk, {2, 2}), (std::vector<std::vector<int64_t>>{
                                       {1, 0}, {1, 1}, {0, 0}, {0, 1}}));
  walk.slowest = 1;
  EXPECT_EQ(getWalk(walk, {2, 2}), (std::vector<std::vector<int64_t>>{
                                       {1, 0}, {0, 0}, {1, 1}, {0, 1}}));
}

// Eight heads on eight dies: every workgroup of a head has the same die.
TEST(GridWalkTest, ADimensionStaysOnItsDie) {
  NumberArith b;
  GridWalk walk;
  walk.xcds = 8;
  walk.slowest = 1;
  walk.order = GridWalk::Order::LongestFirst;
  std::vector<int64_t> counts = {5, 16, 3};
  int64_t total = 5 * 16 * 3;
  for (int64_t id = 0; id < total; ++id) {
    auto at = getTile(getPosition(b, id, total, walk), counts, walk);
    EXPECT_EQ(at[1] / 2, id % 8);
  }
}
