//===- MfmaScaled.cpp - f8f6f4 matrix instructions with scales ------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx950 only. CBSZ and BLGP choose the format of A and of B on their own
// [LLVM22]. A lane holds 32 elements: 32 consecutive k for 4-bit and 6-bit
// formats, two chunks of 16 for 8-bit formats [HW: public kernels]. Each row's
// block of 32 consecutive k has one E8M0 scale, in the lane of the row and
// block, in the byte of the scale register that op_sel and op_sel_hi name. A
// scale byte of 0 is 2^-127 (OCP); 0xFF makes every element of its block NaN.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/FloatFormat.h"

#include <cmath>

#include "MfmaKernels.h"
#include "MfmaOperands.h"
#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

constexpr unsigned kPerLane = 32;
constexpr unsigned kScaleBlock = 32;
constexpr unsigned kScaleCount = waveLanes;
/// Scales within 2^-60..2^60 can be multiplied into the f32 elements exactly.
constexpr double kExactScale = 0x1p60;

MatrixElement formatOf(unsigned code) {
  constexpr MatrixElement formats[] = {MatrixElement::Fp8, MatrixElement::Bf8,
                                       MatrixElement::Fp6, MatrixElement::Bf6,
                                       MatrixElement::Fp4};
  return formats[code];
}

/// Offset of row k of an operand among its unpacked elements.
constexpr uint16_t rowOffset(unsigned dim, bool is8Bit, unsigned k) {
  unsigned depth = kPerLane * waveLanes / dim;
  unsigned element = k % kPerLane;
  unsigned group = k / kPerLane;
  if (is8Bit) {
    unsigned chunk = k / (depth / 2);
    unsigned inChunk = k % (depth / 2);
    group = inChunk / 16;
    element = 16 * chunk + inChunk % 16;
  }
  return static_cast<uint16_t>(element * waveLanes + group * dim);
}

template <unsigned Dim>
constexpr MfmaRows makeRows(bool a8Bit, bool b8Bit) {
  MfmaRows rows{};
  rows.depth = kPerLane * waveLanes / Dim;
  for (unsigned k = 0; k != rows.depth; ++k) {
    rows.a[k] = rowOffset(Dim, a8Bit, k);
    rows.b[k] = rowOffset(Dim, b8Bit, k);
  }
  return rows;
}

template <unsigned Dim>
const MfmaRows &rowsOf(bool a8Bit, bool b8Bit) {
  static constexpr MfmaRows rows[2][2] = {
      {makeRows<Dim>(false, false), makeRows<Dim>(false, true)},
      {makeRows<Dim>(true, false), makeRows<Dim>(true, true)}};
  return rows[a8Bit][b8Bit];
}

/// The scales of one operand, [block of k][row], which is the order of lanes.
struct Scales {
  double value[kScaleCount];
  bool allOne = true;
  /// Multiplying into f32 elements loses nothing.
  bool exact = true;
};

Scales readScales(const isa::Instruction &inst, WaveState &wave,
                  unsigned operand) {
  Scales scales;
  LaneBuffer buffer;
  const uint32_t *registers = wave.source(inst.src[3 + operand], 0, buffer);
  unsigned byte =
      ((inst.opSel >> operand) & 1) | (((inst.opSelHi >> operand) & 1) << 1);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    double scale =
        decodeE8M0(static_cast<uint8_t>(registers[lane] >> (8 * byte)));
    scales.value[lane] = scale;
    scales.allOne &= scale == 1.0;
    scales.exact &= scale >= 1 / kExactScale && scale <= kExactScale;
  }
  return scales;
}

void applyScales(const Scales &scales, unsigned dim, unsigned depth,
                 const uint16_t *rows, float *values) {
  if (scales.allOne)
    return;
  for (unsigned k = 0; k != depth; ++k)
    for (unsigned row = 0; row != dim; ++row)
      values[rows[k] + row] *=
          static_cast<float>(scales.value[k / kScaleBlock * dim + row]);
}

template <unsigned Dim, bool Scaled>
void executeF8F6F4(const isa::Instruction &inst, WaveState &wave) {
  alignas(64) float a[kPerLane * waveLanes];
  alignas(64) float b[kPerLane * waveLanes];
  MatrixElement aType = formatOf(inst.cbsz);
  MatrixElement bType = formatOf(inst.blgp);
  unpackMatrixOperand(aType, wave.lanes(inst.src[0]), kPerLane, a);
  unpackMatrixOperand(bType, wave.lanes(inst.src[1]), kPerLane, b);
  const MfmaRows &rows =
      rowsOf<Dim>(elementBits(aType) == 8, elementBits(bType) == 8);

  constexpr unsigned registers = Dim * Dim / waveLanes;
  if constexpr (Scaled) {
    // The scale registers may be among those that D overwrites.
    Scales scaleA = readScales(inst, wave, 0);
    Scales scaleB = readScales(inst, wave, 1);
    moveAccumulator(inst, wave, registers);
    auto *acc = reinterpret_cast<LaneFloat *>(wave.lanes(inst.dst[0]));
    if (scaleA.exact && scaleB.exact) {
      applyScales(scaleA, Dim, rows.depth, rows.a, a);
      applyScales(scaleB, Dim, rows.depth, rows.b, b);
      accumulateBlock(Dim, rows, a, b, acc);
    } else {
      accumulateBlockScaled(Dim, rows, a, b, scaleA.value, scaleB.value, acc);
    }
  } else {
    moveAccumulator(inst, wave, registers);
    accumulateBlock(Dim, rows, a, b,
                    reinterpret_cast<LaneFloat *>(wave.lanes(inst.dst[0])));
  }
}

template <unsigned Dim, bool Scaled>
constexpr MfmaRow row(const char *mnemonic) {
  return {mnemonic, executeF8F6F4<Dim, Scaled>, MfmaChips::Gfx950,
          MfmaModifiers::Formats};
}

constexpr MfmaRow kRows[] = {
    row<16, false>("v_mfma_f32_16x16x128_f8f6f4"),
    row<32, false>("v_mfma_f32_32x32x64_f8f6f4"),
    row<16, true>("v_mfma_scale_f32_16x16x128_f8f6f4"),
    row<32, true>("v_mfma_scale_f32_32x32x64_f8f6f4"),
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaScaledRows() { return kRows; }
