//===- MfmaFloat.cpp - Matrix instructions on f32, xf32, f16, bf16 --------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MfmaDense.h"
#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// A row of a dense shape. BLGP permutes lanes on the multi-block and the f32
/// forms only.
template <unsigned Dim, unsigned Blocks, unsigned K, MatrixElement Type>
constexpr MfmaRow dense(const char *mnemonic,
                        MfmaChips chips = MfmaChips::Both) {
  return {mnemonic, executeDense<Dim, Blocks, K, Type>, chips,
          Blocks > 1 || Type == MatrixElement::F32 ? MfmaModifiers::LanePatterns
                                                   : MfmaModifiers::None,
          Blocks};
}

constexpr MatrixElement F32 = MatrixElement::F32;
constexpr MatrixElement XF32 = MatrixElement::XF32;
constexpr MatrixElement F16 = MatrixElement::F16;
constexpr MatrixElement BF16 = MatrixElement::BF16;
constexpr MfmaChips Gfx942 = MfmaChips::Gfx942;
constexpr MfmaChips Gfx950 = MfmaChips::Gfx950;

constexpr MfmaRow kRows[] = {
    dense<32, 2, 1, F32>("v_mfma_f32_32x32x1_2b_f32"),
    dense<16, 4, 1, F32>("v_mfma_f32_16x16x1_4b_f32"),
    dense<4, 16, 1, F32>("v_mfma_f32_4x4x1_16b_f32"),
    dense<32, 1, 2, F32>("v_mfma_f32_32x32x2_f32"),
    dense<16, 1, 4, F32>("v_mfma_f32_16x16x4_f32"),

    dense<32, 1, 4, XF32>("v_mfma_f32_32x32x4_xf32", Gfx942),
    dense<16, 1, 8, XF32>("v_mfma_f32_16x16x8_xf32", Gfx942),

    dense<32, 2, 4, F16>("v_mfma_f32_32x32x4_2b_f16"),
    dense<16, 4, 4, F16>("v_mfma_f32_16x16x4_4b_f16"),
    dense<4, 16, 4, F16>("v_mfma_f32_4x4x4_16b_f16"),
    dense<32, 1, 8, F16>("v_mfma_f32_32x32x8_f16"),
    dense<16, 1, 16, F16>("v_mfma_f32_16x16x16_f16"),
    dense<32, 1, 16, F16>("v_mfma_f32_32x32x16_f16", Gfx950),
    dense<16, 1, 32, F16>("v_mfma_f32_16x16x32_f16", Gfx950),

    dense<32, 2, 4, BF16>("v_mfma_f32_32x32x4_2b_bf16"),
    dense<16, 4, 4, BF16>("v_mfma_f32_16x16x4_4b_bf16"),
    dense<4, 16, 4, BF16>("v_mfma_f32_4x4x4_16b_bf16"),
    dense<32, 1, 8, BF16>("v_mfma_f32_32x32x8_bf16"),
    dense<16, 1, 16, BF16>("v_mfma_f32_16x16x16_bf16"),
    dense<32, 1, 16, BF16>("v_mfma_f32_32x32x16_bf16", Gfx950),
    dense<16, 1, 32, BF16>("v_mfma_f32_16x16x32_bf16", Gfx950),
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaFloatRows() { return kRows; }
