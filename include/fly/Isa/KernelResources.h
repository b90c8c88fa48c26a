//===- KernelResources.h - What a kernel needs of a chip --------*- C++ -*-===//
//
// What problem: a code object tells the registers of a kernel twice. The
// metadata say what it uses, the descriptor what the hardware allots to each of
// its waves, which compilers pad. Who reads only one of them gives the wrong
// number of waves, or the wrong reason for it.
// What idea: one function that takes both, for all reports and the simulator.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ISA_KERNELRESOURCES_H
#define FLY_ISA_KERNELRESOURCES_H

#include "fly/Arch/Occupancy.h"
#include "fly/Isa/CodeObject.h"

namespace fly::isa {

/// Registers as used and as allotted, static LDS, and the workgroup's size
/// where the kernel requires one. A launch may add LDS and work items.
arch::KernelResources resourcesOf(const Kernel &kernel,
                                  const CodeObject &object);

} // namespace fly::isa

#endif // FLY_ISA_KERNELRESOURCES_H
