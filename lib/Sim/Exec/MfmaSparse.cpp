//===- MfmaSparse.cpp - Matrix instructions with a sparse A ---------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_smfmac: of every four consecutive k at most two elements of A are not zero.
// A holds those two; a register of indices says, with two bits each, which of
// the four they are. A lane's indices lie in its own lane, four bits per group
// of four k; where the register has room for several sets, ABID chooses one
// unless CBSZ is not 0 [AMD: CDNA3 ISA, sparse matrix instructions]. B and D
// lie as in the dense instruction of the same shape, k contiguous in a lane;
// for the 8-bit shapes of gfx950 that is an assumption [INF: SIM-SPARSE-LANES].
// D is its own C.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>

#include "MfmaKernels.h"
#include "MfmaOperands.h"
#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

template <unsigned Dim, unsigned K, MatrixElement A, MatrixElement B>
class SparseExecutor {
  static constexpr unsigned perLaneB = Dim * K / waveLanes;
  static constexpr unsigned perLaneA = perLaneB / 2;
  static constexpr unsigned groups = waveLanes / Dim;
  static constexpr bool isInteger = A == MatrixElement::I8;

public:
  static void execute(const isa::Instruction &inst, WaveState &wave) {
    alignas(64) float a[perLaneA * waveLanes];
    alignas(64) float b[perLaneB * waveLanes];
    uint32_t indices[waveLanes];
    unpackMatrixOperand(A, wave.lanes(inst.src[0]), perLaneA, a);
    unpackMatrixOperand(B, wave.lanes(inst.src[1]), perLaneB, b);
    LaneBuffer buffer;
    const uint32_t *indexLanes = wave.source(inst.src[2], 0, buffer);
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      indices[lane] = indexLanes[lane] >> indexShift(inst);
    uint32_t *d = wave.lanes(inst.dst[0]);
    for (unsigned row = 0; row != Dim; ++row)
      accumulateRow(row, a, b, indices, d + accumulatorOffset(Dim, row));
  }

private:
  /// Where the set of indices that ABID names begins.
  static unsigned indexShift(const isa::Instruction &inst) {
    constexpr unsigned setBits = 2 * perLaneA;
    return inst.cbsz != 0 ? 0 : inst.abid * setBits % 32;
  }

  static void accumulateRow(unsigned row, const float *a, const float *b,
                            const uint32_t *indices, uint32_t *d) {
    for (unsigned group = 0; group != groups; ++group) {
      unsigned lane = group * Dim + row;
      for (unsigned t = 0; t != perLaneA; ++t) {
        unsigned index = (indices[lane] >> (2 * t)) & 3;
        unsigned element = 4 * (t / 2) + index;
        float value = a[t * waveLanes + lane];
        const float *bRow = b + element * waveLanes + group * Dim;
        for (unsigned column = 0; column != Dim; ++column)
          d[column] = step(value, bRow[column], d[column]);
      }
    }
  }

  /// One product onto an accumulator, as its bits.
  static uint32_t step(float a, float b, uint32_t sum) {
    if (isInteger)
      return sum + static_cast<uint32_t>(static_cast<int32_t>(a * b));
    float result = std::fmaf(a, b, bitCast<float>(sum));
    return result == result ? bitCast<uint32_t>(result) : 0x7FC00000u;
  }
};

template <unsigned Dim, unsigned K, MatrixElement A, MatrixElement B = A>
constexpr MfmaRow sparse(const char *mnemonic,
                         MfmaChips chips = MfmaChips::Both) {
  return {mnemonic, SparseExecutor<Dim, K, A, B>::execute, chips,
          MfmaModifiers::IndexSet};
}

constexpr MatrixElement F16 = MatrixElement::F16;
constexpr MatrixElement BF16 = MatrixElement::BF16;
constexpr MatrixElement I8 = MatrixElement::I8;
constexpr MatrixElement FpZ = MatrixElement::Fp8Fnuz;
constexpr MatrixElement BfZ = MatrixElement::Bf8Fnuz;
constexpr MatrixElement Fp = MatrixElement::Fp8;
constexpr MatrixElement Bf = MatrixElement::Bf8;
constexpr MfmaChips Gfx942 = MfmaChips::Gfx942;
constexpr MfmaChips Gfx950 = MfmaChips::Gfx950;

constexpr MfmaRow kRows[] = {
    sparse<16, 32, F16>("v_smfmac_f32_16x16x32_f16"),
    sparse<32, 16, F16>("v_smfmac_f32_32x32x16_f16"),
    sparse<16, 32, BF16>("v_smfmac_f32_16x16x32_bf16"),
    sparse<32, 16, BF16>("v_smfmac_f32_32x32x16_bf16"),
    sparse<16, 64, F16>("v_smfmac_f32_16x16x64_f16", Gfx950),
    sparse<32, 32, F16>("v_smfmac_f32_32x32x32_f16", Gfx950),
    sparse<16, 64, BF16>("v_smfmac_f32_16x16x64_bf16", Gfx950),
    sparse<32, 32, BF16>("v_smfmac_f32_32x32x32_bf16", Gfx950),
    sparse<16, 64, I8>("v_smfmac_i32_16x16x64_i8"),
    sparse<32, 32, I8>("v_smfmac_i32_32x32x32_i8"),
    sparse<16, 128, I8>("v_smfmac_i32_16x16x128_i8", Gfx950),
    sparse<32, 64, I8>("v_smfmac_i32_32x32x64_i8", Gfx950),

    sparse<16, 64, FpZ, FpZ>("v_smfmac_f32_16x16x64_fp8_fp8", Gfx942),
    sparse<16, 64, FpZ, BfZ>("v_smfmac_f32_16x16x64_fp8_bf8", Gfx942),
    sparse<16, 64, BfZ, FpZ>("v_smfmac_f32_16x16x64_bf8_fp8", Gfx942),
    sparse<16, 64, BfZ, BfZ>("v_smfmac_f32_16x16x64_bf8_bf8", Gfx942),
    sparse<32, 32, FpZ, FpZ>("v_smfmac_f32_32x32x32_fp8_fp8", Gfx942),
    sparse<32, 32, FpZ, BfZ>("v_smfmac_f32_32x32x32_fp8_bf8", Gfx942),
    sparse<32, 32, BfZ, FpZ>("v_smfmac_f32_32x32x32_bf8_fp8", Gfx942),
    sparse<32, 32, BfZ, BfZ>("v_smfmac_f32_32x32x32_bf8_bf8", Gfx942),

    sparse<16, 64, Fp, Fp>("v_smfmac_f32_16x16x64_fp8_fp8", Gfx950),
    sparse<16, 64, Fp, Bf>("v_smfmac_f32_16x16x64_fp8_bf8", Gfx950),
    sparse<16, 64, Bf, Fp>("v_smfmac_f32_16x16x64_bf8_fp8", Gfx950),
    sparse<16, 64, Bf, Bf>("v_smfmac_f32_16x16x64_bf8_bf8", Gfx950),
    sparse<32, 32, Fp, Fp>("v_smfmac_f32_32x32x32_fp8_fp8", Gfx950),
    sparse<32, 32, Fp, Bf>("v_smfmac_f32_32x32x32_fp8_bf8", Gfx950),
    sparse<32, 32, Bf, Fp>("v_smfmac_f32_32x32x32_bf8_fp8", Gfx950),
    sparse<32, 32, Bf, Bf>("v_smfmac_f32_32x32x32_bf8_bf8", Gfx950),
    sparse<16, 128, Fp, Fp>("v_smfmac_f32_16x16x128_fp8_fp8", Gfx950),
    sparse<16, 128, Fp, Bf>("v_smfmac_f32_16x16x128_fp8_bf8", Gfx950),
    sparse<16, 128, Bf, Fp>("v_smfmac_f32_16x16x128_bf8_fp8", Gfx950),
    sparse<16, 128, Bf, Bf>("v_smfmac_f32_16x16x128_bf8_bf8", Gfx950),
    sparse<32, 64, Fp, Fp>("v_smfmac_f32_32x32x64_fp8_fp8", Gfx950),
    sparse<32, 64, Fp, Bf>("v_smfmac_f32_32x32x64_fp8_bf8", Gfx950),
    sparse<32, 64, Bf, Fp>("v_smfmac_f32_32x32x64_bf8_fp8", Gfx950),
    sparse<32, 64, Bf, Bf>("v_smfmac_f32_32x32x64_bf8_bf8", Gfx950),
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaSparseRows() { return kRows; }
