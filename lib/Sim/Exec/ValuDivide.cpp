//===- ValuDivide.cpp - Steps of IEEE division ----------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A correctly rounded quotient is a sequence: v_div_scale moves numerator and
// denominator away from the ends of the exponent range and says so in VCC,
// v_rcp and fused multiply-adds refine, v_div_fmas scales back, v_div_fixup
// puts the special cases right. Each follows the pseudocode of the ISA document
// [AMD: CDNA3 ISA, V_DIV_SCALE_F32, V_DIV_FMAS_F32, V_DIV_FIXUP_F32 and the f64
// ones] but for two places where that text cannot give a quotient:
//  * it scales back by 2^32 (2^64 for f64) though it scaled by 2^64 (2^128); an
//    emulator checked against hardware scales by 2^+-64 (2^+-128), up where the
//    quotient is at least 2 and down elsewhere [HW], as is done here;
//  * it scales a denominator whose reciprocal and quotient are both denormal
//  up,
//    to infinity; here it is scaled down [INF: SIM-DIVISION].
// Scaling back rounds once, also in the denormal range: a conforming quotient
// needs it [INF: SIM-DIVISION].
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

#include "ValuFused.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// What the pseudocode names by number, for f32 and f64.
template <typename T>
struct Limits;
template <>
struct Limits<float> {
  using Bits = uint32_t;
  static constexpr unsigned mantissa = 23;
  static constexpr float up = 0x1p64f, down = 0x1p-64f; ///< Scaling factors.
  static constexpr int farApart = 96; ///< Quotient may overflow.
  static constexpr int smallNumerator = 23;
  static constexpr int underflow = -150; ///< Quotient is surely 0.
};
template <>
struct Limits<double> {
  using Bits = uint64_t;
  static constexpr unsigned mantissa = 52;
  static constexpr double up = 0x1p128, down = 0x1p-128;
  static constexpr int farApart = 768;
  static constexpr int smallNumerator = 53;
  static constexpr int underflow = -1075;
};

template <typename T>
typename Limits<T>::Bits bitsOf(T value) {
  return bitCast<typename Limits<T>::Bits>(value);
}
/// The biased exponent field.
template <typename T>
int exponentField(T value) {
  constexpr unsigned mantissa = Limits<T>::mantissa;
  constexpr unsigned fieldBits = 8 * sizeof(T) - 1 - mantissa;
  return static_cast<int>((bitsOf(value) >> mantissa) &
                          ((1u << fieldBits) - 1));
}
template <typename T>
bool isDenormal(T value) {
  return exponentField(value) == 0 && value != 0;
}

/// Source 0 is the denominator (source 1) or the numerator (source 2),
/// whichever is to be scaled.
template <typename T>
WithMask<T> divScale(T source, T denominator, T numerator) {
  using L = Limits<T>;
  if (numerator == 0 || denominator == 0)
    return {canonicalNan<T>(), false};
  // Compared as bits, as the instruction's operands are the same register.
  bool isDenominator = bitsOf(source) == bitsOf(denominator);
  bool isNumerator = bitsOf(source) == bitsOf(numerator);
  T up = source * L::up;
  int difference = exponentField(numerator) - exponentField(denominator);
  if (difference >= L::farApart)
    return {isDenominator ? up : source, true};
  if (isDenormal(denominator))
    return {up, false};
  T down = source * L::down;
  bool reciprocalIsDenormal = isDenormal(T(1) / denominator);
  bool quotientIsDenormal =
      isDenormal(numerator / denominator) || numerator / denominator == 0;
  if (reciprocalIsDenormal && quotientIsDenormal)
    return {isDenominator ? down : source, true};
  if (reciprocalIsDenormal)
    return {down, false};
  if (quotientIsDenormal)
    return {isNumerator ? up : source, true};
  if (exponentField(numerator) <= L::smallNumerator)
    return {up, false};
  return {source, false};
}

/// Undoes the scaling where VCC asks for it.
float divFmas32(float a, float b, float c, bool scaled) {
  float result = fusedMultiplyAdd32(a, b, c);
  if (!scaled || !std::isfinite(result))
    return result;
  // The product is exact in double; the sum is rounded to odd there, so that
  // the one rounding to f32 sees whether something was lost.
  double product = double(a) * b;
  double sum = product + c;
  double other = sum - product;
  double lost = (product - (sum - other)) + (c - other);
  uint64_t bits = bitCast<uint64_t>(sum);
  if (lost != 0 && !(bits & 1))
    sum = bitCast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
  return static_cast<float>(sum * (exponentField(c) > 127 ? 0x1p64 : 0x1p-64));
}
double divFmas64(double a, double b, double c, bool scaled) {
  double result = fusedMultiplyAdd64(a, b, c);
  if (!scaled || !std::isfinite(result))
    return result;
  if (exponentField(c) > 1023)
    return result * 0x1p128;
  double down = result * 0x1p-128;
  if (!isDenormal(down))
    return down;
  // Denormal: redo the sum in quad precision, rounded to odd, so that only the
  // last step rounds.
  llvm::APFloat sum(a), factor(b), addend(c);
  bool lost;
  for (llvm::APFloat *value : {&sum, &factor, &addend})
    value->convert(llvm::APFloat::IEEEquad(), llvm::APFloat::rmTowardZero,
                   &lost);
  if (sum.fusedMultiplyAdd(factor, addend, llvm::APFloat::rmTowardZero) &
      llvm::APFloat::opInexact) {
    llvm::APInt bits = sum.bitcastToAPInt();
    bits.setBit(0);
    sum = llvm::APFloat(llvm::APFloat::IEEEquad(), bits);
  }
  sum = llvm::scalbn(sum, -128, llvm::APFloat::rmTowardZero);
  sum.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &lost);
  return sum.convertToDouble();
}

template <typename T>
T divFixup(T quotient, T denominator, T numerator) {
  using L = Limits<T>;
  bool negative = std::signbit(denominator) != std::signbit(numerator);
  auto signedValue = [negative](T magnitude) {
    return negative ? -magnitude : magnitude;
  };
  constexpr T infinity = std::numeric_limits<T>::infinity();
  if (isNanValue(numerator))
    return quietNan(numerator);
  if (isNanValue(denominator))
    return quietNan(denominator);
  if (denominator == 0 && numerator == 0)
    return bitCast<T>(bitsOf(canonicalNan<T>()) | bitsOf(T(-0.0)));
  if (std::isinf(denominator) && std::isinf(numerator))
    return bitCast<T>(bitsOf(canonicalNan<T>()) | bitsOf(T(-0.0)));
  if (denominator == 0 || std::isinf(numerator))
    return signedValue(infinity);
  if (std::isinf(denominator) || numerator == 0)
    return signedValue(T(0));
  if (exponentField(numerator) - exponentField(denominator) < L::underflow)
    return signedValue(T(0));
  // Refinement that overflowed leaves a NaN where the quotient is infinite
  // [HW].
  if (isNanValue(quotient))
    return signedValue(infinity);
  return signedValue(std::fabs(quotient));
}

Half divFixupHalf(Half quotient, Half denominator, Half numerator) {
  auto isInfinity = [](Half v) { return (v.bits & 0x7FFF) == 0x7C00; };
  auto isZero = [](Half v) { return (v.bits & 0x7FFF) == 0; };
  uint16_t sign = (denominator.bits ^ numerator.bits) & 0x8000;
  if (isNanValue(numerator))
    return quietNan(numerator);
  if (isNanValue(denominator))
    return quietNan(denominator);
  if ((isZero(denominator) && isZero(numerator)) ||
      (isInfinity(denominator) && isInfinity(numerator)))
    return {0xFE00};
  if (isZero(denominator) || isInfinity(numerator))
    return {uint16_t(sign | 0x7C00)};
  if (isInfinity(denominator) || isZero(numerator))
    return {sign};
  return {uint16_t(sign | (quotient.bits & 0x7FFF))};
}

constexpr ValuRow kRows[] = {
    valuWide<divScale<float>>("v_div_scale_f32"),
    valu<divScale<double>>("v_div_scale_f64"),
    valuWide<divFmas32, kRounds>("v_div_fmas_f32"),
    valu<divFmas64, kRounds>("v_div_fmas_f64"),
    valuWide<divFixup<float>>("v_div_fixup_f32"),
    valu<divFixup<double>>("v_div_fixup_f64"),
    valuWide<divFixupHalf, kKeepsHigh>("v_div_fixup_f16"),
    valu<divFixupHalf>("v_div_fixup_legacy_f16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuDivideRows() { return kRows; }
