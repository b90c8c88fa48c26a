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
// DPP, SDWA and op_sel go through buffers (ValuMoves.h).
// What it refuses: when it runs, a MODE that is not the one in which compute
// kernels start, which it sends to ValuDriver.h.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUWIDE_H
#define FLY_SIM_EXEC_VALUWIDE_H

#include <array>
#include <tuple>

#include "ValuDriver.h"
#include "ValuSinks.h"
#include "ValuWideMoves.h"

namespace fly::sim {

/// A shorter form of a function, for blocks that it fits in all lanes, which
/// are nearly all: ShortForm<Fn>::run() takes what Fn takes and gives the same
/// wherever fits() says so.
template <auto Fn>
struct ShortForm {
  static constexpr bool exists = false;
};
/// A form of a function that gives the same bits, NaNs included, in the plain
/// MODE on the hosts of the wide forms.
template <auto Fn>
struct WideForm {
  static constexpr auto function = Fn;
};
/// What fits operands that are no NaN.
struct FormOfNumbers {
  static constexpr bool exists = true;
  template <typename... Args>
  FLY_INLINE static bool fits(const Args &...args) {
    return !(isNanValue(args) | ...);
  }
};

template <auto Fn, unsigned Flags, typename Signature = decltype(Fn)>
struct WideExecutor;

template <auto Fn, unsigned Flags, typename R, typename... Args>
struct WideExecutor<Fn, Flags, R (*)(Args...)> {
  using Driver = ValuExecutor<Fn, Flags>;
  using Indices = std::index_sequence_for<Args...>;

  // Two hosts times three forms: without modifiers; with neg, abs and the
  // output modifiers; with these and DPP, SDWA or op_sel. The same bits as the
  // driver's: loops are compiled without contraction.
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

  FLY_TARGET_AVX2 static void movedAvx2(const isa::Instruction &inst,
                                        WaveState &wave) {
    executeMoved<VectorLevel::Avx2>(inst, wave, Indices{});
  }
  FLY_TARGET_AVX512 static void movedAvx512(const isa::Instruction &inst,
                                            WaveState &wave) {
    executeMoved<VectorLevel::Avx512>(inst, wave, Indices{});
  }

  /// Whether the function gives what it should only in the plain MODE.
  static constexpr bool followsMode =
      (Flags & (kRounds | kFlushes)) != 0 ||
      (std::is_same_v<Args, const ModeRegister &> || ...);

  /// Whether the forms give what the function gives. What does not know MODE
  /// has no f16 overflow.
  FLY_INLINE static bool fitsMode(const ModeRegister &mode) {
    constexpr bool knowsMode =
        (std::is_same_v<Args, const ModeRegister &> || ...);
    return !followsMode ||
           (knowsMode ? isPlainFloatMode(mode) : isDefaultFloatMode(mode));
  }

  /// The function on a block. A source has get<HasSigns>(lane).
  template <bool HasSigns, typename Block, typename... Sources>
  FLY_INLINE static void run(Block &block, Sources... sources) {
    if constexpr (ShortForm<Fn>::exists) {
      bool fits = true;
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != Block::lanes; ++lane)
        fits &= ShortForm<Fn>::fits(sources.template get<HasSigns>(lane)...);
      if (LLVM_LIKELY(fits)) {
        FLY_LANES_LOOP
        for (unsigned lane = 0; lane != Block::lanes; ++lane)
          FLY_INLINE_CALLS block.set(
              lane,
              ShortForm<Fn>::run(sources.template get<HasSigns>(lane)...));
        return;
      }
    }
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != Block::lanes; ++lane)
      FLY_INLINE_CALLS block.set(
          lane,
          WideForm<Fn>::function(sources.template get<HasSigns>(lane)...));
    if constexpr (Driver::makesNans) {
      bool any = false;
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != Block::lanes; ++lane)
        any |= isNanValue(block.get(lane));
      if (LLVM_UNLIKELY(any)) {
        Block copy = block.copy();
        replaceNans<HasSigns>(copy, sources...);
        block.assign(copy);
      }
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
    if (LLVM_UNLIKELY(!fitsMode(wave.mode)))
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

  template <VectorLevel Level, size_t... I>
  FLY_INLINE static void executeMoved(const isa::Instruction &inst,
                                      WaveState &wave,
                                      std::index_sequence<I...>) {
    if (LLVM_UNLIKELY(!fitsMode(wave.mode)))
      return Driver::template execute<true>(inst, wave);
    std::array<WideBuffers, sizeof...(Args)> buffers;
    std::tuple<MovedSource<Args, Level>...> sources;
    (std::get<I>(sources).read(inst, wave, I, buffers[I]), ...);
    MovedSink<R, Flags> sink(inst, wave);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      WideBlock<R> block;
      run<true>(block, std::get<I>(sources).from(first)...);
      if constexpr (Driver::isFloatResult)
        if (inst.clamp || inst.omod)
          modifyOutput(inst, wave.mode, block);
      sink.put(block, first);
    }
    sink.finish(inst, wave);
  }

  // Of a copy, so that the block of the loop has no address.
  template <bool HasSigns, typename Block, typename... Sources>
  LLVM_ATTRIBUTE_NOINLINE static void replaceNans(Block &block,
                                                  Sources... sources) {
    FLY_LANES_LOOP
    for (unsigned lane = 0; lane != Block::lanes; ++lane)
      if (isNanValue(block.get(lane)))
        block.set(lane,
                  propagateNan<R>(sources.template get<HasSigns>(lane)...));
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUWIDE_H
