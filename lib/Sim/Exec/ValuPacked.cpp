//===- ValuPacked.cpp - Packed vector arithmetic --------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function on two parts of a lane: the halves of a dword for 16-bit types,
// the two dwords for f32. Op_sel chooses the source part of the low result,
// op_sel_hi that of the high result; neg and neg_hi likewise.
//
//===----------------------------------------------------------------------===//

#include "ValuFused.h"
#include "ValuHalf.h"
#include "ValuInt16.h"
#include "ValuMinMax.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

bool bitOf(unsigned bits, unsigned index) { return (bits >> index) & 1; }

/// Prepares source `index` of part 0 (low) or 1 (high).
template <typename T>
void readPart(const isa::Instruction &inst, WaveState &wave, unsigned index,
              unsigned part, Argument<T> &argument) {
  const isa::Operand &operand =
      index < inst.numSrc ? inst.src[index] : inst.dst[0];
  bool upper = bitOf(part == 0 ? inst.opSel : inst.opSelHi, index);
  bool negate = bitOf(part == 0 ? inst.neg : inst.negHi, index);
  LaneBuffer buffer;
  LaneBuffer &out = argument.prepared();
  if constexpr (sizeof(T) == 2) {
    const uint32_t *from = wave.source(operand, 0, buffer);
    uint32_t sign = isFloatValue<T> && negate ? 0x8000u : 0;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      out.lane[lane] = ((from[lane] >> (upper ? 16 : 0)) & 0xFFFF) ^ sign;
  } else {
    const uint32_t *from = wave.source(operand, upper, buffer);
    uint32_t sign = isFloatValue<T> && negate ? 0x80000000u : 0;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      out.lane[lane] = from[lane] ^ sign;
  }
}
void readPart(const isa::Instruction &inst, WaveState &wave, unsigned index,
              unsigned, Argument<const ModeRegister &> &argument) {
  argument.read<false>(inst, wave, index);
}

template <auto Fn, unsigned Flags>
class PackedExecutor {
  using Executor = ValuExecutor<Fn, Flags>;
  using R = typename Executor::ResultType;

public:
  static void execute(const isa::Instruction &inst, WaveState &wave) {
    Result<R> parts[2];
    for (unsigned part = 0; part != 2; ++part)
      evaluatePart(inst, wave, part, parts[part], typename Executor::Indices{});
    if constexpr (sizeof(R) == 2) {
      LaneBuffer merged;
      for (unsigned lane = 0; lane != waveLanes; ++lane)
        merged.lane[lane] = bitCast<uint16_t>(parts[0].get(lane)) |
                            uint32_t(bitCast<uint16_t>(parts[1].get(lane)))
                                << 16;
      wave.store(inst.dst[0], 0, merged.lane);
    } else {
      wave.store(inst.dst[0], 0, parts[0].lowLanes());
      wave.store(inst.dst[0], 1, parts[1].lowLanes());
    }
  }

private:
  template <size_t... I>
  static void evaluatePart(const isa::Instruction &inst, WaveState &wave,
                           unsigned part, Result<R> &result,
                           std::index_sequence<I...>) {
    typename Executor::Arguments arguments;
    (readPart(inst, wave, I, part, std::get<I>(arguments)), ...);
    Executor::evaluate(wave.mode, arguments, result);
    if constexpr (Executor::isFloatResult)
      if (inst.clamp)
        Executor::modifyOutput(inst, wave.mode, result);
  }
};

/// One source of a part, read in place.
template <typename T>
class PartSource {
public:
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, unsigned part, LaneBuffer &buffer) {
    const isa::Operand &operand =
        index < inst.numSrc ? inst.src[index] : inst.dst[0];
    bool upper = bitOf(part == 0 ? inst.opSel : inst.opSelHi, index);
    bool negate = bitOf(part == 0 ? inst.neg : inst.negHi, index);
    constexpr bool isHalf = sizeof(T) == 2;
    lanes = wave.source(operand, isHalf ? 0 : upper, buffer);
    shift = isHalf && upper ? 16 : 0;
    flip = isFloatValue<T> && negate ? (isHalf ? 0x8000u : 0x80000000u) : 0;
  }
  PartSource from(unsigned lane) const {
    PartSource rest = *this;
    rest.lanes += lane;
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE T get(unsigned lane) const {
    if constexpr (sizeof(T) == 2)
      return bitCast<T>(static_cast<uint16_t>((lanes[lane] >> shift) ^ flip));
    else
      return bitCast<T>(lanes[lane] ^ flip);
  }

private:
  const uint32_t *lanes = nullptr;
  uint32_t shift = 0, flip = 0;
};
template <>
class PartSource<const ModeRegister &>
    : public WideSource<const ModeRegister &> {
public:
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, unsigned, LaneBuffer &) {
    WideBuffers unused;
    WideSource::read<true>(inst, wave, index, unused);
  }
};

template <auto Fn, unsigned Flags, typename Signature = decltype(Fn)>
struct PackedWide;

/// Both parts of a block before it is written: each may read what the other
/// writes.
template <auto Fn, unsigned Flags, typename R, typename... Args>
struct PackedWide<Fn, Flags, R (*)(Args...)> {
  using Wide = WideExecutor<Fn, Flags>;

  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    if (Wide::followsMode && LLVM_UNLIKELY(!isPlainFloatMode(wave.mode)))
      return PackedExecutor<Fn, Flags>::execute(inst, wave);
    executeParts(inst, wave, std::index_sequence_for<Args...>{});
  }

private:
  template <size_t... I>
  FLY_INLINE static void executeParts(const isa::Instruction &inst,
                                      WaveState &wave,
                                      std::index_sequence<I...>) {
    LaneBuffer buffers[2][sizeof...(Args)];
    std::tuple<PartSource<Args>...> low, high;
    (std::get<I>(low).read(inst, wave, I, 0, buffers[0][I]), ...);
    (std::get<I>(high).read(inst, wave, I, 1, buffers[1][I]), ...);
    uint64_t exec = wave.exec();
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      WideBlock<R> parts[2];
      Wide::template run<true>(parts[0], std::get<I>(low).from(first)...);
      Wide::template run<true>(parts[1], std::get<I>(high).from(first)...);
      if constexpr (ValuExecutor<Fn, Flags>::isFloatResult)
        if (inst.clamp)
          for (WideBlock<R> &part : parts)
            Wide::modifyOutput(inst, wave.mode, part);
      uint32_t active = uint32_t(exec >> first) & wholeBlock;
      uint32_t *out = wave.lanes(inst.dst[0]) + first;
      if constexpr (sizeof(R) == 2) {
        FLY_LANES_LOOP
        for (unsigned lane = 0; lane != blockLanes; ++lane)
          parts[0].low[lane] |= parts[1].low[lane] << 16;
        storeBlock(out, parts[0].low, active);
      } else {
        storeBlock(out, parts[0].low, active);
        storeBlock(out + waveLanes, parts[1].low, active);
      }
    }
  }
};

float add32(float a, float b) { return a + b; }
float mul32(float a, float b) { return a * b; }

/// Dword op_sel[0] of the first source and dword op_sel[1] of the second.
void movePair(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer buffers[2];
  LaneBuffer values[2];
  for (unsigned part = 0; part != 2; ++part)
    std::memcpy(
        values[part].lane,
        wave.source(inst.src[part], bitOf(inst.opSel, part), buffers[part]),
        sizeof(values[part].lane));
  for (unsigned part = 0; part != 2; ++part)
    wave.store(inst.dst[0], part, values[part].lane);
}

template <auto Fn, unsigned Flags = kPlain>
constexpr ValuRow packed(const char *mnemonic,
                         ValuChips chips = ValuChips::Both) {
  ExecFn execute = PackedExecutor<Fn, Flags>::execute;
  bool isFloat = ValuExecutor<Fn, Flags>::isFloatResult;
  ValuRow row = {mnemonic, execute, execute, isFloat ? execute : nullptr,
                 chips};
  using Wide = PackedWide<Fn, Flags>;
  row.avx2.any = CustomWide<Wide>::avx2;
  row.avx512.any = CustomWide<Wide>::avx512;
  return row;
}
template <auto Fn, auto Saturating>
constexpr ValuRow packedSaturating(const char *mnemonic) {
  ValuRow row = packed<Fn>(mnemonic);
  row.clamped = PackedExecutor<Saturating, kPlain>::execute;
  return row;
}

using I16 = int16_t;
using U16 = uint16_t;

constexpr ValuRow kRows[] = {
    packed<add32, kRounds>("v_pk_add_f32"),
    packed<mul32, kRounds>("v_pk_mul_f32"),
    packed<fusedMultiplyAdd32, kRounds>("v_pk_fma_f32"),
    custom("v_pk_mov_b32", movePair),

    packed<addHalf, kHalfArithmetic>("v_pk_add_f16"),
    packed<mulHalf, kHalfArithmetic>("v_pk_mul_f16"),
    packed<fusedHalf, kHalfArithmetic>("v_pk_fma_f16"),
    packed<fusedHalf, kHalfArithmetic>("v_pk_fmac_f16"),
    packed<minimumNumber<Half>, kFlushes>("v_pk_min_f16"),
    packed<maximumNumber<Half>, kFlushes>("v_pk_max_f16"),
    packed<minimumPropagating3<Half>, kFlushes>("v_pk_minimum3_f16",
                                                ValuChips::Gfx950),
    packed<maximumPropagating3<Half>, kFlushes>("v_pk_maximum3_f16",
                                                ValuChips::Gfx950),

    packedSaturating<add16<U16>, add16Saturating<U16>>("v_pk_add_u16"),
    packedSaturating<sub16<U16>, sub16Saturating<U16>>("v_pk_sub_u16"),
    packedSaturating<add16<I16>, add16Saturating<I16>>("v_pk_add_i16"),
    packedSaturating<sub16<I16>, sub16Saturating<I16>>("v_pk_sub_i16"),
    packedSaturating<mad16<U16>, mad16Saturating<U16>>("v_pk_mad_u16"),
    packedSaturating<mad16<I16>, mad16Saturating<I16>>("v_pk_mad_i16"),
    packed<mul16<U16>>("v_pk_mul_lo_u16"),
    packed<shiftLeft16>("v_pk_lshlrev_b16"),
    packed<shiftRight16<U16>>("v_pk_lshrrev_b16"),
    packed<shiftRight16<I16>>("v_pk_ashrrev_i16"),
    packed<min16<I16>>("v_pk_min_i16"),
    packed<max16<I16>>("v_pk_max_i16"),
    packed<min16<U16>>("v_pk_min_u16"),
    packed<max16<U16>>("v_pk_max_u16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuPackedRows() { return kRows; }
