//===- FloatFormat.h - Narrow floating-point formats, bit by bit -*- C++
//-*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix cores know a dozen number formats that the host does not. Each is one
// constant row here (field widths, bias, what its top codes mean), and two
// functions serve all of them: decode a code to the double that it stands for
// (always exact), and encode a double by a rounding mode and an overflow rule.
// Everything is integer arithmetic, so the bits do not depend on the host.
//
// Formats of more than 52 significant bits or 11 exponent bits are out of
// scope: a double carries every intermediate value.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_NUMERIC_FLOATFORMAT_H
#define FLY_SIM_NUMERIC_FLOATFORMAT_H

#include <cstdint>

namespace fly::sim {

/// What the highest exponent codes of a format stand for.
enum class SpecialCodes : uint8_t {
  /// Infinities and NaNs as in IEEE 754 (f32, f16, bf16, OCP E5M2).
  Ieee,
  /// No infinity; exponent and mantissa all ones is NaN (OCP E4M3).
  NanOnly,
  /// No infinity and no negative zero; the code of -0 is the only NaN (FNUZ).
  Fnuz,
  /// Every code is a number (FP6, FP4).
  FiniteOnly,
};

/// One floating-point format of at most 32 bits: sign, exponent, mantissa.
struct FloatFormat {
  unsigned exponentBits;
  unsigned mantissaBits;
  int bias;
  SpecialCodes specials;

  /// Bits of a code, the sign included.
  constexpr unsigned width() const { return 1 + exponentBits + mantissaBits; }
  constexpr uint32_t signMask() const { return 1u << (width() - 1); }
  /// All bits but the sign.
  constexpr uint32_t magnitudeMask() const { return signMask() - 1; }
  constexpr uint32_t mantissaMask() const { return (1u << mantissaBits) - 1; }
  /// Exponent of the smallest normal number.
  constexpr int minExponent() const { return 1 - bias; }
  /// Code of the largest finite positive number.
  constexpr uint32_t maxFiniteCode() const {
    switch (specials) {
    case SpecialCodes::Ieee:
      return magnitudeMask() - mantissaMask() - 1;
    case SpecialCodes::NanOnly:
      return magnitudeMask() - 1;
    case SpecialCodes::Fnuz:
    case SpecialCodes::FiniteOnly:
      return magnitudeMask();
    }
    return 0;
  }
};

// Field widths and biases: IEEE 754; OCP OFP8 and MX specifications; for FNUZ
// [AMD]: bias 8 and 16, NaN = 0x80, maxima 240 and 57344.
inline constexpr FloatFormat kFloat32{8, 23, 127, SpecialCodes::Ieee};
inline constexpr FloatFormat kFloat16{5, 10, 15, SpecialCodes::Ieee};
inline constexpr FloatFormat kBFloat16{8, 7, 127, SpecialCodes::Ieee};
inline constexpr FloatFormat kFloat8E4M3FN{4, 3, 7, SpecialCodes::NanOnly};
inline constexpr FloatFormat kFloat8E5M2{5, 2, 15, SpecialCodes::Ieee};
inline constexpr FloatFormat kFloat8E4M3FNUZ{4, 3, 8, SpecialCodes::Fnuz};
inline constexpr FloatFormat kFloat8E5M2FNUZ{5, 2, 16, SpecialCodes::Fnuz};
inline constexpr FloatFormat kFloat6E2M3{2, 3, 1, SpecialCodes::FiniteOnly};
inline constexpr FloatFormat kFloat6E3M2{3, 2, 3, SpecialCodes::FiniteOnly};
inline constexpr FloatFormat kFloat4E2M1{2, 1, 1, SpecialCodes::FiniteOnly};

/// Rounding direction, in the order of the two-bit fields of the MODE register
/// (FP_ROUND) [AMD: CDNA3 ISA, MODE register].
enum class RoundingMode : uint8_t {
  NearestEven = 0,
  TowardPositive = 1,
  TowardNegative = 2,
  TowardZero = 3,
};

/// What becomes of a finite value above the largest number of the format.
enum class Overflow : uint8_t {
  /// By IEEE 754: infinity where the format has one, else NaN, else the largest
  /// number; a rounding direction that points back gives the largest number.
  Ieee,
  /// The largest number, whatever the rounding direction. True infinities stay
  /// infinities, or NaN in formats without infinity; NaN stays NaN.
  Saturate,
};

/// The number that `code` (its low `width()` bits) stands for. NaN codes give a
/// quiet NaN without payload, of the code's sign.
double decodeFloat(const FloatFormat &format, uint32_t code);

/// The code of `value` rounded once to `format`. A NaN gives the format's
/// canonical quiet NaN with the value's sign where the format can hold it; in
/// formats without NaN it gives the largest number, as does infinity.
uint32_t encodeFloat(const FloatFormat &format, double value,
                     RoundingMode rounding = RoundingMode::NearestEven,
                     Overflow overflow = Overflow::Ieee);

/// The code of `value` under stochastic rounding: the discarded fraction plus
/// `random` / 2^32 carries into the last place when it reaches one.
uint32_t encodeFloatStochastic(const FloatFormat &format, double value,
                               uint32_t random,
                               Overflow overflow = Overflow::Ieee);

/// The scale that an E8M0 byte stands for: 2^(byte - 127), NaN for 0xFF
/// (OCP MX).
double decodeE8M0(uint8_t byte);

} // namespace fly::sim

#endif // FLY_SIM_NUMERIC_FLOATFORMAT_H
