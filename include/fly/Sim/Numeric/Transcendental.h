//===- Transcendental.h - Functions of the transcendental unit --*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware's exp, log, sin and cos are table approximations of about 1 ulp
// whose bits are not public. The simulator returns what a good approximation
// would: the true value, computed in double with a relative error below 2^-48
// and then rounded once. The C library is not asked, since its last bits differ
// between versions; only IEEE operations are used here.
//
//===----------------------------------------------------------------------===//

// Each function reduces its argument exactly to a small interval and sums a
// Taylor series there, far enough that the truncated tail is below 2^-53 of the
// result. The order of operations is fixed, so every host gives the same bits,
// and there are no branches, so that loops over lanes become vectors.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_NUMERIC_TRANSCENDENTAL_H
#define FLY_SIM_NUMERIC_TRANSCENDENTAL_H

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace fly::sim {

/// sum of x^n / n! for n <= 12, by Horner; |x| <= ln2 / 2.
inline double expSmall(double x) {
  constexpr double inverseFactorial[] = {1.0,
                                         1.0,
                                         1.0 / 2,
                                         1.0 / 6,
                                         1.0 / 24,
                                         1.0 / 120,
                                         1.0 / 720,
                                         1.0 / 5040,
                                         1.0 / 40320,
                                         1.0 / 362880,
                                         1.0 / 3628800,
                                         1.0 / 39916800,
                                         1.0 / 479001600};
  double sum = inverseFactorial[12];
  for (int n = 11; n >= 0; --n)
    sum = sum * x + inverseFactorial[n];
  return sum;
}

/// 2^x for |x| <= 1020.
inline double exp2InRange(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  // Adding 1.5 * 2^52 leaves the nearest integer in the low mantissa bits.
  constexpr double shifter = 0x1.8p52;
  double shifted = x + shifter;
  double fraction = x - (shifted - shifter);
  uint64_t exponent = bitCast<uint64_t>(shifted) << 52;
  double power = bitCast<double>(exponent + (uint64_t(1023) << 52));
  return expSmall(fraction * ln2) * power;
}

/// 2^x. Infinity above 1020, 0 below -1020, far outside every format that the
/// hardware's instruction has; NaN itself.
inline double exp2Wide(double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double limit = 1020;
  bool isAbove = x > limit, isBelow = x < -limit;
  double limited = isAbove ? limit : isBelow ? -limit : x;
  double result = exp2InRange(limited);
  result = isAbove ? infinity : isBelow ? 0.0 : result;
  return x != x ? x : result;
}

/// log2(x * 2^(1022 - bias)) for a normal x > 0.
inline double log2Normal(double x, int bias = 1022) {
  constexpr double twoOverLn2 = 2.88539008177792681472;
  // The mantissa in [0.5, 1), then in [sqrt(1/2), sqrt(2)).
  uint64_t bits = bitCast<uint64_t>(x);
  int exponent = static_cast<int>((bits >> 52) & 0x7FF) - bias;
  constexpr uint64_t mantissaMask = (uint64_t(1) << 52) - 1;
  double mantissa =
      bitCast<double>((bits & mantissaMask) | uint64_t(1022) << 52);
  bool isLow = mantissa < 0.70710678118654752;
  mantissa = isLow ? mantissa * 2 : mantissa;
  exponent -= isLow;
  // log2(m) = 2 / ln2 * atanh(s), s = (m - 1) / (m + 1), |s| < 0.172.
  double s = (mantissa - 1) / (mantissa + 1);
  double square = s * s;
  double sum = 0.0;
  for (int n = 27; n >= 1; n -= 2)
    sum = 1.0 / n + square * sum;
  return exponent + twoOverLn2 * s * sum;
}

/// log2(x): -infinity for +-0, NaN for negative numbers.
inline double log2Wide(double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool isSubnormal = x < 0x1p-1022;
  double result =
      log2Normal(isSubnormal ? x * 0x1p54 : x, isSubnormal ? 1076 : 1022);
  result = x < 0 ? std::numeric_limits<double>::quiet_NaN() : result;
  result = x == 0 ? -infinity : result;
  return x != x || x == infinity ? x : result;
}

/// sin(2 pi x), `quarters` of a turn later; NaN for infinities.
inline double turn(double x, int quarters) {
  constexpr double twoPi = 6.28318530717958647693;
  bool isFinite = std::fabs(x) <= std::numeric_limits<double>::max();
  // Exact: the fraction of a revolution, then its distance to a quarter.
  double fraction = isFinite ? x - std::floor(x) : 0.0;
  double nearest = std::floor(fraction * 4 + 0.5);
  double angle = (fraction - nearest * 0.25) * twoPi;
  // Both series for |angle| <= pi / 4.
  double square = angle * angle;
  double sine = 1.0, cosine = 1.0;
  for (int n = 9; n >= 1; --n) {
    sine = 1.0 - square * sine * (1.0 / ((2 * n) * (2 * n + 1)));
    cosine = 1.0 - square * cosine * (1.0 / ((2 * n - 1) * (2 * n)));
  }
  int quadrant = static_cast<int>(nearest) + quarters;
  double value = (quadrant & 1) != 0 ? cosine : angle * sine;
  value = (quadrant & 2) != 0 ? -value : value;
  return isFinite ? value : std::numeric_limits<double>::quiet_NaN();
}

/// sin(2 pi x): the argument is in revolutions. NaN for infinities.
inline double sinRevolutions(double x) { return x == 0 ? x : turn(x, 0); }

/// cos(2 pi x): the argument is in revolutions. NaN for infinities.
inline double cosRevolutions(double x) { return turn(x, 1); }

} // namespace fly::sim

#endif // FLY_SIM_NUMERIC_TRANSCENDENTAL_H
