//===- LanePatternsTest.cpp - offsets of lanes that come again ------------===//
#include "../../../lib/Sim/Exec/LanePatterns.h"

#include <array>
#include <gtest/gtest.h>

using namespace fly::sim;

namespace {

using Offsets = std::array<uint32_t, waveLanes>;

Offsets rows(uint32_t base, uint32_t pitch) {
  Offsets offsets;
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    offsets[lane] = base + lane / 8 * pitch + lane % 8 * 16;
  return offsets;
}

constexpr uint64_t allLanes = ~uint64_t(0);

} // namespace

TEST(LanePatterns, findsWhatIsMoved) {
  LanePatterns patterns;
  auto first = patterns.find(3, allLanes, rows(4096, 512).data());
  ASSERT_TRUE(first.pattern);
  EXPECT_EQ(first.shift, 0);
  EXPECT_EQ(first.pattern->least, 4096u);
  EXPECT_EQ(first.pattern->most, 4096u + 7 * 512 + 7 * 16);
  auto later = patterns.find(3, allLanes, rows(4224, 512).data());
  EXPECT_EQ(later.pattern, first.pattern);
  EXPECT_EQ(later.shift, 128);
  auto before = patterns.find(3, allLanes, rows(0, 512).data());
  EXPECT_EQ(before.pattern, first.pattern);
  EXPECT_EQ(before.shift, -4096);
}

TEST(LanePatterns, tellsOthersApart) {
  LanePatterns patterns;
  const LanePattern *first =
      patterns.find(0, allLanes, rows(0, 512).data()).pattern;
  EXPECT_NE(patterns.find(0, allLanes, rows(0, 256).data()).pattern, first);
  EXPECT_NE(patterns.find(1, allLanes, rows(0, 512).data()).pattern, first);
  EXPECT_NE(patterns.find(0, allLanes >> 1, rows(0, 512).data()).pattern,
            first);
  Offsets last = rows(0, 512);
  last[63] += 4;
  EXPECT_NE(patterns.find(0, allLanes, last.data()).pattern, first);
}

// What disabled lanes hold does not matter, not even as the first.
TEST(LanePatterns, ignoresDisabledLanes) {
  LanePatterns patterns;
  constexpr uint64_t lanes = 0xff00;
  Offsets offsets = rows(0, 512);
  auto first = patterns.find(0, lanes, offsets.data());
  EXPECT_EQ(first.pattern->least, 512u);
  EXPECT_EQ(first.pattern->most, 512u + 7 * 16);
  offsets = rows(64, 512);
  offsets[0] = 7;
  offsets[63] = 5;
  auto again = patterns.find(0, lanes, offsets.data());
  EXPECT_EQ(again.pattern, first.pattern);
  EXPECT_EQ(again.shift, 64);
}

// Offsets are 32 bits; where some wrap around, the lanes are not as far from
// each other as those of the pattern.
TEST(LanePatterns, keepsClearOfWrappedOffsets) {
  LanePatterns patterns;
  auto first = patterns.find(0, allLanes, rows(0, 512).data());
  auto wrapped = patterns.find(0, allLanes, rows(0 - 1024u, 512).data());
  EXPECT_NE(wrapped.pattern, first.pattern);
  EXPECT_EQ(wrapped.pattern->least, 0u);
  EXPECT_EQ(wrapped.pattern->most, 0 - 512u + 7 * 16);
}

TEST(LanePatterns, givesUpOnGathers) {
  LanePatterns patterns;
  Offsets offsets = rows(0, 512);
  unsigned found = 0;
  for (unsigned i = 0; i != 100; ++i) {
    offsets[5] += 64;
    found += patterns.find(0, allLanes, offsets.data()).pattern != nullptr;
  }
  EXPECT_EQ(found, 16u);
  EXPECT_TRUE(patterns.find(1, allLanes, offsets.data()).pattern);
}
