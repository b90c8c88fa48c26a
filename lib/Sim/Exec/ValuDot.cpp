//===- ValuDot.cpp - Dot products and mixed-precision multiply-add --------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Float dot products are chains of f32 fused multiply-adds, the low element
// first; the hardware's inner rounding is not public [INF: SIM-DOT-ROUNDING].
// Integer ones wrap, or saturate once at the end under clamp.
//
//===----------------------------------------------------------------------===//

#include <algorithm>

#include "ValuHalf.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

bool bitOf(unsigned bits, unsigned index) { return (bits >> index) & 1; }

/// Source `index` without modifiers; a tied accumulator follows the sources.
void readRaw(const isa::Instruction &inst, WaveState &wave, unsigned index,
             LaneBuffer &out) {
  LaneBuffer unused;
  readSource(inst, wave, index, OperandType::Bits32, out, unused);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Half `part` of a packed lane, by op_sel and neg where the format has them.
template <bool IsBFloat>
float element(const isa::Instruction &inst, uint32_t lane, unsigned index,
              unsigned part) {
  bool isPacked = inst.format == isa::Format::VOP3P;
  unsigned select = part == 0 ? inst.opSel : inst.opSelHi;
  bool upper = isPacked ? bitOf(select, index) : part != 0;
  auto bits = static_cast<uint16_t>(lane >> (upper ? 16 : 0));
  if (isPacked && bitOf(part == 0 ? inst.neg : inst.negHi, index))
    bits ^= 0x8000;
  return IsBFloat ? bfloatToFloat(bits) : halfToFloat(bits);
}

template <bool IsBFloat>
void dot2Float(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer a, b, c, result;
  readRaw(inst, wave, 0, a);
  readRaw(inst, wave, 1, b);
  readRaw(inst, wave, 2, c);
  bool negateC = inst.numSrc > 2 && bitOf(inst.neg, 2);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    float sum = bitCast<float>(c.lane[lane] ^ (negateC ? 0x80000000u : 0));
    for (unsigned part = 0; part != 2; ++part)
      sum = std::fmaf(element<IsBFloat>(inst, a.lane[lane], 0, part),
                      element<IsBFloat>(inst, b.lane[lane], 1, part), sum);
    sum = isNanValue(sum) ? canonicalNan<float>() : sum;
    sum = inst.clamp ? applyOutputModifiers(sum, inst, wave.mode) : sum;
    result.lane[lane] = bitCast<uint32_t>(sum);
  }
  writeResult(inst, wave, result);
}

/// Operand of a mixed instruction: f32, or the f16 half that op_sel names where
/// op_sel_hi is set. neg_hi holds the absolute-value bits.
float mixedOperand(const isa::Instruction &inst, uint32_t lane,
                   unsigned index) {
  float value = bitCast<float>(lane);
  if (bitOf(inst.opSelHi, index))
    value = halfToFloat(
        static_cast<uint16_t>(lane >> (bitOf(inst.opSel, index) ? 16 : 0)));
  if (bitOf(inst.negHi | inst.abs, index))
    value = std::fabs(value);
  return bitOf(inst.neg, index) ? -value : value;
}

enum class MixResult { F32, LowHalf, HighHalf };

template <MixResult To>
void fmaMix(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer source[3], result;
  for (unsigned i = 0; i != 3; ++i)
    readRaw(inst, wave, i, source[i]);
  const uint32_t *old = wave.lanes(inst.dst[0]);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    float a = mixedOperand(inst, source[0].lane[lane], 0);
    float b = mixedOperand(inst, source[1].lane[lane], 1);
    float c = mixedOperand(inst, source[2].lane[lane], 2);
    float value = std::fmaf(a, b, c);
    if (isNanValue(value))
      value = propagateNan<float>(a, b, c);
    if (inst.clamp)
      value = applyOutputModifiers(value, inst, wave.mode);
    if (To == MixResult::F32) {
      result.lane[lane] = bitCast<uint32_t>(value);
      continue;
    }
    uint32_t half = isNanValue(value) ? floatToHalf(value)
                                      : roundHalf(value, wave.mode).bits;
    result.lane[lane] = To == MixResult::LowHalf
                            ? (old[lane] & 0xFFFF0000u) | half
                            : (old[lane] & 0xFFFFu) | half << 16;
  }
  writeResult(inst, wave, result);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Element `index` of `Width` bits, sign or zero extended.
template <typename T, unsigned Width>
int64_t integerElement(uint32_t lane, unsigned index) {
  uint32_t field = (lane >> (Width * index)) & ((1u << Width) - 1);
  if (!std::is_signed_v<T>)
    return field;
  uint32_t sign = 1u << (Width - 1);
  return static_cast<int32_t>((field ^ sign) - sign);
}

template <typename T, unsigned Width, bool Saturates>
T dotInteger(uint32_t a, uint32_t b, T c) {
  int64_t sum = c;
  for (unsigned i = 0; i != 32 / Width; ++i)
    sum += integerElement<T, Width>(a, i) * integerElement<T, Width>(b, i);
  if (Saturates)
    sum = std::clamp<int64_t>(sum, std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max());
  return static_cast<T>(sum);
}

template <typename T, unsigned Width>
constexpr ValuRow dot(const char *mnemonic) {
  ValuRow row =
      valuSaturating<dotInteger<T, Width, false>, dotInteger<T, Width, true>>(
          mnemonic);
  row.wholeDwords = true;
  return row;
}

using I32 = int32_t;
using U32 = uint32_t;

constexpr ValuRow kRows[] = {
    custom("v_dot2_f32_f16", dot2Float<false>),
    custom("v_dot2c_f32_f16", dot2Float<false>),
    custom("v_dot2_f32_bf16", dot2Float<true>, ValuChips::Gfx950),
    custom("v_dot2c_f32_bf16", dot2Float<true>, ValuChips::Gfx950),
    custom("v_fma_mix_f32", fmaMix<MixResult::F32>),
    custom("v_fma_mixlo_f16", fmaMix<MixResult::LowHalf>),
    custom("v_fma_mixhi_f16", fmaMix<MixResult::HighHalf>),

    dot<I32, 16>("v_dot2_i32_i16"),
    dot<U32, 16>("v_dot2_u32_u16"),
    dot<I32, 8>("v_dot4_i32_i8"),
    dot<U32, 8>("v_dot4_u32_u8"),
    dot<I32, 4>("v_dot8_i32_i4"),
    dot<U32, 4>("v_dot8_u32_u4"),
    dot<I32, 16>("v_dot2c_i32_i16"),
    dot<I32, 8>("v_dot4c_i32_i8"),
    dot<I32, 4>("v_dot8c_i32_i4"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuDotRows() { return kRows; }
