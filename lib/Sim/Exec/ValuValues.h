//===- ValuValues.h - Values of one lane and the rules of MODE --*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that a one-lane function takes and gives, and what happens to
// floats around it: NaN results follow one rule (the first NaN operand made
// quiet, else the canonical quiet NaN [MEM: SIM-NAN]), denormals are flushed
// where MODE says so, and output modifiers multiply and clamp.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUVALUES_H
#define FLY_SIM_EXEC_VALUVALUES_H

#include "fly/Sim/Numeric/HalfConvert.h"

#include <type_traits>

#include "ValuOperands.h"
#include "VectorLevel.h"

namespace fly::sim {

/// An f16 value as its bits.
struct Half {
  uint16_t bits;
};
// By the host's conversions, whose NaNs are those of HalfConvert.h: quiet, the
// top bits of the payload kept. For loops of hosts that have them.
FLY_INLINE float hostFloat(Half a) {
  return static_cast<float>(bitCast<_Float16>(a.bits));
}
FLY_INLINE Half hostHalf(float a) {
  return {bitCast<uint16_t>(static_cast<_Float16>(a))};
}
/// The lane's number, 0..63.
struct LaneIndex {
  unsigned value;
};
/// A result with a second one that goes to one bit of a lane mask in dst[1].
template <typename T>
struct WithMask {
  T value;
  bool bit;
};

template <typename T>
constexpr OperandType operandTypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return OperandType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return OperandType::F64;
  else if constexpr (std::is_same_v<T, Half>)
    return OperandType::F16;
  else if constexpr (sizeof(T) == 8)
    return OperandType::Bits64;
  else if constexpr (sizeof(T) == 2)
    return OperandType::Bits16;
  else
    return OperandType::Bits32;
}

/// A value as the dwords of its registers; of 16 bits the low half counts.
template <typename T>
FLY_INLINE T fromDwords(uint32_t low, uint32_t high) {
  if constexpr (sizeof(T) == 8)
    return bitCast<T>(low | uint64_t(high) << 32);
  else if constexpr (sizeof(T) == 2)
    return bitCast<T>(static_cast<uint16_t>(low));
  else
    return bitCast<T>(low);
}
/// The inverse. `high` is written where there is one.
template <typename T>
FLY_INLINE void toDwords(T value, uint32_t &low, uint32_t &high) {
  if constexpr (sizeof(T) == 8) {
    uint64_t bits = bitCast<uint64_t>(value);
    low = static_cast<uint32_t>(bits);
    high = static_cast<uint32_t>(bits >> 32);
  } else if constexpr (sizeof(T) == 2) {
    low = bitCast<uint16_t>(value);
  } else {
    low = bitCast<uint32_t>(value);
  }
}

template <typename T>
constexpr bool isFloatValue = isFloatType(operandTypeOf<T>());

inline bool isNanValue(float v) { return v != v; }
inline bool isNanValue(double v) { return v != v; }
inline bool isNanValue(Half v) { return (v.bits & 0x7FFF) > 0x7C00; }
template <typename T>
bool isNanValue(T) {
  return false;
}

inline float quietNan(float v) {
  return bitCast<float>(bitCast<uint32_t>(v) | 0x00400000u);
}
inline double quietNan(double v) {
  return bitCast<double>(bitCast<uint64_t>(v) | uint64_t(1) << 51);
}
inline Half quietNan(Half v) { return {uint16_t(v.bits | 0x0200)}; }

template <typename T>
T canonicalNan() {
  if constexpr (std::is_same_v<T, float>)
    return bitCast<float>(0x7FC00000u);
  else if constexpr (std::is_same_v<T, double>)
    return bitCast<double>(uint64_t(0x7FF8) << 48);
  else
    return Half{0x7E00};
}

/// Zero of the value's sign if it is denormal and the mode bit says flush.
template <typename T>
T flushDenormal(T value, const ModeRegister &mode, unsigned keepBit) {
  constexpr OperandType type = operandTypeOf<T>();
  if constexpr (type == OperandType::F32) {
    uint32_t bits = bitCast<uint32_t>(value);
    if (!(mode.denormF32() & keepBit) && (bits & 0x7F800000u) == 0)
      return bitCast<float>(bits & 0x80000000u);
  } else if constexpr (type == OperandType::F64) {
    uint64_t bits = bitCast<uint64_t>(value);
    if (!(mode.denormF64F16() & keepBit) && (bits << 1 >> 53) == 0)
      return bitCast<double>(bits & uint64_t(1) << 63);
  } else if constexpr (type == OperandType::F16) {
    if (!(mode.denormF64F16() & keepBit) && (value.bits & 0x7C00) == 0)
      return Half{uint16_t(value.bits & 0x8000)};
  }
  return value;
}

constexpr unsigned kKeepsInputs = 1;
constexpr unsigned kKeepsOutputs = 2;

/// Nearest even and all denormals, in both fields of MODE.
inline bool isDefaultFloatMode(const ModeRegister &mode) {
  return (mode.bits & 0xFF) == 0xF0;
}

/// The NaN that an operation on these operands gives.
template <typename T, typename First, typename... Rest>
T propagateNan(First first, Rest... rest) {
  if constexpr (std::is_same_v<T, First>)
    if (isNanValue(first))
      return quietNan(first);
  if constexpr (sizeof...(Rest) != 0)
    return propagateNan<T>(rest...);
  else
    return canonicalNan<T>();
}

/// Output modifiers: omod, then clamp to 0..1. The hardware ignores omod where
/// IEEE mode is set or denormal results are kept [AMD: CDNA3 ISA, output
/// modifiers].
template <typename T>
T applyOutputModifiers(T value, const isa::Instruction &inst,
                       const ModeRegister &mode) {
  if constexpr (std::is_same_v<T, Half>) {
    // Through f64, which keeps the same denormal field of MODE.
    double wide = halfToFloat(value.bits);
    return Half{doubleToHalf(applyOutputModifiers(wide, inst, mode),
                             RoundingMode::NearestEven, Overflow::Ieee)};
  } else {
    constexpr T factors[] = {1, 2, 4, T(0.5)};
    unsigned denormals =
        sizeof(T) == 4 ? mode.denormF32() : mode.denormF64F16();
    if (inst.omod != 0 && !mode.ieee() && !(denormals & kKeepsOutputs))
      value *= factors[inst.omod];
    if (!inst.clamp)
      return value;
    if (isNanValue(value))
      return mode.dx10Clamp() ? T(0) : value;
    return value < 0 || value == 0 ? T(0) : value > 1 ? T(1) : value;
  }
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUVALUES_H
