//===- Names.h - Names of sizes in ops and types ----------------*- C++ -*-===//
//
// Where the source has a name in place of a number: extents of tiles
// (`#fly.tile<BM, BN>`), bounds, steps, extents, strides and coordinates of
// ops, `fly.size`. This is the one list of those places; fly-instantiate
// checks and replaces through it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_NAMES_H
#define FLY_DIALECT_FLY_IR_NAMES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace fly {

/// Whether `op`, an op in it or a helper that it calls has a tile (a ranked
/// tensor) as operand, result or block argument: the code is at tile level, not
/// yet distributed to lanes.
bool hasTiles(mlir::Operation *op);

/// Calls `visit` with each name in `op` itself (not in nested ops): in its
/// lists, in the types of its results and of its regions' arguments.
void forEachName(mlir::Operation *op,
                 llvm::function_ref<void(mlir::StringAttr)> visit);

/// The tile with numbers for names; `lookup` must know every name. Types
/// without names are returned as they are.
mlir::RankedTensorType
replaceNames(mlir::RankedTensorType type,
             llvm::function_ref<int64_t(mlir::StringAttr)> lookup);

/// Replaces the names in the lists of `op` (not in types); returns how many.
unsigned replaceNames(mlir::Operation *op,
                      llvm::function_ref<int64_t(mlir::StringAttr)> lookup);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_NAMES_H
