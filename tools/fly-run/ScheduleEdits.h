//===- ScheduleEdits.h - edits that buy what a what-if frees ----*- C++ -*-===//
//
// What problem: a what-if says what conflicts, misses, barriers, waits and
// addresses cost, and not what to write to get at it.
// What idea: the schedule that the compiler completed says where each label
// stands; the edit is the next step from there, as --schedule takes it.
// What it does not promise: that the edit is legal for the tile, or that it
// gains all of what the resource costs.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H
#define FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H

#include "fly/Sim/Timing.h"

#include "mlir/IR/BuiltinOps.h"

namespace fly::tools {

/// One text for each resource, for a kernel at the tile level of a module that
/// compiles; empty where nothing better than sim::scheduleEdit() is known.
sim::ScheduleEdits findScheduleEdits(mlir::ModuleOp module,
                                     llvm::StringRef kernel);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H
