//===- ValuWideLanes.h - Sources and results by blocks of lanes -*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ValuWide.h computes with: sources that are read in place, and blocks of
// results that fit the host's registers. All of it is inlined into loops over
// lanes and has no address outside of them.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUWIDELANES_H
#define FLY_SIM_EXEC_VALUWIDELANES_H

#include "ValuLanes.h"
#include "ValuMoves.h"
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
  /// Takes other lanes by DPP.
  template <VectorLevel Level>
  FLY_INLINE void permute(const isa::Instruction &inst, WaveState &wave,
                          WideBuffers &buffers) {
    LaneMoves<Level>::permute(inst, wave, low, buffers.low);
    low = buffers.low.lane;
    if constexpr (isWide(type)) {
      LaneMoves<Level>::permute(inst, wave, high, buffers.high);
      high = buffers.high.lane;
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
    return ofLast<HasSigns>(lane, isWide(type) ? high[lane] : low[lane]);
  }
  uint32_t lowDword(unsigned lane) const { return low[lane]; }
  /// With another last dword, which has the sign.
  template <bool HasSigns>
  FLY_INLINE T ofLast(unsigned lane, uint32_t last) const {
    if constexpr (HasSigns && isFloatType(type))
      last = (last & keep) ^ flip;
    return fromDwords<T>(isWide(type) ? low[lane] : last, last);
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

/// A block as one value, which stays in the host's registers: a block that is
/// read lane by lane here would be written to the stack first.
struct BlockVector {
  // NOLINTNEXTLINE(modernize-use-using): the attributes.
  typedef uint32_t Lanes __attribute__((vector_size(4 * blockLanes)));
};

FLY_INLINE void copyBlock(void *to, const void *from) {
  BlockVector::Lanes block;
  std::memcpy(&block, from, sizeof(block));
  std::memcpy(to, &block, sizeof(block));
}

/// The results of a block.
template <typename T>
class WideBlock {
public:
  static constexpr unsigned lanes = blockLanes;
  FLY_INLINE void set(unsigned lane, T value) {
    toDwords(value, low[lane], high[sizeof(T) == 8 ? lane : 0]);
  }
  FLY_INLINE T get(unsigned lane) const {
    return fromDwords<T>(low[lane], sizeof(T) == 8 ? high[lane] : 0);
  }
  FLY_INLINE void assign(const WideBlock &other) {
    copyBlock(low, other.low);
    if constexpr (sizeof(T) == 8)
      copyBlock(high, other.high);
  }
  FLY_INLINE WideBlock copy() const {
    WideBlock other;
    other.assign(*this);
    return other;
  }

  alignas(64) uint32_t low[blockLanes];
  alignas(64) uint32_t high[sizeof(T) == 8 ? blockLanes : 1];
};

/// A bit a lane, as bytes at first.
template <>
class WideBlock<bool> {
public:
  static constexpr unsigned lanes = blockLanes;
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
  static constexpr unsigned lanes = blockLanes;
  FLY_INLINE void set(unsigned lane, WithMask<T> result) {
    values.set(lane, result.value);
    bits.set(lane, result.bit);
  }

  WideBlock<T> values;
  WideBlock<bool> bits;
};

/// Writes the active lanes of a block.
FLY_INLINE void storeBlock(uint32_t *out, const void *values, uint32_t active) {
  BlockVector::Lanes block;
  std::memcpy(&block, values, sizeof(block));
  if (LLVM_UNLIKELY(active != wholeBlock)) {
    constexpr BlockVector::Lanes bits = {
        1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
        1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
        1u << 12, 1u << 13, 1u << 14, 1u << 15};
    BlockVector::Lanes old;
    std::memcpy(&old, out, sizeof(old));
    block = (bits & active) != 0 ? block : old;
  }
  std::memcpy(out, &block, sizeof(block));
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUWIDELANES_H
