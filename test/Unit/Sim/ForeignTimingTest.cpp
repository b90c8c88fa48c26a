//===- ForeignTimingTest.cpp - timing of other compilers' machine code ----===//
//
// The objects of another compiler (gfx942 and gfx950) are timed as ours: values
// stay right, each wave's cycles add up, and a GEMM takes no less than its
// matrix instructions and not many times as long.
//
//===----------------------------------------------------------------------===//

#include "ForeignGemm.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

class ForeignTiming : public testing::TestWithParam<GemmObject> {};

TEST_P(ForeignTiming, TakesWhatItsMatrixInstructionsTake) {
  const GemmObject &object = GetParam();
  constexpr unsigned tilesOfK = 8;
  ForeignGemmRun gemm(KernelRun::ofObject(object.file), object,
                      2 * object.tileM, 2 * object.tileN,
                      tilesOfK * object.tileK);
  ASSERT_FALSE(gemm.run.failed()) << gemm.run.message;
  gemm.run.params.options.checks = CheckSet();
  gemm.run.params.options.timing.enabled = true;
  auto result = gemm.run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(gemm.difference(), "");
  const TimingResult &timing = *result->timing;
  // Four workgroups, on one compute unit each.
  EXPECT_EQ(timing.workgroups, 4u);
  EXPECT_EQ(timing.activeCus, 4u);
  ASSERT_EQ(timing.waves.size(), 4 * object.waves);
  for (const WaveTiming &wave : timing.waves)
    EXPECT_EQ(wave.issueCycles + totalStall(wave.stalls),
              wave.end - wave.begin);
  // Multiply-adds of all tiles, at the rate of the type's fastest instruction
  // on both chips or of that with half of it.
  double macs = 4.0 * object.tileM * object.tileN * object.tileK * tilesOfK;
  uint64_t operations = 0;
  for (uint64_t each : timing.launchCounters.matrixOperations)
    operations += each;
  EXPECT_EQ(double(operations), 2 * macs);
  double bound = double(timing.launchCounters.mfmaBusyCycles) / (4 * 4);
  EXPECT_GE(double(timing.cycles), bound);
  EXPECT_LE(double(timing.cycles), 10 * bound);
  EXPECT_GT(timing.mfmaBusyShare, 0.1);
  // What the two compilers agree on: tiles of LDS are read without conflicts.
  EXPECT_LE(timing.counters.ldsBankConflict,
            timing.counters.ldsIndexActive / 20);
}

INSTANTIATE_TEST_SUITE_P(Objects, ForeignTiming,
                         testing::ValuesIn(foreignGemms()));
