//===- LdsBudget.h - LDS of a kernel, member by member ----------*- C++ -*-===//
//
// Adds up the LDS globals that a kernel reaches and refuses what the chip does
// not have, before LLVM does so without naming members.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_TARGET_LDSBUDGET_H
#define FLY_LIB_TARGET_LDSBUDGET_H

#include "fly/Arch/ArchInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/StringMap.h"

namespace fly::target {

/// Static LDS bytes of each kernel of \p module. On failure the diagnostic
/// names the sum, the limit, the chip, and each member.
mlir::FailureOr<llvm::StringMap<uint64_t>>
checkLdsBudget(mlir::gpu::GPUModuleOp module, const arch::ArchInfo &arch);

} // namespace fly::target

#endif // FLY_LIB_TARGET_LDSBUDGET_H
