//===- ValuTable.h - Rows that bind vector mnemonics to code ----*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUTABLE_H
#define FLY_SIM_EXEC_VALUTABLE_H

#include "llvm/ADT/ArrayRef.h"

#include "ValuWide.h"

namespace fly::sim {

/// The chips that have an instruction, or this meaning of it.
enum class ValuChips : uint8_t { Both, Gfx942, Gfx950 };

/// Modifiers that mean something to an instruction; others are refused.
enum ValuModifiers : unsigned {
  kHasHalves = 1, ///< op_sel
  kHasSigns = 2,  ///< neg, abs
  kHasOutput = 4, ///< omod
  kHasAll = 7,
};

/// The forms of ValuWide.h for a host.
struct WideForms {
  /// Without any modifier.
  ExecFn plain = nullptr;
  /// With neg, abs, omod and, of floats, clamp; null where `plain` is or where
  /// the instruction has none of them.
  ExecFn signs = nullptr;
  /// With DPP, SDWA or op_sel, and all that `signs` takes; null where none is.
  ExecFn moved = nullptr;
  /// With all that `modified` takes; instead of the others.
  ExecFn any = nullptr;
};

/// One vector instruction: the executors of its forms, null where it has none.
struct ValuRow {
  const char *mnemonic;
  /// Without any modifier.
  ExecFn plain;
  /// With DPP, SDWA, sext or what `modifiers` allows.
  ExecFn modified;
  /// With the clamp bit, modifiers included.
  ExecFn clamped;
  ValuChips chips = ValuChips::Both;
  unsigned modifiers = kHasAll;
  /// A packed format whose op_sel and op_sel_hi must have their default values.
  bool wholeDwords = false;
  /// For hosts with wider vectors; null where there is none.
  WideForms avx2 = {}, avx512 = {};
};

/// A row of a function on one lane. Clamp is an output modifier of floats.
template <auto Fn, unsigned Flags = kPlain>
constexpr ValuRow valu(const char *mnemonic,
                       ValuChips chips = ValuChips::Both) {
  using Executor = ValuExecutor<Fn, Flags>;
  ValuRow row = {mnemonic, Executor::template execute<false>,
                 Executor::template execute<true>, nullptr, chips};
  row.modifiers = (Executor::hasHalves ? kHasHalves : 0) |
                  (Executor::hasFloats ? kHasSigns : 0) |
                  (Executor::isFloatResult ? kHasOutput : 0);
  if (Executor::isFloatResult)
    row.clamped = row.modified;
  return row;
}

/// Whether an instruction has forms with DPP, SDWA or op_sel that kernels
/// execute: those of two operands and those of 16 bits.
template <typename Signature>
struct Moves;
template <typename R, typename... Args>
struct Moves<R (*)(Args...)> {
  template <typename T>
  static constexpr unsigned isOperand =
      !std::is_same_v<T, bool> && !std::is_same_v<T, LaneIndex> &&
      !std::is_same_v<T, const ModeRegister &>;
  static constexpr bool isAny =
      (sizeof(R) <= 4 && !std::is_same_v<R, bool> &&
       ((isOperand<Args> + ...) <= 2 ||
        (isHalf(operandTypeOf<std::decay_t<Args>>()) || ...))) ||
      std::is_same_v<R, WithMask<uint32_t>>;
};

/// The forms that move lanes or parts of them, compiled for wider vectors.
template <auto Fn, unsigned Flags>
constexpr void addMovedForms(ValuRow &row) {
  using Wide = WideExecutor<Fn, Flags>;
  row.avx2.moved = Wide::movedAvx2;
  row.avx512.moved = Wide::movedAvx512;
}

/// The same, compiled for wider vectors as well: for what kernels execute most.
template <auto Fn, unsigned Flags = kPlain>
constexpr ValuRow valuWide(const char *mnemonic,
                           ValuChips chips = ValuChips::Both) {
  using Wide = WideExecutor<Fn, Flags>;
  ValuRow row = valu<Fn, Flags>(mnemonic, chips);
  row.avx2.plain = Wide::plainAvx2;
  row.avx512.plain = Wide::plainAvx512;
  if constexpr (ValuExecutor<Fn, Flags>::hasFloats) {
    row.avx2.signs = Wide::signedAvx2;
    row.avx512.signs = Wide::signedAvx512;
  }
  if constexpr (Moves<decltype(Fn)>::isAny)
    addMovedForms<Fn, Flags>(row);
  return row;
}

/// With DPP too, though it has three operands.
template <auto Fn, unsigned Flags = kPlain>
constexpr ValuRow valuMoving(const char *mnemonic,
                             ValuChips chips = ValuChips::Both) {
  ValuRow row = valuWide<Fn, Flags>(mnemonic, chips);
  addMovedForms<Fn, Flags>(row);
  return row;
}

/// A row of an integer function that saturates, by another one, under clamp.
template <auto Fn, auto Saturating>
constexpr ValuRow valuSaturating(const char *mnemonic,
                                 ValuChips chips = ValuChips::Both) {
  ValuRow row = valuWide<Fn>(mnemonic, chips);
  row.clamped = ValuExecutor<Saturating, kPlain>::template execute<true>;
  return row;
}

/// A row of an executor that reads the modifiers it has on its own.
constexpr ValuRow custom(const char *mnemonic, ExecFn execute,
                         ValuChips chips = ValuChips::Both) {
  return {mnemonic, execute, execute, execute, chips};
}

/// Body::execute for hosts with wider vectors.
template <typename Body>
struct CustomWide {
  static void generic(const isa::Instruction &inst, WaveState &wave) {
    Body::execute(inst, wave);
  }
  FLY_TARGET_AVX2 static void avx2(const isa::Instruction &inst,
                                   WaveState &wave) {
    Body::execute(inst, wave);
  }
  FLY_TARGET_AVX512 static void avx512(const isa::Instruction &inst,
                                       WaveState &wave) {
    Body::execute(inst, wave);
  }
};

/// A custom row whose inlined Body::execute is compiled for wider vectors.
template <typename Body>
constexpr ValuRow customWide(const char *mnemonic,
                             ValuChips chips = ValuChips::Both) {
  ValuRow row = custom(mnemonic, CustomWide<Body>::generic, chips);
  row.avx2.any = CustomWide<Body>::avx2;
  row.avx512.any = CustomWide<Body>::avx512;
  return row;
}

/// A row of an executor that takes no modifiers.
constexpr ValuRow unmodified(const char *mnemonic, ExecFn execute,
                             ValuChips chips = ValuChips::Both) {
  return {mnemonic, execute, nullptr, nullptr, chips};
}

/// The same, with an inlined Body::execute that is compiled for wider vectors.
template <typename Body>
constexpr ValuRow unmodifiedWide(const char *mnemonic,
                                 ValuChips chips = ValuChips::Both) {
  ValuRow row = unmodified(mnemonic, CustomWide<Body>::generic, chips);
  row.avx2.plain = CustomWide<Body>::avx2;
  row.avx512.plain = CustomWide<Body>::avx512;
  return row;
}

/// lookupValu() for hosts of a level; a test compares the levels.
ExecFn lookupValuAt(const isa::Instruction &inst, ChipKind chip,
                    VectorLevel level);

llvm::ArrayRef<ValuRow> valuFloat32Rows();
llvm::ArrayRef<ValuRow> valuFloat16Rows();
llvm::ArrayRef<ValuRow> valuDoubleRows();
llvm::ArrayRef<ValuRow> valuDivideRows();
llvm::ArrayRef<ValuRow> valuTranscendentalRows();
llvm::ArrayRef<ValuRow> valuTrigonometryRows();
llvm::ArrayRef<ValuRow> valuIntRows();
llvm::ArrayRef<ValuRow> valuInt16Rows();
llvm::ArrayRef<ValuRow> valuSadRows();
llvm::ArrayRef<ValuRow> valuCubeRows();
llvm::ArrayRef<ValuRow> valuBitRows();
llvm::ArrayRef<ValuRow> valuCarryRows();
llvm::ArrayRef<ValuRow> valuCompareRows();
llvm::ArrayRef<ValuRow> valuConvertRows();
llvm::ArrayRef<ValuRow> valuConvertNarrowRows();
llvm::ArrayRef<ValuRow> valuConvertScaledRows();
llvm::ArrayRef<ValuRow> valuPackedRows();
llvm::ArrayRef<ValuRow> valuDotRows();
llvm::ArrayRef<ValuRow> valuLaneRows();

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUTABLE_H
