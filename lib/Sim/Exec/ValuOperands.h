//===- ValuOperands.h - Operands of vector arithmetic -----------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every vector instruction does before and after its arithmetic: choose
// the lanes (DPP), the bits of a lane (SDWA, op_sel), the sign (neg, abs,
// sext), and write the result where EXEC and DPP allow it, into the bits that
// SDWA or op_sel name. Sources are copied into buffers, so the arithmetic never
// sees aliasing.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUOPERANDS_H
#define FLY_SIM_EXEC_VALUOPERANDS_H

#include "fly/Sim/WaveState.h"

#include <cstdint>

namespace fly::sim {

/// How the modifiers of an operand read its bits.
enum class OperandType : uint8_t {
  Bits32, ///< Integers and raw dwords: no sign modifiers.
  F32,
  Bits16, ///< Low half, or high half by op_sel.
  F16,
  Bits64,
  F64,
};

constexpr bool isWide(OperandType type) {
  return type == OperandType::Bits64 || type == OperandType::F64;
}
constexpr bool isHalf(OperandType type) {
  return type == OperandType::Bits16 || type == OperandType::F16;
}
constexpr bool isFloatType(OperandType type) {
  return type == OperandType::F32 || type == OperandType::F16 ||
         type == OperandType::F64;
}

/// Lanes of source \p index with every modifier of the instruction applied. A
/// 16-bit operand comes in the low half of the lane, the high half zero. Wide
/// operands fill \p high too.
void readSource(const isa::Instruction &inst, WaveState &wave, unsigned index,
                OperandType type, LaneBuffer &low, LaneBuffer &high);

/// The lanes that the instruction writes: EXEC less those that DPP disables.
uint64_t writeMask(const isa::Instruction &inst, WaveState &wave);

/// Writes 32-bit lanes into the bits of the destination that SDWA names.
void writeResult(const isa::Instruction &inst, WaveState &wave,
                 const LaneBuffer &values, unsigned dword = 0);

/// Writes 16-bit lanes. Op_sel bit 3 chooses the high half and preserves the
/// rest; otherwise the high half becomes zero, or stays where \p preserve says
/// that the instruction keeps it.
void writeHalfResult(const isa::Instruction &inst, WaveState &wave,
                     const LaneBuffer &values, bool preserve);

/// The lane that DPP control \p ctrl makes lane \p lane read, or -1.
int dppSourceLane(unsigned ctrl, unsigned lane);

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUOPERANDS_H
