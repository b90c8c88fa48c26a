//===- Executors.h - one lookup per execution unit --------------*- C++ -*-===//
//
// Binds decoded instructions to the functions that execute them. Each unit has
// a table inside its own file; a lookup returns null for an instruction, or a
// combination of modifiers, that the unit does not implement. The loader asks
// once per static instruction and binds a faulting executor when all say null.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXECUTORS_H
#define FLY_SIM_EXECUTORS_H

#include "fly/Sim/WaveState.h"

namespace fly::sim {

/// The chip of the code object, where the meaning of an instruction differs
/// (FNUZ against OCP fp8, LDS size).
enum class ChipKind : uint8_t { Gfx942, Gfx950 };

/// Vector arithmetic: VOP1, VOP2, VOPC, VOP3, VOP3P, with DPP and SDWA.
ExecFn lookupValu(const isa::Instruction &inst, ChipKind chip);
/// Matrix instructions and v_accvgpr_{read,write,mov}.
ExecFn lookupMfma(const isa::Instruction &inst, ChipKind chip);
/// Scalar arithmetic: SOP1, SOP2, SOPK, SOPC.
ExecFn lookupSalu(const isa::Instruction &inst, ChipKind chip);
/// Branches, barriers, waits, messages, end of program.
ExecFn lookupFlow(const isa::Instruction &inst, ChipKind chip);
/// Scalar memory.
ExecFn lookupSmem(const isa::Instruction &inst, ChipKind chip);
/// Flat, global, scratch and buffer memory.
ExecFn lookupVmem(const isa::Instruction &inst, ChipKind chip);
/// Local data share.
ExecFn lookupLds(const isa::Instruction &inst, ChipKind chip);

/// Asks each unit in turn; an executor that faults when none implements it.
ExecFn lookupExecutor(const isa::Instruction &inst, ChipKind chip);
/// That executor.
ExecFn unimplementedExecutor();

} // namespace fly::sim

#endif // FLY_SIM_EXECUTORS_H
