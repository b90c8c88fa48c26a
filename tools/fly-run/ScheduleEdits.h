//===- ScheduleEdits.h - edits that may buy what a what-if frees -*- C++ -*-==//
//
// What problem: a what-if says what conflicts, misses, barriers, waits and
// addresses cost, and not what to write to get at it.
// What idea: the schedule that the compiler completed says where each label
// stands; an edit is the next step from there, as --schedule takes it.
// What it does not promise: that an edit is legal for the tile, or that it
// gains anything. TimedEdits.cpp compiles and times them.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H
#define FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H

#include "fly/Sim/Timing.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <string>
#include <vector>

namespace fly::tools {

/// For each resource the entries of a schedule ("a.stages=3,b.stages=3") that
/// may get at it. The first one changes most; those behind it are for kernels
/// that it does not fit.
using ScheduleEdits =
    std::array<std::vector<std::string>, sim::freeResourceCount>;

/// The edits of a kernel at the tile level, of a module that compiles.
ScheduleEdits findScheduleEdits(mlir::ModuleOp module, llvm::StringRef kernel);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_RUN_SCHEDULEEDITS_H
