//===- MfmaFp8.cpp - Matrix instructions on 8-bit floating point ----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same mnemonics mean the FNUZ formats on gfx942 and the OCP formats on
// gfx950 [AMD], so each has a row a chip.
//
//===----------------------------------------------------------------------===//

#include "MfmaDense.h"
#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

constexpr MatrixElement FpZ = MatrixElement::Fp8Fnuz;
constexpr MatrixElement BfZ = MatrixElement::Bf8Fnuz;
constexpr MatrixElement Fp = MatrixElement::Fp8;
constexpr MatrixElement Bf = MatrixElement::Bf8;
constexpr MfmaChips Gfx942 = MfmaChips::Gfx942;
constexpr MfmaChips Gfx950 = MfmaChips::Gfx950;

template <unsigned Dim, unsigned K, MatrixElement A, MatrixElement B>
constexpr MfmaRow dense(const char *mnemonic, MfmaChips chips) {
  return {mnemonic, executeDense<Dim, 1, K, A, B>, chips};
}

constexpr MfmaRow kRows[] = {
    dense<16, 32, FpZ, FpZ>("v_mfma_f32_16x16x32_fp8_fp8", Gfx942),
    dense<16, 32, FpZ, BfZ>("v_mfma_f32_16x16x32_fp8_bf8", Gfx942),
    dense<16, 32, BfZ, FpZ>("v_mfma_f32_16x16x32_bf8_fp8", Gfx942),
    dense<16, 32, BfZ, BfZ>("v_mfma_f32_16x16x32_bf8_bf8", Gfx942),
    dense<32, 16, FpZ, FpZ>("v_mfma_f32_32x32x16_fp8_fp8", Gfx942),
    dense<32, 16, FpZ, BfZ>("v_mfma_f32_32x32x16_fp8_bf8", Gfx942),
    dense<32, 16, BfZ, FpZ>("v_mfma_f32_32x32x16_bf8_fp8", Gfx942),
    dense<32, 16, BfZ, BfZ>("v_mfma_f32_32x32x16_bf8_bf8", Gfx942),

    dense<16, 32, Fp, Fp>("v_mfma_f32_16x16x32_fp8_fp8", Gfx950),
    dense<16, 32, Fp, Bf>("v_mfma_f32_16x16x32_fp8_bf8", Gfx950),
    dense<16, 32, Bf, Fp>("v_mfma_f32_16x16x32_bf8_fp8", Gfx950),
    dense<16, 32, Bf, Bf>("v_mfma_f32_16x16x32_bf8_bf8", Gfx950),
    dense<32, 16, Fp, Fp>("v_mfma_f32_32x32x16_fp8_fp8", Gfx950),
    dense<32, 16, Fp, Bf>("v_mfma_f32_32x32x16_fp8_bf8", Gfx950),
    dense<32, 16, Bf, Fp>("v_mfma_f32_32x32x16_bf8_fp8", Gfx950),
    dense<32, 16, Bf, Bf>("v_mfma_f32_32x32x16_bf8_bf8", Gfx950),
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaFp8Rows() { return kRows; }
