//===- ValuField.h - Results narrower than a register -----------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions to 8 bits and less write a byte or a word that op_sel names and
// preserve the rest of the register.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUFIELD_H
#define FLY_SIM_EXEC_VALUFIELD_H

#include "fly/Sim/WaveState.h"

namespace fly::sim {

/// Byte that op_sel bits 3:2 name, as a bit offset.
inline unsigned destinationByte(const isa::Instruction &inst) {
  return 8 * ((inst.opSel >> 2) & 3);
}
/// Word that op_sel bit 3 names, as a bit offset.
inline unsigned destinationWord(const isa::Instruction &inst) {
  return 16 * ((inst.opSel >> 3) & 1);
}
/// Byte that op_sel bits 1:0 name, as a bit offset. The low bit of the number
/// is op_sel[0], as in the pseudocode [AMD: CDNA4 ISA, V_CVT_SCALEF32_F32_FP8].
inline unsigned sourceByte(const isa::Instruction &inst) {
  return 8 * (inst.opSel & 3);
}
/// Word that op_sel bit 0 names, as a bit offset.
inline unsigned sourceWord(const isa::Instruction &inst) {
  return 16 * (inst.opSel & 1);
}

/// Writes `width` bits at `shift` in the active lanes.
inline void writeField(const isa::Instruction &inst, WaveState &wave,
                       const LaneBuffer &values, unsigned shift,
                       unsigned width) {
  uint32_t field = (width < 32 ? (1u << width) - 1 : ~0u) << shift;
  const uint32_t *old = wave.lanes(inst.dst[0]);
  LaneBuffer merged;
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    merged.lane[lane] =
        (old[lane] & ~field) | ((values.lane[lane] << shift) & field);
  wave.store(inst.dst[0], 0, merged.lane);
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUFIELD_H
