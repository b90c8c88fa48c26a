// Registers that are allotted and not used, with figures worked out by hand:
// 264 of 512 leave one wave, whatever is used of them.

#include "fly/Analysis/OccupancyReport.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::analysis;
using arch::OccupancyLimiter;

namespace {

OccupancyReport report(unsigned used, unsigned allotted, unsigned lds,
                       unsigned threads = 256) {
  arch::KernelResources resources;
  resources.archVgprs = used;
  resources.allottedVgprs = allotted;
  resources.ldsBytes = lds;
  resources.workgroupThreads = threads;
  return reportOccupancy(*arch::ArchInfo::lookup("gfx942"), "k", resources);
}

} // namespace

TEST(AllottedRegisters, PaddingCountsForWaves) {
  OccupancyReport result = report(2, 264, 0);
  ASSERT_TRUE(result.occupancy);
  EXPECT_EQ(result.occupancy->wavesPerSimd, 1u);
  EXPECT_EQ(result.occupancy->limiter, OccupancyLimiter::Vgpr);
  EXPECT_TRUE(result.occupancy->isLimitedByPadding);
  EXPECT_EQ(result.occupancy->allocatedVgprs, 264u);
  EXPECT_EQ(result.occupancy->neededVgprs, 8u);
  EXPECT_EQ(*result.rows[0].wavesPerSimd, 1u);
  EXPECT_EQ(*result.rows[0].wavesByUsed, 8u);
  // No register fewer gives more.
  EXPECT_FALSE(result.rows[0].next);
  EXPECT_TRUE(result.together.empty());
}

TEST(AllottedRegisters, TheLimitIsWhatIsUsed) {
  // 170 take 176, of which two fit; LDS leaves one workgroup.
  OccupancyReport result = report(170, 264, 40000);
  ASSERT_TRUE(result.occupancy);
  EXPECT_EQ(result.occupancy->wavesPerSimd, 1u);
  EXPECT_EQ(result.occupancy->limiter, OccupancyLimiter::Lds);
  EXPECT_FALSE(result.occupancy->isLimitedByPadding);
  EXPECT_EQ(*result.rows[0].wavesByUsed, 2u);
  // Two registers fewer for three waves; one workgroup more is LDS alone.
  EXPECT_EQ(result.rows[0].next->fewer, 2u);
  EXPECT_EQ(result.rows[0].next->wavesPerSimd, 3u);
  ASSERT_EQ(result.togetherOf.size(), 1u);
  EXPECT_EQ(result.togetherOf[0], OccupancyLimiter::Lds);
  EXPECT_EQ(result.together[0].fewer, 40000u - 32768u);
  // Where both leave one, the registers in use are named.
  EXPECT_EQ(report(260, 264, 0).occupancy->limiter, OccupancyLimiter::Vgpr);
  EXPECT_FALSE(report(260, 264, 0).occupancy->isLimitedByPadding);
}

// A descriptor that asks for less than the metadata use is what counts.
TEST(AllottedRegisters, TheDescriptorCounts) {
  OccupancyReport result = report(200, 128, 0);
  EXPECT_EQ(result.occupancy->wavesPerSimd, 4u);
  EXPECT_EQ(result.occupancy->allocatedVgprs, 128u);
  EXPECT_TRUE(report(8, 520, 0).isImpossible);
}

// LLVM's getMinNumVGPRs for 1 to 7 waves a SIMD.
TEST(AllottedRegisters, CountsThatCompilersPadTo) {
  const arch::ArchInfo &chip = *arch::ArchInfo::lookup("gfx950");
  std::vector<unsigned> padded;
  for (unsigned count = 8; count <= 512; count += 8)
    if (arch::isPaddedCount(chip, count))
      padded.push_back(count);
  EXPECT_EQ(padded, (std::vector<unsigned>{72, 80, 88, 104, 136, 176, 264}));
  EXPECT_FALSE(arch::isPaddedCount(chip, 256));
  EXPECT_FALSE(arch::isPaddedCount(chip, 0));
}

TEST(AllottedRegisters, RowsStayWithinTheSlots) {
  OccupancyReport result = report(8, 0, 1000, 100);
  EXPECT_EQ(*result.rows[1].wavesPerSimd, 8u);
  EXPECT_EQ(*result.rows[1].workgroupsPerCu, 16u);
  EXPECT_FALSE(result.rows[1].next);
  result = report(8, 0, 10, 64);
  EXPECT_EQ(*result.rows[1].workgroupsPerCu, 32u);
}

TEST(AllottedRegisters, ProfilesDoNotTellWhatIsUsed) {
  arch::KernelResources resources;
  resources.archVgprs = 172;
  resources.accVgprs = 92;
  resources.isAllotment = true;
  resources.workgroupThreads = 256;
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, reportOccupancy(*arch::ArchInfo::lookup("gfx942"), "k", resources));
  EXPECT_NE(text.find("the code object tells"), std::string::npos) << text;
}
