//===- AddressOnly.h - memory instructions without their data ---*- C++ -*-===//

#ifndef FLY_LIB_SIM_EXEC_ADDRESSONLY_H
#define FLY_LIB_SIM_EXEC_ADDRESSONLY_H

#include "fly/Sim/Executors.h"

namespace fly::sim {

/// Notes the bytes of global memory that a load, a store or a copy to LDS
/// accesses and moves none of them; bytes of neighbours in one note. Faults as
/// the instruction does, not in the same lane. Null for all others.
ExecFn lookupAddressOnly(const isa::Instruction &inst);

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_ADDRESSONLY_H
