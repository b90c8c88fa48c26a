//===- ErrorBoundsTest.cpp - How far off a right result may be ------------===//
//
// Kernels on the reference executor with the bounds of what they store. The
// expectation is arithmetic of the host in f32, in several orders: all of them
// must be within the bound, which must be no larger than the formulas of
// docs/Rationale/ErrorBounds.md say.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Reference/Executor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace fly;

namespace {

/// Runs a kernel `k` of two inputs X, W and an output Y of f32; Y and bounds.
struct Outcome {
  std::vector<float> values;
  std::vector<double> bounds;
  std::string messages;
};

Outcome run(const std::string &body, std::vector<float> x, std::vector<float> w,
            size_t outputs) {
  MLIRContext context;
  context
      .loadDialect<FlyDialect, gpu::GPUDialect, arith::ArithDialect,
                   math::MathDialect, scf::SCFDialect, ROCDL::ROCDLDialect>();
  Outcome outcome;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    outcome.messages += diagnostic.str() + "\n";
    return success();
  });
  std::string text = R"mlir(gpu.module @m [#rocdl.target<chip = "gfx942">] {
    gpu.func @k(%X: !fly.ptr<f32>, %W: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel {
    )mlir" + body + "\n gpu.return\n}\n}";
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << outcome.messages;
  if (!module)
    return outcome;
  FunctionOpInterface kernel;
  module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
  outcome.values.resize(outputs);
  ErrorBounds bounds;
  auto pointer = [](std::vector<float> &data, ErrorBounds *bounds) {
    return reference::Argument::pointer(
        reinterpret_cast<uint8_t *>(data.data()), data.size() * 4, "", bounds);
  };
  EXPECT_TRUE(succeeded(
      reference::run(kernel, {pointer(x, nullptr), pointer(w, nullptr),
                              pointer(outcome.values, &bounds)})))
      << outcome.messages;
  for (size_t i = 0; i < outputs; ++i)
    outcome.bounds.push_back(bounds.get(i, 32));
  return outcome;
}

std::vector<float> randomNumbers(size_t count, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(float(int32_t(rng())) * 0x1p-31f);
  return numbers;
}

/// Sums of f32 in this order, forwards, backwards, sorted and in pairs.
std::vector<float> sumsInSomeOrders(std::vector<float> terms) {
  std::vector<float> sums;
  for (int order = 0; order < 3; ++order) {
    float sum = 0;
    for (float term : terms)
      sum += term;
    sums.push_back(sum);
    if (order == 0)
      std::reverse(terms.begin(), terms.end());
    else
      std::sort(terms.begin(), terms.end());
  }
  while (terms.size() > 1) {
    std::vector<float> halves;
    for (size_t i = 0; i + 1 < terms.size(); i += 2)
      halves.push_back(terms[i] + terms[i + 1]);
    if (terms.size() % 2)
      halves.push_back(terms.back());
    terms = halves;
  }
  sums.push_back(terms[0]);
  return sums;
}

const char *sumKernel = R"mlir(
  %x = fly.view %X[1, 300] : !fly.view<1x300xf32>
  %y = fly.view %Y[1] : !fly.view<1xf32>
  %t = fly.load %x[0, 0] : !fly.view<1x300xf32> -> tensor<1x300xf32>
  %s = fly.reduce add %t along 1 : tensor<1x300xf32> -> tensor<1xf32>
  fly.store %s, %y[0] : tensor<1xf32>, !fly.view<1xf32>)mlir";

const char *dotKernel = R"mlir(
  %x = fly.view %X[4, 256] : !fly.view<4x256xf32>
  %w = fly.view %W[4, 256] : !fly.view<4x256xf32>
  %y = fly.view %Y[4, 4] : !fly.view<4x4xf32>
  %a = fly.load %x[0, 0] : !fly.view<4x256xf32> -> tensor<4x256xf32>
  %b = fly.load %w[0, 0] : !fly.view<4x256xf32> -> tensor<4x256xf32>
  %zero = fly.constant 0.0 : tensor<4x4xf32>
  %d = fly.dot %a, %b, %zero : tensor<4x256xf32>, tensor<4x256xf32> -> tensor<4x4xf32>
  fly.store %d, %y[0, 0] : tensor<4x4xf32>, !fly.view<4x4xf32>)mlir";

/// A kernel of one elementwise op on X and W, of 64 elements each.
std::string elementwise(const std::string &lines) {
  return R"mlir(
  %x = fly.view %X[64] : !fly.view<64xf32>
  %w = fly.view %W[64] : !fly.view<64xf32>
  %y = fly.view %Y[64] : !fly.view<64xf32>
  %a = fly.load %x[0] : !fly.view<64xf32> -> tensor<64xf32>
  %b = fly.load %w[0] : !fly.view<64xf32> -> tensor<64xf32>
  )mlir" +
         lines + R"mlir(
  fly.store %r, %y[0] : tensor<64xf32>, !fly.view<64xf32>)mlir";
}

} // namespace

TEST(ErrorBounds, SumsCoverEveryOrder) {
  std::vector<float> x = randomNumbers(300, 1);
  Outcome outcome = run(sumKernel, x, {0}, 1);
  double magnitude = 0;
  for (float value : x)
    magnitude += std::abs(value);
  for (float sum : sumsInSomeOrders(x))
    EXPECT_LE(std::abs(sum - outcome.values[0]), outcome.bounds[0]);
  EXPECT_GT(outcome.bounds[0], 0);
  EXPECT_LE(outcome.bounds[0], 1.02 * 300 * 0x1p-24 * magnitude);
}

TEST(ErrorBounds, SumsOfIntegersAreExact) {
  std::vector<float> x;
  for (int i = 0; i < 300; ++i)
    x.push_back(float(i * 37 % 101 - 50) * 0.125f);
  EXPECT_EQ(run(sumKernel, x, {0}, 1).bounds[0], 0);
  // 2^24 + 1 is no f32: then the order matters.
  x[7] = 0x1p21f;
  EXPECT_GT(run(sumKernel, x, {0}, 1).bounds[0], 0);
}

TEST(ErrorBounds, DotsCoverEveryOrder) {
  std::vector<float> x = randomNumbers(1024, 2), w = randomNumbers(1024, 3);
  Outcome outcome = run(dotKernel, x, w, 16);
  for (int m = 0; m < 4; ++m) {
    for (int n = 0; n < 4; ++n) {
      std::vector<float> products;
      double squaresX = 0, squaresW = 0;
      for (int k = 0; k < 256; ++k) {
        float a = x[m * 256 + k], b = w[n * 256 + k];
        products.push_back(a * b);
        squaresX += a * a;
        squaresW += b * b;
      }
      double bound = outcome.bounds[m * 4 + n];
      for (float sum : sumsInSomeOrders(products))
        EXPECT_LE(std::abs(sum - outcome.values[m * 4 + n]), bound);
      EXPECT_GT(bound, 0);
      EXPECT_LE(bound, 1.02 * 258 * 0x1p-24 * std::sqrt(squaresX * squaresW));
    }
  }
}

TEST(ErrorBounds, DotsOfIntegersAreExact) {
  std::vector<float> x, w;
  for (int i = 0; i < 1024; ++i) {
    x.push_back(float(i * 7 % 33 - 16));
    w.push_back(float(i * 5 % 31 - 15) * 0.25f);
  }
  for (double bound : run(dotKernel, x, w, 16).bounds)
    EXPECT_EQ(bound, 0);
}

TEST(ErrorBounds, RoundedOpsAreOffByTheirRounding) {
  std::vector<float> x = randomNumbers(64, 4), w = randomNumbers(64, 5);
  Outcome outcome = run(elementwise("%p = arith.mulf %a, %b : tensor<64xf32>\n"
                                    "%r = arith.addf %p, %a : tensor<64xf32>"),
                        x, w, 64);
  for (int i = 0; i < 64; ++i) {
    float product = x[i] * w[i];
    float expected = product + x[i];
    EXPECT_LE(std::abs(expected - outcome.values[i]), outcome.bounds[i]);
    // Half an ulp of each, and of what is stored.
    EXPECT_LE(outcome.bounds[i],
              0x1p-24 * (std::abs(x[i] * w[i]) + 3 * std::abs(expected)) +
                  0x1p-40);
  }
}

TEST(ErrorBounds, ExactResultsAddNothing) {
  std::vector<float> x, w;
  for (int i = 0; i < 64; ++i) {
    x.push_back(float(i - 20));
    w.push_back(float(1 << (i % 5)));
  }
  Outcome outcome =
      run(elementwise("%p = arith.mulf %a, %b : tensor<64xf32>\n"
                      "%q = arith.divf %p, %b : tensor<64xf32>\n"
                      "%f = math.floor %q : tensor<64xf32>\n"
                      "%r = arith.maxnumf %f, %b : tensor<64xf32>"),
          x, w, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(outcome.values[i], std::max(x[i], w[i]));
    EXPECT_EQ(outcome.bounds[i], 0) << i;
  }
}

TEST(ErrorBounds, AnUncertainSelectCoversBothValues) {
  // a b - c, with c the rounded product, is the rounding error in the wide
  // reference and 0 on a device: which is not below 0 is uncertain.
  std::vector<float> x = randomNumbers(64, 6), w = randomNumbers(64, 7);
  Outcome outcome = run(
      elementwise(
          "%p = arith.mulf %a, %b : tensor<64xf32>\n"
          "%h = arith.extf %p : tensor<64xf32> to tensor<64xf64>\n"
          "%c = arith.truncf %h : tensor<64xf64> to tensor<64xf32>\n"
          "%d = arith.subf %p, %c : tensor<64xf32>\n"
          "%zero = fly.constant 0.0 : tensor<64xf32>\n"
          "%one = fly.constant 1.0 : tensor<64xf32>\n"
          "%two = fly.constant 3.0 : tensor<64xf32>\n"
          "%l = arith.cmpf olt, %d, %zero : tensor<64xf32>\n"
          "%r = arith.select %l, %one, %two : tensor<64xi1>, tensor<64xf32>"),
      x, w, 64);
  unsigned uncertain = 0;
  for (int i = 0; i < 64; ++i) {
    uncertain += outcome.bounds[i] != 0;
    if (outcome.bounds[i] != 0) {
      EXPECT_NEAR(outcome.bounds[i], 2, 1e-5);
    } else {
      EXPECT_EQ(outcome.values[i], 3);
    }
  }
  EXPECT_GT(uncertain, 32u);
}

TEST(ErrorBounds, FunctionsAreOffByTheirTable) {
  std::vector<float> x = randomNumbers(64, 8);
  Outcome outcome = run(elementwise("%r = math.exp %a : tensor<64xf32>"), x,
                        std::vector<float>(64), 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_GT(outcome.bounds[i], 0x1p-24 * outcome.values[i] / 2);
    EXPECT_LT(outcome.bounds[i], 0x1p-22 * outcome.values[i]);
  }
  // The square root of what may be negative has no bound.
  outcome = run(elementwise("%e = math.exp %a : tensor<64xf32>\n"
                            "%d = arith.subf %e, %e : tensor<64xf32>\n"
                            "%r = math.sqrt %d : tensor<64xf32>"),
                x, std::vector<float>(64), 64);
  for (double bound : outcome.bounds)
    EXPECT_TRUE(std::isinf(bound));
}

TEST(ErrorBounds, ABranchOnWhatIsUncertainIsTold) {
  Outcome outcome = run(R"mlir(
  %x = fly.view %X[4] : !fly.view<4xf32>
  %y = fly.view %Y[4] : !fly.view<4xf32>
  %c0 = arith.constant 0 : i32
  %s = fly.load_scalar %x[%c0] : !fly.view<4xf32> -> f32
  %e = math.exp %s : f32
  %f = math.exp %s : f32
  %l = arith.cmpf olt, %e, %f : f32
  scf.if %l {
    %t = fly.load %x[0] : !fly.view<4xf32> -> tensor<4xf32>
    fly.store %t, %y[0] : tensor<4xf32>, !fly.view<4xf32>
  })mlir",
                        {0.5f, 1, 2, 3}, {0}, 4);
  EXPECT_NE(outcome.messages.find("a correct kernel may go another way"),
            std::string::npos)
      << outcome.messages;
}
