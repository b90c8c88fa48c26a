//===- Elementwise.h - arith and math on one element ------------*- C++ -*-===//
//
// Each op of arith and math that works element by element, as a function of
// its operands' elements. The interpreter applies it to scalars and tiles.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_ELEMENTWISE_H
#define FLY_LIB_REFERENCE_ELEMENTWISE_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <functional>

namespace fly::reference {

/// An element: the member by the operand's type.
union Element {
  double f;
  int64_t i;
};

/// The op on one element of each operand. Sets `fault` to what went wrong
/// (division by zero), leaves it alone otherwise.
using ElementFn =
    std::function<Element(const Element *operands, const char *&fault)>;

/// The function of an op with one result, null for an op that is not
/// elementwise arithmetic known here. The result is rounded, or wrapped, to
/// the op's element type.
ElementFn lookupElementwise(mlir::Operation *op);

/// An activation function; at minus infinity its limit.
double activate(Activation kind, double x);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ELEMENTWISE_H
