//===- VmemLookup.h - parts of the vector memory unit -----------*- C++ -*-===//

#ifndef FLY_LIB_SIM_EXEC_VMEMLOOKUP_H
#define FLY_LIB_SIM_EXEC_VMEMLOOKUP_H

#include "fly/Sim/Executors.h"

namespace fly::sim {

/// buffer_*
ExecFn lookupBuffer(const isa::Instruction &inst, ChipKind chip);
/// global_load_lds_*
ExecFn lookupGlobalToLds(const isa::Instruction &inst);

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_VMEMLOOKUP_H
