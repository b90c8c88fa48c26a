//===- FlatLayout.h - Lists of leaves, merged and sorted --------*- C++ -*-===//
//
// What the algebra's operations do before their own work: they flatten a
// layout, merge its neighbours, or bring its leaves into the order of strides.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_LAYOUT_FLATLAYOUT_H
#define FLY_LIB_LAYOUT_FLATLAYOUT_H

#include "fly/Layout/Layout.h"

namespace fly::layout {

/// Merges neighbours and drops leaves of extent 1. With `keepLast` the last
/// leaf is kept whatever its extent, since it may count as unbounded; the
/// result then has at least one leaf.
llvm::Expected<llvm::SmallVector<Leaf>>
coalesceLeaves(llvm::ArrayRef<Leaf> leaves, bool keepLast);

/// A leaf, and by how much the flat coordinate grows when its own grows by 1.
struct SortedLeaf {
  Leaf leaf;
  Int coordinateStride;
};

/// The leaves by ascending stride, without those of extent 1 or stride 0.
/// Errors, which begin with `operation` and the layout: negative strides, and
/// strides whose order is not known.
llvm::Expected<llvm::SmallVector<SortedLeaf>>
sortByStride(const Layout &layout, llvm::StringRef operation);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_FLATLAYOUT_H
