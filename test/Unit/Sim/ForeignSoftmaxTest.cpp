//===- ForeignSoftmaxTest.cpp - another compiler's softmax ----------------===//

#include <cmath>
#include <random>

#include "ClangTarget.h"
#include "GemmCase.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class ForeignSoftmax : public testing::TestWithParam<const char *> {};

static void checkSoftmax(const char *file, unsigned rows, unsigned n,
                         unsigned stride) {
  KernelRun run = KernelRun::ofObject(file);
  ASSERT_FALSE(run.failed()) << run.message;
  std::mt19937 random(n * 31 + stride);
  std::uniform_real_distribution<float> uniform(-6.0f, 6.0f);
  const uint16_t untouched = 0x1234;
  std::vector<uint16_t> x(size_t(rows) * stride), y(x.size(), untouched);
  for (uint16_t &value : x)
    value = toBf16(uniform(random));
  uint64_t px = run.bufferOf(x, "x"), py = run.bufferOf(y, "y");
  run.setArguments({px, py, stride, n, 0, 0});
  run.params.workgroups = {rows, 1, 1};
  run.params.workgroupSize = {256, 1, 1};
  run.params.dynamicLdsBytes = 65536;
  ASSERT_EQ(run.launchError(), "");
  y = run.read<uint16_t>(py, y.size());
  for (unsigned row = 0; row != rows; ++row) {
    const uint16_t *in = &x[size_t(row) * stride];
    const uint16_t *out = &y[size_t(row) * stride];
    double maximum = -INFINITY, sum = 0;
    for (unsigned i = 0; i != n; ++i)
      maximum = std::max(maximum, double(fromBf16(in[i])));
    for (unsigned i = 0; i != n; ++i)
      sum += std::exp(double(fromBf16(in[i])) - maximum);
    for (unsigned i = 0; i != n; ++i) {
      double expected = std::exp(double(fromBf16(in[i])) - maximum) / sum;
      // Half a unit of bf16 is at most 2^-8 of the value; f32 maths adds
      // little.
      EXPECT_NEAR(fromBf16(out[i]), expected, expected * 0.0040)
          << "row " << row << ", column " << i;
    }
    for (unsigned i = n; i != stride; ++i)
      EXPECT_EQ(out[i], untouched) << "row " << row << ", column " << i;
  }
  EXPECT_TRUE(run.guardsIntact());
}

TEST_P(ForeignSoftmax, FullRows) { checkSoftmax(GetParam(), 3, 2048, 2048); }
TEST_P(ForeignSoftmax, RaggedRows) { checkSoftmax(GetParam(), 5, 777, 800); }
TEST_P(ForeignSoftmax, OneColumn) { checkSoftmax(GetParam(), 2, 1, 8); }

INSTANTIATE_TEST_SUITE_P(Triton, ForeignSoftmax,
                         testing::Values("gfx942_softmax_2048.s",
                                         "gfx950_softmax_2048.s"),
                         fileName);

} // namespace
