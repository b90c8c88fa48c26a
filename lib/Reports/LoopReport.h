//===- LoopReport.h - Counts of the hot loop --------------------*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_LOOPREPORT_H
#define FLY_LIB_REPORTS_LOOPREPORT_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Reports/IsaReport.h"

namespace fly::reports {

/// The hot loop among instructions of one kernel, in address order; none where
/// no loop has a matrix instruction.
std::optional<LoopReport>
findHotLoop(llvm::ArrayRef<isa::Instruction> instructions,
            const arch::ArchInfo &arch);

/// From the accesses of a loop to the waits for them.
LoopDistances measureDistances(llvm::ArrayRef<isa::Instruction> loop);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_LOOPREPORT_H
