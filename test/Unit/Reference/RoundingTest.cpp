//===- RoundingTest.cpp - fly.cast at random on the reference -------------===//
//
// What a number shall become is found among all codes of the type: the two
// neighbours, and which one by the rule of the op's definition.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Reference/Executor.h"
#include "fly/Support/ElementType.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace fly;
using reference::Argument;

namespace {

const char *const kCast = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {{
  gpu.func @cast(%X: !fly.ptr<f32>, %Y: !fly.ptr<{0}>, %seed: i32) kernel {{
    %x = fly.view %X[32, 16] : !fly.view<32x16xf32>
    %y = fly.view %Y[32, 16] : !fly.view<32x16x{0}>
    %t = fly.load %x[0, 0] : !fly.view<32x16xf32> -> tensor<32x16xf32>
    %r = fly.cast %t overflow {1} rounding sr seed %seed : tensor<32x16xf32> -> tensor<32x16x{0}>
    fly.store %r, %y[0, 0] : tensor<32x16x{0}>, !fly.view<32x16x{0}>
    gpu.return
  }
}
)mlir";

uint32_t randomBits(uint32_t place, uint32_t seed) {
  uint32_t r = place * 0x9E3779B9u + seed;
  r ^= r >> 16;
  r *= 0x85EBCA6Bu;
  r ^= r >> 13;
  r *= 0xC2B2AE35u;
  return r ^ (r >> 16);
}

class ReferenceRounding : public ::testing::Test {
protected:
  ReferenceRounding() {
    context.loadDialect<FlyDialect, gpu::GPUDialect, ROCDL::ROCDLDialect>();
  }

  std::vector<uint8_t> cast(StringRef type, bool saturate,
                            const std::vector<float> &from, uint32_t seed) {
    std::string text =
        llvm::formatv(kCast, type, saturate ? "saturate" : "ieee");
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
    std::vector<uint8_t> to(from.size() * 2);
    auto *data = reinterpret_cast<uint8_t *>(const_cast<float *>(from.data()));
    EXPECT_TRUE(succeeded(
        reference::run(kernel, {Argument::pointer(data, from.size() * 4),
                                Argument::pointer(to.data(), to.size()),
                                Argument::scalar(seed)})));
    return to;
  }

  /// Every result against the neighbours among all codes.
  void expectNeighbours(StringRef name, double scale) {
    ElementType type = llvm::cantFail(ElementType::parse(name));
    std::set<double> magnitudes;
    for (uint64_t code = 0; code < uint64_t(1) << type.bits(); ++code)
      if (double value = type.decode(code); std::isfinite(value))
        magnitudes.insert(std::abs(value));
    std::mt19937 generator(3);
    std::normal_distribution<double> normal(0, scale);
    std::vector<float> from(512);
    for (float &value : from)
      value = float(normal(generator));
    from[0] = 0;
    from[1] = float(*std::next(magnitudes.begin())); // The least one: exact.
    from[2] = float(*magnitudes.rbegin());
    from[3] = std::min(from[2] * 4, std::numeric_limits<float>::max());
    const uint32_t seed = 0x80001234;
    std::vector<uint8_t> to = cast(name, /*saturate=*/true, from, seed);
    unsigned up = 0, between = 0;
    for (uint32_t i = 0; i < from.size(); ++i) {
      double magnitude = std::abs(double(from[i]));
      auto above = magnitudes.upper_bound(magnitude);
      double expected = *magnitudes.rbegin();
      if (above != magnitudes.end()) {
        double high = *above, low = *std::prev(above);
        auto part =
            uint64_t(std::floor((magnitude - low) / (high - low) * 0x1p32));
        bool isUp = part + randomBits(i, seed) >= uint64_t(1) << 32;
        expected = isUp ? high : low;
        between += low != magnitude;
        up += isUp;
      }
      double got = type.decode(type.loadBits(to.data(), i));
      EXPECT_EQ(got, std::copysign(expected, from[i]))
          << name.str() << " of " << from[i] << " at " << i;
    }
    // It is random indeed.
    EXPECT_GT(up, between / 4) << name.str();
    EXPECT_LT(up, between * 3 / 4) << name.str();
  }

  MLIRContext context;
};
} // namespace

TEST_F(ReferenceRounding, TakesOneOfTwoNeighbours) {
  expectNeighbours("f8E4M3FN", 30);
  expectNeighbours("f8E4M3FNUZ", 0.01);
  expectNeighbours("f8E5M2", 1);
  expectNeighbours("f8E5M2FNUZ", 1000);
  expectNeighbours("f16", 1);
  expectNeighbours("f16", 1e-6);
  expectNeighbours("bf16", 1);
}

TEST_F(ReferenceRounding, BeyondTheRangeIsWhatTheCastSays) {
  std::vector<float> from(512, 1e9f);
  from[1] = -INFINITY;
  from[2] = NAN;
  ElementType f16 = llvm::cantFail(ElementType::parse("f16"));
  std::vector<uint8_t> to = cast("f16", /*saturate=*/false, from, 1);
  EXPECT_EQ(f16.decode(f16.loadBits(to.data(), 0)), INFINITY);
  EXPECT_EQ(f16.decode(f16.loadBits(to.data(), 1)), -INFINITY);
  EXPECT_TRUE(std::isnan(f16.decode(f16.loadBits(to.data(), 2))));
  to = cast("f16", /*saturate=*/true, from, 1);
  EXPECT_EQ(f16.decode(f16.loadBits(to.data(), 0)), 65504);
  // Only finite numbers are beyond a range.
  EXPECT_EQ(f16.decode(f16.loadBits(to.data(), 1)), -INFINITY);
}
