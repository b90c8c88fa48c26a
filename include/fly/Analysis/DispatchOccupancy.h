//===- DispatchOccupancy.h - Occupancy of what a profiler saw ---*- C++ -*-===//
//
// Kernel traces and databases say what each dispatch was allotted: registers,
// LDS with its dynamic part, the workgroup. Each different kernel and allotment
// is reported on once, so that memory does not grow with the dispatches.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_DISPATCHOCCUPANCY_H
#define FLY_ANALYSIS_DISPATCHOCCUPANCY_H

#include "fly/Analysis/OccupancyReport.h"

namespace fly::analysis {

/// True for kernel traces and rocpd databases, by what they hold.
bool holdsDispatches(llvm::StringRef path);

/// The occupancy of the dispatches of \p kernel (empty: of all kernels), in the
/// order in which they first occur. \p chip is for files that name none.
/// Errors: those of the readers, dispatches without resources, a chip that is
/// missing or unknown, a kernel that does not occur.
llvm::Expected<std::vector<OccupancyReport>>
reportDispatches(llvm::StringRef path, llvm::StringRef chip,
                 llvm::StringRef kernel);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_DISPATCHOCCUPANCY_H
