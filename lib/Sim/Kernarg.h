//===- Kernarg.h - the kernel argument segment ------------------*- C++ -*-===//

#ifndef FLY_LIB_SIM_KERNARG_H
#define FLY_LIB_SIM_KERNARG_H

#include "fly/Isa/CodeObject.h"
#include "fly/Sim/Launch.h"

namespace fly::sim {

/// The bytes of the kernarg segment: explicit arguments at their offsets,
/// hidden ones by their kind.
llvm::Expected<std::vector<uint8_t>> buildKernarg(const isa::Kernel &kernel,
                                                  const LaunchParams &params,
                                                  uint64_t queueAddress);

/// The 64-byte kernel dispatch packet of AQL, as the kernel may read it.
std::vector<uint8_t> buildDispatchPacket(const isa::Kernel &kernel,
                                         const LaunchParams &params,
                                         uint64_t kernelObject,
                                         uint64_t kernargAddress);

} // namespace fly::sim

#endif // FLY_LIB_SIM_KERNARG_H
