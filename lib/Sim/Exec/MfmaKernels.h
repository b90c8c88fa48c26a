//===- MfmaKernels.h - Inner loops of the matrix instructions ---*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic rule of the value simulator, in one place: each element of D
// is
//   D[i][j] = fma(A[i][K-1], B[K-1][j], ... fma(A[i][0], B[0][j], C[i][j]))
// in f32 (f64 for f64), k ascending, every step rounded once to nearest even,
// subnormals kept, NaN results as 0x7FC00000. It is exact wherever every
// partial sum is representable (integer-valued inputs below 2^24), it is the
// hardware's own rule for f32 and f64 sources, and it differs in last places
// from the fused groups that CDNA3 forms for narrower sources [HW]; it
// stands for them too [INF: SIM-MATRIX-ROUNDING].
//
// Operands arrive as rows: for each k one pointer to the M values of A and one
// to the N values of B, which is how the registers hold them (lanes of one
// register are consecutive rows or columns), so nothing is transposed.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_MFMAKERNELS_H
#define FLY_SIM_EXEC_MFMAKERNELS_H

#include <cstdint>

#include "VectorLevel.h"

namespace fly::sim {

/// A float that may live in a vector register of the wave, which is stored as
/// dwords.
// NOLINTNEXTLINE(modernize-use-using): the attribute.
typedef float LaneFloat __attribute__((may_alias));

/// Most k steps of any matrix instruction (16x16x128 f8f6f4).
constexpr unsigned kMaxMfmaDepth = 128;

/// Where row k of A and of B begins, as an offset from the operand's first
/// value.
struct MfmaRows {
  unsigned depth;
  uint16_t a[kMaxMfmaDepth];
  uint16_t b[kMaxMfmaDepth];
};

/// One k-chained product into a block of accumulators laid out as the D
/// registers are: register r of the block at acc + 64 * r.
/// \p dim is 16 or 32. The same bits on every host.
/// NaN results are canonical.
void accumulateBlock(unsigned dim, const MfmaRows &rows, const float *a,
                     const float *b, LaneFloat *acc);

using AccumulateFn = void (*)(unsigned dim, const MfmaRows &rows,
                              const float *a, const float *b, LaneFloat *acc);
/// The loop of accumulateBlock at a level that the host has.
AccumulateFn accumulateAt(VectorLevel level);

/// The same with every product scaled by scale[k / 32] before the one rounding:
/// scaleA has [blocks of 32 k][dim] values for A's rows, scaleB for B's
/// columns.
void accumulateBlockScaled(unsigned dim, const MfmaRows &rows, const float *a,
                           const float *b, const double *scaleA,
                           const double *scaleB, LaneFloat *acc);

/// Register and lane offset in a D block of row i, for dim 16 or 32:
/// acc[64 * reg + lane + j] is D[i][j] [AMD].
inline unsigned accumulatorOffset(unsigned dim, unsigned row) {
  if (dim == 16)
    return 64 * (row % 4) + 16 * (row / 4);
  return 64 * (4 * (row / 8) + row % 4) + 32 * ((row / 4) % 2);
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_MFMAKERNELS_H
