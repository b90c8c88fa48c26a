//===- ValuHalf.h - One-lane arithmetic on f16 ------------------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An f16 operation is computed in double, where sums and products of f16 values
// are exact or, for the fused multiply-add, rounded to odd, and is then rounded
// once to f16 by MODE. The plain and the packed instructions share these.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUHALF_H
#define FLY_SIM_EXEC_VALUHALF_H

#include <cmath>

#include "ValuWide.h"

namespace fly::sim {

/// Flags of arithmetic on Half: denormals by MODE, NaNs by the common rule.
constexpr unsigned kHalfArithmetic = kFlushes | kMakesNans;

inline double wide(Half a) { return halfToFloat(a.bits); }

/// Moves an inexact value to its neighbour of odd last place. \p lost has the
/// sign of what rounding removed.
inline double roundToOdd(double value, double lost) {
  uint64_t bits = bitCast<uint64_t>(value);
  if (lost == 0 || value == 0 || (bits & 1) || !std::isfinite(value))
    return value;
  return bitCast<double>((lost > 0) == (value > 0) ? bits + 1 : bits - 1);
}

/// a + b rounded to odd, on a host that rounds to nearest.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  double other = sum - a;
  return roundToOdd(sum, (a - (sum - other)) + (b - other));
}

/// The nearest f32, or its odd neighbour: rounding that to f16 equals rounding
/// the value.
inline float narrowToOdd(double value) {
  float narrow = static_cast<float>(value);
  uint32_t bits = bitCast<uint32_t>(narrow);
  double wide = narrow;
  bool isExact = wide == value || (bits & 1);
  uint32_t odd = std::fabs(wide) < std::fabs(value) ? bits + 1 : bits - 1;
  return isExact ? narrow : bitCast<float>(odd);
}

inline Half roundHalf(double value, const ModeRegister &mode) {
  if (mode.roundF64F16() == 0 && !mode.fp16Ovfl())
    return {floatToHalf(narrowToOdd(value))};
  return {doubleToHalf(value, static_cast<RoundingMode>(mode.roundF64F16()),
                       mode.fp16Ovfl() ? Overflow::Saturate : Overflow::Ieee)};
}

/// f32 has more than twice the bits of f16 and two: one operation rounded to
/// f32 and then to f16 equals one rounding.
inline bool roundsThroughFloat(const ModeRegister &mode) {
  return mode.roundF64F16() == 0 && !mode.fp16Ovfl();
}

inline Half addHalf(Half a, Half b, const ModeRegister &mode) {
  if (roundsThroughFloat(mode))
    return {floatToHalf(halfToFloat(a.bits) + halfToFloat(b.bits))};
  return roundHalf(wide(a) + wide(b), mode);
}
inline Half subHalf(Half a, Half b, const ModeRegister &mode) {
  if (roundsThroughFloat(mode))
    return {floatToHalf(halfToFloat(a.bits) - halfToFloat(b.bits))};
  return roundHalf(wide(a) - wide(b), mode);
}
inline Half mulHalf(Half a, Half b, const ModeRegister &mode) {
  if (roundsThroughFloat(mode))
    return {floatToHalf(halfToFloat(a.bits) * halfToFloat(b.bits))};
  return roundHalf(wide(a) * wide(b), mode);
}
inline Half fusedHalf(Half a, Half b, Half c, const ModeRegister &mode) {
  return roundHalf(addToOdd(wide(a) * wide(b), wide(c)), mode);
}

//===----------------------------------------------------------------------===//
// The same by the conversions of the host, in the plain MODE
//===----------------------------------------------------------------------===//

FLY_INLINE Half addHalfWide(Half a, Half b, const ModeRegister &) {
  return hostHalf(hostFloat(a) + hostFloat(b));
}
FLY_INLINE Half subHalfWide(Half a, Half b, const ModeRegister &) {
  return hostHalf(hostFloat(a) - hostFloat(b));
}
FLY_INLINE Half mulHalfWide(Half a, Half b, const ModeRegister &) {
  return hostHalf(hostFloat(a) * hostFloat(b));
}
/// The product is exact in f32. The sum is rounded to odd there: toward zero,
/// and its last bit set where something was lost.
FLY_INLINE Half fusedHalfWide(Half a, Half b, Half c, const ModeRegister &) {
  float product = hostFloat(a) * hostFloat(b);
  float addend = hostFloat(c);
  float sum = product + addend;
  float other = sum - product;
  float lost = (product - (sum - other)) + (addend - other);
  uint32_t bits = bitCast<uint32_t>(sum);
  // Not so of infinities and NaNs, for which it is NaN.
  uint32_t isInexact = lost < 0 || lost > 0;
  uint32_t isAway = (bits ^ bitCast<uint32_t>(lost)) >> 31;
  return hostHalf(bitCast<float>((bits - (isAway & isInexact)) | isInexact));
}

template <>
struct WideForm<addHalf> {
  static constexpr auto function = addHalfWide;
};
template <>
struct WideForm<subHalf> {
  static constexpr auto function = subHalfWide;
};
template <>
struct WideForm<mulHalf> {
  static constexpr auto function = mulHalfWide;
};
template <>
struct WideForm<fusedHalf> {
  static constexpr auto function = fusedHalfWide;
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUHALF_H
