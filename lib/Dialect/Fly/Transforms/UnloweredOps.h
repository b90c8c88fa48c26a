//===- UnloweredOps.h - Forms of ops that no pass lowers --------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_UNLOWEREDOPS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_UNLOWEREDOPS_H

#include "mlir/IR/Operation.h"

namespace fly {

/// An error where no pass lowers `op` in this form.
mlir::LogicalResult checkIsLowered(mlir::Operation *op);

/// The same for each op in `root`; one error for the first.
mlir::LogicalResult checkAreLowered(mlir::Operation *root);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_UNLOWEREDOPS_H
