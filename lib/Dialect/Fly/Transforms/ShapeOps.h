//===- ShapeOps.h - Tiles cut and put together ------------------*- C++ -*-===//
//
// Upstream's slices, concatenation and reshapes of tiles, as a map: which
// element of which operand each element of the result is. Everything that
// compiles them asks here.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SHAPEOPS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SHAPEOPS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <optional>

namespace fly {

/// Whether `op` is one of the ops of upstream's tensor dialect that tiles may
/// be cut and put together with.
bool isShapeOp(mlir::Operation *op);

/// An error at `op`, a shape op, in the forms that cannot be compiled: places
/// that are computed. `resolve` gives a tile its extents as numbers.
mlir::LogicalResult
checkShapeOp(mlir::Operation *op,
             llvm::function_ref<mlir::RankedTensorType(mlir::Type)> resolve);
/// The same for tiles whose extents are numbers.
mlir::LogicalResult checkShapeOp(mlir::Operation *op);

/// An element of an operand.
struct ElementSource {
  unsigned operand = 0;
  llvm::SmallVector<int64_t, 2> at;
};

/// What element `at` of the result of `op`, which was checked, is.
ElementSource getElementSource(mlir::Operation *op, llvm::ArrayRef<int64_t> at);

/// A register of an operand.
struct RegisterSource {
  unsigned operand = 0, number = 0;
};

/// For each register of the result the one that holds its element in the same
/// lane, for all `threads` of a workgroup alike; none where elements move
/// between lanes. Layouts are given for the operands and for the result.
std::optional<llvm::SmallVector<RegisterSource>>
getShapeMoves(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> from,
              mlir::Attribute to, int64_t threads);

/// The same with the layouts that the tiles have; none without layouts.
std::optional<llvm::SmallVector<RegisterSource>>
getShapeMoves(mlir::Operation *op, int64_t threads);

/// Whether all tiles of `op` have layouts of lanes.
bool hasLaneLayouts(mlir::Operation *op);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SHAPEOPS_H
