//===- ScheduleBudget.cpp - Refusals of what a chip cannot hold -----------===//
//
// Messages; all limits come from the chip table.
//
//===----------------------------------------------------------------------===//
#include "ScheduleBudget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fly;

static StringRef getName(Operation *kernel) {
  auto name = SymbolTable::getSymbolName(kernel);
  return name ? name.getValue() : StringRef();
}

static void attachMembers(InFlightDiagnostic &diag, const Budget &budget,
                          StringRef fix) {
  for (const BudgetMember &member : budget.members) {
    // What another order avoids is not why the limit is exceeded.
    if (member.isAvoidable)
      continue;
    diag.attachNote() << member.text << " = " << member.amount;
  }
  if (!fix.empty())
    diag.attachNote() << "fix: " << fix;
}

LogicalResult fly::checkLdsBudget(Operation *kernel, const arch::ArchInfo &chip,
                                  const Budget &budget, StringRef fix) {
  if (budget.total() <= *chip.lds.bytes)
    return success();
  InFlightDiagnostic diag = kernel->emitOpError()
                            << "LDS buffers of kernel '" << getName(kernel)
                            << "' need " << budget.total() << " bytes on "
                            << chip.name << ", limit is " << *chip.lds.bytes;
  attachMembers(diag, budget, fix);
  return diag;
}

LogicalResult fly::checkRegisterBudget(Operation *kernel,
                                       const arch::ArchInfo &chip,
                                       unsigned wavesPerSimd,
                                       const Budget &budget, StringRef fix) {
  unsigned limit = registerLimit(chip, wavesPerSimd);
  if (budget.least() <= limit)
    return success();
  InFlightDiagnostic diag =
      kernel->emitOpError()
      << "kernel '" << getName(kernel) << "' needs an estimated "
      << budget.least() << " vector registers a lane, limit is " << limit
      << " on " << chip.name << " with " << wavesPerSimd << " wave"
      << (wavesPerSimd == 1 ? "" : "s") << " a SIMD";
  attachMembers(diag, budget, fix);
  return diag;
}
