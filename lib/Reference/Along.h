//===- Along.h - Kinds of combination on elements ---------------*- C++ -*-===//
#ifndef FLY_LIB_REFERENCE_ALONG_H
#define FLY_LIB_REFERENCE_ALONG_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Support/ElementType.h"

#include <limits>

#include "Elementwise.h"

namespace fly::reference {

/// Two elements combined by a kind, integers wrapped to the type.
Element combine(ReduceKind kind, ElementType type, Element a, Element b);

/// The elements of a line combined by a kind, and how far any order of
/// combining them may be from it.
class LineResult {
public:
  LineResult(ReduceKind kind, ElementType type);

  void include(Element next);
  /// Narrow floats are rounded once, from sums in f32.
  Element get() const;

private:
  double sumRounding() const;
  double productBound() const;

  ReduceKind kind;
  ElementType type;
  Element running;
  int64_t count = 0;
  /// The lowest bit of any element so far, and the sum or product of the
  /// magnitudes with their errors.
  int lowest = std::numeric_limits<int>::max();
  double magnitude = 0, largestProduct = 1;
};

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ALONG_H
