//===- MfmaTable.h - Rows that bind matrix mnemonics to code ----*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_MFMATABLE_H
#define FLY_SIM_EXEC_MFMATABLE_H

#include "fly/Sim/Executors.h"

#include "llvm/ADT/ArrayRef.h"

namespace fly::sim {

/// The chips that have an instruction.
enum class MfmaChips : uint8_t { Both, Gfx942, Gfx950 };

/// What CBSZ, ABID and BLGP mean to an instruction.
enum class MfmaModifiers : uint8_t {
  None,         ///< All three must be 0.
  LanePatterns, ///< Broadcast of A blocks, lane pattern of B.
  Signs,        ///< BLGP negates A, B, C (f64).
  Formats,      ///< CBSZ and BLGP are the formats of A and B (f8f6f4).
  IndexSet,     ///< CBSZ and ABID choose the indices of a sparse A.
};

/// One matrix instruction.
struct MfmaRow {
  const char *mnemonic;
  ExecFn execute;
  MfmaChips chips = MfmaChips::Both;
  MfmaModifiers modifiers = MfmaModifiers::None;
  /// LanePatterns: independent products that share the instruction.
  uint8_t blocks = 1;
};

/// f32 accumulators, from f32, xf32, f16 and bf16 (MfmaFloat.cpp).
llvm::ArrayRef<MfmaRow> mfmaFloatRows();
/// f32 accumulators, from fp8 and bf8 (MfmaFp8.cpp).
llvm::ArrayRef<MfmaRow> mfmaFp8Rows();
/// i32 accumulators (MfmaInt.cpp).
llvm::ArrayRef<MfmaRow> mfmaIntRows();
/// f64 accumulators (MfmaDouble.cpp).
llvm::ArrayRef<MfmaRow> mfmaDoubleRows();
/// f8f6f4 with formats and scales, gfx950 (MfmaScaled.cpp).
llvm::ArrayRef<MfmaRow> mfmaScaledRows();
/// Structured-sparse A (MfmaSparse.cpp).
llvm::ArrayRef<MfmaRow> mfmaSparseRows();
/// v_accvgpr_read, write and mov (MfmaAccumulator.cpp).
llvm::ArrayRef<MfmaRow> accumulatorRows();

} // namespace fly::sim

#endif // FLY_SIM_EXEC_MFMATABLE_H
