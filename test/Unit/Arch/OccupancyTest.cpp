// Occupancy values worked out by hand from the register and LDS granules.
//
// Rests on the assumptions SGPR-BUDGET, WORKGROUPS-PER-CU.

#include "fly/Arch/Occupancy.h"

#include <gtest/gtest.h>

using namespace fly::arch;

namespace {

Occupancy occupancy(const char *chip, unsigned arch, unsigned acc,
                    unsigned threads = 0, unsigned lds = 0,
                    unsigned sgprs = 0) {
  KernelResources kernel;
  kernel.archVgprs = arch;
  kernel.accVgprs = acc;
  kernel.workgroupThreads = threads;
  kernel.ldsBytes = lds;
  kernel.sgprs = sgprs;
  llvm::Expected<Occupancy> result =
      computeOccupancy(*ArchInfo::lookup(chip), kernel);
  EXPECT_TRUE(bool(result));
  return result ? *result : Occupancy();
}

std::string errorOf(const char *chip, const KernelResources &kernel) {
  llvm::Expected<Occupancy> result =
      computeOccupancy(*ArchInfo::lookup(chip), kernel);
  return result ? "" : llvm::toString(result.takeError());
}

} // namespace

TEST(Occupancy, CombinedRegisters) {
  Occupancy result = occupancy("gfx942", 5, 128);
  EXPECT_EQ(result.allocatedVgprs, 136u);
  EXPECT_EQ(result.wavesPerSimd, 3u);
  EXPECT_EQ(result.limiter, OccupancyLimiter::Vgpr);
  EXPECT_STREQ(limiterName(result.limiter), "VGPR");
}

TEST(Occupancy, RegisterSteps) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    const unsigned steps[][2] = {{64, 8},  {72, 7},  {80, 6},  {96, 5},
                                 {128, 4}, {168, 3}, {169, 2}, {176, 2},
                                 {256, 2}, {257, 1}, {512, 1}};
    for (const auto &step : steps)
      EXPECT_EQ(occupancy(chip, step[0], 0).wavesPerSimd, step[1]) << step[0];
  }
}

TEST(Occupancy, LdsGranule) {
  Occupancy result = occupancy("gfx942", 64, 0, 256, 21800);
  EXPECT_EQ(result.wavesPerSimd, 2u);
  EXPECT_EQ(result.limiter, OccupancyLimiter::Lds);
  EXPECT_EQ(result.allocatedLdsBytes, 22016u);
  EXPECT_EQ(occupancy("gfx942", 64, 0, 256, 16384).wavesPerSimd, 4u);
  EXPECT_EQ(occupancy("gfx942", 64, 0, 256, 65536).wavesPerSimd, 1u);
  EXPECT_EQ(occupancy("gfx950", 64, 0, 256, 32768).wavesPerSimd, 4u);
  EXPECT_EQ(occupancy("gfx950", 64, 0, 256, 32000).wavesPerSimd, 5u);
  EXPECT_EQ(occupancy("gfx950", 64, 0, 256, 163840).wavesPerSimd, 1u);
}

TEST(Occupancy, ScalarRegisters) {
  EXPECT_EQ(occupancy("gfx942", 8, 0, 0, 0, 100).wavesPerSimd, 8u);
  Occupancy result = occupancy("gfx942", 8, 0, 0, 0, 102);
  EXPECT_EQ(result.wavesPerSimd, 7u);
  EXPECT_EQ(result.limiter, OccupancyLimiter::Sgpr);
  // LLVM's last step; a wave has no more than 112, whatever a profiler says.
  EXPECT_EQ(occupancy("gfx942", 8, 0, 0, 0, 112).wavesPerSimd, 7u);
  EXPECT_EQ(occupancy("gfx950", 8, 0, 0, 0, 128).wavesPerSimd, 7u);
}

TEST(Occupancy, WholeWorkgroups) {
  // 3 waves a SIMD by registers, but 8 waves a workgroup take 2 each.
  Occupancy result = occupancy("gfx942", 168, 0, 512);
  EXPECT_EQ(result.workgroupsPerCu, 1u);
  EXPECT_EQ(result.wavesPerSimd, 2u);
  EXPECT_EQ(result.limiter, OccupancyLimiter::Vgpr);
  // Small kernels fill the machine.
  result = occupancy("gfx942", 8, 0, 64);
  EXPECT_EQ(result.wavesPerSimd, 8u);
  EXPECT_EQ(result.limiter, OccupancyLimiter::Waves);
}

TEST(Occupancy, RefusesWhatDoesNotFit) {
  KernelResources kernel;
  kernel.ldsBytes = 65537;
  kernel.workgroupThreads = 64;
  EXPECT_EQ(errorOf("gfx942", kernel),
            "one workgroup needs 65537 bytes of LDS on gfx942, limit is 65536");
  kernel = {};
  kernel.archVgprs = 256;
  kernel.accVgprs = 256;
  kernel.workgroupThreads = 512;
  EXPECT_EQ(errorOf("gfx950", kernel),
            "one workgroup needs 8 waves on gfx950, limit is 4");
  EXPECT_EQ(errorOf("gfx1250", {}),
            "occupancy of gfx1250: register and LDS granules are unknown");
}

TEST(Occupancy, NextStepNamesWhatMustShrink) {
  auto next = [](unsigned vgprs, unsigned threads, unsigned lds,
                 unsigned sgprs) {
    KernelResources kernel;
    kernel.archVgprs = vgprs;
    kernel.workgroupThreads = threads;
    kernel.ldsBytes = lds;
    kernel.sgprs = sgprs;
    const ArchInfo &chip = *ArchInfo::lookup("gfx942");
    return nextOccupancy(chip, kernel,
                         llvm::cantFail(computeOccupancy(chip, kernel)));
  };
  // Two workgroups of four waves share 65536 bytes; three would have 21504.
  auto steps = next(64, 256, 21800, 0);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].resource, OccupancyLimiter::Lds);
  EXPECT_EQ(steps[0].used, 22016u);
  EXPECT_EQ(steps[0].most, 21504u);
  // One wave a SIMD; two would have 256 registers and 32768 bytes.
  steps = next(300, 256, 40000, 0);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].resource, OccupancyLimiter::Vgpr);
  EXPECT_EQ(steps[0].used, 304u);
  EXPECT_EQ(steps[0].most, 256u);
  EXPECT_EQ(steps[1].most, 32768u);
  // Registers alone, wave by wave.
  steps = next(169, 0, 0, 0);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].most, 168u);
  // All slots are taken.
  EXPECT_TRUE(next(64, 256, 0, 0).empty());
}
