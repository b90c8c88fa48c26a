//===- ValuScaledWide.h - Scaled conversions of pairs -----------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_cvt_scalef32 of one or two elements, by vectors of lanes in f32. A power of
// two scales exactly there but where f32 overflows, which every target does,
// too, or underflows, where elements of at most four bits and all narrow
// targets round as from the exact product. Lanes with a scale of NaN, and
// narrowing infinities and NaNs, send the instruction to the general form.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUSCALEDWIDE_H
#define FLY_SIM_EXEC_VALUSCALEDWIDE_H

#include <cmath>
#include <limits>

#include "NarrowConvert.h"
#include "ValuField.h"
#include "ValuTable.h"

namespace fly::sim {

/// 2^exponent for -127 <= exponent <= 127.
FLY_INLINE float powerOfTwo(int32_t exponent) {
  uint32_t bits = uint32_t(exponent + 127) << 23;
  return bitCast<float>(exponent == -127 ? 0x00400000u : bits);
}
/// The exponent of a scale operand; 128 says NaN.
FLY_INLINE int32_t scaleExponent(uint32_t operand) {
  return int32_t((operand >> 23) & 0xFF) - 127;
}

/// Code `code` of a format as f32, exactly.
template <const FloatFormat &Format>
FLY_INLINE float widenElement(uint32_t code) {
  if constexpr (&Format == &kFloat32)
    return bitCast<float>(code);
  else if constexpr (&Format == &kFloat16)
    return hostFloat(Half{static_cast<uint16_t>(code)});
  else if constexpr (&Format == &kBFloat16)
    return bfloatToFloat(static_cast<uint16_t>(code));
  else if constexpr (Format.width() == 8)
    return byteToFloat<Format>(code);
  else
    return narrowToFloat<Format.width(), Format.mantissaBits, Format.bias,
                         Specials::None>(code & (Format.signMask() * 2 - 1));
}

/// An f32 as a code of f32, f16 or bf16.
template <const FloatFormat &Format>
FLY_INLINE uint32_t encodeElement(float value) {
  if constexpr (&Format == &kFloat32)
    return bitCast<uint32_t>(value);
  else if constexpr (&Format == &kFloat16)
    return hostHalf(value).bits;
  else
    return floatToBFloat(value);
}

/// Two elements, of one operand or of two, to a byte or word of the
/// destination.
template <const FloatFormat &From, const FloatFormat &To, ExecFn General>
struct NarrowPair {
  static constexpr bool isTwo = &From == &kFloat32;
  static constexpr unsigned width = 2 * To.width();

  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    LaneBuffer buffers[3], values[2];
    const uint32_t *source[2];
    uint32_t keep[2], flip[2];
    constexpr uint32_t sign = From.signMask();
    for (unsigned i = 0; i != 2; ++i) {
      unsigned operand = isTwo ? i : 0;
      source[i] = wave.source(inst.src[operand], 0, buffers[i]);
      keep[i] = (inst.abs >> operand) & 1 ? ~sign : ~0u;
      flip[i] = (inst.neg >> operand) & 1 ? sign : 0;
    }
    const uint32_t *scale = wave.source(inst.src[isTwo ? 2 : 1], 0, buffers[2]);

    bool fits = true;
    for (unsigned i = 0; i != 2; ++i) {
      const uint32_t *lanes = source[i];
      unsigned shift = isTwo || i == 0 ? 0 : 16;
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != waveLanes; ++lane) {
        uint32_t code = ((lanes[lane] >> shift) & keep[i]) ^ flip[i];
        int32_t exponent = scaleExponent(scale[lane]);
        float value = widenElement<From>(code) * powerOfTwo(-exponent);
        fits &= (exponent != 128) & (std::fabs(widenElement<From>(code)) <=
                                     std::numeric_limits<float>::max());
        values[i].lane[lane] = bitCast<uint32_t>(value);
      }
    }
    if (LLVM_UNLIKELY(!fits))
      return General(inst, wave);

    Overflow overflow =
        wave.mode.fp16Ovfl() ? Overflow::Saturate : Overflow::Ieee;
    unsigned shift = width == 8 ? destinationByte(inst) : destinationWord(inst);
    uint32_t old = ~(((1u << width) - 1) << shift);
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      alignas(64) uint32_t block[blockLanes];
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane) {
        uint32_t low = narrow(values[0].lane[first + lane], overflow);
        uint32_t high = narrow(values[1].lane[first + lane], overflow);
        block[lane] = (out[first + lane] & old) | (low | high << To.width())
                                                      << shift;
      }
      storeBlock(out + first, block,
                 uint32_t(wave.exec() >> first) & wholeBlock);
    }
  }

private:
  /// What overflowed was finite.
  FLY_INLINE static uint32_t narrow(uint32_t bits, Overflow overflow) {
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    magnitude = magnitude > 0x7F7FFFFFu ? 0x7F7FFFFFu : magnitude;
    return floatToNarrow<To>(bitCast<float>(magnitude | (bits & 0x80000000u)),
                             overflow);
  }
};

/// One or two elements of a byte or word of the source.
template <const FloatFormat &From, const FloatFormat &To, unsigned Count,
          ExecFn General>
struct WidenPair {
  static constexpr unsigned width = Count * From.width();

  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    LaneBuffer buffers[2];
    const uint32_t *source = wave.source(inst.src[0], 0, buffers[0]);
    const uint32_t *scale = wave.source(inst.src[1], 0, buffers[1]);
    bool fits = true;
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      fits &= scaleExponent(scale[lane]) != 128;
    if (LLVM_UNLIKELY(!fits))
      return General(inst, wave);

    unsigned shift = width == 8 ? sourceByte(inst) : sourceWord(inst);
    bool isWord = Count * To.width() == 16;
    unsigned place = isWord ? destinationWord(inst) : 0;
    uint32_t old = isWord ? ~(0xFFFFu << place) : 0;
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      alignas(64) uint32_t low[blockLanes], high[blockLanes];
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane) {
        uint32_t codes = source[first + lane] >> shift;
        float factor = powerOfTwo(scaleExponent(scale[first + lane]));
        uint32_t one = encodeElement<To>(widenElement<From>(codes) * factor);
        uint32_t two =
            Count == 1
                ? 0
                : encodeElement<To>(widenElement<From>(codes >> From.width()) *
                                    factor);
        if (To.width() == 16)
          one = (out[first + lane] & old) | (one | two << 16) << place;
        low[lane] = one;
        high[lane] = two;
      }
      uint32_t active = uint32_t(wave.exec() >> first) & wholeBlock;
      storeBlock(out + first, low, active);
      if (Count * To.width() == 64)
        storeBlock(out + waveLanes + first, high, active);
    }
  }
};

/// The wide forms of a row.
template <typename Body>
constexpr ValuRow withWideForms(ValuRow row) {
  row.avx2.any = CustomWide<Body>::avx2;
  row.avx512.any = CustomWide<Body>::avx512;
  return row;
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUSCALEDWIDE_H
