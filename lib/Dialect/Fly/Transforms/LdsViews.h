//===- LdsViews.h - Views that are not as their field is declared -*- C++ -*-=//
//
// fly-stage-lds lets several tiles use one field of LDS. What it writes as the
// reason of such views (`fly.unchecked`), and what others conclude from it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSVIEWS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSVIEWS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// The bytes are those of another buffer, which is not needed at the time.
inline constexpr llvm::StringLiteral overlaidView = "overlaid";
/// The bytes are those of a tile of other extents.
inline constexpr llvm::StringLiteral reshapedView = "reshaped";

/// Whether the reason of `view` is `reason`.
inline bool isView(LdsFieldOp view, llvm::StringRef reason) {
  auto given =
      view->getAttrOfType<mlir::StringAttr>(FlyDialect::getUncheckedAttrName());
  return given && given.getValue() == reason;
}

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSVIEWS_H
