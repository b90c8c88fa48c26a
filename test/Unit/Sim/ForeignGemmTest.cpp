//===- ForeignGemmTest.cpp - another compiler's GEMMs are exact -----------===//

#include <ctime>

#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

enum class Element { Bf16, Fp8Fnuz, Fp8 };

/// Small integers in e4m3: 1 is 2^0 with bias 8 (FNUZ) or 7.
static uint8_t toFp8(int value, Element type) {
  if (value == 0)
    return 0;
  static const uint8_t magnitudes[] = {0, 0x38, 0x40, 0x44, 0x48};
  int magnitude = value < 0 ? -value : value;
  return uint8_t(magnitudes[magnitude] + (type == Element::Fp8Fnuz ? 8 : 0) +
                 (value < 0 ? 0x80 : 0));
}

struct GemmObject {
  const char *file;
  Element type;
  unsigned tileM, tileN, tileK, waves, ldsBytes;
};

/// As bytes, which GoogleTest would print, it has addresses.
static void PrintTo(const GemmObject &object, // NOLINT: GoogleTest's name
                    std::ostream *os) {
  *os << object.file;
}

const GemmObject gfx942Small = {"gfx942_gemm_bf16_128x128x64_w4_s3.s",
                                Element::Bf16,
                                128,
                                128,
                                64,
                                4,
                                65536};
const GemmObject objects[] = {
    gfx942Small,
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", Element::Bf16, 256, 256, 64, 8,
     65536},
    {"gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s", Element::Fp8Fnuz, 64, 256, 128,
     4, 65536},
    {"gfx950_gemm_bf16_128x256x64_w4_s2.s", Element::Bf16, 128, 256, 64, 4,
     163840},
    {"gfx950_gemm_bf16_256x256x64_w8_s2.s", Element::Bf16, 256, 256, 64, 8,
     163840},
    {"gfx950_gemm_fp8_128x256x128_w4_s2.s", Element::Fp8, 128, 256, 128, 4,
     163840},
};

/// Appends one element to a byte buffer.
static void append(std::vector<uint8_t> &bytes, int value, Element type) {
  if (type != Element::Bf16) {
    bytes.push_back(toFp8(value, type));
    return;
  }
  uint16_t half = toBf16(float(value));
  bytes.push_back(uint8_t(half));
  bytes.push_back(uint8_t(half >> 8));
}

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
  KernelRun run = KernelRun::ofObject(object.file);
  std::vector<uint8_t> a, b;
  for (unsigned i = 0; i != m; ++i)
    for (unsigned p = 0; p != k; ++p)
      append(a, gemmA(i, p), object.type);
  for (unsigned j = 0; j != n; ++j)
    for (unsigned p = 0; p != k; ++p)
      append(b, gemmB(j, p), object.type);
  uint64_t pa = run.bufferOf(a, "A"), pb = run.bufferOf(b, "B");
  uint64_t pc = run.buffer(size_t(m) * n * 2, "C");
  run.setArguments({pa, pb, pc, m, n, k, k, k, n, 0, 0});
  run.params.workgroups = {(m + object.tileM - 1) / object.tileM *
                               ((n + object.tileN - 1) / object.tileN),
                           1, 1};
  run.params.workgroupSize = {64 * object.waves, 1, 1};
  run.params.dynamicLdsBytes = object.ldsBytes;
  run.params.options.threads = threads;
  auto result = run.launch();
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    return outcome;
  }
  outcome.instructions = result->instructions;
  outcome.values = run.read<uint16_t>(pc, size_t(m) * n);
  std::vector<int32_t> reference = gemmReference(m, n, k);
  outcome.exact = true;
  for (size_t i = 0; i != reference.size(); ++i)
    if (outcome.values[i] != toBf16(float(reference[i]))) {
      outcome.exact = false;
      outcome.error = "first difference at row " + std::to_string(i / n) +
                      ", column " + std::to_string(i % n) + ": " +
                      std::to_string(fromBf16(outcome.values[i])) +
                      ", expected " + std::to_string(reference[i]);
      break;
    }
  outcome.guards = run.guardsIntact();
  return outcome;
}

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

INSTANTIATE_TEST_SUITE_P(Triton, ForeignGemm, testing::ValuesIn(objects),
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
