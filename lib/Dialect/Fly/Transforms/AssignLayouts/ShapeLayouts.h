//===- ShapeLayouts.h - Layouts that make shape ops free --------*- C++ -*-===//
//
// A slice, concatenation or reshape costs nothing where its tiles lie so in the
// lanes that each lane has what its result needs. This finds such layouts.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_SHAPELAYOUTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_SHAPELAYOUTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// One tile of a shape op, an operand or the result.
struct ShapeSide {
  mlir::Value tile;
  /// The layout that it has; null where it may be chosen.
  mlir::Attribute fixed;
  /// The layout that it would have by itself.
  mlir::Attribute own;
};

/// Finds layouts for all tiles of `op`, the operands before the result, so that
/// nothing moves between the lanes of `threads` threads. None where there are
/// no such layouts, or none is found. `accepts` says whether a tile may have a
/// layout in the place of its own.
std::optional<llvm::SmallVector<mlir::Attribute>>
findFreeLayouts(mlir::Operation *op, llvm::ArrayRef<ShapeSide> sides,
                int64_t threads,
                llvm::function_ref<bool(mlir::Value, mlir::Attribute)> accepts);

/// Truth values have no place in memory: has `op` work on bytes where it moves
/// them between lanes. Tiles have layouts.
void moveTruthAsBytes(mlir::Operation *op, int64_t threads);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_SHAPELAYOUTS_H
