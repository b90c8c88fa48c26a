//===- DotBound.h - Error bounds of matrix products -------------*- C++ -*-===//
//
// The matrix unit adds the products in an order of its own, in f32. Products
// of integers below 2^24 are exact in any order, and that is seen without a
// second product: from the lowest bits of the operands and the norms of their
// rows. Else the bound of a sum is by its number of terms and the norms, which
// bound the sum of the products' magnitudes (Cauchy and Schwarz).
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_DOTBOUND_H
#define FLY_LIB_REFERENCE_DOTBOUND_H

#include "RuntimeValue.h"

namespace fly::reference {

/// Sets the errors of `result` = acc[m, n] + the sum over k of a[m, k] b[n, k],
/// of float type `type`.
void boundDot(ElementType type, const Tile &a, const Tile &b, const Tile &acc,
              Tile &result);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_DOTBOUND_H
