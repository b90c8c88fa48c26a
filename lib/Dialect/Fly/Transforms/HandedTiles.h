//===- HandedTiles.h - Tiles that are handed over otherwise -----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_HANDEDTILES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_HANDEDTILES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

namespace fly {

/// Makes a value of `type` of one that is handed over in its place.
using MakeTile = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::Type type, mlir::Value handed)>;

/// Hands `by` over between the stages of pipelines in the place of `tile`; all
/// other uses get what `make` makes of it, next to each use.
void replaceHandedTile(mlir::Value tile, mlir::Value by, MakeTile make);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_HANDEDTILES_H
