//===- IntTuple.h - Nested tuples of integers -------------------*- C++ -*-===//
//
// Shapes, strides and coordinates are the same thing: an integer, or a tuple of
// such things, as in ((2,?M),3). A leaf behaves as a tuple whose only mode is
// itself, so that code over modes needs no case for it.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_INTTUPLE_H
#define FLY_LAYOUT_INTTUPLE_H

#include "fly/Layout/Int.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>

namespace fly::layout {

/// An integer or a tuple, never empty, of IntTuples.
class IntTuple {
public:
  IntTuple(Int leaf) : value(std::move(leaf)) {}
  IntTuple(int64_t leaf) : value(leaf) {}

  /// The tuple of `elements`, of which there is at least one. One element makes
  /// a tuple of rank 1, which is not its element.
  static IntTuple tuple(std::vector<IntTuple> elements) {
    assert(!elements.empty() && "tuples have elements");
    IntTuple result(0);
    result.elements = std::move(elements);
    return result;
  }

  bool isLeaf() const { return elements.empty(); }
  /// The integer of a leaf.
  const Int &leaf() const {
    assert(isLeaf() && "tuples have no value");
    return value;
  }
  /// Number of modes; 1 for a leaf.
  unsigned rank() const { return isLeaf() ? 1 : elements.size(); }
  /// A mode; the leaf itself for a leaf.
  const IntTuple &mode(unsigned index) const {
    assert(index < rank() && "no such mode");
    return isLeaf() ? *this : elements[index];
  }
  /// Levels of nesting; 0 for a leaf.
  unsigned depth() const;

  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }

  /// The leaves, left to right.
  llvm::SmallVector<Int> leaves() const;
  /// Whether every leaf is static.
  bool isStatic() const;

  /// The text form, as in "((2,?M),3)".
  std::string str() const;
  /// The tuple with every unknown value replaced by its binding.
  llvm::Expected<IntTuple> bind(Bindings bindings) const;

private:
  std::vector<IntTuple> elements; // empty for a leaf
  Int value;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const IntTuple &tuple) {
  return os << tuple.str();
}

/// Whether both nest alike, whatever their integers are.
bool congruent(const IntTuple &a, const IntTuple &b);

/// Whether `coordinate` names elements of `shape`: both nest alike, except that
/// an integer may stand for a whole tuple of the shape.
bool weaklyCongruent(const IntTuple &coordinate, const IntTuple &shape);

/// The product of the leaves; an error on overflow.
llvm::Expected<Int> product(const IntTuple &tuple);

} // namespace fly::layout

#endif // FLY_LAYOUT_INTTUPLE_H
