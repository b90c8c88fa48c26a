//===- MfmaOperands.h - Matrix operands from registers ----------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The A and B operands of a matrix instruction are packed little endian into
// consecutive registers: element t of a lane sits at bit t * width of the
// lane's tuple. These functions spread them into one row of 64 f32 values per
// element; every source format except f64 is exact in f32.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_MFMAOPERANDS_H
#define FLY_SIM_EXEC_MFMAOPERANDS_H

#include "fly/Sim/WaveState.h"

#include <cstdint>

#include "VectorLevel.h"

namespace fly::sim {

/// Source formats of matrix instructions that fit in f32.
enum class MatrixElement : uint8_t {
  F32,
  XF32,
  F16,
  BF16,
  Fp8Fnuz, ///< E4M3FNUZ, gfx942
  Bf8Fnuz, ///< E5M2FNUZ, gfx942
  Fp8,     ///< OCP E4M3FN, gfx950
  Bf8,     ///< OCP E5M2, gfx950
  Fp6,     ///< E2M3
  Bf6,     ///< E3M2
  Fp4,     ///< E2M1
  I8,
};

/// Bits of one element.
constexpr unsigned elementBits(MatrixElement type) {
  switch (type) {
  case MatrixElement::F32:
  case MatrixElement::XF32:
    return 32;
  case MatrixElement::F16:
  case MatrixElement::BF16:
    return 16;
  case MatrixElement::Fp6:
  case MatrixElement::Bf6:
    return 6;
  case MatrixElement::Fp4:
    return 4;
  default:
    return 8;
  }
}

/// Spreads \p count elements a lane from the registers at \p registers into
/// out[element * 64 + lane].
void unpackMatrixOperand(MatrixElement type, const uint32_t *registers,
                         unsigned count, float *out);

using UnpackFn = void (*)(MatrixElement type, const uint32_t *registers,
                          unsigned count, float *out);
/// The loops of unpackMatrixOperand at a level that the host has.
UnpackFn unpackAt(VectorLevel level);

/// Copies \p count registers with the lane pattern of BLGP: 0 none, 1 and 2
/// broadcast a half wave, 3 rotates left by 16 lanes, 4..7 broadcast 16 lanes
/// [AMD].
void permuteLaneGroups(unsigned pattern, const uint32_t *registers,
                       unsigned count, uint32_t *out);

/// Puts the C operand where D lies: a register tuple (which may overlap D) or a
/// constant in every lane. The executor accumulates there.
void moveAccumulator(const isa::Instruction &inst, WaveState &wave,
                     unsigned registerCount);

} // namespace fly::sim

#endif // FLY_SIM_EXEC_MFMAOPERANDS_H
