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

/// Source `index` without signs and selects; a tied accumulator follows the
/// sources.
const uint32_t *readInPlace(const isa::Instruction &inst, WaveState &wave,
                            unsigned index, LaneBuffer &buffer) {
  if (!inst.isDpp && !inst.isSdwa)
    return wave.source(index < inst.numSrc ? inst.src[index] : inst.dst[0], 0,
                       buffer);
  LaneBuffer unused;
  readSource(inst, wave, index, OperandType::Bits32, buffer, unused);
  return buffer.lane;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A half as f32, by the host's conversion in the wide forms.
template <bool IsBFloat, bool IsWide>
FLY_INLINE float halfValue(uint32_t dword) {
  auto bits = static_cast<uint16_t>(dword);
  if (IsBFloat)
    return bfloatToFloat(bits);
  return IsWide ? hostFloat(Half{bits}) : halfToFloat(bits);
}

/// Halves of one source by op_sel and neg where the format has them.
struct DotSource {
  const uint32_t *lanes;
  unsigned shift[2];
  uint32_t flip[2];

  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, LaneBuffer &buffer) {
    lanes = readInPlace(inst, wave, index, buffer);
    bool isPacked = inst.format == isa::Format::VOP3P;
    for (unsigned part = 0; part != 2; ++part) {
      unsigned select = part == 0 ? inst.opSel : inst.opSelHi;
      bool upper = isPacked ? bitOf(select, index) : part != 0;
      bool negates =
          isPacked && bitOf(part == 0 ? inst.neg : inst.negHi, index);
      shift[part] = upper ? 16 : 0;
      flip[part] = negates ? 0x8000 : 0;
    }
  }
  FLY_INLINE uint32_t get(unsigned lane, unsigned part) const {
    return (lanes[lane] >> shift[part]) ^ flip[part];
  }
};

template <bool IsBFloat, bool IsWide>
FLY_INLINE void dot2Float(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer buffers[3], result;
  DotSource a, b;
  a.read(inst, wave, 0, buffers[0]);
  b.read(inst, wave, 1, buffers[1]);
  const uint32_t *c = readInPlace(inst, wave, 2, buffers[2]);
  uint32_t flip = inst.numSrc > 2 && bitOf(inst.neg, 2) ? 0x80000000u : 0;
  FLY_LANES_LOOP
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    float sum = bitCast<float>(c[lane] ^ flip);
    sum = std::fmaf(halfValue<IsBFloat, IsWide>(a.get(lane, 0)),
                    halfValue<IsBFloat, IsWide>(b.get(lane, 0)), sum);
    sum = std::fmaf(halfValue<IsBFloat, IsWide>(a.get(lane, 1)),
                    halfValue<IsBFloat, IsWide>(b.get(lane, 1)), sum);
    result.lane[lane] =
        bitCast<uint32_t>(isNanValue(sum) ? canonicalNan<float>() : sum);
  }
  if (inst.clamp)
    for (uint32_t &lane : result.lane)
      lane = bitCast<uint32_t>(
          applyOutputModifiers(bitCast<float>(lane), inst, wave.mode));
  writeResult(inst, wave, result);
}

enum class MixResult { F32, LowHalf, HighHalf };

/// Operand of a mixed instruction: f32, or the f16 half that op_sel names where
/// op_sel_hi is set. neg_hi holds the absolute-value bits.
struct MixSource {
  const uint32_t *lanes;
  bool isHalf;
  unsigned shift;
  uint32_t keep, flip;

  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, LaneBuffer &buffer) {
    lanes = readInPlace(inst, wave, index, buffer);
    isHalf = bitOf(inst.opSelHi, index);
    shift = bitOf(inst.opSel, index) ? 16 : 0;
    keep = bitOf(inst.negHi | inst.abs, index) ? 0x7FFFFFFFu : ~0u;
    flip = bitOf(inst.neg, index) ? 0x80000000u : 0;
  }
  template <bool IsWide>
  FLY_INLINE float get(unsigned lane) const {
    float half = halfValue<false, IsWide>(lanes[lane] >> shift);
    uint32_t bits = isHalf ? bitCast<uint32_t>(half) : lanes[lane];
    return bitCast<float>((bits & keep) ^ flip);
  }
};

template <MixResult To, bool IsWide>
FLY_INLINE void fmaMix(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer buffers[3], result;
  MixSource source[3];
  for (unsigned i = 0; i != 3; ++i)
    source[i].read(inst, wave, i, buffers[i]);
  const MixSource x = source[0], y = source[1], z = source[2];
  FLY_LANES_LOOP
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    float a = x.get<IsWide>(lane), b = y.get<IsWide>(lane),
          c = z.get<IsWide>(lane);
    float value = std::fmaf(a, b, c);
    float nan = isNanValue(a)   ? quietNan(a)
                : isNanValue(b) ? quietNan(b)
                : isNanValue(c) ? quietNan(c)
                                : canonicalNan<float>();
    result.lane[lane] = bitCast<uint32_t>(isNanValue(value) ? nan : value);
  }
  if (inst.clamp)
    for (uint32_t &lane : result.lane)
      lane = bitCast<uint32_t>(
          applyOutputModifiers(bitCast<float>(lane), inst, wave.mode));
  if (To == MixResult::F32)
    return writeResult(inst, wave, result);
  const uint32_t *old = wave.lanes(inst.dst[0]);
  bool isPlain = isPlainFloatMode(wave.mode);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    auto value = bitCast<float>(result.lane[lane]);
    uint32_t half = isPlain || isNanValue(value)
                        ? floatToHalf(value)
                        : roundHalf(value, wave.mode).bits;
    result.lane[lane] = To == MixResult::LowHalf
                            ? (old[lane] & 0xFFFF0000u) | half
                            : (old[lane] & 0xFFFFu) | half << 16;
  }
  writeResult(inst, wave, result);
}

template <bool IsBFloat>
struct Dot2 {
  template <bool IsWide>
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    dot2Float<IsBFloat, IsWide>(inst, wave);
  }
};
template <MixResult To>
struct Mix {
  template <bool IsWide>
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    fmaMix<To, IsWide>(inst, wave);
  }
};

/// Body::execute<false>, and <true> on hosts with wider vectors.
template <typename Body>
struct TwoForms {
  static void generic(const isa::Instruction &inst, WaveState &wave) {
    Body::template execute<false>(inst, wave);
  }
  FLY_TARGET_AVX2 static void avx2(const isa::Instruction &inst,
                                   WaveState &wave) {
    Body::template execute<true>(inst, wave);
  }
  FLY_TARGET_AVX512 static void avx512(const isa::Instruction &inst,
                                       WaveState &wave) {
    Body::template execute<true>(inst, wave);
  }
};
template <typename Body>
constexpr ValuRow twoForms(const char *mnemonic,
                           ValuChips chips = ValuChips::Both) {
  ValuRow row = custom(mnemonic, TwoForms<Body>::generic, chips);
  row.avx2.any = TwoForms<Body>::avx2;
  row.avx512.any = TwoForms<Body>::avx512;
  return row;
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
    twoForms<Dot2<false>>("v_dot2_f32_f16"),
    twoForms<Dot2<false>>("v_dot2c_f32_f16"),
    twoForms<Dot2<true>>("v_dot2_f32_bf16", ValuChips::Gfx950),
    twoForms<Dot2<true>>("v_dot2c_f32_bf16", ValuChips::Gfx950),
    twoForms<Mix<MixResult::F32>>("v_fma_mix_f32"),
    twoForms<Mix<MixResult::LowHalf>>("v_fma_mixlo_f16"),
    twoForms<Mix<MixResult::HighHalf>>("v_fma_mixhi_f16"),

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
