// Rules at their borders, and the numbers that their texts give.

#include "fly/Plan/Rules.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::plan;

static const arch::ArchInfo &chip(const char *name) {
  return *arch::ArchInfo::lookup(name);
}

TEST(Rules, SplitsNeedWholeInstructions) {
  DotTile tile;
  tile.m = 96;
  tile.n = 192;
  tile.k = 64;
  tile.wavesM = 2;
  tile.wavesN = 2;
  EXPECT_TRUE(checkSplit(tile, DotTile::A).holds);
  EXPECT_EQ(checkSplit(tile, DotTile::A).text, "96 = 3 * 32 (2 waves * 16)");
  tile.mfma = 32;
  EXPECT_FALSE(checkSplit(tile, DotTile::A).holds);
  EXPECT_EQ(checkSplit(tile, DotTile::A).text,
            "96 is no multiple of 64 (2 waves * 32)");
  EXPECT_TRUE(checkSplit(tile, DotTile::B).holds);
}

TEST(Rules, RowsAndPacksAlongK) {
  DotTile tile;
  tile.a.bits = 8;
  tile.k = 96;
  EXPECT_FALSE(checkRows(tile).holds);
  EXPECT_EQ(checkRows(tile).text,
            "96 is no multiple of 64 (96 elements of 8 bits)");
  tile.a.bits = 16;
  EXPECT_TRUE(checkRows(tile).holds);
  EXPECT_TRUE(checkPacks(tile).holds);
  tile.k = 48;
  EXPECT_EQ(checkPacks(tile).text,
            "48 is no multiple of 32 (64 lanes / 16 * 8 elements)");
}

TEST(Rules, TurnsAreOfTwoWavesASimd) {
  EXPECT_TRUE(checkTurns(chip("gfx942"), 8).holds);
  for (int64_t waves : {1, 2, 4, 16})
    EXPECT_FALSE(checkTurns(chip("gfx950"), waves).holds) << waves;
  EXPECT_EQ(checkTurns(chip("gfx950"), 4).text,
            "4 waves, two on each of 4 SIMDs are 8");
}

/// gfx942 copies 4 bytes past the registers at once, half an f64.
TEST(Rules, CopiesHoldWholeElements) {
  Rule rule = checkDirectCopy(chip("gfx942"), "a", 64, 128, 16384, 512);
  EXPECT_FALSE(rule.holds);
  EXPECT_EQ(rule.text, "elements of 8 bytes are wider than what gfx942 copies "
                       "at once, 4");
  EXPECT_TRUE(checkDirectCopy(chip("gfx942"), "a", 32, 128, 16384, 512).holds);
  EXPECT_TRUE(checkDirectCopy(chip("gfx950"), "a", 64, 128, 16384, 512).holds);
}

TEST(Rules, LdsLimitIsInclusive) {
  Budget budget;
  budget.add("a", 65536);
  EXPECT_TRUE(checkLds(chip("gfx942"), budget).holds);
  budget.add("b", 16);
  EXPECT_FALSE(checkLds(chip("gfx942"), budget).holds);
  EXPECT_EQ(checkLds(chip("gfx942"), budget).text, "65552 of 65536 bytes");
  EXPECT_TRUE(checkLds(chip("gfx950"), budget).holds);
}

TEST(Rules, RegistersShrinkWithWaves) {
  Budget budget;
  budget.add("accumulators", 256);
  EXPECT_TRUE(checkRegisters(chip("gfx942"), budget, 2).holds);
  EXPECT_FALSE(checkRegisters(chip("gfx942"), budget, 3).holds);
  EXPECT_EQ(checkRegisters(chip("gfx942"), budget, 3).text,
            "estimated 256 of 168 vector registers a lane with 3 waves a SIMD");
}

TEST(Rules, CopiesAreWholeOrGuarded) {
  EXPECT_EQ(checkCopy("a", 8192, 256).text,
            "8192 = 2 * 4096 bytes (256 threads * 16)");
  Rule guarded = checkCopy("a", 14336, 256);
  EXPECT_TRUE(guarded.holds);
  EXPECT_EQ(guarded.text, "14336 is no multiple of 4096 bytes (256 threads * "
                          "16): guarded, some threads are idle in its last "
                          "round");
}

TEST(Rules, XorNeedsAPowerOfTwo) {
  EXPECT_TRUE(checkXor("a", 128).holds);
  EXPECT_FALSE(checkXor("a", 192).holds);
  EXPECT_FALSE(checkXor("a", 8).holds);
}

TEST(Rules, InstructionsAreTheChips) {
  DotTile tile;
  tile.a.bits = tile.b.bits = 4;
  using E = arch::ElementType;
  EXPECT_FALSE(checkInstruction(chip("gfx942"), tile, E::Fp4, E::Fp4).holds);
  EXPECT_EQ(checkInstruction(chip("gfx942"), tile, E::Fp4, E::Fp4).text,
            "gfx942 has none of 16x16 for fp4 and fp4 whose k divides 0");
  EXPECT_TRUE(checkInstruction(chip("gfx950"), tile, E::Fp4, E::Fp4).holds);
}
