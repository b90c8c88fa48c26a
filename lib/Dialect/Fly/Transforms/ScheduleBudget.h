//===- ScheduleBudget.h - What a schedule costs on a chip -------*- C++ -*-===//
//
// LDS bytes and vector registers that a schedule will need, member by member,
// and the check against the chip. LDS is exact; registers are an estimate from
// tile shapes, since the code generator has the last word.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEBUDGET_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEBUDGET_H

#include "fly/Arch/ArchInfo.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace fly {

/// Something that takes LDS or registers.
struct BudgetMember {
  /// What and how it was computed: "a: 2 stages * 128x64 * 2 bytes".
  std::string text;
  uint64_t amount;
};

/// Members that share one limit.
struct Budget {
  llvm::SmallVector<BudgetMember> members;

  void add(std::string text, uint64_t amount) {
    members.push_back({std::move(text), amount});
  }
  uint64_t total() const;
};

/// Vector registers a lane that a wave may have with that many waves a SIMD.
unsigned registerLimit(const arch::ArchInfo &chip, unsigned wavesPerSimd);

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
