//===- ProgramOps.h - What functions with fly.program are -------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_IR_PROGRAMOPS_H
#define FLY_LIB_DIALECT_FLY_IR_PROGRAMOPS_H

#include "mlir/IR/Operation.h"

namespace fly::detail {

/// Emits an error unless `op`, which has the attribute `fly.program`, is a
/// program: a function at the top level whose body launches kernels.
mlir::LogicalResult verifyProgram(mlir::Operation *op,
                                  mlir::Attribute attribute);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_PROGRAMOPS_H
