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

constexpr uint32_t kCanonicalNanBits = 0x7FC00000u;
constexpr unsigned kTileRows = 4;
constexpr unsigned kTileColumns = 16;

// NOLINTBEGIN(modernize-use-using): the attributes.
/// Vectors as members: a template argument would lose their attributes.
struct Vector8 {
  typedef float Register __attribute__((vector_size(32)));
  typedef float InMemory
      __attribute__((vector_size(32), aligned(4), may_alias));
};
struct Vector16 {
  typedef float Register __attribute__((vector_size(64)));
  typedef float InMemory
      __attribute__((vector_size(64), aligned(4), may_alias));
};
// NOLINTEND(modernize-use-using)

/// One k step of one row of a tile: acc += a * b, lane by lane.
template <typename Vector>
FLY_INLINE Vector fusedStep(float a, Vector b, Vector acc) {
  Vector result;
  constexpr unsigned lanes = sizeof(Vector) / sizeof(float);
  for (unsigned lane = 0; lane != lanes; ++lane)
    result[lane] = __builtin_fmaf(a, b[lane], acc[lane]);
  return result;
}

/// NaNs to the canonical quiet NaN.
template <typename Vector>
FLY_INLINE Vector canonical(Vector value) {
  Vector nan = {};
  nan += bitCast<float>(kCanonicalNanBits);
  return value == value ? value : nan;
}

/// Accumulates a tile of `Rows` x 16, whose rows lie 64 floats apart.
template <typename Vector, unsigned Rows>
FLY_INLINE void accumulateTile(const MfmaRows &rows, const float *a,
                               const float *b, LaneFloat *acc) {
  using Register = typename Vector::Register;
  using InMemory = typename Vector::InMemory;
  constexpr unsigned lanes = sizeof(Register) / sizeof(float);
  constexpr unsigned parts = kTileColumns / lanes;
  Register sum[Rows][parts];
  for (unsigned row = 0; row != Rows; ++row)
    for (unsigned part = 0; part != parts; ++part)
      sum[row][part] =
          *reinterpret_cast<const InMemory *>(acc + 64 * row + lanes * part);
  for (unsigned k = 0; k != rows.depth; ++k) {
    const float *aRow = a + rows.a[k];
    const float *bRow = b + rows.b[k];
    for (unsigned part = 0; part != parts; ++part) {
      Register bPart = *reinterpret_cast<const InMemory *>(bRow + lanes * part);
      for (unsigned row = 0; row != Rows; ++row)
        sum[row][part] = fusedStep(aRow[row], bPart, sum[row][part]);
    }
  }
  for (unsigned row = 0; row != Rows; ++row)
    for (unsigned part = 0; part != parts; ++part)
      *reinterpret_cast<InMemory *>(acc + 64 * row + lanes * part) =
          canonical(sum[row][part]);
}

/// Visits the tiles of a block. Four consecutive rows of D are always four
/// consecutive registers (accumulatorOffset).
template <typename Vector>
FLY_INLINE void accumulateTiles(unsigned dim, const MfmaRows &rows,
                                const float *a, const float *b,
                                LaneFloat *acc) {
  for (unsigned row = 0; row != dim; row += kTileRows)
    for (unsigned column = 0; column != dim; column += kTileColumns)
      accumulateTile<Vector, kTileRows>(rows, a + row, b + column,
                                        acc + accumulatorOffset(dim, row) +
                                            column);
}

void canonicalizeRow(LaneFloat *row, unsigned count) {
  for (unsigned i = 0; i != count; ++i)
    if (row[i] != row[i])
      row[i] = bitCast<float>(kCanonicalNanBits);
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
    canonicalizeRow(out, dim);
  }
}

FLY_TARGET_AVX2 void accumulateAvx2(unsigned dim, const MfmaRows &rows,
                                    const float *a, const float *b,
                                    LaneFloat *acc) {
  accumulateTiles<Vector8>(dim, rows, a, b, acc);
}

FLY_TARGET_AVX512 void accumulateAvx512(unsigned dim, const MfmaRows &rows,
                                        const float *a, const float *b,
                                        LaneFloat *acc) {
  accumulateTiles<Vector16>(dim, rows, a, b, acc);
}

} // namespace

AccumulateFn fly::sim::accumulateAt(VectorLevel level) {
  switch (level) {
  case VectorLevel::Avx512:
    return accumulateAvx512;
  case VectorLevel::Avx2:
    return accumulateAvx2;
  case VectorLevel::Generic:
    break;
  }
  return accumulateGeneric;
}

void fly::sim::accumulateBlock(unsigned dim, const MfmaRows &rows,
                               const float *a, const float *b, LaneFloat *acc) {
  static const AccumulateFn accumulate = accumulateAt(hostVectorLevel());
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
    canonicalizeRow(out, dim);
  }
}
