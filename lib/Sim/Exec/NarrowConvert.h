//===- NarrowConvert.h - Fast fp8, fp6 and fp4 conversions ------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch-free forms for loops over lanes, of formats that fit in f32. They
// agree with FloatFormat.h's general encoder and decoder; a test compares them
// over every f32 that rounds differently.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_NARROWCONVERT_H
#define FLY_SIM_EXEC_NARROWCONVERT_H

#include "fly/Sim/Numeric/HalfConvert.h"

#include "VectorLevel.h"

namespace fly::sim {

/// Which codes of a narrow format are not numbers.
enum class Specials {
  None,      ///< FP6, FP4
  OneNan,    ///< E4M3FN: all ones
  Infinity,  ///< E5M2: as IEEE
  MinusZero, ///< FNUZ: the code of -0 is NaN
};

/// A code of sign, exponent and `Mantissa` bits, `Width` in all, to f32. As in
/// halfToFloat, subnormals are the difference of two normal numbers.
template <unsigned Width, unsigned Mantissa, int Bias, Specials Kind>
FLY_INLINE float narrowToFloat(uint32_t code) {
  constexpr uint32_t signBit = 1u << (Width - 1);
  uint32_t magnitude = code & (signBit - 1);
  uint32_t sign = (code & signBit) << (32 - Width);
  uint32_t shifted = magnitude << (23 - Mantissa);
  uint32_t normal = shifted + (uint32_t(127 - Bias) << 23);
  float subnormal = bitCast<float>(shifted + (uint32_t(128 - Bias) << 23)) -
                    bitCast<float>(uint32_t(128 - Bias) << 23);
  uint32_t bits =
      magnitude < (1u << Mantissa) ? bitCast<uint32_t>(subnormal) : normal;
  if (Kind == Specials::OneNan)
    bits = magnitude == signBit - 1 ? 0x7FC00000u : bits;
  if (Kind == Specials::Infinity) {
    constexpr uint32_t infinity = signBit - (1u << Mantissa);
    uint32_t special = magnitude == infinity ? 0x7F800000u : 0x7FC00000u;
    bits = magnitude >= infinity ? special : bits;
  }
  if (Kind == Specials::MinusZero)
    return bitCast<float>(code == signBit ? 0x7FC00000u : bits | sign);
  return bitCast<float>(bits | sign);
}

/// decodeFloat() of an 8-bit code as f32, NaN signs included.
template <const FloatFormat &Format>
FLY_INLINE float byteToFloat(uint32_t byte) {
  constexpr Specials kind =
      Format.specials == SpecialCodes::Fnuz      ? Specials::MinusZero
      : Format.specials == SpecialCodes::NanOnly ? Specials::OneNan
                                                 : Specials::Infinity;
  static_assert(Format.width() == 8);
  float value =
      narrowToFloat<8, Format.mantissaBits, Format.bias, kind>(byte & 0xFF);
  return bitCast<float>(bitCast<uint32_t>(value) | (byte & 0x80) << 24);
}

/// encodeFloat() of an f32, to nearest even, for formats of at most 8 bits of
/// mantissa whose exponents f32 has.
template <const FloatFormat &Format>
FLY_INLINE uint32_t floatToNarrow(float value, Overflow overflow) {
  constexpr unsigned shift = 23 - Format.mantissaBits;
  constexpr uint32_t rebias = uint32_t(127 - Format.bias) << 23;
  constexpr uint32_t smallestNormal = rebias + (1u << 23);
  // Its last place is that of the format's subnormals.
  constexpr uint32_t aligner = smallestNormal + (shift << 23);
  constexpr bool hasInfinity = Format.specials == SpecialCodes::Ieee;
  constexpr bool isFnuz = Format.specials == SpecialCodes::Fnuz;
  constexpr uint32_t largest = Format.maxFiniteCode();
  constexpr uint32_t nan = hasInfinity
                               ? largest + 1 + (1u << (Format.mantissaBits - 1))
                               : Format.magnitudeMask();
  constexpr uint32_t infinity = hasInfinity ? largest + 1 : nan;

  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t sign = (bits >> 31) << (Format.width() - 1);
  uint32_t normal = (magnitude + (1u << (shift - 1)) - 1 +
                     ((magnitude >> shift) & 1) - rebias) >>
                    shift;
  float below = magnitude < smallestNormal ? bitCast<float>(magnitude) : 0.0f;
  uint32_t subnormal =
      bitCast<uint32_t>(below + bitCast<float>(aligner)) - aligner;
  uint32_t code = magnitude < smallestNormal ? subnormal : normal;
  bool isSpecial = magnitude >= 0x7F800000u;
  bool isOver = !isSpecial && code > largest;
  bool isNan = magnitude > 0x7F800000u || (!hasInfinity && isSpecial) ||
               (!hasInfinity && isOver && overflow == Overflow::Ieee);
  uint32_t limit = overflow == Overflow::Saturate ? largest : infinity;
  code = isSpecial ? infinity : isOver ? limit : code;
  code = isNan ? nan : code;
  if (isFnuz)
    return isNan ? Format.signMask() : code == 0 ? 0 : code | sign;
  return code | sign;
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_NARROWCONVERT_H
