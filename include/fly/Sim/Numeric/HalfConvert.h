//===- HalfConvert.h - Fast f16 and bf16 conversions ------------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two 16-bit formats are converted for every lane of every matrix
// instruction, so they have branch-free inline forms here that a compiler turns
// into vector code. They agree bit for bit with FloatFormat.h's general encoder
// and decoder on every number; NaNs keep their payload's top bits and become
// quiet, as a hardware conversion does [MEM: SIM-NAN].
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_NUMERIC_HALFCONVERT_H
#define FLY_SIM_NUMERIC_HALFCONVERT_H

#include "fly/Sim/Numeric/FloatFormat.h"

#include <cstdint>
#include <cstring>

namespace fly::sim {

template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bitCast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// Exact. Subnormals are built by a subtraction of two normal numbers, so no
/// host instruction sees a subnormal operand.
inline float halfToFloat(uint16_t half) {
  uint32_t magnitude = half & 0x7FFFu;
  uint32_t sign = uint32_t(half & 0x8000u) << 16;
  uint32_t shifted = magnitude << 13;
  uint32_t normal = shifted + (112u << 23);
  uint32_t special =
      shifted | 0x7F800000u | (magnitude > 0x7C00u ? 1u << 22 : 0u);
  float subnormal =
      bitCast<float>(shifted + (113u << 23)) - bitCast<float>(113u << 23);
  uint32_t bits = magnitude < 0x0400u    ? bitCast<uint32_t>(subnormal)
                  : magnitude >= 0x7C00u ? special
                                         : normal;
  return bitCast<float>(bits | sign);
}

/// Exact: bf16 is the upper half of f32.
inline float bfloatToFloat(uint16_t bits) {
  return bitCast<float>(uint32_t(bits) << 16);
}

/// To bf16, to nearest even.
inline uint16_t floatToBFloat(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t rounded = bits + 0x7FFFu + ((bits >> 16) & 1u);
  bool isNan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  return static_cast<uint16_t>(isNan ? (bits >> 16) | 0x40u : rounded >> 16);
}

/// To f16, to nearest even.
inline uint16_t floatToHalf(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t normal =
      (magnitude + 0xFFFu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  // Below 2^-14 an addition to 0.5 leaves the rounded multiple of 2^-24 in the
  // low mantissa bits.
  float below = magnitude < (113u << 23) ? bitCast<float>(magnitude) : 0.0f;
  uint32_t subnormal =
      bitCast<uint32_t>(below + 0.5f) - bitCast<uint32_t>(0.5f);
  uint32_t nan = 0x7E00u | ((magnitude >> 13) & 0x3FFu);
  uint32_t result = magnitude < (113u << 23)   ? subnormal
                    : magnitude > 0x7F800000u  ? nan
                    : magnitude >= 0x477FF000u ? 0x7C00u
                                               : normal;
  return static_cast<uint16_t>(result | sign);
}

/// To f16, toward zero: no number becomes infinity.
inline uint16_t floatToHalfTowardZero(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t normal = (magnitude - (112u << 23)) >> 13;
  // Multiples of 2^-24; the product is exact.
  float below = magnitude < (113u << 23) ? bitCast<float>(magnitude) : 0.0f;
  uint32_t subnormal = static_cast<uint32_t>(int32_t(below * 0x1p24f));
  uint32_t nan = 0x7E00u | ((magnitude >> 13) & 0x3FFu);
  uint32_t result = magnitude < (113u << 23)   ? subnormal
                    : magnitude > 0x7F800000u  ? nan
                    : magnitude == 0x7F800000u ? 0x7C00u
                    : magnitude >= 0x47800000u ? 0x7BFFu
                                               : normal;
  return static_cast<uint16_t>(result | sign);
}

/// To f16 by any rounding direction and overflow rule.
inline uint16_t doubleToHalf(double value, RoundingMode rounding,
                             Overflow overflow) {
  return static_cast<uint16_t>(
      encodeFloat(kFloat16, value, rounding, overflow));
}

/// The f32 whose low 13 mantissa bits are dropped: what an xf32 matrix operand
/// keeps of it [HW]. A NaN stays one.
inline float truncateToXf32(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  bool isNan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  uint32_t kept = bits & 0xFFFFE000u;
  return bitCast<float>(isNan ? kept | 0x00400000u : kept);
}

} // namespace fly::sim

#endif // FLY_SIM_NUMERIC_HALFCONVERT_H
