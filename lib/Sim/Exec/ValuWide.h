//===- ValuWide.h - Vector instructions by blocks of lanes ------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What problem: for most instructions the way of the operands (registers,
// buffers, results, registers) costs more than the arithmetic.
// What idea: the same function on one lane, in a loop over a block of lanes
// that fits the host's vector registers: sources are read in place, signs
// change on the way, and the block goes straight to the destination. An
// instruction touches lane i of its rows only for lane i, so a block may be
// written before the next one is read.
// What it refuses: DPP, SDWA, sext and op_sel, which the lookup sends to
// ValuDriver.h; and, when it runs, a MODE that is not the one in which compute
// kernels start, which it sends there itself.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUWIDE_H
#define FLY_SIM_EXEC_VALUWIDE_H

#include <array>
#include <tuple>

#include "ValuDriver.h"
#include "VectorLevel.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fly::sim {

/// Lanes that are in the host's registers together.
constexpr unsigned blockLanes = 16;
constexpr uint32_t wholeBlock = (1u << blockLanes) - 1;

/// Nearest even, all denormals, f16 overflows to infinity.
inline bool isPlainFloatMode(const ModeRegister &mode) {
  return isDefaultFloatMode(mode) && !mode.fp16Ovfl();
}

/// A shorter form of a function for blocks without NaN operands, which are
/// nearly all: OnNumbers<Fn>::run() takes what Fn takes and gives the same.
template <auto Fn>
struct OnNumbers {
  static constexpr bool exists = false;
};

/// Where scalar sources are spread over the lanes.
struct WideBuffers {
  LaneBuffer low, high;
};

/// One source of an instruction, read in place.
template <typename T>
class WideSource {
public:
  static constexpr OperandType type = operandTypeOf<T>();

  template <bool HasSigns>
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, WideBuffers &buffers) {
    bool isTied = index >= inst.numSrc;
    const isa::Operand &operand = isTied ? inst.dst[0] : inst.src[index];
    low = wave.source(operand, 0, buffers.low);
    if constexpr (isWide(type))
      high = wave.source(operand, 1, buffers.high);
    if constexpr (HasSigns && isFloatType(type)) {
      constexpr uint32_t sign = isHalf(type) ? 0x8000u : 0x80000000u;
      keep = !isTied && (inst.abs >> index) & 1 ? ~sign : ~0u;
      flip = !isTied && (inst.neg >> index) & 1 ? sign : 0;
    }
  }
  WideSource from(unsigned lane) const {
    WideSource rest = *this;
    rest.low += lane;
    if constexpr (isWide(type))
      rest.high += lane;
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE T get(unsigned lane) const {
    constexpr bool changes = HasSigns && isFloatType(type);
    if constexpr (isWide(type)) {
      uint32_t upper = changes ? (high[lane] & keep) ^ flip : high[lane];
      return bitCast<T>(low[lane] | uint64_t(upper) << 32);
    } else {
      uint32_t bits = changes ? (low[lane] & keep) ^ flip : low[lane];
      if constexpr (isHalf(type))
        return bitCast<T>(static_cast<uint16_t>(bits));
      else
        return bitCast<T>(bits);
    }
  }

private:
  const uint32_t *low = nullptr, *high = nullptr;
  uint32_t keep = ~0u, flip = 0;
};

/// A lane mask: of an operand, or VCC past the written ones.
template <>
class WideSource<bool> {
public:
  template <bool HasSigns>
  FLY_INLINE void read(const isa::Instruction &inst, WaveState &wave,
                       unsigned index, WideBuffers &) {
    mask = index < inst.numSrc ? wave.scalar64(inst.src[index]) : wave.vcc();
  }
  WideSource from(unsigned lane) const {
    WideSource rest;
    rest.mask = mask >> lane & wholeBlock;
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE bool get(unsigned lane) const {
    return (uint32_t(mask) >> lane) & 1;
  }

private:
  uint64_t mask = 0;
};

template <>
class WideSource<LaneIndex> {
public:
  template <bool HasSigns>
  FLY_INLINE void read(const isa::Instruction &, WaveState &, unsigned,
                       WideBuffers &) {}
  WideSource from(unsigned lane) const {
    WideSource rest;
    rest.first = first + lane;
    return rest;
  }
  template <bool HasSigns>
  FLY_INLINE LaneIndex get(unsigned lane) const {
    return {first + lane};
  }

private:
  unsigned first = 0;
};

template <>
class WideSource<const ModeRegister &> {
public:
  template <bool HasSigns>
  FLY_INLINE void read(const isa::Instruction &, WaveState &wave, unsigned,
                       WideBuffers &) {
    // What isPlainFloatMode() knows, for the compiler to know, too.
    mode.bits = (wave.mode.bits & 0x300) | 0xF0;
  }
  const WideSource &from(unsigned) const { return *this; }
  template <bool HasSigns>
  FLY_INLINE const ModeRegister &get(unsigned) const {
    return mode;
  }

private:
  ModeRegister mode;
};

/// The results of a block.
template <typename T>
class WideBlock {
public:
  FLY_INLINE void set(unsigned lane, T value) {
    if constexpr (sizeof(T) == 8) {
      uint64_t bits = bitCast<uint64_t>(value);
      low[lane] = static_cast<uint32_t>(bits);
      high[lane] = static_cast<uint32_t>(bits >> 32);
    } else if constexpr (sizeof(T) == 2) {
      low[lane] = bitCast<uint16_t>(value);
    } else {
      low[lane] = bitCast<uint32_t>(value);
    }
  }
  FLY_INLINE T get(unsigned lane) const {
    if constexpr (sizeof(T) == 8)
      return bitCast<T>(low[lane] | uint64_t(high[lane]) << 32);
    else if constexpr (sizeof(T) == 2)
      return bitCast<T>(static_cast<uint16_t>(low[lane]));
    else
      return bitCast<T>(low[lane]);
  }

  alignas(64) uint32_t low[blockLanes];
  alignas(64) uint32_t high[sizeof(T) == 8 ? blockLanes : 1];
};

/// A bit a lane, as bytes at first.
template <>
class WideBlock<bool> {
public:
  FLY_INLINE void set(unsigned lane, bool value) {
    bytes[lane] = value ? 0xFF : 0;
  }
  FLY_INLINE uint64_t mask() const {
#if defined(__SSE2__)
    static_assert(blockLanes == sizeof(__m128i));
    return uint64_t(
        unsigned(_mm_movemask_epi8(*reinterpret_cast<const __m128i *>(bytes))));
#else
    uint64_t mask = 0;
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      mask |= uint64_t(bytes[lane] & 1) << lane;
    return mask;
#endif
  }

private:
  alignas(16) uint8_t bytes[blockLanes];
};

template <typename T>
class WideBlock<WithMask<T>> {
public:
  FLY_INLINE void set(unsigned lane, WithMask<T> result) {
    values.set(lane, result.value);
    bits.set(lane, result.bit);
  }

  WideBlock<T> values;
  WideBlock<bool> bits;
};

/// Writes the active lanes of a block.
FLY_INLINE void storeBlock(uint32_t *out, const uint32_t *values,
                           uint32_t active) {
  if (active == wholeBlock) {
    std::memcpy(out, values, blockLanes * sizeof(uint32_t));
    return;
  }
  uint32_t merged[blockLanes];
  std::memcpy(merged, out, sizeof(merged));
  FLY_LANES_LOOP
  for (unsigned lane = 0; lane != blockLanes; ++lane)
    merged[lane] = (active >> lane) & 1 ? values[lane] : merged[lane];
  std::memcpy(out, merged, sizeof(merged));
}

/// Where the blocks of an instruction go.
template <typename T, unsigned Flags>
class WideSink {
public:
  FLY_INLINE WideSink(const isa::Instruction &inst, WaveState &wave)
      : exec(wave.exec()), low(wave.lanes(inst.dst[0])),
        high(sizeof(T) == 8 ? wave.lanes(inst.dst[0], 1) : nullptr) {}
  FLY_INLINE void put(WideBlock<T> &block, unsigned first) {
    uint32_t active = uint32_t(exec >> first) & wholeBlock;
    if constexpr (sizeof(T) == 2 && (Flags & kKeepsHigh) != 0)
      FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      block.low[lane] |= low[first + lane] & 0xFFFF0000u;
    storeBlock(low + first, block.low, active);
    if constexpr (sizeof(T) == 8)
      storeBlock(high + first, block.high, active);
  }
  FLY_INLINE void finish(const isa::Instruction &, WaveState &) {}

private:
  uint64_t exec;
  uint32_t *low, *high;
};

template <unsigned Flags>
class WideSink<bool, Flags> {
public:
  FLY_INLINE WideSink(const isa::Instruction &, WaveState &) {}
  FLY_INLINE void put(const WideBlock<bool> &block, unsigned first) {
    mask |= block.mask() << first;
  }
  FLY_INLINE void finish(const isa::Instruction &inst, WaveState &wave) {
    uint64_t active = mask & wave.exec();
    wave.setScalar64(inst.dst[0], active);
    if constexpr ((Flags & kWritesExec) != 0)
      wave.setExec(active);
  }

private:
  uint64_t mask = 0;
};

template <typename T, unsigned Flags>
class WideSink<WithMask<T>, Flags> {
public:
  FLY_INLINE WideSink(const isa::Instruction &inst, WaveState &wave)
      : values(inst, wave) {}
  FLY_INLINE void put(WideBlock<WithMask<T>> &block, unsigned first) {
    values.put(block.values, first);
    mask |= block.bits.mask() << first;
  }
  FLY_INLINE void finish(const isa::Instruction &inst, WaveState &wave) {
    wave.setScalar64(inst.dst[1], mask & wave.exec());
  }

private:
  WideSink<T, Flags> values;
  uint64_t mask = 0;
};

template <auto Fn, unsigned Flags, typename Signature = decltype(Fn)>
struct WideExecutor;

template <auto Fn, unsigned Flags, typename R, typename... Args>
struct WideExecutor<Fn, Flags, R (*)(Args...)> {
  using Driver = ValuExecutor<Fn, Flags>;
  using Indices = std::index_sequence_for<Args...>;

  // Two hosts times two forms: without modifiers, and with neg, abs and the
  // output modifiers. The same bits as the driver's: loops are compiled without
  // contraction.
  FLY_TARGET_AVX2 static void plainAvx2(const isa::Instruction &inst,
                                        WaveState &wave) {
    execute<false>(inst, wave, Indices{});
  }
  FLY_TARGET_AVX512 static void plainAvx512(const isa::Instruction &inst,
                                            WaveState &wave) {
    execute<false>(inst, wave, Indices{});
  }
  FLY_TARGET_AVX2 static void signedAvx2(const isa::Instruction &inst,
                                         WaveState &wave) {
    execute<true>(inst, wave, Indices{});
  }
  FLY_TARGET_AVX512 static void signedAvx512(const isa::Instruction &inst,
                                             WaveState &wave) {
    execute<true>(inst, wave, Indices{});
  }

  /// Whether the function gives what it should only in the plain MODE.
  static constexpr bool followsMode =
      (Flags & (kRounds | kFlushes)) != 0 ||
      (std::is_same_v<Args, const ModeRegister &> || ...);

  /// The function on a block. A source has get<HasSigns>(lane).
  template <bool HasSigns, typename... Sources>
  FLY_INLINE static void run(WideBlock<R> &block, Sources... sources) {
    if constexpr (OnNumbers<Fn>::exists) {
      bool any = false;
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane)
        any |= (isNanValue(sources.template get<HasSigns>(lane)) | ...);
      if (LLVM_LIKELY(!any)) {
        FLY_LANES_LOOP
        for (unsigned lane = 0; lane != blockLanes; ++lane)
          block.set(lane, OnNumbers<Fn>::run(
                              sources.template get<HasSigns>(lane)...));
        return;
      }
    }
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      block.set(lane, Fn(sources.template get<HasSigns>(lane)...));
    if constexpr (Driver::makesNans) {
      bool any = false;
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane)
        any |= isNanValue(block.get(lane));
      if (LLVM_UNLIKELY(any))
        block = replaceNans<HasSigns>(block, sources...);
    }
  }

  FLY_INLINE static void modifyOutput(const isa::Instruction &inst,
                                      const ModeRegister &mode,
                                      WideBlock<R> &block) {
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      block.set(lane, applyOutputModifiers(block.get(lane), inst, mode));
  }

private:
  template <bool HasSigns, size_t... I>
  FLY_INLINE static void execute(const isa::Instruction &inst, WaveState &wave,
                                 std::index_sequence<I...>) {
    if (followsMode && LLVM_UNLIKELY(!isPlainFloatMode(wave.mode)))
      return Driver::template execute<HasSigns>(inst, wave);
    std::array<WideBuffers, sizeof...(Args)> buffers;
    std::tuple<WideSource<Args>...> sources;
    (std::get<I>(sources).template read<HasSigns>(inst, wave, I, buffers[I]),
     ...);
    WideSink<R, Flags> sink(inst, wave);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      WideBlock<R> block;
      run<HasSigns>(block, std::get<I>(sources).from(first)...);
      if constexpr (HasSigns && Driver::isFloatResult)
        if (inst.clamp || inst.omod)
          modifyOutput(inst, wave.mode, block);
      sink.put(block, first);
    }
    sink.finish(inst, wave);
  }

  // By value, so that nothing of the loop has an address.
  template <bool HasSigns, typename... Sources>
  LLVM_ATTRIBUTE_NOINLINE static WideBlock<R> replaceNans(WideBlock<R> block,
                                                          Sources... sources) {
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      if (isNanValue(block.get(lane)))
        block.set(lane,
                  propagateNan<R>(sources.template get<HasSigns>(lane)...));
    return block;
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUWIDE_H
