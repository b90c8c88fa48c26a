//===- CheckLegal.h - The rules of fly-check-legal --------------*- C++ -*-===//
//
// Each rule looks at one op or one kernel and emits an error if it is broken.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_CHECKLEGAL_CHECKLEGAL_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_CHECKLEGAL_CHECKLEGAL_H

#include "fly/Arch/ArchInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fly {

/// Matrix instructions, 8-bit floats, copies to LDS, intrinsics: what the chip
/// must have. Success for ops that do not depend on it (ChipOps.cpp).
mlir::LogicalResult checkChipOp(mlir::Operation *op,
                                const arch::ArchInfo &chip);

/// Ops of the llvm dialect: what LLVM could not select (LlvmOps.cpp).
mlir::LogicalResult checkLlvmOp(mlir::Operation *op);

/// Barriers stand where all lanes of a wave agree (Barriers.cpp).
mlir::LogicalResult checkBarriers(mlir::gpu::GPUFuncOp kernel);

/// The LDS structs that a kernel allocates fit the chip (Budget.cpp).
mlir::LogicalResult checkLdsBudget(mlir::gpu::GPUFuncOp kernel,
                                   const arch::ArchInfo &chip);

/// Warns where a kernel's registers will not do; an error where they are too
/// few by far (Budget.cpp).
mlir::LogicalResult checkRegisters(mlir::gpu::GPUFuncOp kernel,
                                   const arch::ArchInfo &chip);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_CHECKLEGAL_CHECKLEGAL_H
