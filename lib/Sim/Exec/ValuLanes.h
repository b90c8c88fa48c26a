//===- ValuLanes.h - Arguments and results of 64 lanes ----------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An Argument reads one operand of an instruction for every lane as the type of
// the function's parameter says; a Result collects what the function gives and
// writes it where EXEC, DPP, SDWA and op_sel allow.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALULANES_H
#define FLY_SIM_EXEC_VALULANES_H

#include <cstring>

#include "ValuValues.h"

namespace fly::sim {

/// What an instruction does beyond its function.
enum ValuFlags : unsigned {
  kPlain = 0,
  /// Rounds on the host: MODE's rounding direction and denormals apply.
  kRounds = 1,
  /// Flushes denormal operands and results where MODE says so.
  kFlushes = 2,
  /// A 16-bit result leaves the other half of the destination as it was.
  kKeepsHigh = 4,
  /// A comparison that writes EXEC too.
  kWritesExec = 8,
  /// Makes NaN results by the common rule; implied by kRounds.
  kMakesNans = 16,
};

/// Reads an argument of type T for every lane.
template <typename T>
class Argument {
public:
  template <bool Modified>
  void read(const isa::Instruction &inst, WaveState &wave, unsigned index) {
    constexpr OperandType type = operandTypeOf<T>();
    if constexpr (Modified) {
      readSource(inst, wave, index, type, lowBuffer, highBuffer);
      low = lowBuffer.lane;
      high = highBuffer.lane;
    } else {
      const isa::Operand &operand =
          index < inst.numSrc ? inst.src[index] : inst.dst[0];
      low = wave.source(operand, 0, lowBuffer);
      if constexpr (isWide(type))
        high = wave.source(operand, 1, highBuffer);
    }
  }
  T get(unsigned lane) const {
    return fromDwords<T>(low[lane], sizeof(T) == 8 ? high[lane] : 0);
  }

  /// Takes lanes that the caller prepared.
  LaneBuffer &prepared() {
    low = lowBuffer.lane;
    return lowBuffer;
  }

private:
  LaneBuffer lowBuffer, highBuffer;
  const uint32_t *low = nullptr, *high = nullptr;
};

/// A bit of a scalar lane mask; past the written operands it is VCC.
template <>
class Argument<bool> {
public:
  template <bool Modified>
  void read(const isa::Instruction &inst, WaveState &wave, unsigned index) {
    mask = index < inst.numSrc ? wave.scalar64(inst.src[index]) : wave.vcc();
  }
  bool get(unsigned lane) const { return (mask >> lane) & 1; }

private:
  uint64_t mask = 0;
};

template <>
class Argument<LaneIndex> {
public:
  template <bool Modified>
  void read(const isa::Instruction &, WaveState &, unsigned) {}
  LaneIndex get(unsigned lane) const { return {lane}; }
};

template <>
class Argument<const ModeRegister &> {
public:
  template <bool Modified>
  void read(const isa::Instruction &, WaveState &wave, unsigned) {
    mode = &wave.mode;
  }
  const ModeRegister &get(unsigned) const { return *mode; }

private:
  const ModeRegister *mode = nullptr;
};

/// Collects the results of all lanes and writes them.
template <typename T>
class Result {
public:
  void set(unsigned lane, T value) {
    toDwords(value, low.lane[lane], high.lane[lane]);
  }
  uint32_t *lowLanes() { return low.lane; }
  /// Whether writePlain() does as write() does without modifiers.
  static constexpr bool hasPlainWrite = sizeof(T) != 2;
  void writePlain(const isa::Instruction &inst, WaveState &wave) {
    wave.store(inst.dst[0], 0, low.lane);
    if constexpr (sizeof(T) == 8)
      wave.store(inst.dst[0], 1, high.lane);
  }
  T get(unsigned lane) const {
    return fromDwords<T>(low.lane[lane], sizeof(T) == 8 ? high.lane[lane] : 0);
  }
  template <unsigned Flags>
  void write(const isa::Instruction &inst, WaveState &wave) {
    if constexpr (sizeof(T) == 2) {
      writeHalfResult(inst, wave, low, (Flags & kKeepsHigh) != 0);
    } else {
      writeResult(inst, wave, low);
      if constexpr (sizeof(T) == 8)
        writeResult(inst, wave, high, 1);
    }
  }

private:
  LaneBuffer low, high;
};

/// A bit of each lane. Bytes at first, which loops over lanes can write side by
/// side.
class LaneBits {
public:
  void set(unsigned lane, bool value) { bytes[lane] = value; }
  uint64_t mask() const {
    uint64_t mask = 0;
    for (unsigned i = 0; i != waveLanes; i += 8) {
      uint64_t eight;
      std::memcpy(&eight, bytes + i, sizeof(eight));
      // Gathers the lowest bits of eight bytes in the highest one.
      mask |= (eight * 0x0102040810204080u >> 56) << i;
    }
    return mask;
  }

private:
  alignas(waveLanes) uint8_t bytes[waveLanes];
};

/// A comparison: one bit a lane, 0 for lanes that EXEC disables.
template <>
class Result<bool> {
public:
  static constexpr bool hasPlainWrite = false;
  void set(unsigned lane, bool value) { bits.set(lane, value); }
  template <unsigned Flags>
  void write(const isa::Instruction &inst, WaveState &wave) {
    uint64_t active = bits.mask() & writeMask(inst, wave);
    wave.setScalar64(inst.dst[0], active);
    if constexpr ((Flags & kWritesExec) != 0)
      wave.setExec(active);
  }

private:
  LaneBits bits;
};

template <typename T>
class Result<WithMask<T>> {
public:
  static constexpr bool hasPlainWrite = false;
  void set(unsigned lane, WithMask<T> result) {
    value.set(lane, result.value);
    bits.set(lane, result.bit);
  }
  template <unsigned Flags>
  void write(const isa::Instruction &inst, WaveState &wave) {
    value.template write<Flags>(inst, wave);
    wave.setScalar64(inst.dst[1], bits.mask() & writeMask(inst, wave));
  }

private:
  Result<T> value;
  LaneBits bits;
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALULANES_H
