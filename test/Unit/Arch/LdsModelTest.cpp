// The LDS rows against the fact sheet's groups and the published counter
// samples, and the conflict rule against a brute-force count.
//
// Rests on the assumptions LDS-942-READ-B96, LDS-942-WRITE-B64, LDS-950-B32,
// LDS-950-WRITE-B128, LDS-ADDRESS-CONFLICTS, LDS-LEGACY-HALVES, LDS-WRITE-B96.

#include "fly/Arch/LdsModel.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

using namespace fly::arch;

namespace {

const LdsAccess &row(Chip chip, LdsDirection direction, unsigned bytes) {
  const LdsAccess *access = lookupLdsAccess(chip, direction, bytes);
  EXPECT_NE(access, nullptr);
  return *access;
}

std::set<unsigned> lanesOf(const LdsAccess &access, unsigned phase) {
  std::set<unsigned> lanes;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (access.phaseOfLane[lane] == phase)
      lanes.insert(lane);
  return lanes;
}

std::vector<uint32_t> strided(unsigned bytes) {
  std::vector<uint32_t> addresses(64);
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = lane * bytes;
  return addresses;
}

} // namespace

TEST(LdsModel, GroupsOfTheFactSheet) {
  const LdsAccess &read942 = row(Chip::Gfx942, LdsDirection::Read, 16);
  EXPECT_EQ(read942.phases, 8u);
  EXPECT_EQ(lanesOf(read942, 0),
            (std::set<unsigned>{0, 1, 2, 3, 20, 21, 22, 23}));
  EXPECT_EQ(lanesOf(read942, 2),
            (std::set<unsigned>{8, 9, 10, 11, 28, 29, 30, 31}));
  EXPECT_EQ(lanesOf(read942, 5),
            (std::set<unsigned>{36, 37, 38, 39, 48, 49, 50, 51}));
  const LdsAccess &read950 = row(Chip::Gfx950, LdsDirection::Read, 16);
  EXPECT_EQ(read950.phases, 4u);
  EXPECT_EQ(read950.banks, 64u);
  EXPECT_EQ(lanesOf(read950, 0),
            (std::set<unsigned>{0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24,
                                25, 26, 27}));
  const LdsAccess &write942 = row(Chip::Gfx942, LdsDirection::Write, 16);
  EXPECT_EQ(lanesOf(write942, 1),
            (std::set<unsigned>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(lookupLdsAccess(Chip::Gfx942, LdsDirection::Read, 6), nullptr);
  EXPECT_EQ(lookupLdsAccess(Chip::Gfx1250, LdsDirection::Read, 16), nullptr);
}

TEST(LdsModel, LinearAccessIsFreeOfConflicts) {
  for (const LdsAccess &access : ldsAccesses()) {
    LdsCost cost = ldsCost(access, strided(access.bytesPerLane));
    if (access.bytesPerLane == 12 && access.direction == LdsDirection::Read) {
      // Lanes 0-3 and 20-23 of a phase: dwords 0-11 and 60-71 overlap.
      EXPECT_EQ(cost.conflictCycles, 8u);
      continue;
    }
    EXPECT_EQ(cost.conflictCycles, 0u) << access.mnemonic;
    EXPECT_EQ(cost.degree, 1u) << access.mnemonic;
    EXPECT_EQ(cost.phases, access.phases) << access.mnemonic;
  }
}

TEST(LdsModel, PublishedCounterSamples) {
  // ds_write_b64 with all lanes on one bank: 60 = 4 phases * 15.
  const LdsAccess &write = row(Chip::Gfx950, LdsDirection::Write, 8);
  EXPECT_EQ(ldsCost(write, strided(128)).conflictCycles, 60u);
  // Two conflicting lanes: 1.
  uint64_t twoLanes = 0b11;
  EXPECT_EQ(ldsCost(write, strided(128), twoLanes).conflictCycles, 1u);
  // The same dword is shared.
  EXPECT_EQ(ldsCost(write, std::vector<uint32_t>(64, 64)).conflictCycles, 0u);
}

TEST(LdsModel, LanesOfDifferentPhasesDoNotConflict) {
  const LdsAccess &read = row(Chip::Gfx950, LdsDirection::Read, 16);
  for (unsigned other = 1; other < 64; ++other) {
    uint64_t exec = 1 | uint64_t(1) << other;
    bool samePhase = read.phaseOfLane[other] == read.phaseOfLane[0];
    EXPECT_EQ(ldsCost(read, strided(256), exec).conflictCycles,
              samePhase ? 1u : 0u)
        << other;
  }
}

TEST(LdsModel, AgreesWithBruteForce) {
  uint32_t state = 12345;
  auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (const LdsAccess &access : ldsAccesses())
    for (unsigned round = 0; round < 50; ++round) {
      std::vector<uint32_t> addresses(64);
      for (uint32_t &address : addresses)
        address = (next() >> 16) % 2048 * 4;
      uint64_t exec = uint64_t(next()) << 32 | next();
      unsigned conflicts = 0;
      for (unsigned phase = 0; phase < access.phases; ++phase) {
        std::map<unsigned, std::set<unsigned>> dwords;
        for (unsigned lane = 0; lane < 64; ++lane)
          if (access.phaseOfLane[lane] == phase && exec >> lane & 1)
            for (unsigned d = 0; d < access.bytesPerLane / 4; ++d)
              dwords[(addresses[lane] / 4 + d) % access.banks].insert(
                  addresses[lane] / 4 + d);
        size_t worst = access.cyclesPerPhase;
        for (const auto &bank : dwords)
          worst = std::max(worst, bank.second.size());
        conflicts += worst - access.cyclesPerPhase;
      }
      EXPECT_EQ(ldsCost(access, addresses, exec).conflictCycles, conflicts);
    }
}

// Two phases of 32 lanes: those that meet on an address wait for each other.
TEST(LdsModel, AtomicsOnOneAddressWait) {
  const LdsAccess &access = row(Chip::Gfx942, LdsDirection::Write, 4);
  std::vector<uint32_t> addresses(64, 256);
  EXPECT_EQ(ldsAddressConflicts(access, addresses), 2 * 31u);
  EXPECT_EQ(ldsAddressConflicts(access, addresses, 0xffff), 15u);
  EXPECT_EQ(ldsAddressConflicts(access, addresses, 0), 0u);
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = lane % 8 * 4;
  EXPECT_EQ(ldsAddressConflicts(access, addresses), 2 * 3u);
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = lane * 4;
  EXPECT_EQ(ldsAddressConflicts(access, addresses), 0u);
  // The most lanes on one address: 20 here, 12 on another.
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = lane % 32 < 20 ? 0 : 4;
  EXPECT_EQ(ldsAddressConflicts(access, addresses), 2 * 19u);
}
