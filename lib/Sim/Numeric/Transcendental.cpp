//===- Transcendental.cpp - Functions of the transcendental unit ----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function reduces its argument exactly to a small interval and sums a
// Taylor series there, far enough that the truncated tail is below 2^-53 of the
// result. The order of operations is fixed, so every host gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/Transcendental.h"

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace fly::sim;

namespace {

constexpr double kLn2 = 0.693147180559945309417;
constexpr double kTwoOverLn2 = 2.88539008177792681472;
constexpr double kTwoPi = 6.28318530717958647693;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// 1 / n!.
constexpr double kInverseFactorial[] = {
    1.0,
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
    1.0 / 479001600,
};

/// sum of x^n / n! for n <= 12, by Horner; |x| <= ln2 / 2.
double expSmall(double x) {
  double sum = kInverseFactorial[12];
  for (int n = 11; n >= 0; --n)
    sum = sum * x + kInverseFactorial[n];
  return sum;
}

/// sin(x) for |x| <= pi / 4.
double sinSmall(double x) {
  double square = x * x;
  double sum = 1.0;
  for (int n = 9; n >= 1; --n)
    sum = 1.0 - square * sum / ((2 * n) * (2 * n + 1));
  return x * sum;
}

/// cos(x) for |x| <= pi / 4.
double cosSmall(double x) {
  double square = x * x;
  double sum = 1.0;
  for (int n = 9; n >= 1; --n)
    sum = 1.0 - square * sum / ((2 * n - 1) * (2 * n));
  return sum;
}

/// sin(2 pi x), `quarters` of a turn later.
double turn(double x, int quarters) {
  if (!std::isfinite(x))
    return kNan;
  // Exact: the fraction of a revolution, then its distance to a quarter.
  double fraction = x - std::floor(x);
  double nearest = std::floor(fraction * 4 + 0.5);
  double angle = (fraction - nearest * 0.25) * kTwoPi;
  switch ((static_cast<int>(nearest) + quarters) & 3) {
  case 0:
    return sinSmall(angle);
  case 1:
    return cosSmall(angle);
  case 2:
    return -sinSmall(angle);
  default:
    return -cosSmall(angle);
  }
}

} // namespace

double fly::sim::exp2Wide(double x) {
  if (x != x)
    return x;
  if (x > 1020 || x < -1020)
    return x > 0 ? kInfinity : 0.0;
  // Adding 1.5 * 2^52 leaves the nearest integer in the low mantissa bits.
  constexpr double shifter = 0x1.8p52;
  double shifted = x + shifter;
  double fraction = x - (shifted - shifter);
  uint64_t exponent = bitCast<uint64_t>(shifted) << 52;
  double power = bitCast<double>(exponent + (uint64_t(1023) << 52));
  return expSmall(fraction * kLn2) * power;
}

double fly::sim::log2Wide(double x) {
  if (x != x || x == kInfinity)
    return x;
  if (x == 0)
    return -kInfinity;
  if (x < 0)
    return kNan;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent); // [0.5, 1)
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // log2(m) = 2 / ln2 * atanh(s), s = (m - 1) / (m + 1), |s| < 0.172.
  double s = (mantissa - 1) / (mantissa + 1);
  double square = s * s;
  double sum = 0.0;
  for (int n = 27; n >= 1; n -= 2)
    sum = 1.0 / n + square * sum;
  return exponent + kTwoOverLn2 * s * sum;
}

double fly::sim::sinRevolutions(double x) { return x == 0 ? x : turn(x, 0); }

double fly::sim::cosRevolutions(double x) { return turn(x, 1); }
