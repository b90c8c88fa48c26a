//===- ValuConvertScaled.cpp - v_cvt_scalef32 conversions of gfx950 -------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of one idea: elements of one format times or by a power of two
// become elements of another. The scale is the exponent field e of an f32
// operand: 2^(e
// - 127), NaN for 255; widening multiplies by it, narrowing divides by it and
// rounds to nearest even or stochastically. Which bits are read and written
// differs; both follow the ISA document's pseudocode [AMD: CDNA4 ISA]. Overflow
// to fp8 and bf8 saturates only where MODE.FP16_OVFL is set [MEM:
// SIM-FP8-SATURATION]; the 6- and 4-bit formats have no other choice.
//
//===----------------------------------------------------------------------===//

#include "ValuScaledWide.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// A register tuple of at most 32 dwords a lane, copied so that the destination
/// may overlap it.
class Tuple {
public:
  void read(WaveState &wave, const isa::Operand &operand) {
    clear(operand.isVector() ? operand.dwords : maxDwords);
    // A constant or scalar source has at most two dwords.
    unsigned count = operand.isVector() ? dwords : 2;
    LaneBuffer buffer;
    for (unsigned dword = 0; dword != count; ++dword)
      std::memcpy(rows[dword].lane, wave.source(operand, dword, buffer),
                  sizeof(buffer.lane));
  }
  /// Element `index` of `width` bits.
  uint32_t element(unsigned lane, unsigned index, unsigned width) const {
    return bits(lane, index * width, width);
  }
  uint32_t bits(unsigned lane, unsigned shift, unsigned width) const {
    uint64_t pair = rows[shift / 32].lane[lane];
    if (shift % 32 + width > 32)
      pair |= uint64_t(rows[shift / 32 + 1].lane[lane]) << 32;
    return static_cast<uint32_t>((pair >> (shift % 32)) &
                                 ((uint64_t(1) << width) - 1));
  }
  void clear(unsigned count) {
    dwords = count;
    for (unsigned dword = 0; dword != dwords; ++dword)
      rows[dword] = LaneBuffer{};
  }
  void setElement(unsigned lane, unsigned index, unsigned width,
                  uint32_t value) {
    unsigned shift = index * width;
    uint64_t placed = uint64_t(value) << (shift % 32);
    rows[shift / 32].lane[lane] |= static_cast<uint32_t>(placed);
    if (placed >> 32)
      rows[shift / 32 + 1].lane[lane] |= static_cast<uint32_t>(placed >> 32);
  }
  void write(WaveState &wave, const isa::Operand &operand) const {
    for (unsigned dword = 0; dword != dwords; ++dword)
      wave.store(operand, dword, rows[dword].lane);
  }
  const LaneBuffer &first() const { return rows[0]; }

private:
  static constexpr unsigned maxDwords = 32;
  LaneBuffer rows[maxDwords];
  unsigned dwords = 0;
};

/// The scale of every lane.
struct Scale {
  double value[waveLanes];
  void read(WaveState &wave, const isa::Operand &operand) {
    LaneBuffer buffer;
    const uint32_t *bits = wave.source(operand, 0, buffer);
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      value[lane] = decodeE8M0(static_cast<uint8_t>(bits[lane] >> 23));
  }
};

Overflow overflowOf(const ModeRegister &mode) {
  return mode.fp16Ovfl() ? Overflow::Saturate : Overflow::Ieee;
}

uint32_t nextRandom(uint32_t a) { return (a << 1) ^ (a >> 31 ? 197u : 0u); }

/// Applies abs and neg of source `index` to an element of `format`.
uint32_t applySigns(const isa::Instruction &inst, unsigned index,
                    const FloatFormat &format, uint32_t code) {
  if ((inst.abs >> index) & 1)
    code &= ~format.signMask();
  return (inst.neg >> index) & 1 ? code ^ format.signMask() : code;
}

/// Where a source element comes from: `count` consecutive elements of one
/// operand, or of two operands by turns.
enum class Sources { One, TwoByTurns };

/// Narrowing: `Count` elements, scaled and rounded to nearest even.
template <const FloatFormat &From, const FloatFormat &To, unsigned Count,
          Sources Form>
void narrow(const isa::Instruction &inst, WaveState &wave) {
  constexpr bool two = Form == Sources::TwoByTurns;
  Tuple source[2], result;
  Scale scale;
  source[0].read(wave, inst.src[0]);
  if (two)
    source[1].read(wave, inst.src[1]);
  scale.read(wave, inst.src[two ? 2 : 1]);
  result.clear((Count * To.width() + 31) / 32);
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    for (unsigned i = 0; i != Count; ++i) {
      uint32_t code = two ? source[i % 2].element(lane, i / 2, From.width())
                          : source[0].element(lane, i, From.width());
      code = applySigns(inst, two ? i % 2 : 0, From, code);
      double value = decodeFloat(From, code) / scale.value[lane];
      result.setElement(lane, i, To.width(),
                        encodeFloat(To, value, RoundingMode::NearestEven,
                                    overflowOf(wave.mode)));
    }
  constexpr unsigned width = Count * To.width();
  if constexpr (width == 8)
    writeField(inst, wave, result.first(), destinationByte(inst), width);
  else if constexpr (width == 16)
    writeField(inst, wave, result.first(), destinationWord(inst), width);
  else
    result.write(wave, inst.dst[0]);
}

/// Narrowing with stochastic rounding: the seed is the second operand and steps
/// from element to element.
template <const FloatFormat &From, const FloatFormat &To, unsigned Count>
void narrowStochastic(const isa::Instruction &inst, WaveState &wave) {
  Tuple source, seed, result;
  Scale scale;
  source.read(wave, inst.src[0]);
  seed.read(wave, inst.src[1]);
  scale.read(wave, inst.src[2]);
  result.clear((Count * To.width() + 31) / 32);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    uint32_t random = seed.element(lane, 0, 32);
    for (unsigned i = 0; i != Count; ++i) {
      uint32_t code =
          applySigns(inst, 0, From, source.element(lane, i, From.width()));
      double value = decodeFloat(From, code) / scale.value[lane];
      result.setElement(
          lane, i, To.width(),
          encodeFloatStochastic(To, value, random, overflowOf(wave.mode)));
      random = nextRandom(random);
    }
  }
  if constexpr (Count * To.width() == 8)
    writeField(inst, wave, result.first(), destinationByte(inst), 8);
  else
    result.write(wave, inst.dst[0]);
}

/// Widening: elements times the scale, rounded to nearest even where the result
/// is narrower than the product.
template <const FloatFormat &From, const FloatFormat &To, unsigned Count>
void widen(const isa::Instruction &inst, WaveState &wave) {
  Tuple source, result;
  Scale scale;
  source.read(wave, inst.src[0]);
  scale.read(wave, inst.src[1]);
  constexpr unsigned sourceBits = Count * From.width();
  unsigned shift = sourceBits == 8    ? sourceByte(inst)
                   : sourceBits == 16 ? sourceWord(inst)
                                      : 0;
  result.clear((Count * To.width() + 31) / 32);
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    for (unsigned i = 0; i != Count; ++i) {
      uint32_t code = source.bits(lane, shift + i * From.width(), From.width());
      result.setElement(
          lane, i, To.width(),
          encodeFloat(To, decodeFloat(From, code) * scale.value[lane]));
    }
  if constexpr (Count * To.width() == 16)
    writeField(inst, wave, result.first(), destinationWord(inst), 16);
  else
    result.write(wave, inst.dst[0]);
}

/// Only f32 sources have sign modifiers.
constexpr ValuRow scaled(const char *mnemonic, ExecFn execute,
                         bool signless = true) {
  ValuRow row = custom(mnemonic, execute, ValuChips::Gfx950);
  if (signless)
    row.modifiers = kHasHalves;
  return row;
}

// The formats under the names that the mnemonics use.
constexpr const FloatFormat &f32 = kFloat32;
constexpr const FloatFormat &f16 = kFloat16;
constexpr const FloatFormat &bf16 = kBFloat16;
constexpr const FloatFormat &fp8 = kFloat8E4M3FN;
constexpr const FloatFormat &bf8 = kFloat8E5M2;
constexpr const FloatFormat &fp6 = kFloat6E2M3;
constexpr const FloatFormat &bf6 = kFloat6E3M2;
constexpr const FloatFormat &fp4 = kFloat4E2M1;

constexpr Sources One = Sources::One;
constexpr Sources Two = Sources::TwoByTurns;

#define FLY_NARROW_PAIR(to, from, sources)                                     \
  withWideForms<NarrowPair<from, to, narrow<from, to, 2, sources>>>(           \
      FLY_NARROW("pk_", to, from, 2, sources))
#define FLY_WIDEN_PAIR(form, to, from, count)                                  \
  withWideForms<WidenPair<from, to, count, widen<from, to, count>>>(           \
      FLY_WIDEN(form, to, from, count))
#define FLY_NARROW(form, to, from, count, sources)                             \
  scaled("v_cvt_scalef32_" form #to "_" #from,                                 \
         narrow<from, to, count, sources>, &from != &kFloat32)
#define FLY_STOCHASTIC(form, to, from, count)                                  \
  scaled("v_cvt_scalef32_" form #to "_" #from,                                 \
         narrowStochastic<from, to, count>, &from != &kFloat32)
#define FLY_WIDEN(form, to, from, count)                                       \
  scaled("v_cvt_scalef32_" form #to "_" #from, widen<from, to, count>)

constexpr ValuRow kRows[] = {
    FLY_NARROW_PAIR(fp8, f32, Two),
    FLY_NARROW_PAIR(bf8, f32, Two),
    FLY_NARROW_PAIR(fp4, f32, Two),
    FLY_NARROW_PAIR(fp8, f16, One),
    FLY_NARROW_PAIR(bf8, f16, One),
    FLY_NARROW_PAIR(fp4, f16, One),
    FLY_NARROW_PAIR(fp8, bf16, One),
    FLY_NARROW_PAIR(bf8, bf16, One),
    FLY_NARROW_PAIR(fp4, bf16, One),
    FLY_NARROW("2xpk16_", fp6, f32, 32, Two),
    FLY_NARROW("2xpk16_", bf6, f32, 32, Two),
    FLY_NARROW("pk32_", fp6, f16, 32, One),
    FLY_NARROW("pk32_", bf6, f16, 32, One),
    FLY_NARROW("pk32_", fp6, bf16, 32, One),
    FLY_NARROW("pk32_", bf6, bf16, 32, One),

    FLY_STOCHASTIC("sr_", fp8, f32, 1),
    FLY_STOCHASTIC("sr_", bf8, f32, 1),
    FLY_STOCHASTIC("sr_", fp8, f16, 1),
    FLY_STOCHASTIC("sr_", bf8, f16, 1),
    FLY_STOCHASTIC("sr_", fp8, bf16, 1),
    FLY_STOCHASTIC("sr_", bf8, bf16, 1),
    FLY_STOCHASTIC("sr_pk_", fp4, f32, 2),
    FLY_STOCHASTIC("sr_pk_", fp4, f16, 2),
    FLY_STOCHASTIC("sr_pk_", fp4, bf16, 2),
    FLY_STOCHASTIC("sr_pk32_", fp6, f32, 32),
    FLY_STOCHASTIC("sr_pk32_", bf6, f32, 32),
    FLY_STOCHASTIC("sr_pk32_", fp6, f16, 32),
    FLY_STOCHASTIC("sr_pk32_", bf6, f16, 32),
    FLY_STOCHASTIC("sr_pk32_", fp6, bf16, 32),
    FLY_STOCHASTIC("sr_pk32_", bf6, bf16, 32),

    FLY_WIDEN_PAIR("", f32, fp8, 1),
    FLY_WIDEN_PAIR("", f32, bf8, 1),
    FLY_WIDEN_PAIR("", f16, fp8, 1),
    FLY_WIDEN_PAIR("", f16, bf8, 1),
    FLY_WIDEN_PAIR("pk_", f32, fp8, 2),
    FLY_WIDEN_PAIR("pk_", f32, bf8, 2),
    FLY_WIDEN_PAIR("pk_", f32, fp4, 2),
    FLY_WIDEN_PAIR("pk_", f16, fp8, 2),
    FLY_WIDEN_PAIR("pk_", f16, bf8, 2),
    FLY_WIDEN_PAIR("pk_", f16, fp4, 2),
    FLY_WIDEN_PAIR("pk_", bf16, fp8, 2),
    FLY_WIDEN_PAIR("pk_", bf16, bf8, 2),
    FLY_WIDEN_PAIR("pk_", bf16, fp4, 2),
    FLY_WIDEN("pk32_", f32, fp6, 32),
    FLY_WIDEN("pk32_", f32, bf6, 32),
    FLY_WIDEN("pk32_", f16, fp6, 32),
    FLY_WIDEN("pk32_", f16, bf6, 32),
    FLY_WIDEN("pk32_", bf16, fp6, 32),
    FLY_WIDEN("pk32_", bf16, bf6, 32),
};

#undef FLY_NARROW_PAIR
#undef FLY_WIDEN_PAIR
#undef FLY_NARROW
#undef FLY_STOCHASTIC
#undef FLY_WIDEN

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuConvertScaledRows() { return kRows; }
