//===- Recast.h - The same bytes as elements of another width ---*- C++ -*-===//
//
// A layout counts elements. Seen as elements of another width the same bytes
// have another layout: N narrow elements become one wide one, or one wide
// element N narrow ones. Which coordinates merge or split is decided by the
// strides: those of stride 1 and up, below N.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_RECAST_H
#define FLY_LAYOUT_RECAST_H

#include "fly/Layout/Layout.h"

namespace fly::layout {

/// The layout of elements `count` times as wide. Each wide element has to be
/// there as a whole: the leaves of strides below `count` have to fill it, and
/// all other strides are multiples of it. A leaf extent:stride of the former
/// becomes (extent * stride / count):1, or 1:1 where it lies within one wide
/// element.
llvm::Expected<Layout> upcast(const Layout &layout, int64_t count);

/// The layout of elements that `count` make one of. The first leaf whose
/// stride is known to be 1, which there has to be, gets `count` times as long.
llvm::Expected<Layout> downcast(const Layout &layout, int64_t count);

/// The layout of elements of `toBits` bits, of a layout of elements of
/// `fromBits`: a downcast to what both are made of, and an upcast.
llvm::Expected<Layout> recast(const Layout &layout, int64_t fromBits,
                              int64_t toBits);

} // namespace fly::layout

#endif // FLY_LAYOUT_RECAST_H
