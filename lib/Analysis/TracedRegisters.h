//===- TracedRegisters.h - Registers that traced code names -----*- C++ -*-===//
//
// What problem: what profilers record of a dispatch is what it was allotted,
// and compilers pad that. A report that takes it for what the kernel uses tells
// people to save registers that nobody uses.
// What idea: a thread trace has the kernel's instructions as text, and these
// name every register in use.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_ANALYSIS_TRACEDREGISTERS_H
#define FLY_LIB_ANALYSIS_TRACEDREGISTERS_H

#include "fly/Profile/ThreadTrace.h"

namespace fly::analysis {

/// Up to the highest one that an instruction names.
struct NamedRegisters {
  unsigned arch = 0; ///< v0, v1, ...
  unsigned acc = 0;  ///< a0, a1, ...
};

NamedRegisters
findRegisters(llvm::ArrayRef<profile::TracedInstruction> instructions);

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_TRACEDREGISTERS_H
