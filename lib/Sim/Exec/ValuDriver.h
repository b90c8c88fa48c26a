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
// others; ValuWide.h has forms for hosts with wider vectors.
//
// Float instructions that round run on the host's arithmetic when MODE says
// nearest even with denormals, which is how compute kernels start; any other
// mode takes the slow loop, which flushes by hand and sets the host's rounding
// direction around an opaque call. NaN results follow one rule: the first NaN
// operand made quiet, else 0x7FC00000 [MEM: SIM-NAN]; the host's own choice
// never shows.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUDRIVER_H
#define FLY_SIM_EXEC_VALUDRIVER_H

#include "fly/Sim/Executors.h"
#include "fly/Sim/Numeric/HalfConvert.h"

#include "llvm/Support/Compiler.h"

#include <cfenv>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ValuLanes.h"

namespace fly::sim {

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
    if constexpr (!Modified && Result<R>::hasPlainWrite)
      result.writePlain(inst, wave);
    else
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
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      result.set(lane, Fn(std::get<I>(arguments).get(lane)...));
    if constexpr (makesNans)
      fixNans(arguments, result, indices);
  }

  template <size_t... I>
  LLVM_ATTRIBUTE_NOINLINE static void
  runSlow(const ModeRegister &mode, const Arguments &arguments,
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
                      std::index_sequence<I...> indices) {
    bool any = false;
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      any |= isNanValue(result.get(lane));
    if (LLVM_UNLIKELY(any))
      replaceNans(arguments, result, indices);
  }

  template <size_t... I>
  static void replaceNans(const Arguments &arguments, Result<R> &result,
                          std::index_sequence<I...>) {
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      if (isNanValue(result.get(lane)))
        result.set(lane, propagateNan<R>(std::get<I>(arguments).get(lane)...));
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUDRIVER_H
