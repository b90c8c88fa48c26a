//===- Coordinates.h - Coordinates to indices, and back ---------*- C++ -*-===//
//
// Every element of a shape has coordinates of several forms: for ((2,3),4) the
// element 7 is also (1,1) and ((1,0),1). These functions go from any form to
// any other, and from any form to the index. Coordinates outside of the shape
// are errors.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_COORDINATES_H
#define FLY_LAYOUT_COORDINATES_H

#include "fly/Layout/Layout.h"

namespace fly::layout {

/// The index of `coordinate`, which is static and of any form that names
/// elements of the layout's shape. Extents and strides may be unknown where
/// they do not matter: the stride where the coordinate is 0, the extent of the
/// last leaf that an integer reaches (which is then not checked).
llvm::Expected<int64_t> crd2idx(const IntTuple &coordinate,
                                const Layout &layout);

/// The coordinate number `flat` of `shape`, the first mode fastest, in the full
/// form: nested like the shape.
llvm::Expected<IntTuple> idx2crd(int64_t flat, const IntTuple &shape);

/// The number of an element of `shape` from a coordinate of any form.
llvm::Expected<int64_t> flatten(const IntTuple &coordinate,
                                const IntTuple &shape);

/// A part of a layout, and where it starts.
struct Slice {
  int64_t offset; ///< index of the part's first element
  Layout layout;  ///< of the modes that were kept; 1:0 if none
};

/// The part of the layout where mode i is at `coordinates[i]`; modes without a
/// coordinate are kept. One entry a mode.
llvm::Expected<Slice>
slice(const Layout &layout,
      llvm::ArrayRef<std::optional<IntTuple>> coordinates);

} // namespace fly::layout

#endif // FLY_LAYOUT_COORDINATES_H
