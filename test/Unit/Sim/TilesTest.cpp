//===- TilesTest.cpp - clang's HIP kernels with matrix instructions -------===//
//
// test/Sim/Kernels/Tiles.hip, compiled at several levels, with and without
// preloaded arguments, against exact host products.
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ClangTarget.h"
#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class Tiles : public testing::TestWithParam<ClangTarget> {
protected:
  void SetUp() override {
    run = KernelRun::ofSource("Tiles.hip", GetParam().chip, GetParam().options);
    ASSERT_FALSE(run.failed()) << run.message;
  }
  bool isGfx950() const { return llvm::StringRef(GetParam().chip) == "gfx950"; }

  template <typename Element, typename Sum>
  void gemm(const char *kernel, Element (*convert)(int));

  KernelRun run;
};

/// Small integers; exponents by the type's bias, as in ForeignGemmTest.
static uint16_t toHalf(int value) {
  static const uint16_t magnitudes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return uint16_t(magnitudes[value < 0 ? -value : value] |
                  (value < 0 ? 0x8000 : 0));
}
static uint16_t toBfloat(int value) { return test::toBf16(float(value)); }
static int8_t toByte(int value) { return int8_t(value); }
template <unsigned base>
static uint8_t toFp8(int value) {
  static const uint8_t steps[] = {0, 0, 8, 12, 16};
  if (value == 0)
    return 0;
  return uint8_t((base + steps[value < 0 ? -value : value]) |
                 (value < 0 ? 0x80 : 0));
}

template <typename Element, typename Sum>
void Tiles::gemm(const char *kernel, Element (*convert)(int)) {
  struct {
    unsigned m, n, k, threads;
  } shapes[] = {{64, 64, 64, 1}, {70, 33, 192, 1}, {129, 200, 128, 2}};
  for (auto shape : shapes) {
    std::vector<Element> a(shape.m * shape.k), b(shape.n * shape.k);
    for (unsigned i = 0; i != a.size(); ++i)
      a[i] = convert(test::gemmA(i / shape.k, i % shape.k));
    for (unsigned i = 0; i != b.size(); ++i)
      b[i] = convert(test::gemmB(i / shape.k, i % shape.k));
    uint64_t pa = run.bufferOf(a, "a"), pb = run.bufferOf(b, "b");
    uint64_t pc = run.buffer(size_t(shape.m) * shape.n * sizeof(Sum), "c");
    run.params.kernel = kernel;
    run.params.workgroups = {(shape.m + 63) / 64, (shape.n + 63) / 64, 1};
    run.params.workgroupSize = {256, 1, 1};
    run.params.dynamicLdsBytes = 4 * 64 * (64 * unsigned(sizeof(Element)) + 16);
    run.params.options.threads = shape.threads;
    run.setArguments({pc, pa, pb, shape.m, shape.n, shape.k});
    ASSERT_EQ(run.launchError(), "");
    EXPECT_TRUE(run.guardsIntact());
    std::vector<Sum> c = run.read<Sum>(pc, size_t(shape.m) * shape.n);
    std::vector<int32_t> reference =
        test::gemmReference(shape.m, shape.n, shape.k);
    for (size_t i = 0; i != c.size(); ++i)
      ASSERT_EQ(c[i], Sum(reference[i]))
          << "row " << i / shape.n << ", column " << i % shape.n;
  }
}

TEST_P(Tiles, GemmBf16) { gemm<uint16_t, float>("gemm_bf16", toBfloat); }
TEST_P(Tiles, GemmF16) { gemm<uint16_t, float>("gemm_f16", toHalf); }
TEST_P(Tiles, GemmI8) { gemm<int8_t, int32_t>("gemm_i8", toByte); }
TEST_P(Tiles, GemmFp8) {
  if (isGfx950())
    gemm<uint8_t, float>("gemm_fp8", toFp8<0x38>);
  else
    gemm<uint8_t, float>("gemm_fp8", toFp8<0x40>);
}

/// B has 27 of 32 rows: what lies behind the buffer resource counts as zero.
TEST_P(Tiles, CopiesToLds) {
  const unsigned n = 27, k = 128;
  std::vector<uint16_t> a(32 * k), b(32 * k);
  for (unsigned i = 0; i != a.size(); ++i) {
    a[i] = toHalf(test::gemmA(i / k, i % k));
    b[i] = toHalf(test::gemmB(i / k, i % k));
  }
  uint64_t pa = run.bufferOf(a), pb = run.bufferOf(b), pc = run.buffer(4096);
  run.params.kernel = "copied";
  run.params.workgroupSize = {64, 1, 1};
  run.setArguments({pc, pa, pb, 32, n, k});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_TRUE(run.guardsIntact());
  std::vector<float> c = run.read<float>(pc, 1024);
  std::vector<int32_t> reference = test::gemmReference(32, 32, k);
  for (unsigned i = 0; i != 1024; ++i)
    EXPECT_EQ(c[i], i % 32 < n ? float(reference[i]) : 0.0f) << i;
}

/// Probabilities are powers of two, so only their range in f16 and the final
/// division round.
TEST_P(Tiles, Attention) {
  std::vector<uint16_t> q(1024), key(4096), value(4096);
  std::vector<int> qi(1024), keyi(4096), valuei(4096);
  for (int i = 0; i != 1024; ++i)
    q[i] = toHalf(qi[i] = test::gemmA(i / 32, i % 32) / 2);
  for (int i = 0; i != 4096; ++i) {
    key[i] = toHalf(keyi[i] = test::gemmB(i / 32, i % 32) % 2);
    value[i] = toHalf(valuei[i] = test::gemmA(i % 32 + 5, i / 32));
  }
  uint64_t pq = run.bufferOf(q), pk = run.bufferOf(key);
  uint64_t pv = run.bufferOf(value), out = run.buffer(4096);
  run.params.kernel = "attention";
  run.params.workgroupSize = {64, 1, 1};
  run.setArguments({out, pq, pk, pv});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_TRUE(run.guardsIntact());
  std::vector<float> result = run.read<float>(out, 1024);
  for (int row = 0; row != 32; ++row) {
    double weights[128], total = 0;
    for (int t = 0; t != 128; ++t) {
      int score = 0;
      for (int i = 0; i != 32; ++i)
        score += qi[row * 32 + i] * keyi[t * 32 + i];
      total += weights[t] = std::ldexp(1.0, score);
    }
    for (int column = 0; column != 32; ++column) {
      double sum = 0;
      for (int t = 0; t != 128; ++t)
        sum += weights[t] * valuei[t * 32 + column];
      EXPECT_NEAR(result[row * 32 + column], sum / total, 1e-5)
          << row << ", " << column;
    }
  }
}

TEST_P(Tiles, TransposingReads) {
  if (!isGfx950())
    GTEST_SKIP() << "gfx950 only";
  std::vector<uint16_t> a(512), b(512);
  for (int i = 0; i != 16; ++i)
    for (int k = 0; k != 32; ++k) {
      a[i * 32 + k] = toHalf(test::gemmA(i, k));
      b[k * 16 + i] = toHalf(test::gemmB(i, k));
    }
  uint64_t pa = run.bufferOf(a), pb = run.bufferOf(b), pc = run.buffer(1024);
  run.params.kernel = "transposed";
  run.params.workgroupSize = {64, 1, 1};
  run.setArguments({pc, pa, pb});
  ASSERT_EQ(run.launchError(), "");
  std::vector<float> c = run.read<float>(pc, 256);
  std::vector<int32_t> reference = test::gemmReference(16, 16, 32);
  for (unsigned i = 0; i != 256; ++i)
    EXPECT_EQ(c[i], float(reference[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Hip, Tiles, testing::ValuesIn(hipTargets), targetName);

} // namespace
