//===- LdsLookup.h - parts of the LDS unit ----------------------*- C++ -*-===//

#ifndef FLY_LIB_SIM_EXEC_LDSLOOKUP_H
#define FLY_LIB_SIM_EXEC_LDSLOOKUP_H

#include "fly/Sim/Executors.h"

namespace fly::sim {

/// Permutes, swizzles and transposing reads.
ExecFn lookupLdsCrossLane(const isa::Instruction &inst);

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_LDSLOOKUP_H
