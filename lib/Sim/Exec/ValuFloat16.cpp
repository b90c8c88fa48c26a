//===- ValuFloat16.cpp - Vector arithmetic on f16 -------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results go to one half of the register. Two-operand forms zero the other
// half, the three-operand forms of gfx9 keep it [LLVM22:
// zeroesHigh16BitsOfDest].
//
//===----------------------------------------------------------------------===//

#include "ValuHalf.h"
#include "ValuMinMax.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

Half subrev(Half a, Half b, const ModeRegister &mode) {
  return subHalf(b, a, mode);
}

/// Rounds after the product and after the sum.
Half separate(Half a, Half b, Half c, const ModeRegister &mode) {
  return addHalf(mulHalf(a, b, mode), c, mode);
}

/// Results of these are f16 values already, or round to one exactly.
Half exact(double value) { return {floatToHalf(static_cast<float>(value))}; }
template <auto Fn>
Half exactUnary(Half a) {
  return isNanValue(a) ? quietNan(a) : exact(Fn(wide(a)));
}
double floorOf(double a) { return std::floor(a); }
double ceilOf(double a) { return std::ceil(a); }
double truncOf(double a) { return std::trunc(a); }
double roundEven(double a) { return std::rint(a); }
/// Never 1: the largest f16 below it bounds the result.
double fractOf(double a) {
  double result = a - std::floor(a);
  return result > 0x1.ffcp-1 ? 0x1.ffcp-1 : result;
}
double mantissaOf(double a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
}
int16_t exponentOf(Half a) {
  int exponent = 0;
  if (std::isfinite(wide(a)))
    std::frexp(wide(a), &exponent);
  return static_cast<int16_t>(exponent);
}
Half ldexpOf(Half a, int16_t exponent, const ModeRegister &mode) {
  // Beyond +-100 the result no longer changes.
  int clamped = exponent > 100 ? 100 : exponent < -100 ? -100 : exponent;
  return roundHalf(std::ldexp(wide(a), clamped), mode);
}

/// Two signed words to two unsigned bytes.
uint16_t saturatePair(uint32_t a) {
  auto byte = [](int16_t v) { return v < 0 ? 0 : v > 255 ? 255 : v; };
  return static_cast<uint16_t>(byte(static_cast<int16_t>(a)) |
                               byte(static_cast<int16_t>(a >> 16)) << 8);
}

uint32_t packHalves(Half low, Half high) {
  return low.bits | uint32_t(high.bits) << 16;
}

FLY_INLINE Half subrevWide(Half a, Half b, const ModeRegister &mode) {
  return subHalfWide(b, a, mode);
}
FLY_INLINE Half separateWide(Half a, Half b, Half c, const ModeRegister &mode) {
  return addHalfWide(mulHalfWide(a, b, mode), c, mode);
}

} // namespace

template <>
struct fly::sim::WideForm<subrev> {
  static constexpr auto function = subrevWide;
};
template <>
struct fly::sim::WideForm<separate> {
  static constexpr auto function = separateWide;
};

namespace {

constexpr unsigned kThreeOperands = kHalfArithmetic | kKeepsHigh;

constexpr ValuRow kRows[] = {
    valuWide<addHalf, kHalfArithmetic>("v_add_f16"),
    valuWide<subHalf, kHalfArithmetic>("v_sub_f16"),
    valuWide<subrev, kHalfArithmetic>("v_subrev_f16"),
    valuWide<mulHalf, kHalfArithmetic>("v_mul_f16"),
    valuWide<fusedHalf, kThreeOperands>("v_fma_f16"),
    valuWide<fusedHalf, kHalfArithmetic>("v_fma_legacy_f16"),
    valuWide<separate, kThreeOperands>("v_mad_f16"),
    valuWide<separate, kThreeOperands>("v_mac_f16"),
    valuWide<separate, kThreeOperands>("v_madmk_f16"),
    valuWide<separate, kThreeOperands>("v_madak_f16"),
    valuWide<separate, kHalfArithmetic>("v_mad_legacy_f16"),

    valuWide<minimumNumber<Half>, kFlushes>("v_min_f16"),
    valuWide<maximumNumber<Half>, kFlushes>("v_max_f16"),
    valuWide<minimumOf3<Half>, kFlushes | kKeepsHigh>("v_min3_f16"),
    valuWide<maximumOf3<Half>, kFlushes | kKeepsHigh>("v_max3_f16"),
    valuWide<medianOf3<Half>, kFlushes | kKeepsHigh>("v_med3_f16"),

    valu<exactUnary<floorOf>, kFlushes>("v_floor_f16"),
    valu<exactUnary<ceilOf>, kFlushes>("v_ceil_f16"),
    valu<exactUnary<truncOf>, kFlushes>("v_trunc_f16"),
    valu<exactUnary<roundEven>, kFlushes>("v_rndne_f16"),
    valu<exactUnary<fractOf>, kHalfArithmetic>("v_fract_f16"),
    valu<exactUnary<mantissaOf>, kFlushes>("v_frexp_mant_f16"),
    valu<exponentOf, kFlushes>("v_frexp_exp_i16_f16"),
    valu<ldexpOf, kHalfArithmetic>("v_ldexp_f16"),

    valuWide<packHalves>("v_pack_b32_f16"),
    valu<saturatePair>("v_sat_pk_u8_i16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuFloat16Rows() { return kRows; }
