//===- LoopReport.h - Counts of the hot loop --------------------*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_LOOPREPORT_H
#define FLY_LIB_REPORTS_LOOPREPORT_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Reports/IsaReport.h"

namespace fly::reports {

/// The hot loop among instructions of one kernel, in address order; none where
/// no loop has a matrix instruction. \p wavesInStep are those of a workgroup
/// that share a SIMD.
std::optional<LoopReport>
findHotLoop(llvm::ArrayRef<isa::Instruction> instructions,
            const arch::ArchInfo &arch, unsigned wavesInStep);

/// Cycles that a matrix instruction keeps the matrix unit.
double matrixCycles(const isa::Instruction &inst, const arch::ArchInfo &arch);

/// Share of the time in which the matrix unit of a SIMD works while so many
/// waves walk the loop in step, 0 to 1. Nothing where the chip's rates are not
/// known, or matrix instructions read what loads from memory bring.
std::optional<double> walkCover(llvm::ArrayRef<isa::Instruction> loop,
                                const arch::ArchInfo &arch, unsigned waves);

/// From the accesses of a loop to the waits for them.
LoopDistances measureDistances(llvm::ArrayRef<isa::Instruction> loop);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_LOOPREPORT_H
