//===- WorkgroupsTest.cpp - clang's kernels with LDS, barriers, exchange --===//
//
// test/Sim/Kernels/Workgroups.cl compiled by clang, optimised and not, against
// plain host loops.
//
//===----------------------------------------------------------------------===//

#include <random>

#include "ClangTarget.h"
#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class Workgroups : public testing::TestWithParam<ClangTarget> {
protected:
  void SetUp() override {
    run = KernelRun::ofSource("Workgroups.cl", GetParam().chip,
                              GetParam().options);
    ASSERT_FALSE(run.failed()) << run.message;
    std::mt19937 random(99);
    input.resize(4096);
    for (int &value : input)
      value = int(random());
    in = run.bufferOf(input, "in");
    out = run.buffer(outputCount * 4, "out");
  }

  /// Runs a kernel over `groups` workgroups and gives its output.
  std::vector<int> launch(const char *kernel, uint32_t groups, uint32_t size) {
    run.params.kernel = kernel;
    run.params.workgroups = {groups, 1, 1};
    run.params.workgroupSize = {size, 1, 1};
    run.setArguments({out, in});
    EXPECT_EQ(run.launchError(), "");
    EXPECT_TRUE(run.guardsIntact());
    return run.read<int>(out, outputCount);
  }

  static constexpr size_t outputCount = 64 * 96;
  KernelRun run;
  std::vector<int> input;
  uint64_t in = 0, out = 0;
};

TEST_P(Workgroups, Reduce) {
  run.params.options.threads = 2;
  uint32_t sum = 0;
  for (int value : input)
    sum += uint32_t(value);
  EXPECT_EQ(uint32_t(launch("reduce", 16, 256)[0]), sum);
}

TEST_P(Workgroups, Transpose) {
  std::vector<uint32_t> matrix(64 * 96);
  for (unsigned i = 0; i != matrix.size(); ++i)
    matrix[i] = 0x3f800000 + i;
  in = run.bufferOf(matrix, "matrix");
  std::vector<int> result = launch("transpose", 6, 256);
  for (unsigned y = 0; y != 64; ++y)
    for (unsigned x = 0; x != 96; ++x)
      EXPECT_EQ(uint32_t(result[x * 64 + y]), matrix[y * 96 + x]);
}

TEST_P(Workgroups, Lanes) {
  std::vector<int> result = launch("lanes", 1, 64);
  uint32_t sum = 0;
  int odd = 0;
  for (int i = 0; i != 64; ++i) {
    sum += uint32_t(input[i]);
    EXPECT_EQ(uint32_t(result[i]), sum) << "prefix sum, lane " << i;
    EXPECT_EQ(uint32_t(result[64 + i]),
              uint32_t(input[17]) + uint32_t(input[0]));
    EXPECT_EQ(result[128 + i], input[63 - i]);
    EXPECT_EQ(result[192 + i], input[i ^ 1]);
    EXPECT_EQ(result[256 + i], input[i / 16 * 16 + 15 - i % 16]);
    EXPECT_EQ(result[320 + i], input[i ^ 1]);
    EXPECT_EQ(result[384 + i], odd);
    odd += input[i] & 1;
  }
}

TEST_P(Workgroups, DivergentLoops) {
  std::vector<int> result = launch("collatz", 8, 64);
  for (int i = 0; i != 512; ++i) {
    int steps = 0;
    for (uint64_t n = uint32_t(input[i]) % 10000 + 1; n != 1; ++steps) {
      if (n % 2 == 0)
        n /= 2;
      else if (n > 1000000000000ull)
        break;
      else
        n = 3 * n + 1;
    }
    EXPECT_EQ(result[i], steps) << i;
  }
}

/// The host side of `privates`; products wrap.
static int privatesReference(const std::vector<int> &in, int i) {
  uint32_t table[40];
  for (int k = 0; k != 40; ++k)
    table[k] = uint32_t(in[(i + k) % 64]) * uint32_t(k);
  int at = int(uint32_t(in[i % 64]) % 40);
  for (int k = 0; k != 10; ++k)
    table[(at + k * 7) % 40] += uint32_t(k);
  switch (at % 8) {
  case 0:
    return int(table[at] + 1);
  case 1:
    return int(table[(at + 1) % 40] * 3);
  case 2:
    return int(table[at] ^ table[0]);
  case 3:
    return int(table[39 - at]);
  case 4:
    return int(0 - table[at / 2]);
  case 5:
    return int(table[at] << 3);
  default:
    return int(table[at] - table[(at + 5) % 40]);
  }
}

TEST_P(Workgroups, PrivateArrays) {
  std::vector<int> result = launch("privates", 4, 64);
  for (int i = 0; i != 256; ++i)
    EXPECT_EQ(result[i], privatesReference(input, i)) << i;
}

TEST_P(Workgroups, Histogram) {
  int bins[16] = {};
  for (int i = 0; i != 2048; ++i)
    ++bins[input[i] & 15];
  std::vector<int> result = launch("histogram", 1, 256);
  for (int i = 0; i != 16; ++i) {
    EXPECT_EQ(result[i], bins[i]);
    EXPECT_EQ(result[16 + i], bins[i]);
  }
}

/// Small integers in f16: v times 2^10 with the exponent's bias 15.
static uint16_t toHalf(int value) {
  static const uint16_t magnitudes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return uint16_t(magnitudes[value < 0 ? -value : value] |
                  (value < 0 ? 0x8000 : 0));
}

TEST_P(Workgroups, MatrixInstructions) {
  std::vector<uint16_t> a(32 * 64), b(64 * 32);
  for (int i = 0; i != 32; ++i)
    for (int k = 0; k != 64; ++k) {
      a[i * 64 + k] = toHalf(test::gemmA(i, k));
      b[k * 32 + i] = toHalf(test::gemmB(i, k));
    }
  uint64_t pa = run.bufferOf(a, "a"), pb = run.bufferOf(b, "b");
  run.params.kernel = "matrix";
  run.params.workgroups = {1, 1, 1};
  run.params.workgroupSize = {64, 1, 1};
  run.setArguments({out, pa, pb});
  ASSERT_EQ(run.launchError(), "");
  std::vector<float> result = run.read<float>(out, 256 + 1024);
  std::vector<int32_t> reference = test::gemmReference(32, 32, 64);
  for (int i = 0; i != 32; ++i)
    for (int j = 0; j != 32; ++j) {
      float expected = float(reference[i * 32 + j]);
      EXPECT_EQ(result[256 + i * 32 + j], expected) << i << ", " << j;
      if (i < 16 && j < 16)
        EXPECT_EQ(result[i * 16 + j], expected) << i << ", " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Clang, Workgroups, testing::ValuesIn(openClTargets),
                         targetName);

} // namespace
