//===- TileCopies.h - Tiles made once more in another layout ----*- C++ -*-===//
//
// A tile that is wanted in two layouts can be moved between lanes, or made
// twice. The second is cheaper where little is behind it: numbers that are
// loaded, constants, and what is computed of them element by element. A copy
// stands where the original does, so that it reads the same memory at the same
// time.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECOPIES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECOPIES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <map>

namespace fly {

/// The copies made so far, which users share.
class TileCopies {
public:
  /// `tile`, whose layout is known, in `layout`; null, and nothing is made,
  /// where something behind it can only be moved.
  mlir::Value get(mlir::Value tile, mlir::Attribute layout);

private:
  mlir::Value make(mlir::Value tile, mlir::Attribute layout);

  std::map<std::pair<void *, const void *>, mlir::Value> copies;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_TILECOPIES_H
