//===- MfmaDense.h - Dense matrix instructions of one shape -----*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape is Dim x Dim x K, repeated for Blocks independent products. One
// block: lane l holds row l % Dim and the K / groups consecutive k of group l /
// Dim. Several blocks: lane l holds row l % Dim of block l / Dim and every k
// [AMD]. EXEC is ignored and every lane of D is written.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_MFMADENSE_H
#define FLY_SIM_EXEC_MFMADENSE_H

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>

#include "MfmaKernels.h"
#include "MfmaOperands.h"

namespace fly::sim {

/// The constants of a shape.
template <unsigned Dim, unsigned Blocks, unsigned K>
struct MfmaShape {
  static_assert(Blocks == 1 || Dim * Blocks == waveLanes,
                "several blocks fill the wave");
  /// Elements of A (and of B) that a lane holds.
  static constexpr unsigned perLane = Dim * Blocks * K / waveLanes;
  /// Registers of D in one block; 4x4 blocks share theirs.
  static constexpr unsigned blockRegisters =
      Dim == 4 ? 4 : Dim * Dim / waveLanes;
  static constexpr unsigned registers = Dim == 4 ? 4 : blockRegisters * Blocks;

  static constexpr MfmaRows rows() {
    MfmaRows result{};
    result.depth = K;
    for (unsigned k = 0; k != K; ++k) {
      unsigned offset = k % perLane * waveLanes + k / perLane * Dim;
      result.a[k] = result.b[k] = static_cast<uint16_t>(offset);
    }
    return result;
  }
};

/// The block whose A a block multiplies: CBSZ joins 2^CBSZ blocks, which all
/// use the ABID-th of them.
inline unsigned broadcastBlock(const isa::Instruction &inst, unsigned block) {
  return (block >> inst.cbsz << inst.cbsz) + inst.abid;
}

/// 16 blocks of 4x4: lane 4 * block + j holds column j, register i row i.
inline void accumulateSmallBlocks(const isa::Instruction &inst, unsigned depth,
                                  const float *a, const float *b,
                                  LaneFloat *acc) {
  for (unsigned row = 0; row != 4; ++row)
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      unsigned aLane = 4 * broadcastBlock(inst, lane / 4) + row;
      float sum = acc[row * waveLanes + lane];
      for (unsigned k = 0; k != depth; ++k)
        sum = std::fmaf(a[k * waveLanes + aLane], b[k * waveLanes + lane], sum);
      acc[row * waveLanes + lane] =
          sum == sum ? sum : bitCast<float>(0x7FC00000u);
    }
}

/// Unpacks A and B of an instruction, with BLGP's lane pattern on B where it is
/// one.
template <unsigned PerLane, MatrixElement A, MatrixElement B>
void unpackOperands(const isa::Instruction &inst, WaveState &wave, float *a,
                    float *b) {
  unpackMatrixOperand(A, wave.lanes(inst.src[0]), PerLane, a);
  const uint32_t *bRegisters = wave.lanes(inst.src[1]);
  constexpr unsigned count = (PerLane * elementBits(B) + 31) / 32;
  uint32_t permuted[count * waveLanes];
  if (inst.blgp != 0) {
    permuteLaneGroups(inst.blgp, bRegisters, count, permuted);
    bRegisters = permuted;
  }
  unpackMatrixOperand(B, bRegisters, PerLane, b);
}

/// acc += A * B for every block of the shape.
template <unsigned Dim, unsigned Blocks, unsigned K>
void accumulateBlocks(const isa::Instruction &inst, const float *a,
                      const float *b, LaneFloat *acc) {
  using Shape = MfmaShape<Dim, Blocks, K>;
  if constexpr (Dim == 4) {
    accumulateSmallBlocks(inst, K, a, b, acc);
  } else {
    static constexpr MfmaRows rows = Shape::rows();
    for (unsigned block = 0; block != Blocks; ++block) {
      unsigned aBlock = Blocks == 1 ? 0 : broadcastBlock(inst, block);
      accumulateBlock(Dim, rows, a + Dim * aBlock, b + Dim * block,
                      acc + block * Shape::blockRegisters * waveLanes);
    }
  }
}

/// D = A * B + C with f32 accumulators.
template <unsigned Dim, unsigned Blocks, unsigned K, MatrixElement A,
          MatrixElement B = A>
void executeDense(const isa::Instruction &inst, WaveState &wave) {
  using Shape = MfmaShape<Dim, Blocks, K>;
  alignas(64) float a[Shape::perLane * waveLanes];
  alignas(64) float b[Shape::perLane * waveLanes];
  unpackOperands<Shape::perLane, A, B>(inst, wave, a, b);
  moveAccumulator(inst, wave, Shape::registers);
  auto *acc = reinterpret_cast<LaneFloat *>(wave.lanes(inst.dst[0]));
  accumulateBlocks<Dim, Blocks, K>(inst, a, b, acc);
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_MFMADENSE_H
