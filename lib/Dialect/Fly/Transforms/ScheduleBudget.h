//===- ScheduleBudget.h - Refusals of what a chip cannot hold ---*- C++ -*-===//
//
// Errors for budgets (fly/Plan/Budget.h) that exceed the chip.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEBUDGET_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEBUDGET_H

#include "fly/Plan/Budget.h"

#include "mlir/IR/Operation.h"

namespace fly {

using plan::Budget;
using plan::BudgetMember;
using plan::registerLimit;

/// An error at `kernel` where the bytes exceed the chip's LDS (the limit is
/// inclusive), with a note for each member and one with `fix`.
mlir::LogicalResult checkLdsBudget(mlir::Operation *kernel,
                                   const arch::ArchInfo &chip,
                                   const Budget &budget, llvm::StringRef fix);

/// The same for the registers of a lane.
mlir::LogicalResult checkRegisterBudget(mlir::Operation *kernel,
                                        const arch::ArchInfo &chip,
                                        unsigned wavesPerSimd,
                                        const Budget &budget,
                                        llvm::StringRef fix);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEBUDGET_H
