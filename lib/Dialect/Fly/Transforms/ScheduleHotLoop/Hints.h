//===- Hints.h - Ops that ask LLVM for an order -----------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_HINTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_HINTS_H

#include "fly/Dialect/Fly/IR/HotLoop.h"

#include "mlir/IR/Operation.h"

namespace fly::hotloop {

/// Whether `op` is a hint for LLVM's scheduler.
bool isHint(mlir::Operation *op);

/// Puts a hint for each of the groups in front of `before`.
void placeHints(llvm::ArrayRef<SchedGroup> groups, mlir::Operation *before);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_HINTS_H
