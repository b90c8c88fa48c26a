//===- KernelFunction.h - gpu.func to llvm.func -----------------*- C++ -*-===//
//
// The last step of the lowering that knows that there is a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_KERNELFUNCTION_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_KERNELFUNCTION_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fly {

/// Replaces the kernel, of `threads` threads a workgroup, by an llvm.func with
/// the same body.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
convertKernelFunction(mlir::gpu::GPUFuncOp kernel, int64_t threads,
                      const mlir::LLVMTypeConverter &converter);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_KERNELFUNCTION_H
