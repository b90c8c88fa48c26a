//===- TileFlow.h - Where tiles come from and go to -------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEFLOW_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEFLOW_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// The type of a value that is a tile, or null.
inline mlir::RankedTensorType tileType(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

/// Whether `op` loads a tile: fly.load or fly.gather. It may be null.
bool isTileLoad(mlir::Operation *op);

/// The load that makes `tile`, also through the hand-over of a pipeline; null
/// if the tile is computed.
mlir::Operation *findLoad(mlir::Value tile);

/// Whether every use of `tile`, also behind the hand-over of a pipeline, is a
/// factor of a dot.
bool isTakenByDots(mlir::Value tile);

/// The stores of `tile` and of what is computed of it element by element
/// (fly.store, fly.scatter, fly.atomic), through loops, the nearest first.
llvm::SmallVector<mlir::Operation *> findStores(mlir::Value tile);

/// The type of the view that a load, store, gather, scatter or atomic moves a
/// tile from or to; null of other ops.
ViewType getMovedView(mlir::Operation *move);

/// Whether `op` computes each element of its tile from the same element of its
/// operands.
bool isElementwise(mlir::Operation *op);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_TILEFLOW_H
