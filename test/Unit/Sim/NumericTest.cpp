//===- NumericTest.cpp - narrow formats against LLVM's APFloat ------------===//
//
// LLVM has its own implementation of every format here, which serves as the
// independent side: all codes are decoded, and encodings are compared at every
// code, at every midpoint of two neighbours and just beside it, in all rounding
// directions.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/FloatFormat.h"
#include "fly/Sim/Numeric/HalfConvert.h"
#include "fly/Sim/Numeric/Transcendental.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace fly::sim;
using llvm::APFloat;
using llvm::APInt;

namespace {

struct NamedFormat {
  const char *name;
  FloatFormat format;
  const llvm::fltSemantics &semantics;
};

std::vector<NamedFormat> smallFormats() {
  return {
      {"e4m3fn", kFloat8E4M3FN, APFloat::Float8E4M3FN()},
      {"e5m2", kFloat8E5M2, APFloat::Float8E5M2()},
      {"e4m3fnuz", kFloat8E4M3FNUZ, APFloat::Float8E4M3FNUZ()},
      {"e5m2fnuz", kFloat8E5M2FNUZ, APFloat::Float8E5M2FNUZ()},
      {"e2m3", kFloat6E2M3, APFloat::Float6E2M3FN()},
      {"e3m2", kFloat6E3M2, APFloat::Float6E3M2FN()},
      {"e2m1", kFloat4E2M1, APFloat::Float4E2M1FN()},
      {"f16", kFloat16, APFloat::IEEEhalf()},
      {"bf16", kBFloat16, APFloat::BFloat()},
  };
}

double decodeByLlvm(const NamedFormat &f, uint32_t code) {
  APFloat value(f.semantics, APInt(f.format.width(), code));
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

uint32_t encodeByLlvm(const NamedFormat &f, double value, RoundingMode mode) {
  constexpr llvm::RoundingMode modes[] = {
      APFloat::rmNearestTiesToEven, APFloat::rmTowardPositive,
      APFloat::rmTowardNegative, APFloat::rmTowardZero};
  APFloat number(value);
  bool loses;
  number.convert(f.semantics, modes[unsigned(mode)], &loses);
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}

uint64_t bitsOf(double value) { return bitCast<uint64_t>(value); }

bool isNanCode(const FloatFormat &format, uint32_t code) {
  return std::isnan(decodeFloat(format, code));
}

TEST(Numeric, DecodesEveryCodeLikeLlvm) {
  for (const NamedFormat &f : smallFormats())
    for (uint32_t code = 0; code >> f.format.width() == 0; ++code) {
      double ours = decodeFloat(f.format, code);
      double theirs = decodeByLlvm(f, code);
      if (std::isnan(theirs))
        ASSERT_TRUE(std::isnan(ours)) << f.name << " " << code;
      else
        ASSERT_EQ(bitsOf(ours), bitsOf(theirs)) << f.name << " " << code;
    }
}

TEST(Numeric, EncodesEveryDecodedCodeBack) {
  for (const NamedFormat &f : smallFormats())
    for (uint32_t code = 0; code >> f.format.width() == 0; ++code)
      for (unsigned mode = 0; mode != 4; ++mode)
        if (!isNanCode(f.format, code))
          ASSERT_EQ(encodeFloat(f.format, decodeFloat(f.format, code),
                                RoundingMode(mode)),
                    code)
              << f.name << " mode " << mode;
}

TEST(Numeric, RoundsBetweenNeighboursLikeLlvm) {
  for (const NamedFormat &f : smallFormats()) {
    uint32_t last = f.format.maxFiniteCode();
    for (uint32_t code = 0; code < last; ++code) {
      double low = decodeFloat(f.format, code);
      double middle = (low + decodeFloat(f.format, code + 1)) / 2;
      for (double value :
           {low, middle, std::nextafter(middle, 0.0),
            std::nextafter(middle, 1e300), std::nextafter(low, 1e300)})
        for (double sign : {1.0, -1.0})
          for (unsigned mode = 0; mode != 4; ++mode) {
            uint32_t theirs = encodeByLlvm(f, sign * value, RoundingMode(mode));
            ASSERT_EQ(encodeFloat(f.format, sign * value, RoundingMode(mode)),
                      theirs)
                << f.name << " " << sign * value << " mode " << mode;
          }
    }
  }
}

TEST(Numeric, OverflowsByTheFormatsRule) {
  for (const NamedFormat &f : smallFormats()) {
    uint32_t last = f.format.maxFiniteCode();
    double largest = decodeFloat(f.format, last);
    double step = largest - decodeFloat(f.format, last - 1);
    for (double value : {largest + step / 4, largest + step / 2,
                         largest + step * 0.51, largest * 4, 1e300}) {
      EXPECT_EQ(encodeFloat(f.format, value, RoundingMode::NearestEven,
                            Overflow::Saturate),
                last)
          << f.name;
      EXPECT_EQ(encodeFloat(f.format, value, RoundingMode::TowardZero), last)
          << f.name;
      if (f.format.specials == SpecialCodes::Ieee)
        for (unsigned mode = 0; mode != 4; ++mode)
          EXPECT_EQ(encodeFloat(f.format, value, RoundingMode(mode)),
                    encodeByLlvm(f, value, RoundingMode(mode)))
              << f.name << " " << value << " mode " << mode;
    }
  }
}

// The values of the project's table of hardware conversions from f32.
TEST(Numeric, Fp8TableOfKnownValues) {
  constexpr double inf = INFINITY;
  const double inputs[] = {1.0, -1.0, 3.9, 240,  248,    448,    464,
                           480, inf,  NAN, -0.0, 0x1p-9, 0x1p-10};
  const uint32_t fn[] = {0x38, 0xb8, 0x48, 0x77, 0x78, 0x7e, 0x7e,
                         0x7f, 0x7f, 0x7f, 0x80, 0x01, 0x00};
  const uint32_t fnuz[] = {0x40, 0xc0, 0x50, 0x7f, 0x80, 0x80, 0x80,
                           0x80, 0x80, 0x80, 0x00, 0x02, 0x01};
  for (unsigned i = 0; i != 13; ++i) {
    EXPECT_EQ(encodeFloat(kFloat8E4M3FN, inputs[i]) & 0x7f, fn[i] & 0x7f)
        << inputs[i];
    EXPECT_EQ(encodeFloat(kFloat8E4M3FNUZ, inputs[i]), fnuz[i]) << inputs[i];
  }
  auto clamped = [](const FloatFormat &format, double value) {
    return encodeFloat(format, value, RoundingMode::NearestEven,
                       Overflow::Saturate);
  };
  EXPECT_EQ(clamped(kFloat8E4M3FN, 480), 0x7eu);
  EXPECT_EQ(clamped(kFloat8E4M3FN, inf), 0x7fu);
  EXPECT_EQ(clamped(kFloat8E4M3FNUZ, 248), 0x7fu);
  EXPECT_EQ(clamped(kFloat8E4M3FNUZ, inf), 0x80u);
}

TEST(Numeric, FastHalfConversionsAgreeWithTheGeneralOnes) {
  for (uint32_t code = 0; code != 0x10000; ++code) {
    auto half = static_cast<uint16_t>(code);
    double exact = decodeFloat(kFloat16, code);
    double brain = decodeFloat(kBFloat16, code);
    if (!std::isnan(exact))
      ASSERT_EQ(bitsOf(halfToFloat(half)), bitsOf(exact)) << code;
    else
      ASSERT_TRUE(std::isnan(halfToFloat(half)));
    if (!std::isnan(brain))
      ASSERT_EQ(bitsOf(bfloatToFloat(half)), bitsOf(brain)) << code;
  }
  std::mt19937 random(7);
  auto check = [](uint32_t bits) {
    float value = bitCast<float>(bits);
    if (std::isnan(value)) {
      ASSERT_GT(floatToHalf(value) & 0x7FFF, 0x7C00);
      ASSERT_GT(floatToBFloat(value) & 0x7FFF, 0x7F80);
      return;
    }
    ASSERT_EQ(floatToHalf(value), encodeFloat(kFloat16, value)) << bits;
    ASSERT_EQ(floatToBFloat(value), encodeFloat(kBFloat16, value)) << bits;
  };
  for (unsigned i = 0; i != 2000000; ++i)
    check(random());
  // Every f16 tie and its neighbours; every bf16 tie.
  for (uint32_t code = 0; code != 0x7C00; ++code) {
    double middle =
        (decodeFloat(kFloat16, code) +
         decodeFloat(kFloat16, code + 1 == 0x7C00 ? code : code + 1)) /
        2;
    auto bits = bitCast<uint32_t>(static_cast<float>(middle));
    for (uint32_t near : {bits - 1, bits, bits + 1})
      check(near & 0x7FFFFFFF);
  }
  for (uint32_t upper = 0; upper != 0x10000; ++upper)
    for (uint32_t lower : {0x7FFFu, 0x8000u, 0x8001u})
      check(upper << 16 | lower);
}

TEST(Numeric, StochasticRoundingCarriesWithTheFraction) {
  // 1 + 3/32 lies 3/4 of the way from 1.0 to 1.125 in e4m3.
  double value = 1.0 + 3.0 / 32;
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, value, 0), 0x38u);
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, value, 0x3FFFFFFF), 0x38u);
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, value, 0x40000000), 0x39u);
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, -value, 0x40000000), 0xB9u);
  // An exact value never moves.
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, 1.125, 0xFFFFFFFF), 0x39u);
  // Far below the smallest number only the largest random numbers carry.
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, 0x1p-41, 0xFFFFFFFF), 1u);
  EXPECT_EQ(encodeFloatStochastic(kFloat8E4M3FN, 0x1p-42, 0xFFFFFFFF), 0u);
}

TEST(Numeric, ScalesArePowersOfTwo) {
  EXPECT_EQ(decodeE8M0(127), 1.0);
  EXPECT_EQ(decodeE8M0(0), 0x1p-127);
  EXPECT_EQ(decodeE8M0(254), 0x1p127);
  EXPECT_TRUE(std::isnan(decodeE8M0(255)));
}

TEST(Numeric, Xf32DropsThirteenBits) {
  EXPECT_EQ(bitCast<uint32_t>(truncateToXf32(bitCast<float>(0x3F801FFFu))),
            0x3F800000u);
  EXPECT_TRUE(std::isnan(truncateToXf32(bitCast<float>(0x7F800001u))));
}

TEST(Numeric, TranscendentalsAreNearlyExact) {
  // The C library's long double functions are the other side.
  constexpr long double tolerance = 0x1p-48L;
  constexpr long double twoPi = 6.283185307179586476925286766559L;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> exponent(-140, 127), small(-64, 64);
  for (unsigned i = 0; i != 200000; ++i) {
    double x = exponent(random);
    long double expected = std::exp2(static_cast<long double>(x));
    ASSERT_LE(std::fabs(exp2Wide(x) - expected), tolerance * expected) << x;

    double positive = static_cast<double>(expected);
    long double log = std::log2(static_cast<long double>(positive));
    ASSERT_LE(std::fabs(log2Wide(positive) - log),
              tolerance * std::fmax(std::fabs(log), 1e-3L))
        << positive;

    double turns = small(random);
    long double fraction = turns - std::floor(turns);
    ASSERT_LE(std::fabs(sinRevolutions(turns) - std::sin(fraction * twoPi)),
              tolerance)
        << turns;
    ASSERT_LE(std::fabs(cosRevolutions(turns) - std::cos(fraction * twoPi)),
              tolerance)
        << turns;
  }
  EXPECT_EQ(exp2Wide(10), 1024.0);
  EXPECT_EQ(exp2Wide(-INFINITY), 0.0);
  EXPECT_EQ(log2Wide(0.0), -INFINITY);
  EXPECT_EQ(log2Wide(8), 3.0);
  EXPECT_TRUE(std::isnan(log2Wide(-1)));
  EXPECT_EQ(sinRevolutions(0.25), 1.0);
  EXPECT_EQ(cosRevolutions(0.5), -1.0);
}

} // namespace
