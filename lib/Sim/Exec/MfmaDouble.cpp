//===- MfmaDouble.cpp - Matrix instructions on f64 ------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Doubles use their own lane maps [AMD]: D of 16x16x4 has row
// 4 * pair + l / 16 in register pair `pair`, unlike the 32-bit map. BLGP holds
// the signs of A, B and C in its bits 0, 1 and 2.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>

#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

double negateIf(double value, bool negate) { return negate ? -value : value; }

/// Pair `pair` of a tuple of f64 values, or the constant.
double readDouble(WaveState &wave, const isa::Operand &operand, unsigned pair,
                  unsigned lane) {
  if (!operand.isVector())
    return bitCast<double>(wave.scalar64(operand));
  uint64_t low = wave.lanes(operand, 2 * pair)[lane];
  uint64_t high = wave.lanes(operand, 2 * pair + 1)[lane];
  return bitCast<double>(low | high << 32);
}

double canonical(double value) {
  return std::isnan(value) ? bitCast<double>(uint64_t(0x7FF8) << 48) : value;
}

/// D[row][column] of `Pairs` register pairs from sums over 4 k. The shape says
/// which lane of A and B holds an element.
template <typename Shape>
void executeDouble(const isa::Instruction &inst, WaveState &wave) {
  double d[Shape::pairs][waveLanes];
  for (unsigned pair = 0; pair != Shape::pairs; ++pair)
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      double sum =
          negateIf(readDouble(wave, inst.src[2], pair, lane), inst.blgp & 4);
      for (unsigned k = 0; k != 4; ++k) {
        double a =
            readDouble(wave, inst.src[0], 0, Shape::aLane(pair, lane, k));
        double b = readDouble(wave, inst.src[1], 0, Shape::bLane(lane, k));
        sum = std::fma(negateIf(a, inst.blgp & 1), negateIf(b, inst.blgp & 2),
                       sum);
      }
      d[pair][lane] = canonical(sum);
    }
  for (unsigned pair = 0; pair != Shape::pairs; ++pair)
    for (unsigned lane = 0; lane != waveLanes; ++lane) {
      uint64_t bits = bitCast<uint64_t>(d[pair][lane]);
      wave.lanes(inst.dst[0], 2 * pair)[lane] = static_cast<uint32_t>(bits);
      wave.lanes(inst.dst[0], 2 * pair + 1)[lane] =
          static_cast<uint32_t>(bits >> 32);
    }
}

/// 16x16x4, one block: row 4 * pair + lane / 16, column lane % 16.
struct Shape16x16x4 {
  static constexpr unsigned pairs = 4;
  static unsigned aLane(unsigned pair, unsigned lane, unsigned k) {
    return 16 * k + 4 * pair + lane / 16;
  }
  static unsigned bLane(unsigned lane, unsigned k) {
    return 16 * k + lane % 16;
  }
};

/// 4x4x4, four blocks: A[m][k] of block b in lane 4 * b + m + 16 * k, D[m][n]
/// in lane 4 * b + 16 * m + n.
struct Shape4x4x4 {
  static constexpr unsigned pairs = 1;
  static unsigned aLane(unsigned, unsigned lane, unsigned k) {
    return lane % 16 / 4 * 4 + lane / 16 + 16 * k;
  }
  static unsigned bLane(unsigned lane, unsigned k) {
    return lane % 16 + 16 * k;
  }
};

constexpr MfmaRow kRows[] = {
    {"v_mfma_f64_16x16x4_f64", executeDouble<Shape16x16x4>, MfmaChips::Both,
     MfmaModifiers::Signs},
    {"v_mfma_f64_4x4x4_4b_f64", executeDouble<Shape4x4x4>, MfmaChips::Both,
     MfmaModifiers::Signs},
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::mfmaDoubleRows() { return kRows; }
