//===- DispatchResources.h - What a recorded dispatch holds -----*- C++ -*-===//
#ifndef FLY_ANALYSIS_DISPATCHRESOURCES_H
#define FLY_ANALYSIS_DISPATCHRESOURCES_H

#include "fly/Arch/Occupancy.h"
#include "fly/Profile/Dispatch.h"

namespace fly::analysis {

/// The resources of a dispatch as a profiler recorded them, for the tables of
/// chips. Errors name what is missing, and what no chip has.
llvm::Expected<arch::KernelResources>
kernelResources(const profile::DispatchResources &held);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_DISPATCHRESOURCES_H
