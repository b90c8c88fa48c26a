//===- Budget.h - What a schedule costs, member by member -------*- C++ -*-===//
//
// LDS bytes and vector registers that a schedule will need, with what each
// member is and how it was computed. LDS is exact; registers are an estimate
// from tile shapes, since the code generator has the last word.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_BUDGET_H
#define FLY_PLAN_BUDGET_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace fly::plan {

/// Something that takes LDS or registers.
struct BudgetMember {
  /// What and how it was computed: "a: 2 stages * 128x64 * 2 bytes".
  std::string text;
  uint64_t amount;
  /// What another order of the same instructions can do without.
  bool isAvoidable = false;
};

/// Members that share one limit.
struct Budget {
  llvm::SmallVector<BudgetMember> members;

  void add(std::string text, uint64_t amount, bool isAvoidable = false) {
    members.push_back({std::move(text), amount, isAvoidable});
  }
  uint64_t total() const;
  /// The members that every order needs.
  uint64_t least() const;
};

/// Vector registers a lane that a wave may have with that many waves a SIMD.
unsigned registerLimit(const arch::ArchInfo &chip, unsigned wavesPerSimd);

} // namespace fly::plan

#endif // FLY_PLAN_BUDGET_H
