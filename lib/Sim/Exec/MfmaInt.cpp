//===- MfmaInt.cpp - Matrix instructions on 8-bit integers ----------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of at most 64 products of two 8-bit integers stays below 2^21, so the
// f32 loops form it exactly; only the addition of C needs integers, and wraps
// [HW].
//
//===----------------------------------------------------------------------===//

#include "MfmaDense.h"
#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

template <unsigned Dim, unsigned Blocks, unsigned K>
void executeInt(const isa::Instruction &inst, WaveState &wave) {
  using Shape = MfmaShape<Dim, Blocks, K>;
  static_assert(K * 128 * 128 < (1 << 24), "the sum is exact in f32");
  alignas(64) float a[Shape::perLane * waveLanes];
  alignas(64) float b[Shape::perLane * waveLanes];
  alignas(64) LaneFloat sum[Shape::registers * waveLanes] = {};
  unpackOperands<Shape::perLane, MatrixElement::I8, MatrixElement::I8>(
      inst, wave, a, b);
  accumulateBlocks<Dim, Blocks, K>(inst, a, b, sum);
  moveAccumulator(inst, wave, Shape::registers);
  uint32_t *d = wave.lanes(inst.dst[0]);
  for (unsigned i = 0; i != Shape::registers * waveLanes; ++i)
    d[i] += static_cast<uint32_t>(static_cast<int32_t>(sum[i]));
}

template <unsigned Dim, unsigned Blocks, unsigned K>
constexpr MfmaRow integer(const char *mnemonic,
                          MfmaChips chips = MfmaChips::Both) {
  return {mnemonic, executeInt<Dim, Blocks, K>, chips,
          Blocks > 1 ? MfmaModifiers::LanePatterns : MfmaModifiers::None,
          Blocks};
}

constexpr MfmaRow kRows[] = {
    integer<32, 2, 4>("v_mfma_i32_32x32x4_2b_i8"),
    integer<16, 4, 4>("v_mfma_i32_16x16x4_4b_i8"),
    integer<4, 16, 4>("v_mfma_i32_4x4x4_16b_i8"),
    integer<32, 1, 16>("v_mfma_i32_32x32x16_i8"),
    integer<16, 1, 32>("v_mfma_i32_16x16x32_i8"),
    integer<32, 1, 32>("v_mfma_i32_32x32x32_i8", MfmaChips::Gfx950),
    integer<16, 1, 64>("v_mfma_i32_16x16x64_i8", MfmaChips::Gfx950),
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaIntRows() { return kRows; }
