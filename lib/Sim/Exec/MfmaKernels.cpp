//===- MfmaKernels.cpp - Inner loops of the matrix instructions -----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of 4 rows by 16 columns of accumulators stays in vector registers
// while k runs. The loop is written once and compiled for three instruction
// sets; the one in use is chosen at the first call. All give the same bits,
// because a fused multiply-add is one defined operation: hosts without it call
// the C library's exact one.
//
//===----------------------------------------------------------------------===//

#include "MfmaKernels.h"

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>

using namespace fly;
using namespace fly::sim;

namespace {

constexpr unsigned kTileRows = 4;
constexpr unsigned kTileColumns = 16;

typedef float Vector8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float Vector16 __attribute__((vector_size(64), aligned(4), may_alias));

/// One k step of one row of a tile: acc += a * b, lane by lane.
template <typename Vector>
inline __attribute__((always_inline)) Vector fusedStep(float a, Vector b,
                                                       Vector acc) {
  Vector result;
  constexpr unsigned lanes = sizeof(Vector) / sizeof(float);
  for (unsigned lane = 0; lane != lanes; ++lane)
    result[lane] = __builtin_fmaf(a, b[lane], acc[lane]);
  return result;
}

/// Accumulates a tile of `Rows` x 16, whose rows lie 64 floats apart.
template <typename Vector, unsigned Rows>
inline __attribute__((always_inline)) void
accumulateTile(const MfmaRows &rows, const float *a, const float *b,
               LaneFloat *acc) {
  constexpr unsigned lanes = sizeof(Vector) / sizeof(float);
  constexpr unsigned parts = kTileColumns / lanes;
  Vector sum[Rows][parts];
  for (unsigned row = 0; row != Rows; ++row)
    for (unsigned part = 0; part != parts; ++part)
      sum[row][part] =
          *reinterpret_cast<const Vector *>(acc + 64 * row + lanes * part);
  for (unsigned k = 0; k != rows.depth; ++k) {
    const float *aRow = a + rows.a[k];
    const float *bRow = b + rows.b[k];
    for (unsigned part = 0; part != parts; ++part) {
      Vector bPart = *reinterpret_cast<const Vector *>(bRow + lanes * part);
      for (unsigned row = 0; row != Rows; ++row)
        sum[row][part] = fusedStep(aRow[row], bPart, sum[row][part]);
    }
  }
  for (unsigned row = 0; row != Rows; ++row)
    for (unsigned part = 0; part != parts; ++part)
      *reinterpret_cast<Vector *>(acc + 64 * row + lanes * part) =
          sum[row][part];
}

/// Visits the tiles of a block. Four consecutive rows of D are always four
/// consecutive registers (accumulatorOffset).
template <typename Vector>
inline __attribute__((always_inline)) void
accumulateTiles(unsigned dim, const MfmaRows &rows, const float *a,
                const float *b, LaneFloat *acc) {
  for (unsigned row = 0; row != dim; row += kTileRows)
    for (unsigned column = 0; column != dim; column += kTileColumns)
      accumulateTile<Vector, kTileRows>(rows, a + row, b + column,
                                        acc + accumulatorOffset(dim, row) +
                                            column);
}

void accumulateGeneric(unsigned dim, const MfmaRows &rows, const float *a,
                       const float *b, LaneFloat *acc) {
  for (unsigned row = 0; row != dim; ++row) {
    LaneFloat *out = acc + accumulatorOffset(dim, row);
    for (unsigned k = 0; k != rows.depth; ++k) {
      float value = a[rows.a[k] + row];
      const float *bRow = b + rows.b[k];
      for (unsigned column = 0; column != dim; ++column)
        out[column] = std::fmaf(value, bRow[column], out[column]);
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void
accumulateAvx2(unsigned dim, const MfmaRows &rows, const float *a,
               const float *b, LaneFloat *acc) {
  accumulateTiles<Vector8>(dim, rows, a, b, acc);
}

__attribute__((target("avx512f"))) void
accumulateAvx512(unsigned dim, const MfmaRows &rows, const float *a,
                 const float *b, LaneFloat *acc) {
  accumulateTiles<Vector16>(dim, rows, a, b, acc);
}
#endif

using AccumulateFn = void (*)(unsigned, const MfmaRows &, const float *,
                              const float *, LaneFloat *);

AccumulateFn selectAccumulate() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return accumulateAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return accumulateAvx2;
#endif
  return accumulateGeneric;
}

} // namespace

void fly::sim::accumulateBlock(unsigned dim, const MfmaRows &rows,
                               const float *a, const float *b, LaneFloat *acc) {
  static const AccumulateFn accumulate = selectAccumulate();
  accumulate(dim, rows, a, b, acc);
}

void fly::sim::accumulateBlockScaled(unsigned dim, const MfmaRows &rows,
                                     const float *a, const float *b,
                                     const double *scaleA, const double *scaleB,
                                     LaneFloat *acc) {
  // The product of two elements of at most 4 significant bits and the scales
  // are exact in double, and one addition of an f32 rounded to double and then
  // to f32 equals one rounding: the double's last place is too far down for the
  // few bits of a product to reach both it and f32's rounding place.
  for (unsigned row = 0; row != dim; ++row) {
    LaneFloat *out = acc + accumulatorOffset(dim, row);
    for (unsigned k = 0; k != rows.depth; ++k) {
      double value = double(a[rows.a[k] + row]) * scaleA[k / 32 * dim + row];
      const double *scale = scaleB + k / 32 * dim;
      const float *bRow = b + rows.b[k];
      for (unsigned column = 0; column != dim; ++column)
        out[column] = static_cast<float>(
            value * (double(bRow[column]) * scale[column]) + out[column]);
    }
  }
}

void fly::sim::canonicalizeNans(LaneFloat *values, unsigned count) {
  for (unsigned i = 0; i != count; ++i) {
    uint32_t bits = bitCast<uint32_t>(values[i]);
    bits = (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits;
    values[i] = bitCast<float>(bits);
  }
}
