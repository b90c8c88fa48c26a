//===- LlvmAttributes.h - Attributes for LLVM's function --------*- C++ -*-===//
//
// Passes that decide something for code generation say it as an attribute of
// the function that LLVM compiles.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LLVMATTRIBUTES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LLVMATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace fly {

/// Gives `kernel` the attribute; one of that name that its author wrote stays.
void setLlvmAttribute(mlir::Operation *kernel, llvm::StringRef name,
                      llvm::StringRef value);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LLVMATTRIBUTES_H
