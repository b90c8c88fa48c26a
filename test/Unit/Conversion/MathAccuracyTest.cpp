//===- MathAccuracyTest.cpp - Error bounds of our math functions ----------===//
//
// Every function of fly-expand-math over its range, against the host's double
// precision, in units in the last place of f32. The bounds are those of
// docs/Guide/Math.md. They rest on the simulator's transcendental unit, whose
// results are correctly rounded; hardware promises 1 ulp for each.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "ConversionRun.h"

using namespace fly::test;

namespace {

constexpr size_t samples = 16384;

/// y[i] = f(x[i]) for `samples` elements, f being `operation` on vector<4xf32>.
std::vector<float> evaluate(const std::string &operation,
                            const std::vector<float> &x, llvm::StringRef chip) {
  ConversionRun run(moduleOf(chip, R"mlir(
  gpu.func @k(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %n: i32) kernel
      attributes {fly.waves = 4 : i32} {
    %x = fly.view %X[%n] : !fly.view<?xf32>
    %y = fly.view %Y[%n] : !fly.view<?xf32>
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %b0 = arith.muli %b, %c1024 : index
    %t0 = arith.muli %t, %c4 : index
    %i = arith.addi %b0, %t0 : index
    %v = fly.read %x[%i] in_bounds [true] align 4 : !fly.view<?xf32> -> vector<4xf32>
    %one = arith.constant dense<1.0> : vector<4xf32>
    %w = )mlir" + operation + R"mlir( : vector<4xf32>
    fly.write %w, %y[%i] in_bounds [true] align 4 : vector<4xf32>, !fly.view<?xf32>
    gpu.return
  })mlir"));
  EXPECT_EQ(run.errors, "");
  uint64_t px = run.buffer(x), py = run.buffer(std::vector<float>(samples));
  EXPECT_EQ(run.launch({px, py, samples}, samples / 1024), "");
  return run.read<float>(py, samples);
}

/// Distance of `got` from `exact` in units in the last place of f32.
double ulps(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) == std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(got) || std::isinf(float(exact)))
    return double(got) == double(float(exact)) ? 0 : INFINITY;
  int exponent;
  std::frexp(exact, &exponent);
  double unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::abs(got - exact) / unit;
}

/// Values from `low` to `high`: evenly spaced, then close to the ends and 0.
std::vector<float> spread(double low, double high) {
  std::vector<float> x;
  for (size_t i = 0; i < samples / 2; ++i)
    x.push_back(float(low + (high - low) * i / (samples / 2 - 1)));
  for (size_t i = 0; i < samples / 2; ++i) {
    double scale = std::ldexp(1.0, -int(i % 40));
    double value = (i % 2 ? low : high) * scale * (1 + double(i) / samples);
    x.push_back(float(std::min(std::max(value, low), high)));
  }
  return x;
}

struct Bound {
  const char *operation;
  std::function<double(double)> exact;
  double low, high;
  double ulp;
};

void check(const Bound &bound, llvm::StringRef chip) {
  std::vector<float> x = spread(bound.low, bound.high);
  std::vector<float> got = evaluate(bound.operation, x, chip);
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < samples; ++i) {
    double error = ulps(got[i], bound.exact(x[i]));
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  EXPECT_LE(worst, bound.ulp)
      << bound.operation << " on " << chip.str() << " at " << x[at] << ": got "
      << got[at] << ", exact " << bound.exact(x[at]);
  ::testing::Test::RecordProperty(bound.operation, std::to_string(worst));
  std::printf("%-40s %.2f ulp (bound %.2f)\n", bound.operation, worst,
              bound.ulp);
}

double rsqrt(double x) { return 1 / std::sqrt(x); }

} // namespace

TEST(MathAccuracy, StaysWithinTheBounds) {
  const Bound bounds[] = {
      {"math.exp %v", [](double x) { return std::exp(x); }, -110, 95, 1.5},
      {"math.exp2 %v", [](double x) { return std::exp2(x); }, -155, 130, 1},
      {"math.log %v", [](double x) { return std::log(x); }, 1e-44, 3e38, 2},
      {"math.log %v", [](double x) { return std::log(x); }, 0.5, 2, 2},
      {"math.log2 %v", [](double x) { return std::log2(x); }, 1e-44, 3e38, 1},
      {"math.rsqrt %v", rsqrt, 1e-44, 3e38, 1},
      {"math.sqrt %v", [](double x) { return std::sqrt(x); }, 0, 3e38, 0.5},
      {"math.tanh %v", [](double x) { return std::tanh(x); }, -12, 12, 3},
      {"math.erf %v", [](double x) { return std::erf(x); }, -5, 5, 2.5},
      {"arith.divf %one, %v", [](double x) { return 1 / x; }, -100, 100, 0.5},
  };
  for (const Bound &bound : bounds)
    for (llvm::StringRef chip : {"gfx942", "gfx950"})
      check(bound, chip);
}

TEST(MathAccuracy, ApproximationsAreTheBareInstruction) {
  const Bound bounds[] = {
      {"math.exp2 %v fastmath<afn>", [](double x) { return std::exp2(x); },
       -120, 120, 1},
      {"math.exp %v fastmath<afn>", [](double x) { return std::exp(x); }, -10,
       10, 10},
      {"math.rsqrt %v fastmath<afn>", rsqrt, 1e-30, 1e30, 1},
      {"math.sqrt %v fastmath<afn>", [](double x) { return std::sqrt(x); },
       1e-30, 1e30, 1},
      {"arith.divf %one, %v fastmath<arcp, afn>",
       [](double x) { return 1 / x; }, 1e-3, 1e3, 1},
  };
  for (const Bound &bound : bounds)
    check(bound, "gfx942");
}

TEST(MathAccuracy, ApproximateTanhIsCloseInAbsoluteTerms) {
  std::vector<float> x = spread(-12, 12);
  std::vector<float> got = evaluate("math.tanh %v fastmath<afn>", x, "gfx942");
  for (size_t i = 0; i < samples; ++i)
    ASSERT_NEAR(got[i], std::tanh(double(x[i])), 2e-7) << x[i];
}

TEST(MathAccuracy, SpecialValues) {
  float inf = std::numeric_limits<float>::infinity();
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x(samples, 1.0f);
  const float special[] = {0.0f, -0.0f, inf, -inf, nan, 1e-42f, -1e-42f};
  std::copy(std::begin(special), std::end(special), x.begin());
  struct Case {
    const char *operation;
    float expected[5];
  };
  const Case cases[] = {
      {"math.exp %v", {1, 1, inf, 0, nan}},
      {"math.exp2 %v", {1, 1, inf, 0, nan}},
      {"math.log %v", {-inf, -inf, inf, nan, nan}},
      {"math.log2 %v", {-inf, -inf, inf, nan, nan}},
      {"math.rsqrt %v", {inf, -inf, 0, nan, nan}},
      {"math.tanh %v", {0.0f, -0.0f, 1, -1, nan}},
      {"math.erf %v", {0.0f, -0.0f, 1, -1, nan}},
  };
  for (const Case &each : cases) {
    std::vector<float> got = evaluate(each.operation, x, "gfx942");
    for (int i = 0; i < 5; ++i) {
      if (std::isnan(each.expected[i])) {
        EXPECT_TRUE(std::isnan(got[i])) << each.operation << " " << x[i];
        continue;
      }
      EXPECT_EQ(got[i], each.expected[i]) << each.operation << " " << x[i];
      EXPECT_EQ(std::signbit(got[i]), std::signbit(each.expected[i]))
          << each.operation << " " << x[i];
    }
  }
}
