// Numbers of dots that were worked out by hand.

#include "fly/Plan/DotTile.h"

#include "fly/Plan/WaveSplit.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::plan;

namespace {

const arch::ArchInfo &chip(const char *name) {
  return *arch::ArchInfo::lookup(name);
}

DotTile makeTile(int64_t m, int64_t n, int64_t k, unsigned bits, int64_t wavesM,
                 int64_t wavesN, int64_t mfma = 16) {
  DotTile tile;
  tile.m = m;
  tile.n = n;
  tile.k = k;
  tile.wavesM = wavesM;
  tile.wavesN = wavesN;
  tile.mfma = mfma;
  tile.a.bits = tile.b.bits = bits;
  return tile;
}

} // namespace

TEST(DotTile, EightBitFloatsOverFourWaves) {
  DotTile tile = makeTile(64, 256, 128, 8, 1, 4);
  EXPECT_EQ(tile.mRepeat(), 4);
  EXPECT_EQ(tile.nPerWave(), 64);
  EXPECT_EQ(tile.accumulatorsN(), 4);
  EXPECT_EQ(tile.microStep(), 64);
  EXPECT_EQ(tile.microSteps(), 2);
  const arch::MfmaRow *row = findInstruction(
      chip("gfx942"), tile, arch::ElementType::Fp8, arch::ElementType::Fp8);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->k, 32u);
  EXPECT_EQ(tile.mfmasAlongK(*row), 4);
  EXPECT_EQ(tile.mfmasPerTile(*row), 64);
  EXPECT_EQ(tile.copyRounds(DotTile::A), 2);
  EXPECT_EQ(tile.copyRounds(DotTile::B), 8);
  // All waves read all rows of A, each its own of B.
  EXPECT_EQ(tile.ldsReads(DotTile::A), 8);
  EXPECT_EQ(tile.ldsReads(DotTile::B), 8);
  EXPECT_EQ(tile.ldsBytes(), 2 * (64 + 256) * 128);
  EXPECT_EQ(tile.accumulatorRegisters(), 64);
}

TEST(DotTile, InstructionOfEachChip) {
  using E = arch::ElementType;
  struct {
    const char *chip;
    unsigned bits;
    int64_t mfma;
    E type;
    unsigned k;
  } rows[] = {{"gfx942", 16, 16, E::Bf16, 16}, {"gfx950", 16, 16, E::Bf16, 32},
              {"gfx942", 16, 32, E::F16, 8},   {"gfx950", 16, 32, E::F16, 16},
              {"gfx942", 8, 16, E::I8, 32},    {"gfx950", 8, 16, E::I8, 64}};
  for (const auto &row : rows) {
    DotTile tile = makeTile(64, 64, 128, row.bits, 1, 1, row.mfma);
    const arch::MfmaRow *found =
        findInstruction(chip(row.chip), tile, row.type, row.type);
    ASSERT_TRUE(found) << row.chip << " " << row.bits;
    EXPECT_EQ(found->k, row.k) << row.chip << " " << row.bits;
  }
}

TEST(DotTile, RegistersByMember) {
  // bf16 128x128x64 over 2x2 waves: 64 accumulators; 64 rows * 32 elements * 2
  // bytes / 256 = 16 for each operand; 16384 bytes / 4096 = 4 loads of 4.
  Budget budget = makeTile(128, 128, 64, 16, 2, 2).registers();
  ASSERT_EQ(budget.members.size(), 6u);
  uint64_t amounts[] = {64, 16, 16, 16, 16, 16};
  for (auto [member, amount] : llvm::zip_equal(budget.members, amounts))
    EXPECT_EQ(member.amount, amount) << member.text;
  EXPECT_EQ(budget.total(), 144u);

  // B from registers: two sets of its whole tile of 64 elements of k.
  DotTile tile = makeTile(128, 128, 64, 16, 2, 2);
  tile.b.inLds = false;
  EXPECT_EQ(tile.registers().total(), 64u + 16 + 16 + 32 + 32 + 16);
  EXPECT_EQ(tile.ldsReads(DotTile::B), 0);
  EXPECT_EQ(tile.ldsBytes(), 2 * 128 * 64 * 2);
}

TEST(DotTile, WeightsOf4BitsDoNotWidenWhatIsReadAtOnce) {
  // Packs of 32 elements, as 16 bytes of 4 bits have; A of f16 is read from LDS
  // 8 elements at once all the same: 256 rows * 32 elements * 2 bytes / 256.
  DotTile tile = makeTile(256, 128, 256, 16, 1, 8);
  tile.pack = 32;
  tile.b.isLoaded = false;
  tile.a.stages = 1;
  Budget budget = tile.registers();
  EXPECT_EQ(budget.members[1].amount, 64u) << budget.members[1].text;
  // Accumulators, A, its prefetch, all of B, addresses: the code has 250.
  EXPECT_EQ(budget.total(), 64u + 64 + 64 + 32 + 16);
}

TEST(DotTile, ScalesAndWholeScaledInstructions) {
  // fp8 128x128x128 over 2x2 waves. An instruction takes 128 of k, so fragments
  // are 64 * 128 / 256 = 32; four blocks of rows have a scale each, twice.
  DotTile tile = makeTile(128, 128, 128, 8, 2, 2);
  tile.pack = 16;
  tile.isScaled = true;
  for (OperandTile *operand : {&tile.a, &tile.b})
    operand->sources.push_back({"scales", 4, 8});
  Budget budget = tile.registers();
  EXPECT_EQ(budget.total(), 64u + 2 * (32 + 16 + 8) + 16);
  // Another order has less of an instruction at a time, and no more than the
  // scales of the next.
  EXPECT_EQ(budget.least(), 64u + 2 * (16 + 16) + 16);

  // Of four instructions along k, with four scales at once: as many registers.
  tile = makeTile(32, 64, 512, 4, 1, 1);
  tile.pack = 128;
  tile.isScaled = true;
  tile.a.sources.push_back({"scales", 16, 8, /*atOnce=*/4});
  budget = tile.registers();
  auto scales = llvm::find_if(budget.members, [](const BudgetMember &member) {
    return llvm::StringRef(member.text).starts_with("scales");
  });
  ASSERT_NE(scales, budget.members.end());
  EXPECT_EQ(scales->amount, 4u) << scales->text;
}

TEST(DotTile, LoadsNarrowerThanARegister) {
  // 4 loads of 16 bytes are 32 of 2 bytes, a register each until they are put
  // together, which another order need not have at once.
  DotTile tile = makeTile(128, 128, 64, 16, 2, 2);
  tile.a.loadBytes = tile.b.loadBytes = 2;
  EXPECT_EQ(tile.registers().total(), 144u + 2 * 16);
  EXPECT_EQ(tile.registers().least(), 144u);
  tile.a.loadBytes = 1;
  EXPECT_EQ(tile.registers().total(), 144u + 48 + 16);
}

TEST(DotTile, WeightsThatAreWidened) {
  // f16 128x128x128 over 2x2 waves, B of 4 bits: 64 rows * 128 * 4 bits / 2048
  // = 16 twice, a scale for each of 4 rows twice, all of B in f16 and f32.
  DotTile tile = makeTile(128, 128, 128, 16, 2, 2);
  tile.pack = 32;
  tile.b.isLoaded = false;
  tile.b.widestBits = 32;
  tile.b.sources.push_back({"weights", 128, 4, /*atOnce=*/32});
  tile.b.sources.push_back({"scales", 1, 16});
  EXPECT_EQ(tile.registers().total(), 64u + 16 + 32 + 64 + 32 + 8 + 128 + 16);
  EXPECT_EQ(tile.registers().least(), 64u + 16 + 32 + 64 + 16);
}

TEST(WaveSplit, LeastReadsOfTheFourSplits) {
  const arch::ArchInfo &gfx942 = chip("gfx942");
  DotTile tile = makeTile(128, 128, 64, 16, 1, 1);
  EXPECT_EQ(*chooseWaves(gfx942, tile, true), (WaveGrid{2, 2}));
  // 64 + 256/4 rows are as few as 32 + 256/2 are not.
  tile = makeTile(64, 256, 64, 16, 1, 1);
  EXPECT_EQ(*chooseWaves(gfx942, tile, true), (WaveGrid{1, 4}));
  // 256 accumulators of four waves become 128 of eight.
  tile = makeTile(256, 256, 64, 16, 1, 1);
  EXPECT_EQ(accumulatorsOf(tile, 4), 256);
  EXPECT_EQ(*chooseWaves(gfx942, tile, true), (WaveGrid{2, 4}));
  EXPECT_EQ(*chooseWaves(gfx942, tile, false), (WaveGrid{2, 2}));
  // Too small for four.
  tile = makeTile(16, 32, 64, 16, 1, 1);
  EXPECT_EQ(*chooseWaves(gfx942, tile, true), (WaveGrid{1, 2}));
  EXPECT_FALSE(findSplit(tile, 4));
}
