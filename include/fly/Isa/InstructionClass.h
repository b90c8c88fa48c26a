//===- InstructionClass.h - what kind of instruction it is ------*- C++ -*-===//
//
// What problem: reports, the checker of final bytes and the simulator's checks
// ask of an instruction which unit executes it and what it accesses.
// What idea: format and public mnemonic decide, so that the answer is the same
// for code of any compiler.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_INSTRUCTIONCLASS_H
#define FLY_ISA_INSTRUCTIONCLASS_H

#include "fly/Isa/Instruction.h"

namespace fly::isa {

/// A matrix instruction, dense or sparse; not the moves of accumulators.
bool isMfma(const Instruction &inst);
/// A matrix instruction on f64.
bool isDoubleMfma(const Instruction &inst);
/// v_accvgpr_read, _write and _mov.
bool isAccumulatorMove(const Instruction &inst);
/// Executed by the vector unit or the matrix unit.
bool isValu(const Instruction &inst);
/// Executed by the scalar unit; not control (SOPP) and not scalar memory.
bool isSalu(const Instruction &inst);
/// Quarter-rate functions: exp, log, rcp, rsq, sqrt, sin, cos.
bool isTranscendental(const Instruction &inst);
/// v_dot*: several products in one lane.
bool isDot(const Instruction &inst);
/// v_cmpx_*, which write EXEC.
bool isCompareToExec(const Instruction &inst);
/// Buffer, flat, global and scratch instructions.
bool isVectorMemory(const Instruction &inst);
/// A copy from global memory to LDS, without registers.
bool isLdsDma(const Instruction &inst);
/// An instruction that may address LDS or scratch through a generic pointer.
bool isFlat(const Instruction &inst);
/// Reads memory or LDS into registers by its name; atomics do not count.
bool isLoad(const Instruction &inst);
/// Writes registers to memory or LDS by its name; atomics do not count.
bool isStore(const Instruction &inst);
/// A permutation that uses the LDS unit, but none of its memory.
bool isLdsPermutation(const Instruction &inst);
/// Reads M0: copies to LDS, s_movrel, messages, "addtid" and GDS accesses.
bool readsM0(const Instruction &inst);

/// Bytes a lane of one access, by the last part of the mnemonic. For LDS
/// instructions with two addresses, those of one.
unsigned accessBytes(llvm::StringRef mnemonic);

} // namespace fly::isa

#endif // FLY_ISA_INSTRUCTIONCLASS_H
