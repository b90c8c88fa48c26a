//===- ValuDriver.h - From a function on one lane to an executor *- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector instruction is written as a plain function on one lane:
//   float addF32(float a, float b);
// The signature says all that the executor must know: the type of an argument
// says how its operand is read and which modifiers it takes, the result type
// says what is written. Arguments after the operands may be LaneIndex and the
// MODE register. The driver instantiates two executors per function, one for
// instructions without modifiers (sources read in place) and one for all
// others.
//
// Float instructions that round run on the host's arithmetic when MODE says
// nearest even with denormals, which is how compute kernels start; any other
// mode takes the slow loop, which flushes by hand and sets the host's rounding
// direction around an opaque call. NaN results follow one rule: the first NaN
// operand made quiet, else 0x7FC00000 [MEM]; the host's own choice never shows.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUDRIVER_H
#define FLY_SIM_EXEC_VALUDRIVER_H

#include "fly/Sim/Executors.h"
#include "fly/Sim/Numeric/HalfConvert.h"

#include <cfenv>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ValuOperands.h"

namespace fly::sim {

/// An f16 value as its bits.
struct Half {
  uint16_t bits;
};
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

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

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
    if constexpr (sizeof(T) == 8)
      return bitCast<T>(low[lane] | uint64_t(high[lane]) << 32);
    else if constexpr (sizeof(T) == 2)
      return bitCast<T>(static_cast<uint16_t>(low[lane]));
    else
      return bitCast<T>(low[lane]);
  }

  /// Takes lanes that the caller prepared.
  LaneBuffer &prepared() {
    low = lowBuffer.lane;
    return lowBuffer;
  }
  /// Lanes of the (lower) dword.
  const uint32_t *lowLanes() const { return low; }

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

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

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

/// Collects the results of all lanes and writes them.
template <typename T>
class Result {
public:
  void set(unsigned lane, T value) {
    if constexpr (sizeof(T) == 8) {
      uint64_t bits = bitCast<uint64_t>(value);
      low.lane[lane] = static_cast<uint32_t>(bits);
      high.lane[lane] = static_cast<uint32_t>(bits >> 32);
    } else if constexpr (sizeof(T) == 2) {
      low.lane[lane] = bitCast<uint16_t>(value);
    } else {
      low.lane[lane] = bitCast<uint32_t>(value);
    }
  }
  uint32_t *lowLanes() { return low.lane; }
  T get(unsigned lane) const {
    if constexpr (sizeof(T) == 8)
      return bitCast<T>(low.lane[lane] | uint64_t(high.lane[lane]) << 32);
    else if constexpr (sizeof(T) == 2)
      return bitCast<T>(static_cast<uint16_t>(low.lane[lane]));
    else
      return bitCast<T>(low.lane[lane]);
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

/// A comparison: one bit a lane, 0 for lanes that EXEC disables.
template <>
class Result<bool> {
public:
  void set(unsigned lane, bool value) { mask |= uint64_t(value) << lane; }
  template <unsigned Flags>
  void write(const isa::Instruction &inst, WaveState &wave) {
    uint64_t active = mask & writeMask(inst, wave);
    wave.setScalar64(inst.dst[0], active);
    if constexpr ((Flags & kWritesExec) != 0)
      wave.setExec(active);
  }

private:
  uint64_t mask = 0;
};

template <typename T>
class Result<WithMask<T>> {
public:
  void set(unsigned lane, WithMask<T> result) {
    value.set(lane, result.value);
    mask |= uint64_t(result.bit) << lane;
  }
  template <unsigned Flags>
  void write(const isa::Instruction &inst, WaveState &wave) {
    value.template write<Flags>(inst, wave);
    wave.setScalar64(inst.dst[1], mask & writeMask(inst, wave));
  }

private:
  Result<T> value;
  uint64_t mask = 0;
};

//===----------------------------------------------------------------------===//
// Executors
//===----------------------------------------------------------------------===//

/// Sets the host's rounding direction from MODE while it lives.
class HostRounding {
public:
  explicit HostRounding(unsigned mode) : saved(std::fegetround()) {
    constexpr int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                  FE_TOWARDZERO};
    std::fesetround(directions[mode]);
  }
  ~HostRounding() { std::fesetround(saved); }
  HostRounding(const HostRounding &) = delete;
  HostRounding &operator=(const HostRounding &) = delete;

private:
  int saved;
};

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

/// A whole-row form of a function, where the plain loop is too slow.
template <auto Fn>
struct RowKernel {
  static constexpr bool exists = false;
};

template <auto Fn, unsigned Flags, typename Signature = decltype(Fn)>
struct ValuExecutor;

template <auto Fn, unsigned Flags, typename R, typename... Args>
struct ValuExecutor<Fn, Flags, R (*)(Args...)> {
  using Indices = std::index_sequence_for<Args...>;
  using Arguments = std::tuple<Argument<Args>...>;

  template <bool Modified>
  static void execute(const isa::Instruction &inst, WaveState &wave) {
    Arguments arguments;
    readAll<Modified>(inst, wave, arguments, Indices{});
    Result<R> result;
    evaluate(wave.mode, arguments, result);
    if constexpr (Modified && isFloatResult)
      if (inst.clamp || inst.omod)
        modifyOutput(inst, wave.mode, result);
    result.template write<Flags>(inst, wave);
  }

  /// The function on every lane, by MODE.
  static void evaluate(const ModeRegister &mode, const Arguments &arguments,
                       Result<R> &result) {
    constexpr bool followsMode = (Flags & (kRounds | kFlushes)) != 0;
    if (followsMode && !isDefaultFloatMode(mode))
      runSlow(mode, arguments, result, Indices{});
    else
      runFast(arguments, result, Indices{});
  }

  static void modifyOutput(const isa::Instruction &inst,
                           const ModeRegister &mode, Result<R> &result) {
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      result.set(lane, applyOutputModifiers(result.get(lane), inst, mode));
  }

  using ResultType = R;
  /// Operands that op_sel, and neg and abs, apply to.
  static constexpr bool hasHalves =
      isHalf(operandTypeOf<R>()) || (isHalf(operandTypeOf<Args>()) || ...);
  static constexpr bool hasFloats = (isFloatValue<Args> || ...);
  static constexpr bool isFloatResult = std::is_same_v<R, float> ||
                                        std::is_same_v<R, double> ||
                                        std::is_same_v<R, Half>;
  static constexpr bool makesNans =
      isFloatResult && (Flags & (kRounds | kMakesNans)) != 0;

private:
  template <bool Modified, size_t... I>
  static void readAll(const isa::Instruction &inst, WaveState &wave,
                      Arguments &arguments, std::index_sequence<I...>) {
    (std::get<I>(arguments).template read<Modified>(inst, wave, I), ...);
  }

  template <size_t... I>
  static void runFast(const Arguments &arguments, Result<R> &result,
                      std::index_sequence<I...> indices) {
    if constexpr (RowKernel<Fn>::exists) {
      RowKernel<Fn>::run(result, std::get<I>(arguments)...);
    } else {
      for (unsigned lane = 0; lane != waveLanes; ++lane)
        result.set(lane, Fn(std::get<I>(arguments).get(lane)...));
    }
    if constexpr (makesNans)
      fixNans(arguments, result, indices);
  }

  template <size_t... I>
  static void runSlow(const ModeRegister &mode, const Arguments &arguments,
                      Result<R> &result, std::index_sequence<I...> indices) {
    constexpr bool isSingle = operandTypeOf<R>() == OperandType::F32;
    constexpr bool rounds = (Flags & kRounds) != 0;
    // The call is opaque, so the arithmetic stays between the two mode changes.
    R (*volatile function)(Args...) = Fn;
    HostRounding rounding(!rounds    ? 0
                          : isSingle ? mode.roundF32()
                                     : mode.roundF64F16());
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      R value = function(flushInput(std::get<I>(arguments).get(lane), mode)...);
      if constexpr (isFloatResult)
        value = flushDenormal(value, mode, kKeepsOutputs);
      result.set(lane, value);
    }
    if constexpr (makesNans)
      fixNans(arguments, result, indices);
  }

  static const ModeRegister &flushInput(const ModeRegister &value,
                                        const ModeRegister &) {
    return value;
  }
  template <typename T>
  static std::enable_if_t<!std::is_same_v<T, ModeRegister>, T>
  flushInput(T value, const ModeRegister &mode) {
    return flushDenormal(value, mode, kKeepsInputs);
  }

  template <size_t... I>
  static void fixNans(const Arguments &arguments, Result<R> &result,
                      std::index_sequence<I...>) {
    bool any = false;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      any |= isNanValue(result.get(lane));
    if (!any)
      return;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      if (isNanValue(result.get(lane)))
        result.set(lane, propagateNan<R>(std::get<I>(arguments).get(lane)...));
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUDRIVER_H
