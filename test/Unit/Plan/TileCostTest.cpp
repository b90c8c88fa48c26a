//===- TileCostTest.cpp - What a tile of K costs a compute unit -----------===//
//
// The parts of the estimate, by hand, and that it ranks as the timing model
// does (docs/Rationale/Levers.md).
//
//===----------------------------------------------------------------------===//
#include "fly/Plan/TileCost.h"

#include "fly/Arch/ArchInfo.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::plan;

static DotTile makeTile(int64_t m, int64_t n, int64_t k, int64_t wavesM,
                        int64_t wavesN, unsigned stages) {
  DotTile tile;
  tile.m = m;
  tile.n = n;
  tile.k = k;
  tile.wavesM = wavesM;
  tile.wavesN = wavesN;
  tile.a.stages = tile.b.stages = stages;
  return tile;
}

static TileCost cost(const char *chip, const DotTile &tile) {
  const arch::ArchInfo &info = *arch::ArchInfo::lookup(chip);
  using E = arch::ElementType;
  return estimateCost(info, tile,
                      *findInstruction(info, tile, E::Bf16, E::Bf16),
                      /*isNarrow=*/false);
}

TEST(TileCost, CountsMatrixLdsAndMemory) {
  // 128x128x64: 8 * 8 * 4 instructions of 16 cycles over four SIMDs.
  TileCost tile = cost("gfx942", makeTile(128, 128, 64, 2, 2, 2));
  EXPECT_EQ(tile.matrix, 8 * 8 * 4 * 16 / 4);
  // Each operand is read by two waves' rows: 2 * 2 * 16384 bytes at 128 a
  // cycle; written once at 2 * 38.
  EXPECT_DOUBLE_EQ(tile.lds, 4 * 16384 / 128.0 + 2 * 16384 / 76.0);
  EXPECT_EQ(tile.memory, 2 * 16384 / 64.0);
  EXPECT_EQ(tile.busiest(), tile.matrix);
  EXPECT_EQ(tile.ofResident(3), 3 * tile.matrix + tile.waits);
}

TEST(TileCost, OneBufferWaitsLongerAndTurnsLess) {
  double two = cost("gfx942", makeTile(128, 128, 64, 2, 2, 2)).waits;
  double one = cost("gfx942", makeTile(128, 128, 64, 2, 2, 1)).waits;
  double turns = cost("gfx942", makeTile(256, 256, 32, 2, 4, 2)).waits;
  EXPECT_GT(one, two);
  EXPECT_LT(turns, two);
}

TEST(TileCost, FragmentsFromMemoryAreReadByEachRowOfWaves) {
  DotTile tile = makeTile(128, 256, 64, 2, 2, 2);
  tile.b.inLds = false;
  TileCost preshuffled = cost("gfx950", tile);
  // A once, B by two rows of waves; A alone goes through LDS.
  EXPECT_EQ(preshuffled.memory, (128 * 128 + 2 * 256 * 128) / 64.0);
  EXPECT_DOUBLE_EQ(preshuffled.lds, 2 * 16384 / 256.0 + 16384 / 76.0);
}

TEST(TileCost, ResidentWorkgroupsFollowFromLdsAndRegisters) {
  const arch::ArchInfo &chip = *arch::ArchInfo::lookup("gfx942");
  // 65536 bytes of LDS hold one with two buffers, two with one.
  EXPECT_EQ(estimateResident(chip, makeTile(128, 128, 64, 2, 2, 2)), 1);
  EXPECT_EQ(estimateResident(chip, makeTile(128, 128, 64, 2, 2, 1)), 2);
  // More than all registers is still one.
  EXPECT_EQ(estimateResident(chip, makeTile(512, 512, 32, 2, 2, 1)), 1);
}
