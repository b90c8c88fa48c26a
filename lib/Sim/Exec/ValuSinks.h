//===- ValuSinks.h - Where blocks of lanes go -------------------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block goes straight to the destination under EXEC; with DPP, SDWA or op_sel
// to its lanes and bits. Lane masks go to scalar registers.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUSINKS_H
#define FLY_SIM_EXEC_VALUSINKS_H

#include "ValuWideLanes.h"

namespace fly::sim {

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

/// Where blocks go whose lanes or bits have a place of their own. Sources of
/// other lanes are in buffers, so a block may be written here, too.
template <typename T, unsigned Flags>
class MovedSink {
public:
  FLY_INLINE MovedSink(const isa::Instruction &inst, WaveState &wave)
      : mask(writeMask(inst, wave)),
        placement(placementOf(inst, sizeof(T) == 2, (Flags & kKeepsHigh) != 0)),
        low(wave.lanes(inst.dst[0])),
        high(sizeof(T) == 8 ? wave.lanes(inst.dst[0], 1) : nullptr) {}
  FLY_INLINE void put(const WideBlock<T> &block, unsigned first) {
    put(low + first, block.low, first);
    if constexpr (sizeof(T) == 8)
      put(high + first, block.high, first);
  }
  FLY_INLINE void finish(const isa::Instruction &, WaveState &) {}
  uint64_t writtenLanes() const { return mask; }

private:
  FLY_INLINE void put(uint32_t *out, const uint32_t *values, unsigned first) {
    uint32_t active = uint32_t(mask >> first) & wholeBlock;
    if (placement.isWhole())
      return storeBlock(out, values, active);
    alignas(64) uint32_t placed[blockLanes];
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != blockLanes; ++lane)
      placed[lane] = placement.place(out[lane], values[lane]);
    storeBlock(out, placed, active);
  }

  uint64_t mask;
  BitPlacement placement;
  uint32_t *low, *high;
};

template <unsigned Flags>
class MovedSink<bool, Flags> {
public:
  FLY_INLINE MovedSink(const isa::Instruction &, WaveState &) {}
  FLY_INLINE void put(const WideBlock<bool> &block, unsigned first) {
    mask |= block.mask() << first;
  }
  FLY_INLINE void finish(const isa::Instruction &inst, WaveState &wave) {
    uint64_t active = mask & writeMask(inst, wave);
    wave.setScalar64(inst.dst[0], active);
    if constexpr ((Flags & kWritesExec) != 0)
      wave.setExec(active);
  }

private:
  uint64_t mask = 0;
};

template <typename T, unsigned Flags>
class MovedSink<WithMask<T>, Flags> {
public:
  FLY_INLINE MovedSink(const isa::Instruction &inst, WaveState &wave)
      : values(inst, wave) {}
  FLY_INLINE void put(const WideBlock<WithMask<T>> &block, unsigned first) {
    values.put(block.values, first);
    mask |= block.bits.mask() << first;
  }
  FLY_INLINE void finish(const isa::Instruction &inst, WaveState &wave) {
    wave.setScalar64(inst.dst[1], mask & values.writtenLanes());
  }

private:
  MovedSink<T, Flags> values;
  uint64_t mask = 0;
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUSINKS_H
