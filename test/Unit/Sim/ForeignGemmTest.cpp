//===- ForeignGemmTest.cpp - another compiler's GEMMs are exact -----------===//

#include "ForeignGemm.h"

#include <ctime>

#include "GemmCase.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

struct Outcome {
  std::string error;
  bool exact = false;
  bool guards = false;
  uint64_t instructions = 0;
  std::vector<uint16_t> values;
};

static Outcome runGemm(const GemmObject &object, unsigned m, unsigned n,
                       unsigned k, unsigned threads = 1) {
  Outcome outcome;
  ForeignGemmRun gemm(KernelRun::ofObject(object.file), object, m, n, k);
  gemm.run.params.options.threads = threads;
  auto result = gemm.run.launch();
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    return outcome;
  }
  outcome.instructions = result->instructions;
  outcome.values = gemm.values();
  for (const sim::Finding &finding : result->findings)
    outcome.error += finding.message + "\n";
  outcome.error += gemm.difference();
  outcome.exact = outcome.error.empty();
  outcome.guards = gemm.run.guardsIntact();
  return outcome;
}

static const GemmObject &gfx942Small = foreignGemms().front();

/// The generator itself, against values that were worked out independently.
TEST(GemmCase, MatchesPublishedSums) {
  std::vector<int32_t> c = gemmReference(17, 64, 256);
  int64_t sum = 0, weighted = 0;
  for (unsigned m = 0; m != 17; ++m)
    for (unsigned n = 0; n != 64; ++n) {
      sum += c[m * 64 + n];
      weighted += int64_t(7 * m + 3 * n + 1) * c[m * 64 + n];
    }
  EXPECT_EQ(c[0], 19);
  EXPECT_EQ(c[63], 23);
  EXPECT_EQ(c[16 * 64], 6);
  EXPECT_EQ(c[16 * 64 + 63], -23);
  EXPECT_EQ(sum, 446);
  EXPECT_EQ(weighted, 31017);
}

class ForeignGemm : public testing::TestWithParam<GemmObject> {};

/// A tail in both directions.
TEST_P(ForeignGemm, RaggedShapeIsExact) {
  const GemmObject &object = GetParam();
  Outcome outcome = runGemm(object, 48, 40, object.tileK * 2);
  EXPECT_TRUE(outcome.exact) << outcome.error;
  EXPECT_TRUE(outcome.guards);
}

/// Several workgroups, an odd number of steps, tails in M and N.
TEST_P(ForeignGemm, SeveralTilesAreExact) {
  const GemmObject &object = GetParam();
  Outcome outcome = runGemm(object, object.tileM + 16, object.tileN + 72,
                            object.tileK * 5, /*threads=*/2);
  EXPECT_TRUE(outcome.exact) << outcome.error;
  EXPECT_TRUE(outcome.guards);
}

/// One step: the pipeline has a prologue and a drain but no steady loop.
TEST_P(ForeignGemm, OneStepIsExact) {
  const GemmObject &object = GetParam();
  Outcome outcome = runGemm(object, object.tileM, object.tileN, object.tileK);
  EXPECT_TRUE(outcome.exact) << outcome.error;
  EXPECT_TRUE(outcome.guards);
}

INSTANTIATE_TEST_SUITE_P(Triton, ForeignGemm, testing::ValuesIn(foreignGemms()),
                         [](const auto &info) {
                           llvm::StringRef name(info.param.file);
                           return name.drop_back(2).str();
                         });

TEST(ForeignGemmThreads, ResultsDoNotDependOnThreads) {
  Outcome one = runGemm(gfx942Small, 300, 300, 128, 1);
  Outcome two = runGemm(gfx942Small, 300, 300, 128, 2);
  Outcome five = runGemm(gfx942Small, 300, 300, 128, 5);
  EXPECT_TRUE(one.exact) << one.error;
  EXPECT_EQ(one.values, two.values);
  EXPECT_EQ(one.values, five.values);
  EXPECT_EQ(one.instructions, two.instructions);
  EXPECT_EQ(one.instructions, five.instructions);
}

/// The promise of docs/Simulator/Model.md: under 20 s of one core. Sanitizers
/// are many times slower, so they only check the values.
TEST(ForeignGemmSpeed, Cube1024) {
  std::clock_t begin = std::clock();
  Outcome outcome = runGemm(gfx942Small, 1024, 1024, 1024);
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_TRUE(outcome.exact) << outcome.error;
  EXPECT_TRUE(outcome.guards);
  RecordProperty("cpu_seconds", std::to_string(seconds));
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  EXPECT_LT(seconds, 20.0);
#endif
}

} // namespace
