//===- LineReport.h - How much of a kernel has a line -----------*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_LINEREPORT_H
#define FLY_LIB_REPORTS_LINEREPORT_H

#include "fly/Isa/LineTable.h"
#include "fly/Reports/IsaReport.h"

namespace fly::reports {

/// Counts the kernel's instructions that have a line; nothing without line
/// tables.
std::optional<LineReport>
countLines(const isa::Kernel &kernel,
           llvm::ArrayRef<isa::Instruction> instructions,
           const isa::LineTable &lines);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_LINEREPORT_H
