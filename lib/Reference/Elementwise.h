//===- Elementwise.h - arith and math on one element ------------*- C++ -*-===//
//
// Each op of arith and math that works element by element, as a function of
// its operands' elements. The interpreter applies it to scalars and tiles.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_ELEMENTWISE_H
#define FLY_LIB_REFERENCE_ELEMENTWISE_H

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <functional>

namespace fly::reference {

/// An element: the member by the operand's type, and how far the device's
/// element may be from it. The error is 0 for what is exact; of an i1 it is 1
/// where the device may have the other value.
struct Element {
  union {
    double f;
    int64_t i;
  };
  double error = 0;
};

/// The op on one element of each operand. Sets `fault` to what went wrong
/// (division by zero), leaves it alone otherwise.
using ElementFn =
    std::function<Element(const Element *operands, const char *&fault)>;

/// The function of an op with one result, null for an op that is not
/// elementwise arithmetic known here. The result is wrapped to the op's element
/// type, or rounded to it where the device's is certain (Rounding.h).
ElementFn lookupElementwise(mlir::Operation *op);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ELEMENTWISE_H
