//===- ValuDouble.cpp - Vector arithmetic on f64 --------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ValuFused.h"
#include "ValuMinMax.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

double add(double a, double b) { return a + b; }
double mul(double a, double b) { return a * b; }
double floorOf(double a) { return std::floor(a); }
double ceilOf(double a) { return std::ceil(a); }
double truncOf(double a) { return std::trunc(a); }
/// To nearest even whatever MODE says: the driver keeps the host's direction.
double roundEven(double a) { return std::rint(a); }
/// Never 1: the largest double below it bounds the result.
double fract(double a) {
  double result = a - std::floor(a);
  return result > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : result;
}
double ldexpOf(double a, int32_t exponent) {
  // Beyond +-2200 the result no longer changes.
  int clamped = exponent > 2200 ? 2200 : exponent < -2200 ? -2200 : exponent;
  return std::ldexp(a, clamped);
}
double frexpMantissa(double a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
}
int32_t frexpExponent(double a) {
  int exponent = 0;
  if (std::isfinite(a))
    std::frexp(a, &exponent);
  return exponent;
}

constexpr ValuRow kRows[] = {
    valuWide<add, kRounds>("v_add_f64"),
    valuWide<mul, kRounds>("v_mul_f64"),
    valuWide<fusedMultiplyAdd64, kRounds>("v_fma_f64"),
    valuWide<fusedMultiplyAdd64, kRounds>("v_fmac_f64"),
    valu<minimumNumber<double>, kFlushes>("v_min_f64"),
    valu<maximumNumber<double>, kFlushes>("v_max_f64"),
    valu<floorOf, kFlushes>("v_floor_f64"),
    valu<ceilOf, kFlushes>("v_ceil_f64"),
    valu<truncOf, kFlushes>("v_trunc_f64"),
    valu<roundEven, kFlushes>("v_rndne_f64"),
    valu<fract, kFlushes | kMakesNans>("v_fract_f64"),
    valu<ldexpOf, kRounds>("v_ldexp_f64"),
    valu<frexpMantissa, kFlushes>("v_frexp_mant_f64"),
    valu<frexpExponent, kFlushes>("v_frexp_exp_i32_f64"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuDoubleRows() { return kRows; }
