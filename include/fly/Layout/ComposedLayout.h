//===- ComposedLayout.h - Swizzles and offsets over layouts -----*- C++ -*-===//
//
// Not every composition is a layout. A swizzled buffer, or a layout that is
// read from an offset on, stays a chain of functions:
//
//   S<3,4,3> o 0 o (8,64):(64,1)
//
// maps a coordinate by the inner layout, adds the offset, and applies the outer
// swizzle or layout. What works on coordinates (division, slices, coalescing)
// works on the inner layout; the rest of the chain stays.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_COMPOSEDLAYOUT_H
#define FLY_LAYOUT_COMPOSEDLAYOUT_H

#include "fly/Layout/Swizzle.h"
#include "fly/Layout/Tiler.h"

#include <variant>

namespace fly::layout {

/// outer o offset o inner.
class ComposedLayout {
public:
  using Outer = std::variant<Swizzle, Layout>;

  ComposedLayout(Outer outer, int64_t offset, Layout inner)
      : outerFunction(std::move(outer)), offsetOfInner(offset),
        innerLayout(std::move(inner)) {}

  const Outer &outer() const { return outerFunction; }
  /// Added to the indices of the inner layout.
  int64_t offset() const { return offsetOfInner; }
  const Layout &inner() const { return innerLayout; }
  /// Number of coordinates.
  const Int &size() const { return innerLayout.size(); }

  /// The same chain over another inner layout.
  ComposedLayout withInner(Layout layout) const {
    return ComposedLayout(outerFunction, offsetOfInner, std::move(layout));
  }

  bool operator==(const ComposedLayout &other) const {
    return outerFunction == other.outerFunction &&
           offsetOfInner == other.offsetOfInner &&
           innerLayout == other.innerLayout;
  }

  /// The text form, see above.
  std::string str() const;

private:
  Outer outerFunction;
  int64_t offsetOfInner;
  Layout innerLayout;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const ComposedLayout &layout) {
  return os << layout.str();
}

/// The index of a coordinate of any form. What reaches the outer function has
/// to be at least 0; an outer layout counts as unbounded in its last leaf.
llvm::Expected<int64_t> crd2idx(const IntTuple &coordinate,
                                const ComposedLayout &layout);

/// The elements that a buffer for the layout must have: no index reaches this
/// number. A swizzle permutes within blocks, so that the last block counts
/// whole. The outer function is a swizzle, the inner strides are at least 0.
llvm::Expected<int64_t> cosize(const ComposedLayout &layout);

/// swizzle o 0 o layout.
ComposedLayout composition(const Swizzle &swizzle, const Layout &layout);
/// R(c) = outer(inner(c)): composes the inner layout.
llvm::Expected<ComposedLayout> composition(const ComposedLayout &outer,
                                           const Tiler &inner);
/// R(c) = outer(inner(c)), as long as an outer layout of `inner` is not left at
/// its end. An outer layout passes a swizzle if it is one mode
/// whose stride is a power of two, which moves the swizzle's bits up.
llvm::Expected<ComposedLayout> composition(const Layout &outer,
                                           const ComposedLayout &inner);

/// The division of the inner layout; likewise the arrangements of Divide.h by
/// `withInner`.
llvm::Expected<ComposedLayout> logicalDivide(const ComposedLayout &layout,
                                             const Tiler &tiler);

/// The same bytes as elements of another width. The outer function is a
/// swizzle, and the offset starts a whole element.
llvm::Expected<ComposedLayout> recast(const ComposedLayout &layout,
                                      int64_t fromBits, int64_t toBits);

} // namespace fly::layout

#endif // FLY_LAYOUT_COMPOSEDLAYOUT_H
