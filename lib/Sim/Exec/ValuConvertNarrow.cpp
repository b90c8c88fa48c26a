//===- ValuConvertNarrow.cpp - fp8, bf8 and stochastic conversions --------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formats are FNUZ on gfx942 and OCP on gfx950. Narrowing rounds to nearest
// even, or stochastically, where the random number is added below the last
// place of the result; it saturates only where MODE.FP16_OVFL is set
// [MEM: SIM-FP8-SATURATION].
//
//===----------------------------------------------------------------------===//

#include "NarrowConvert.h"
#include "ValuField.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

Overflow overflowOf(const ModeRegister &mode) {
  return mode.fp16Ovfl() ? Overflow::Saturate : Overflow::Ieee;
}

void readFloat(const isa::Instruction &inst, WaveState &wave, unsigned index,
               LaneBuffer &out) {
  LaneBuffer unused;
  readSource(inst, wave, index, OperandType::F32, out, unused);
}

/// Two f32 to two bytes in a word of the destination.
template <const FloatFormat &Format>
struct PackBytes {
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    WideBuffers buffers[2];
    WideSource<float> a, b;
    a.read<true>(inst, wave, 0, buffers[0]);
    b.read<true>(inst, wave, 1, buffers[1]);
    Overflow overflow = overflowOf(wave.mode);
    unsigned shift = destinationWord(inst);
    uint32_t keep = shift == 0 ? 0xFFFF0000u : 0xFFFFu;
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      alignas(64) uint32_t block[blockLanes];
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane) {
        uint32_t low =
            floatToNarrow<Format>(a.get<true>(first + lane), overflow);
        uint32_t high =
            floatToNarrow<Format>(b.get<true>(first + lane), overflow);
        block[lane] = (out[first + lane] & keep) | (low | high << 8) << shift;
      }
      storeBlock(out + first, block,
                 uint32_t(wave.exec() >> first) & wholeBlock);
    }
  }
};

/// One f32 and a random number to one byte or word of the destination.
template <const FloatFormat &Format>
void stochastic(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer a, random, unused, result;
  readFloat(inst, wave, 0, a);
  readSource(inst, wave, 1, OperandType::Bits32, random, unused);
  Overflow overflow = overflowOf(wave.mode);
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    result.lane[lane] = encodeFloatStochastic(
        Format, bitCast<float>(a.lane[lane]), random.lane[lane], overflow);
  bool isByte = Format.width() == 8;
  writeField(inst, wave, result,
             isByte ? destinationByte(inst) : destinationWord(inst),
             Format.width());
}

template <const FloatFormat &Format>
float widen(uint32_t a) {
  return byteToFloat<Format>(a);
}
/// Two bytes to two f32.
template <const FloatFormat &Format>
uint64_t widenPair(uint32_t a) {
  uint64_t low = bitCast<uint32_t>(widen<Format>(a));
  uint64_t high = bitCast<uint32_t>(widen<Format>(a >> 8));
  return low | high << 32;
}

constexpr ValuChips Gfx942 = ValuChips::Gfx942;
constexpr ValuChips Gfx950 = ValuChips::Gfx950;

constexpr ValuRow kRows[] = {
    customWide<PackBytes<kFloat8E4M3FNUZ>>("v_cvt_pk_fp8_f32", Gfx942),
    customWide<PackBytes<kFloat8E5M2FNUZ>>("v_cvt_pk_bf8_f32", Gfx942),
    custom("v_cvt_sr_fp8_f32", stochastic<kFloat8E4M3FNUZ>, Gfx942),
    custom("v_cvt_sr_bf8_f32", stochastic<kFloat8E5M2FNUZ>, Gfx942),
    valuWide<widen<kFloat8E4M3FNUZ>>("v_cvt_f32_fp8", Gfx942),
    valuWide<widen<kFloat8E5M2FNUZ>>("v_cvt_f32_bf8", Gfx942),
    valuWide<widenPair<kFloat8E4M3FNUZ>>("v_cvt_pk_f32_fp8", Gfx942),
    valuWide<widenPair<kFloat8E5M2FNUZ>>("v_cvt_pk_f32_bf8", Gfx942),

    customWide<PackBytes<kFloat8E4M3FN>>("v_cvt_pk_fp8_f32", Gfx950),
    customWide<PackBytes<kFloat8E5M2>>("v_cvt_pk_bf8_f32", Gfx950),
    custom("v_cvt_sr_fp8_f32", stochastic<kFloat8E4M3FN>, Gfx950),
    custom("v_cvt_sr_bf8_f32", stochastic<kFloat8E5M2>, Gfx950),
    valuWide<widen<kFloat8E4M3FN>>("v_cvt_f32_fp8", Gfx950),
    valuWide<widen<kFloat8E5M2>>("v_cvt_f32_bf8", Gfx950),
    valuWide<widenPair<kFloat8E4M3FN>>("v_cvt_pk_f32_fp8", Gfx950),
    valuWide<widenPair<kFloat8E5M2>>("v_cvt_pk_f32_bf8", Gfx950),

    custom("v_cvt_sr_f16_f32", stochastic<kFloat16>, Gfx950),
    custom("v_cvt_sr_bf16_f32", stochastic<kBFloat16>, Gfx950),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuConvertNarrowRows() { return kRows; }
