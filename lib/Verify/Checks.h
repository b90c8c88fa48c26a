//===- Checks.h - The checks of one kernel ----------------------*- C++ -*-===//
#ifndef FLY_LIB_VERIFY_CHECKS_H
#define FLY_LIB_VERIFY_CHECKS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/ControlFlow.h"
#include "fly/Verify/Verify.h"

namespace fly::verify {

class Uniformity;
struct StaggerVerdict;

/// What the checks of a kernel share.
struct KernelCode {
  const isa::Kernel &kernel;
  const arch::ArchInfo &arch;
  const isa::ControlFlow &flow;

  llvm::ArrayRef<isa::Instruction> instructions() const {
    return flow.instructions();
  }
  Place place(size_t index) const {
    const isa::Instruction &inst = instructions()[index];
    return {inst.pc, inst.text.str(), ""};
  }
};

/// What a check found. Findings violate the rule, notes leave it open.
struct CheckResult {
  std::vector<Finding> findings, notes;
};

CheckResult checkWaits(const KernelCode &code);
CheckResult checkHazards(const KernelCode &code);
/// `stagger` is what checkLdsOrder() found.
CheckResult checkBarriers(const KernelCode &code, const Uniformity &uniformity,
                          const StaggerVerdict &stagger);
CheckResult checkLdsOrder(const KernelCode &code, const Uniformity &uniformity,
                          StaggerVerdict &stagger);

KernelFacts collectFacts(const KernelCode &code);

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_CHECKS_H
