// What each bank serves, in cases that can be counted by hand.

#include "fly/Arch/LdsModel.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace fly::arch;

namespace {

LdsBankLoad load(unsigned bytes, unsigned stride,
                 uint64_t exec = ~uint64_t(0)) {
  const LdsAccess *access =
      lookupLdsAccess(Chip::Gfx942, LdsDirection::Read, bytes);
  std::vector<uint32_t> addresses(64);
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = lane * stride;
  return ldsBankLoad(*access, addresses, exec);
}

} // namespace

TEST(LdsBankLoad, ConsecutiveDwordsUseEachBankAlike) {
  // 64 dwords in two phases over 32 banks: two each, nobody waits.
  LdsBankLoad each = load(4, 4);
  for (unsigned bank = 0; bank != 32; ++bank) {
    EXPECT_EQ(each.dwords[bank], 2u);
    EXPECT_EQ(each.waits[bank], 0u);
  }
  for (unsigned bank = 32; bank != 64; ++bank)
    EXPECT_EQ(each.dwords[bank], 0u);
}

TEST(LdsBankLoad, AStrideOfAllBanksMeetsOnOne) {
  // 32 lanes a phase, all on bank 0: one dword is served in time, 31 wait.
  LdsBankLoad each = load(4, 128);
  EXPECT_EQ(each.dwords[0], 64u);
  EXPECT_EQ(each.waits[0], 62u);
  EXPECT_EQ(std::accumulate(each.dwords.begin(), each.dwords.end(), 0u), 64u);
}

TEST(LdsBankLoad, LanesOfOneDwordShareIt) {
  LdsBankLoad each = load(4, 0);
  EXPECT_EQ(each.dwords[0], 2u);
  EXPECT_EQ(each.waits[0], 0u);
}

TEST(LdsBankLoad, LanesThatAreOffDoNotCount) {
  LdsBankLoad each = load(4, 128, /*exec=*/0x7);
  EXPECT_EQ(each.dwords[0], 3u);
  EXPECT_EQ(each.waits[0], 2u);
}

TEST(LdsBankLoad, WideReadsWaitBehindTheCyclesOfTheirPhase) {
  // A row of 256 bytes each: the 8 lanes of a phase meet on 4 banks.
  const LdsAccess *access =
      lookupLdsAccess(Chip::Gfx942, LdsDirection::Read, 16);
  LdsBankLoad each = load(16, 256);
  for (unsigned bank = 0; bank != 4; ++bank) {
    EXPECT_EQ(each.dwords[bank], 64u);
    EXPECT_EQ(each.waits[bank], 8u * (8 - access->cyclesPerPhase));
  }
  EXPECT_EQ(each.dwords[4], 0u);
}
