//===- Conversions.h - Where layouts disagree -------------------*- C++ -*-===//
//
// Uses that want a tile in another layout than its class has, and results that
// ops give in another: what assign-layouts found, and the fly.convert_layouts
// that it inserts for them.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_CONVERSIONS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_CONVERSIONS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/MapVector.h"

namespace fly {

/// Inserts conversions into one kernel.
class LayoutConversions {
public:
  /// `threads` of the workgroup.
  explicit LayoutConversions(int64_t threads) : threads(threads) {}

  /// The tile of `use` in `layout`, converted next to the use: what lies in
  /// LDS is read there, piece by piece.
  void convertAtUse(mlir::OpOperand &use, mlir::Attribute layout);
  /// The tile of `use` in `layout`, made again or converted where the tile is
  /// defined: outside of the loops that use it, and once for all uses.
  void convert(mlir::OpOperand &use, mlir::Attribute layout);
  /// Has `result`, of which its op gives `layout`, in that of its class.
  void convertResult(mlir::OpResult result, mlir::Attribute layout);

  /// Conversions inserted, and those of them that move between lanes.
  unsigned numConversions = 0, numMoves = 0;

private:
  mlir::Value remake(mlir::OpBuilder &builder, mlir::Value tile,
                     mlir::Attribute layout);
  mlir::Value createConversion(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value tile, mlir::Attribute layout);

  int64_t threads;
  /// What stands for a tile in another layout, for all uses behind it.
  llvm::MapVector<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> made;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_CONVERSIONS_H
