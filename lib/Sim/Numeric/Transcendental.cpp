//===- Transcendental.cpp - Functions of the transcendental unit ----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sine and cosine; the others are in the header.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/Transcendental.h"

#include <cmath>
#include <limits>

using namespace fly::sim;

namespace {

constexpr double kTwoPi = 6.28318530717958647693;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

double fly::sim::sinRevolutions(double x) { return x == 0 ? x : turn(x, 0); }

double fly::sim::cosRevolutions(double x) { return turn(x, 1); }
