//===- ValuConvert.cpp - Conversions between 16, 32 and 64 bits -----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Float to integer truncates and saturates, NaN gives 0. Integer to float and
// narrowing floats follow MODE's rounding. MODE.FP16_OVFL makes an f16 overflow
// the largest number instead of infinity.
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

Overflow halfOverflow(const ModeRegister &mode) {
  return mode.fp16Ovfl() ? Overflow::Saturate : Overflow::Ieee;
}

/// f32 to f16 by a rounding direction; NaN payloads keep their top bits.
Half narrow(float a, RoundingMode rounding, Overflow overflow) {
  if (isNanValue(a) ||
      (rounding == RoundingMode::NearestEven && overflow == Overflow::Ieee))
    return {floatToHalf(a)};
  return {doubleToHalf(a, rounding, overflow)};
}
Half halfFromFloat(float a, const ModeRegister &mode) {
  return narrow(a, static_cast<RoundingMode>(mode.roundF64F16()),
                halfOverflow(mode));
}
float floatFromHalf(Half a) { return halfToFloat(a.bits); }

float floatFromDouble(double a) { return static_cast<float>(a); }
double doubleFromFloat(float a) { return a; }

float floatFromSigned(int32_t a) { return static_cast<float>(a); }
float floatFromUnsigned(uint32_t a) { return static_cast<float>(a); }
double doubleFromSigned(int32_t a) { return a; }
double doubleFromUnsigned(uint32_t a) { return a; }
template <unsigned Byte>
float floatFromByte(uint32_t a) {
  return static_cast<float>((a >> (8 * Byte)) & 0xFF);
}

/// Truncated and saturated; the limits are exact in double.
template <typename To>
To saturate(double a) {
  constexpr double low = static_cast<double>(std::numeric_limits<To>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<To>::max());
  if (a != a)
    return 0;
  return static_cast<To>(a < low ? low : a > high ? high : a);
}
int32_t signedFromFloat(float a) { return saturate<int32_t>(a); }
uint32_t unsignedFromFloat(float a) { return saturate<uint32_t>(a); }
int32_t signedFromDouble(double a) { return saturate<int32_t>(a); }
uint32_t unsignedFromDouble(double a) { return saturate<uint32_t>(a); }
/// floor(a + 0.5).
int32_t roundHalfUp(float a) {
  return saturate<int32_t>(std::floor(double(a) + 0.5));
}
int32_t roundDown(float a) { return saturate<int32_t>(std::floor(a)); }

Half halfFromSigned16(int16_t a, const ModeRegister &mode) {
  return narrow(a, static_cast<RoundingMode>(mode.roundF64F16()),
                halfOverflow(mode));
}
Half halfFromUnsigned16(uint16_t a, const ModeRegister &mode) {
  return narrow(a, static_cast<RoundingMode>(mode.roundF64F16()),
                halfOverflow(mode));
}
int16_t signed16FromHalf(Half a) {
  return saturate<int16_t>(halfToFloat(a.bits));
}
uint16_t unsigned16FromHalf(Half a) {
  return saturate<uint16_t>(halfToFloat(a.bits));
}

uint32_t pack(uint16_t low, uint16_t high) {
  return low | uint32_t(high) << 16;
}

uint32_t packHalfTowardZero(float a, float b) {
  return pack(floatToHalfTowardZero(a), floatToHalfTowardZero(b));
}
uint32_t packHalfNearest(float a, float b, const ModeRegister &mode) {
  return pack(narrow(a, RoundingMode::NearestEven, halfOverflow(mode)).bits,
              narrow(b, RoundingMode::NearestEven, halfOverflow(mode)).bits);
}
uint32_t packBFloatNearest(float a, float b) {
  return pack(floatToBFloat(a), floatToBFloat(b));
}
float floatFromBFloat(uint16_t a) { return bfloatToFloat(a); }

template <typename To>
uint32_t packInts(int64_t a, int64_t b) {
  auto limit = [](int64_t v) {
    constexpr int64_t low = std::numeric_limits<To>::min();
    constexpr int64_t high = std::numeric_limits<To>::max();
    return static_cast<uint16_t>(v < low ? low : v > high ? high : v);
  };
  return pack(limit(a), limit(b));
}
uint32_t packSigned(int32_t a, int32_t b) { return packInts<int16_t>(a, b); }
uint32_t packUnsigned(uint32_t a, uint32_t b) {
  return packInts<uint16_t>(a, b);
}

/// Normalized integers: +-1 become the largest, rounded to nearest even.
uint16_t signedNorm(float a) {
  double limited = a != a ? 0 : a > 1 ? 1 : a < -1 ? -1 : double(a);
  return static_cast<uint16_t>(
      static_cast<int16_t>(std::rint(limited * 32767)));
}
uint16_t unsignedNorm(float a) {
  double limited = a != a ? 0 : a > 1 ? 1 : a < 0 ? 0 : double(a);
  return static_cast<uint16_t>(std::rint(limited * 65535));
}
uint32_t packSignedNorm(float a, float b) {
  return pack(signedNorm(a), signedNorm(b));
}
uint32_t packUnsignedNorm(float a, float b) {
  return pack(unsignedNorm(a), unsignedNorm(b));
}
uint32_t packSignedNormHalf(Half a, Half b) {
  return packSignedNorm(halfToFloat(a.bits), halfToFloat(b.bits));
}
uint32_t packUnsignedNormHalf(Half a, Half b) {
  return packUnsignedNorm(halfToFloat(a.bits), halfToFloat(b.bits));
}

uint16_t signedNormHalf(Half a) { return signedNorm(halfToFloat(a.bits)); }
uint16_t unsignedNormHalf(Half a) { return unsignedNorm(halfToFloat(a.bits)); }

/// A signed nibble to sixteenths.
float offsetFromNibble(uint32_t a) {
  return static_cast<float>(int32_t((a & 15) ^ 8) - 8) / 16;
}

/// Saturates a >> shift to a byte.
template <typename To>
uint16_t shiftedByte(int32_t a, uint32_t shift) {
  int32_t value = a >> (shift & 31);
  constexpr int32_t low = std::numeric_limits<To>::min();
  constexpr int32_t high = std::numeric_limits<To>::max();
  return static_cast<uint8_t>(value < low ? low : value > high ? high : value);
}
template <typename To>
uint16_t packShifted(int32_t a, int32_t b, uint32_t shift) {
  return shiftedByte<To>(a, shift) | shiftedByte<To>(b, shift) << 8;
}

uint32_t packF32ToByte(float a, uint32_t byte, uint32_t old) {
  uint32_t shift = 8 * (byte & 3);
  uint32_t value = saturate<uint8_t>(std::rint(a != a ? 0.0f : a));
  return (old & ~(0xFFu << shift)) | value << shift;
}

// By the host's conversions, in the plain MODE.
FLY_INLINE Half halfFromFloatWide(float a, const ModeRegister &) {
  return hostHalf(a);
}
/// The nearest, or the one below it where that lies farther from zero.
FLY_INLINE uint16_t halfTowardZero(float a) {
  Half nearest = hostHalf(a);
  bool isAway = std::fabs(hostFloat(nearest)) > std::fabs(a);
  return static_cast<uint16_t>(nearest.bits - isAway);
}
FLY_INLINE uint32_t packHalfTowardZeroWide(float a, float b) {
  return pack(halfTowardZero(a), halfTowardZero(b));
}
FLY_INLINE uint32_t packHalfNearestWide(float a, float b,
                                        const ModeRegister &) {
  return pack(hostHalf(a).bits, hostHalf(b).bits);
}

} // namespace

template <>
struct fly::sim::WideForm<halfFromFloat> {
  static constexpr auto function = halfFromFloatWide;
};
template <>
struct fly::sim::WideForm<floatFromHalf> {
  static constexpr auto function = hostFloat;
};
template <>
struct fly::sim::WideForm<packHalfTowardZero> {
  static constexpr auto function = packHalfTowardZeroWide;
};
template <>
struct fly::sim::WideForm<packHalfNearest> {
  static constexpr auto function = packHalfNearestWide;
};

namespace {

constexpr ValuRow kRows[] = {
    valuWide<halfFromFloat, kFlushes>("v_cvt_f16_f32"),
    valuWide<floatFromHalf, kFlushes>("v_cvt_f32_f16"),
    valuWide<floatFromDouble, kRounds>("v_cvt_f32_f64"),
    valuWide<doubleFromFloat, kFlushes>("v_cvt_f64_f32"),
    valuWide<floatFromSigned, kRounds>("v_cvt_f32_i32"),
    valuWide<floatFromUnsigned, kRounds>("v_cvt_f32_u32"),
    valuWide<doubleFromSigned>("v_cvt_f64_i32"),
    valuWide<doubleFromUnsigned>("v_cvt_f64_u32"),
    valuWide<floatFromByte<0>>("v_cvt_f32_ubyte0"),
    valuWide<floatFromByte<1>>("v_cvt_f32_ubyte1"),
    valuWide<floatFromByte<2>>("v_cvt_f32_ubyte2"),
    valuWide<floatFromByte<3>>("v_cvt_f32_ubyte3"),
    valuWide<signedFromFloat, kFlushes>("v_cvt_i32_f32"),
    valuWide<unsignedFromFloat, kFlushes>("v_cvt_u32_f32"),
    valuWide<signedFromDouble, kFlushes>("v_cvt_i32_f64"),
    valuWide<unsignedFromDouble, kFlushes>("v_cvt_u32_f64"),
    valuWide<roundHalfUp, kFlushes>("v_cvt_rpi_i32_f32"),
    valuWide<roundDown, kFlushes>("v_cvt_flr_i32_f32"),
    valuWide<halfFromSigned16>("v_cvt_f16_i16"),
    valuWide<halfFromUnsigned16>("v_cvt_f16_u16"),
    valuWide<signed16FromHalf, kFlushes>("v_cvt_i16_f16"),
    valuWide<unsigned16FromHalf, kFlushes>("v_cvt_u16_f16"),

    valuWide<packHalfTowardZero, kFlushes>("v_cvt_pkrtz_f16_f32"),
    valuWide<packHalfNearest, kFlushes>("v_cvt_pk_f16_f32", ValuChips::Gfx950),
    valuWide<packBFloatNearest, kFlushes>("v_cvt_pk_bf16_f32",
                                          ValuChips::Gfx950),
    valuWide<floatFromBFloat>("v_cvt_f32_bf16", ValuChips::Gfx950),
    valuWide<packSigned>("v_cvt_pk_i16_i32"),
    valuWide<packUnsigned>("v_cvt_pk_u16_u32"),
    valu<packSignedNorm, kFlushes>("v_cvt_pknorm_i16_f32"),
    valu<packUnsignedNorm, kFlushes>("v_cvt_pknorm_u16_f32"),
    valu<packSignedNormHalf, kFlushes>("v_cvt_pknorm_i16_f16"),
    valu<packUnsignedNormHalf, kFlushes>("v_cvt_pknorm_u16_f16"),
    valu<signedNormHalf, kFlushes>("v_cvt_norm_i16_f16"),
    valu<unsignedNormHalf, kFlushes>("v_cvt_norm_u16_f16"),
    valu<offsetFromNibble>("v_cvt_off_f32_i4"),
    valu<packShifted<int8_t>, kKeepsHigh>("v_ashr_pk_i8_i32",
                                          ValuChips::Gfx950),
    valu<packShifted<uint8_t>, kKeepsHigh>("v_ashr_pk_u8_i32",
                                           ValuChips::Gfx950),
    valu<packF32ToByte, kFlushes>("v_cvt_pk_u8_f32"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuConvertRows() { return kRows; }
