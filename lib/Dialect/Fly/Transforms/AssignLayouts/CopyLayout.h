//===- CopyLayout.h - Layouts of tiles that move as they lie ----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_COPYLAYOUT_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_COPYLAYOUT_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/BuiltinTypes.h"

#include <array>

namespace fly {

/// What the copy layout of tiles that share one depends on.
struct CopyTraits {
  /// Bits of the narrowest element that moves from or to memory; 0: none does.
  int64_t accessBits = 0;
  /// Bits of the widest such element.
  int64_t widestBits = 0;
  /// Accesses of views that are contiguous along the tile's rows, and of views
  /// that are contiguous along its columns.
  unsigned byRows = 0, byColumns = 0;
  /// Whether tiles are reduced or scanned along each of their dimensions.
  std::array<bool, 2> reducesAlong = {false, false};
  /// Whether no lane may reach beyond the tile in each dimension.
  std::array<bool, 2> evenAlong = {false, false};

  /// Counts a move of `tile` from or to `view`.
  void addAccess(mlir::RankedTensorType tile, ViewType view);
};

/// Rows of threads, each with 16 bytes of what moves: of the tile, or of its
/// transpose where all of it moves along columns.
mlir::Attribute getCopyLayout(mlir::RankedTensorType type,
                              const CopyTraits &traits,
                              const Schedule &schedule);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_COPYLAYOUT_H
