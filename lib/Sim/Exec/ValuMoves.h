//===- ValuMoves.h - Lanes and bits that move on their way ------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What problem: DPP, SDWA and op_sel cost more than the arithmetic where they
// go lane by lane.
// What idea: a source is shuffled into a buffer, row by row of 16 lanes, bits
// move as the arithmetic of ValuWide.h reads them, and the result goes to its
// bits of the destination under a mask of lanes. Masks are computed on all
// lanes at once, as bits.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUMOVES_H
#define FLY_SIM_EXEC_VALUMOVES_H

#include "ValuOperands.h"
#include "VectorLevel.h"

namespace fly::sim {

/// Lanes that DPP control \p ctrl gives a source that exists and is in \p exec.
uint64_t dppValidLanes(unsigned ctrl, uint64_t exec);

/// The lanes of the rows and banks (4 lanes of each row) that two masks of four
/// bits name.
constexpr uint64_t dppEnabledLanes(unsigned rowMask, unsigned bankMask) {
  uint64_t rows = rowMask, banks = bankMask;
  uint64_t row = (rows & 1) | (rows & 2) << 15 | (rows & 4) << 30 |
                 (rows & 8) << 45; // The first lane of each.
  uint64_t bank =
      (banks & 1) | (banks & 2) << 3 | (banks & 4) << 6 | (banks & 8) << 9;
  return row * 0xFFFF & bank * 0xF * 0x0001000100010001u;
}

/// Where the bits of a result go in a lane of the destination.
struct BitPlacement {
  uint32_t keep = 0;    ///< Bits of the old value that stay.
  uint32_t field = ~0u; ///< Bits of the result that count.
  unsigned shift = 0;   ///< To the left.
  uint32_t sign = 0;    ///< The bit of the result that `above` repeats.
  uint32_t above = 0;
  bool isWhole() const { return field == ~0u; }
  uint32_t place(uint32_t old, uint32_t value) const {
    return (old & keep) | (value & field) << shift |
           ((value & sign) != 0 ? above : 0);
  }
};

/// Of a 32-bit result, or of a 16-bit one that preserves the other half or not.
BitPlacement placementOf(const isa::Instruction &inst, bool isHalfResult,
                         bool preserve);

/// Moves of lanes, compiled for a level.
template <VectorLevel Level>
struct LaneMoves {
  /// One dword of the first source with the lanes that DPP names, 0 where there
  /// is none. `from` may lie in the buffer.
  static void permute(const isa::Instruction &inst, WaveState &wave,
                      const uint32_t *from, LaneBuffer &buffer);
};
template <>
void LaneMoves<VectorLevel::Avx2>::permute(const isa::Instruction &,
                                           WaveState &, const uint32_t *,
                                           LaneBuffer &);
template <>
void LaneMoves<VectorLevel::Avx512>::permute(const isa::Instruction &,
                                             WaveState &, const uint32_t *,
                                             LaneBuffer &);

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUMOVES_H
