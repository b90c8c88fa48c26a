//===- CarriedTypes.h - Types of what a loop carries ------------*- C++ -*-===//
//
// A loop's initial values, its iter_args and what it yields are compared in the
// same words by every op that is a loop.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_CARRIEDTYPES_H
#define FLY_LIB_DIALECT_FLY_IR_CARRIEDTYPES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeRange.h"

namespace fly::detail {

/// Emits an error on `op` unless `got` is `expected`; `what` names one of the
/// values, as in "carried value".
mlir::LogicalResult verifyCarriedTypes(mlir::Operation *op,
                                       llvm::StringRef what,
                                       mlir::TypeRange got,
                                       mlir::TypeRange expected);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_CARRIEDTYPES_H
