//===- ValuFloat32.cpp - Vector arithmetic on f32 -------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Add, multiply and fused multiply-add are the IEEE operations. Minimum and
// maximum follow the ISA document: a number wins over a NaN, except that a
// signalling NaN under IEEE mode becomes the (quiet) result [AMD: CDNA3 ISA].
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ValuFused.h"
#include "ValuMinMax.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

float add(float a, float b) { return a + b; }
float sub(float a, float b) { return a - b; }
float subrev(float a, float b) { return b - a; }
float mul(float a, float b) { return a * b; }
/// Zero times anything is +0.
float mulLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }

float floorOf(float a) { return std::floor(a); }
float ceilOf(float a) { return std::ceil(a); }
float truncOf(float a) { return std::trunc(a); }
/// To nearest even whatever MODE says: the driver keeps the host's direction.
float roundEven(float a) { return std::rint(a); }
/// Never 1: the largest float below it bounds the result.
float fract(float a) {
  float result = a - std::floor(a);
  return result > 0x1.fffffep-1f ? 0x1.fffffep-1f : result;
}

float ldexpOf(float a, int32_t exponent) {
  // Beyond +-300 the result no longer changes. The product is exact in double.
  int clamped = exponent > 300 ? 300 : exponent < -300 ? -300 : exponent;
  return static_cast<float>(a *
                            bitCast<double>(uint64_t(1023 + clamped) << 52));
}
/// In [0.5, 1), sign kept; infinity and NaN are themselves.
float frexpMantissa(float a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
}
int32_t frexpExponent(float a) {
  int exponent = 0;
  if (std::isfinite(a))
    std::frexp(a, &exponent);
  return exponent;
}

constexpr ValuRow kRows[] = {
    valuWide<add, kRounds>("v_add_f32"),
    valuWide<sub, kRounds>("v_sub_f32"),
    valuWide<subrev, kRounds>("v_subrev_f32"),
    valuWide<mul, kRounds>("v_mul_f32"),
    valuWide<mulLegacy, kRounds>("v_mul_legacy_f32"),
    valuWide<fusedMultiplyAdd32, kRounds>("v_fma_f32"),
    valuMoving<fusedMultiplyAdd32, kRounds>("v_fmac_f32"),
    valuWide<fusedMultiplyAdd32, kRounds>("v_fmamk_f32"),
    valuWide<fusedMultiplyAdd32, kRounds>("v_fmaak_f32"),

    valuWide<minimumNumber<float>, kFlushes>("v_min_f32"),
    valuWide<maximumNumber<float>, kFlushes>("v_max_f32"),
    valuWide<minimumOf3<float>, kFlushes>("v_min3_f32"),
    valuWide<maximumOf3<float>, kFlushes>("v_max3_f32"),
    valuWide<medianOf3<float>, kFlushes>("v_med3_f32"),
    valu<minimumPropagating3<float>, kFlushes>("v_minimum3_f32",
                                               ValuChips::Gfx950),
    valu<maximumPropagating3<float>, kFlushes>("v_maximum3_f32",
                                               ValuChips::Gfx950),

    valuWide<floorOf, kFlushes>("v_floor_f32"),
    valuWide<ceilOf, kFlushes>("v_ceil_f32"),
    valuWide<truncOf, kFlushes>("v_trunc_f32"),
    valuWide<roundEven, kFlushes>("v_rndne_f32"),
    valuWide<fract, kFlushes | kMakesNans>("v_fract_f32"),
    valuWide<ldexpOf, kRounds>("v_ldexp_f32"),
    valu<frexpMantissa, kFlushes>("v_frexp_mant_f32"),
    valu<frexpExponent, kFlushes>("v_frexp_exp_i32_f32"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuFloat32Rows() { return kRows; }
