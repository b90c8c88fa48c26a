//===- Layout.h - Functions from coordinates to indices ---------*- C++ -*-===//
//
// A layout is a shape and a stride that nest alike, written shape:stride, as in
// ((2,3),3):((57,69),19). It is a function: a coordinate of the shape, times
// the strides, summed, is an index. A coordinate may be given as one integer,
// which counts through the shape with the first mode fastest (colexicographic
// order), or as a tuple, whose parts may be integers again.
//
// Any layout there is has extents of at least 1 and a size and cosize that 64
// bits hold, as far as they are static; so a static layout can be evaluated
// everywhere in its domain without overflow. Strides may be 0 or negative.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_LAYOUT_H
#define FLY_LAYOUT_LAYOUT_H

#include "fly/Layout/IntTuple.h"

namespace fly::layout {

/// One leaf of a layout: `extent` elements at distance `stride`.
struct Leaf {
  Int extent, stride;
};

/// An immutable layout. `mode(i)` of a layout is a layout again; a layout whose
/// shape is an integer is its own only mode.
class Layout {
public:
  /// The layout 1:0, whose only index is 0.
  Layout() : shapeTuple(1), strideTuple(0), total(1) {}

  /// shape:stride. An error if they do not nest alike, an extent is below 1, or
  /// size or cosize overflow.
  static llvm::Expected<Layout> get(IntTuple shape, IntTuple stride);
  /// The layout that counts through `shape` with the first mode fastest
  /// (column-major): shape:(1,s0,s0*s1,...).
  static llvm::Expected<Layout> compact(IntTuple shape);
  /// The layout that counts through `shape` with the last mode fastest.
  static llvm::Expected<Layout> compactRowMajor(IntTuple shape);
  /// The layout whose modes are `modes`, of which there is at least one.
  static llvm::Expected<Layout> fromModes(llvm::ArrayRef<Layout> modes);
  /// The flat layout of `leaves`: 1:0 if there are none, extent:stride if there
  /// is one, else a tuple.
  static llvm::Expected<Layout> fromLeaves(llvm::ArrayRef<Leaf> leaves);

  const IntTuple &shape() const { return shapeTuple; }
  const IntTuple &stride() const { return strideTuple; }
  /// Number of modes; 1 for a leaf.
  unsigned rank() const { return shapeTuple.rank(); }
  /// Levels of nesting; 0 for a leaf.
  unsigned depth() const { return shapeTuple.depth(); }
  bool isLeaf() const { return shapeTuple.isLeaf(); }
  Layout mode(unsigned index) const;
  /// The modes; the layout itself for a leaf.
  llvm::SmallVector<Layout, 4> modes() const;
  /// The leaves, left to right.
  llvm::SmallVector<Leaf> leaves() const;
  /// Number of coordinates: the product of the extents.
  const Int &size() const { return total; }
  /// Whether all extents and strides are known.
  bool isStatic() const {
    return shapeTuple.isStatic() && strideTuple.isStatic();
  }

  /// The index of a flat coordinate. The layout is static, and the coordinate
  /// in [0, size).
  int64_t operator()(int64_t coordinate) const;

  /// Whether both have the same text.
  bool operator==(const Layout &other) const {
    return shapeTuple == other.shapeTuple && strideTuple == other.strideTuple;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }

  /// The text form, as in "((2,3),3):((57,69),19)".
  std::string str() const;
  /// The layout with every unknown value replaced by its binding.
  llvm::Expected<Layout> bind(Bindings bindings) const;

private:
  Layout(IntTuple shape, IntTuple stride, Int total)
      : shapeTuple(std::move(shape)), strideTuple(std::move(stride)),
        total(std::move(total)) {}

  IntTuple shapeTuple, strideTuple;
  Int total;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const Layout &layout) {
  return os << layout.str();
}

/// Number of indices from the least to the greatest, both counted: the elements
/// that a buffer for the layout must have. An error if an unknown value
/// matters.
llvm::Expected<int64_t> cosize(const Layout &layout);

} // namespace fly::layout

#endif // FLY_LAYOUT_LAYOUT_H
