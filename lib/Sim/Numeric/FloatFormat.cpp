//===- FloatFormat.cpp - Narrow floating-point formats, bit by bit --------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encoding works on the double's significand as an integer: choose the weight
// of the last place in the target format (fixed below the smallest normal
// number), shift the significand there, round the shifted-out part, and let a
// carry run from the mantissa into the exponent field, which is what makes
// rounding up to the next binade, to the smallest normal number and to overflow
// one case.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/FloatFormat.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace fly::sim;

namespace {

constexpr unsigned kDoubleMantissaBits = 52;
constexpr int kDoubleBias = 1023;

uint64_t doubleBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// A finite nonzero double as significand * 2^exponent, the significand in
/// [2^52, 2^53).
struct Decomposed {
  uint64_t significand;
  int exponent;
};

Decomposed decompose(uint64_t magnitudeBits) {
  uint64_t mantissa = magnitudeBits & ((uint64_t(1) << 52) - 1);
  int biased = static_cast<int>(magnitudeBits >> kDoubleMantissaBits);
  if (biased != 0)
    return {mantissa | (uint64_t(1) << 52), biased - kDoubleBias - 52};
  int shift = __builtin_clzll(mantissa) - 11;
  return {mantissa << shift, 1 - kDoubleBias - 52 - shift};
}

/// How the shifted-out part decides the last place.
struct Rounder {
  RoundingMode mode;
  bool negative;
  bool stochastic;
  uint32_t random;

  /// floor(significand / 2^shift), plus one where the rounding says so.
  uint64_t operator()(uint64_t significand, unsigned shift) const {
    if (shift == 0)
      return significand;
    // Beyond 63 places only "something was lost" remains.
    uint64_t kept = shift < 64 ? significand >> shift : 0;
    if (stochastic)
      return kept + stochasticCarry(significand, shift);
    uint64_t rest =
        shift < 64 ? significand & ((uint64_t(1) << shift) - 1) : significand;
    if (rest == 0)
      return kept;
    switch (mode) {
    case RoundingMode::NearestEven: {
      if (shift >= 64)
        return kept;
      uint64_t half = uint64_t(1) << (shift - 1);
      return kept + (rest > half || (rest == half && (kept & 1)));
    }
    case RoundingMode::TowardPositive:
      return kept + !negative;
    case RoundingMode::TowardNegative:
      return kept + negative;
    case RoundingMode::TowardZero:
      return kept;
    }
    return kept;
  }

private:
  /// The carry of fraction + random / 2^32, the fraction cut to 32 bits.
  uint64_t stochasticCarry(uint64_t significand, unsigned shift) const {
    uint64_t fraction = 0;
    if (shift <= 32)
      fraction = (significand & ((uint64_t(1) << shift) - 1)) << (32 - shift);
    else if (shift < 64)
      fraction = (significand & ((uint64_t(1) << shift) - 1)) >> (shift - 32);
    else if (shift < 96)
      fraction = significand >> (shift - 32);
    return (fraction + random) >> 32;
  }
};

uint32_t nanCode(const FloatFormat &format, uint32_t sign) {
  switch (format.specials) {
  case SpecialCodes::Ieee:
    // Quiet: exponent all ones, top mantissa bit set.
    return sign | (format.magnitudeMask() - format.mantissaMask()) |
           (1u << (format.mantissaBits - 1));
  case SpecialCodes::NanOnly:
    return sign | format.magnitudeMask();
  case SpecialCodes::Fnuz:
    return format.signMask();
  case SpecialCodes::FiniteOnly:
    return sign | format.maxFiniteCode();
  }
  return 0;
}

uint32_t infinityCode(const FloatFormat &format, uint32_t sign) {
  if (format.specials == SpecialCodes::Ieee)
    return sign | (format.maxFiniteCode() + 1);
  return nanCode(format, sign);
}

uint32_t overflowCode(const FloatFormat &format, uint32_t sign,
                      const Rounder &rounder, Overflow overflow) {
  bool pointsBack =
      !rounder.stochastic &&
      (rounder.mode == RoundingMode::TowardZero ||
       rounder.mode == (rounder.negative ? RoundingMode::TowardPositive
                                         : RoundingMode::TowardNegative));
  if (overflow == Overflow::Saturate || pointsBack)
    return sign | format.maxFiniteCode();
  return infinityCode(format, sign);
}

uint32_t encode(const FloatFormat &format, double value, Rounder rounder,
                Overflow overflow) {
  uint64_t bits = doubleBits(value);
  bool negative = bits >> 63;
  uint64_t magnitude = bits & ~(uint64_t(1) << 63);
  uint32_t sign = negative ? format.signMask() : 0;
  rounder.negative = negative;
  constexpr uint64_t infinity = uint64_t(0x7FF) << kDoubleMantissaBits;
  if (magnitude > infinity)
    return nanCode(format, sign);
  if (magnitude == infinity)
    return infinityCode(format, sign);
  if (magnitude == 0)
    return format.specials == SpecialCodes::Fnuz ? 0 : sign;

  Decomposed parts = decompose(magnitude);
  int valueExponent = parts.exponent + static_cast<int>(kDoubleMantissaBits);
  int exponent = valueExponent < format.minExponent() ? format.minExponent()
                                                      : valueExponent;
  int lastPlace = exponent - static_cast<int>(format.mantissaBits);
  uint64_t quotient = rounder(
      parts.significand, static_cast<unsigned>(lastPlace - parts.exponent));

  // A quotient of at least 2^mantissaBits carries the implicit one, which adds
  // one to a field that is therefore entered one too low.
  int64_t field = static_cast<int64_t>(exponent) + format.bias - 1;
  if (field >= (int64_t(1) << format.exponentBits))
    return overflowCode(format, sign, rounder, overflow);
  uint64_t code =
      (static_cast<uint64_t>(field) << format.mantissaBits) + quotient;
  if (code > format.maxFiniteCode())
    return overflowCode(format, sign, rounder, overflow);
  if (code == 0 && format.specials == SpecialCodes::Fnuz)
    return 0;
  return sign | static_cast<uint32_t>(code);
}

} // namespace

double fly::sim::decodeFloat(const FloatFormat &format, uint32_t code) {
  bool negative = code & format.signMask();
  uint32_t magnitude = code & format.magnitudeMask();
  double sign = negative ? -1.0 : 1.0;
  double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (format.specials == SpecialCodes::Fnuz && negative && magnitude == 0)
    return nan;
  if (magnitude > format.maxFiniteCode()) {
    bool isInfinity = format.specials == SpecialCodes::Ieee &&
                      magnitude == format.maxFiniteCode() + 1;
    return isInfinity ? sign * std::numeric_limits<double>::infinity() : nan;
  }
  uint32_t mantissa = magnitude & format.mantissaMask();
  int field = static_cast<int>(magnitude >> format.mantissaBits);
  int exponent = field == 0 ? format.minExponent() : field - format.bias;
  if (field != 0)
    mantissa |= 1u << format.mantissaBits;
  return std::ldexp(sign * mantissa,
                    exponent - static_cast<int>(format.mantissaBits));
}

uint32_t fly::sim::encodeFloat(const FloatFormat &format, double value,
                               RoundingMode rounding, Overflow overflow) {
  return encode(format, value, {rounding, false, false, 0}, overflow);
}

uint32_t fly::sim::encodeFloatStochastic(const FloatFormat &format,
                                         double value, uint32_t random,
                                         Overflow overflow) {
  return encode(format, value, {RoundingMode::NearestEven, false, true, random},
                overflow);
}

double fly::sim::decodeE8M0(uint8_t byte) {
  if (byte == 0xFF)
    return std::numeric_limits<double>::quiet_NaN();
  // The exponent field of a double; never denormal there.
  uint64_t bits = (uint64_t(byte) + kDoubleBias - 127) << kDoubleMantissaBits;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
