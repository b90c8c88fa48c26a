// Reports on occupancy, with figures worked out by hand.

#include "fly/Analysis/OccupancyReport.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::analysis;
using arch::OccupancyLimiter;

namespace {

OccupancyReport report(const char *chip, unsigned vgprs, unsigned agprs,
                       unsigned threads = 0, unsigned lds = 0,
                       unsigned sgprs = 0) {
  arch::KernelResources used;
  used.archVgprs = vgprs;
  used.accVgprs = agprs;
  used.workgroupThreads = threads;
  used.ldsBytes = lds;
  used.sgprs = sgprs;
  return reportOccupancy(*arch::ArchInfo::lookup(chip), "k", used);
}

} // namespace

// T27 (a) to (c).
TEST(OccupancyReport, WorkedCases) {
  OccupancyReport a = report("gfx942", 5, 128);
  ASSERT_TRUE(a.occupancy);
  EXPECT_EQ(a.occupancy->wavesPerSimd, 3u);
  EXPECT_EQ(a.occupancy->limiter, OccupancyLimiter::Vgpr);
  // 5 count as 8 below the accumulators; four waves have 128.
  ASSERT_TRUE(a.rows[0].next);
  EXPECT_EQ(a.rows[0].used, 136u);
  EXPECT_EQ(a.rows[0].next->fewer, 8u);
  EXPECT_EQ(a.rows[0].next->wavesPerSimd, 4u);
  EXPECT_EQ(report("gfx942", 168, 0).occupancy->wavesPerSimd, 3u);
  EXPECT_EQ(report("gfx942", 169, 0).occupancy->wavesPerSimd, 2u);
  OccupancyReport c = report("gfx942", 64, 0, 256, 21800);
  EXPECT_EQ(c.occupancy->wavesPerSimd, 2u);
  EXPECT_EQ(c.occupancy->limiter, OccupancyLimiter::Lds);
  ASSERT_TRUE(c.rows[1].next);
  EXPECT_EQ(c.rows[1].next->fewer, 296u);
  EXPECT_EQ(c.rows[1].next->wavesPerSimd, 3u);
}

TEST(OccupancyReport, FourFewerGiveThree) {
  OccupancyReport result = report("gfx950", 172, 0);
  EXPECT_EQ(result.occupancy->wavesPerSimd, 2u);
  EXPECT_EQ(result.rows[0].next->fewer, 4u);
  EXPECT_EQ(result.rows[0].next->wavesPerSimd, 3u);
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, result);
  EXPECT_NE(text.find("4 VGPRs fewer give 3 waves"), std::string::npos) << text;
}

// One step of a single resource may not be enough: both must shrink.
TEST(OccupancyReport, TwoResourcesTogether) {
  OccupancyReport result = report("gfx942", 132, 0, 256, 22000);
  // Registers allow 3 waves, LDS of 22016 bytes two workgroups.
  EXPECT_EQ(result.occupancy->workgroupsPerCu, 2u);
  ASSERT_EQ(result.together.size(), 1u);
  EXPECT_EQ(result.togetherOf[0], OccupancyLimiter::Lds);
  EXPECT_EQ(result.together[0].fewer, 22000u - 21504u);
  result = report("gfx942", 180, 0, 256, 32768);
  ASSERT_EQ(result.together.size(), 2u);
  EXPECT_EQ(result.together[0].fewer, 180u - 168u);
  EXPECT_EQ(result.together[1].fewer, 32768u - 21504u);
}

TEST(OccupancyReport, UnknownFiguresAreSaid) {
  OccupancyReport result = report("gfx1250", 100, 0, 256, 100000);
  EXPECT_FALSE(result.occupancy);
  EXPECT_FALSE(result.isImpossible);
  EXPECT_FALSE(result.unknown.empty());
  // 327680 bytes of LDS hold three of 100000, whatever the granule.
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(*result.rows[0].workgroupsPerCu, 3u);
  EXPECT_TRUE(report("gfx1250", 0, 0, 256, 327681).isImpossible);
}

// LLVM: 100 scalar registers give 8 waves, more give 7, however many.
TEST(OccupancyReport, ScalarRegisters) {
  for (unsigned sgprs = 1; sgprs <= 200; ++sgprs) {
    OccupancyReport result = report("gfx942", 8, 0, 0, 0, sgprs);
    EXPECT_EQ(*result.rows[2].wavesPerSimd, sgprs <= 100 ? 8u : 7u) << sgprs;
    EXPECT_EQ(result.occupancy->wavesPerSimd, sgprs <= 100 ? 8u : 7u) << sgprs;
    EXPECT_EQ(result.rows[2].next.has_value(), sgprs > 100) << sgprs;
    if (sgprs > 100) {
      EXPECT_EQ(result.rows[2].next->fewer, sgprs - 100) << sgprs;
    }
  }
}

TEST(OccupancyReport, ImpossibleKernels) {
  EXPECT_TRUE(report("gfx942", 512, 256).isImpossible);
  EXPECT_TRUE(report("gfx942", 8, 0, 64, 65537).isImpossible);
  EXPECT_TRUE(report("gfx942", 256, 256, 512).isImpossible);
}

TEST(OccupancyReport, RegisterLimitIsRefused) {
  const arch::ArchInfo &chip = *arch::ArchInfo::lookup("gfx942");
  arch::KernelResources used;
  used.archVgprs = 100;
  used.accVgprs = 64;
  std::string text = llvm::toString(checkRegisterLimit(used, chip, 128));
  EXPECT_NE(text.find("forces the 64 accumulation registers"),
            std::string::npos);
  EXPECT_NE(text.find("4.5 times slower"), std::string::npos);
  EXPECT_FALSE(bool(checkRegisterLimit(used, chip, 164)));
  used.accVgprs = 0;
  text = llvm::toString(checkRegisterLimit(used, chip, 96));
  EXPECT_NE(text.find("would spill 4 a lane"), std::string::npos);
}

// The guide's 64x256x128 of FP8 over 4 waves: m_repeat 4, num_acc_n 4, k_unroll
// 2; A's tile has 8192 bytes, two loads of 256 threads with 16.
TEST(OccupancyReport, EstimateOfTheGuide) {
  plan::DotTile tile;
  tile.m = 64;
  tile.n = 256;
  tile.k = 128;
  tile.wavesN = 4;
  tile.a.bits = tile.b.bits = 8;
  GuideRegisters guide = estimateByGuide(tile);
  EXPECT_EQ(guide.accumulators, 4 * 4 * 4);
  EXPECT_EQ(guide.bTile, 2 * 2 * 4 * 2);
  EXPECT_EQ(guide.aTile, 2 * 4);
  EXPECT_EQ(guide.leastArch(), 32 + 4 + 8 + 10);
  EXPECT_EQ(guide.mostArch(), 32 + 4 + 8 + 20);
}
