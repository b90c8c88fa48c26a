//===- KernelResources.cpp - What a kernel needs of a chip ----------------===//
#include "fly/Isa/KernelResources.h"

#include <algorithm>

using namespace fly;
using namespace fly::isa;

/// The metadata counts both register files together, with the gap between them;
/// LLVM leaves the architectural count in a symbol.
static unsigned architecturalVgprs(const Kernel &kernel,
                                   const CodeObject &object) {
  for (const Symbol &symbol : object.symbols())
    if (symbol.name == kernel.name + ".num_vgpr")
      return unsigned(symbol.address);
  return kernel.vgprCount - std::min(kernel.vgprCount, kernel.agprCount);
}

arch::KernelResources fly::isa::resourcesOf(const Kernel &kernel,
                                            const CodeObject &object) {
  arch::KernelResources resources;
  resources.archVgprs = architecturalVgprs(kernel, object);
  resources.accVgprs = kernel.agprCount;
  resources.allottedVgprs = kernel.descriptor.totalVectorRegisters();
  resources.sgprs = kernel.sgprCount;
  resources.ldsBytes = kernel.groupSegmentFixedSize;
  resources.workgroupThreads = kernel.requiredWorkgroupSize[0] *
                               kernel.requiredWorkgroupSize[1] *
                               kernel.requiredWorkgroupSize[2];
  return resources;
}
