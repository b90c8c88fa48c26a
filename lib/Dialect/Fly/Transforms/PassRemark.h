//===- PassRemark.h - How passes say what they did --------------*- C++ -*-===//
//
// Every pass reports through MLIR's remark engine: the category is the pass's
// name, the function the kernel, the name a word from docs/Remarks.md. Without
// an engine in the context nothing is built or printed.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PASSREMARK_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PASSREMARK_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/Twine.h"

namespace fly {

/// Says at `op` that `pass` did something. `pass` and `name` are literals.
void remarkPassed(mlir::Operation *op, llvm::StringLiteral pass,
                  llvm::StringLiteral name, const llvm::Twine &message);

/// Says at `op` that `pass` could not do something, and what would let it.
void remarkMissed(mlir::Operation *op, llvm::StringLiteral pass,
                  llvm::StringLiteral name, const llvm::Twine &message);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PASSREMARK_H
