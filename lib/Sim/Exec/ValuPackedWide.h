//===- ValuPackedWide.h - One function on two parts of a lane ---*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Op_sel chooses the source part of the low result, op_sel_hi that of the high
// result; neg and neg_hi likewise. Where all halves stay in their places, as
// compilers leave most of them, a register is a row of twice as many 16-bit
// lanes.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUPACKEDWIDE_H
#define FLY_SIM_EXEC_VALUPACKEDWIDE_H

#include "ValuWide.h"

namespace fly::sim {

inline bool packedBit(unsigned bits, unsigned index) {
  return (bits >> index) & 1;
}

/// Prepares source `index` of part 0 (low) or 1 (high).
template <typename T>
inline void readPart(const isa::Instruction &inst, WaveState &wave,
                     unsigned index, unsigned part, Argument<T> &argument) {
  const isa::Operand &operand =
      index < inst.numSrc ? inst.src[index] : inst.dst[0];
  bool upper = packedBit(part == 0 ? inst.opSel : inst.opSelHi, index);
  bool negate = packedBit(part == 0 ? inst.neg : inst.negHi, index);
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
inline void readPart(const isa::Instruction &inst, WaveState &wave,
                     unsigned index, unsigned,
                     Argument<const ModeRegister &> &argument) {
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
    bool upper = packedBit(part == 0 ? inst.opSel : inst.opSelHi, index);
    bool negate = packedBit(part == 0 ? inst.neg : inst.negHi, index);
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
    uint32_t dword = lanes[lane];
    if constexpr (sizeof(T) == 2)
      dword >>= shift;
    if constexpr (HasSigns)
      dword ^= flip;
    return fromDwords<T>(dword, 0);
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

/// A packed source whose low half belongs to the low result and whose high half
/// to the high one: the halves of all lanes in a row.
template <typename T>
class HalfSource {
public:
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, LaneBuffer &buffer) {
    lanes = wave.source(index < inst.numSrc ? inst.src[index] : inst.dst[0], 0,
                        buffer);
  }
  HalfSource from(unsigned lane) const {
    HalfSource rest = *this;
    rest.lanes += lane;
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE T get(unsigned half) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const char *>(lanes) + 2 * half,
                sizeof(value));
    return value;
  }

private:
  const uint32_t *lanes = nullptr;
};
template <>
class HalfSource<const ModeRegister &>
    : public PartSource<const ModeRegister &> {
public:
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, LaneBuffer &buffer) {
    PartSource::read(inst, wave, index, 0, buffer);
  }
};

/// The halves of a block of lanes.
template <typename T>
class HalfBlock {
public:
  static constexpr unsigned lanes = 2 * blockLanes;
  FLY_INLINE void set(unsigned half, T value) {
    halves[half] = bitCast<uint16_t>(value);
  }
  FLY_INLINE T get(unsigned half) const { return bitCast<T>(halves[half]); }
  FLY_INLINE void assign(const HalfBlock &other) {
    copyBlock(halves, other.halves);
  }
  FLY_INLINE HalfBlock copy() const {
    HalfBlock other;
    other.assign(*this);
    return other;
  }

  alignas(64) uint16_t halves[lanes];
};

template <auto Fn, unsigned Flags, typename Signature = decltype(Fn)>
struct PackedWide;

/// Both parts of a block before it is written: each may read what the other
/// writes.
template <auto Fn, unsigned Flags, typename R, typename... Args>
struct PackedWide<Fn, Flags, R (*)(Args...)> {
  using Wide = WideExecutor<Fn, Flags>;
  using Indices = std::index_sequence_for<Args...>;

  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    if (LLVM_UNLIKELY(!Wide::fitsMode(wave.mode)))
      return PackedExecutor<Fn, Flags>::execute(inst, wave);
    bool isSigned = ((inst.neg | inst.negHi) != 0 || inst.clamp) &&
                    ValuExecutor<Fn, Flags>::isFloatResult;
    if constexpr (sizeof(R) == 2) {
      if (!isSigned && hasAllHalves(inst))
        return executeHalves(inst, wave, Indices{});
      return executeParts<true>(inst, wave, Indices{});
    } else {
      if (!isSigned)
        return executeParts<false>(inst, wave, Indices{});
      return executeParts<true>(inst, wave, Indices{});
    }
  }

private:
  /// Whether each source's halves go to the results of their places.
  FLY_INLINE static bool hasAllHalves(const isa::Instruction &inst) {
    unsigned count = 0;
    ((count += !std::is_same_v<Args, const ModeRegister &>), ...);
    unsigned operands = (1u << count) - 1;
    return (inst.opSel & operands) == 0 &&
           (inst.opSelHi & operands) == operands;
  }

  template <size_t... I>
  FLY_INLINE static void executeHalves(const isa::Instruction &inst,
                                       WaveState &wave,
                                       std::index_sequence<I...>) {
    LaneBuffer buffers[sizeof...(Args)];
    std::tuple<HalfSource<Args>...> sources;
    (std::get<I>(sources).read(inst, wave, I, buffers[I]), ...);
    uint64_t exec = wave.exec();
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      HalfBlock<R> block;
      Wide::template run<false>(block, std::get<I>(sources).from(first)...);
      storeBlock(out + first, block.halves,
                 uint32_t(exec >> first) & wholeBlock);
    }
  }

  template <bool HasSigns, size_t... I>
  FLY_INLINE static void executeParts(const isa::Instruction &inst,
                                      WaveState &wave,
                                      std::index_sequence<I...>) {
    LaneBuffer buffers[2][sizeof...(Args)];
    std::tuple<PartSource<Args>...> low, high;
    (std::get<I>(low).read(inst, wave, I, 0, buffers[0][I]), ...);
    (std::get<I>(high).read(inst, wave, I, 1, buffers[1][I]), ...);
    uint64_t exec = wave.exec();
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      WideBlock<R> parts[2];
      Wide::template run<HasSigns>(parts[0], std::get<I>(low).from(first)...);
      Wide::template run<HasSigns>(parts[1], std::get<I>(high).from(first)...);
      if constexpr (HasSigns && ValuExecutor<Fn, Flags>::isFloatResult)
        if (inst.clamp)
          for (WideBlock<R> &part : parts)
            Wide::modifyOutput(inst, wave.mode, part);
      uint32_t active = uint32_t(exec >> first) & wholeBlock;
      if constexpr (sizeof(R) == 2) {
        FLY_LANES_LOOP
        for (unsigned lane = 0; lane != blockLanes; ++lane)
          parts[0].low[lane] |= parts[1].low[lane] << 16;
        storeBlock(out + first, parts[0].low, active);
      } else {
        storeBlock(out + first, parts[0].low, active);
        storeBlock(out + waveLanes + first, parts[1].low, active);
      }
    }
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUPACKEDWIDE_H
