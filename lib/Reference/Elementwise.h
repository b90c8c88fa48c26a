//===- Elementwise.h - arith and math on one element ------------*- C++ -*-===//
//
// Each op of arith and math that works element by element, as a function of
// its operands' elements. The interpreter applies it to scalars and tiles.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_ELEMENTWISE_H
#define FLY_LIB_REFERENCE_ELEMENTWISE_H

#include "fly/Support/ElementType.h"

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

inline Element makeFloat(double value, double error = 0) {
  Element element;
  element.f = value;
  element.error = error;
  return element;
}
inline Element makeInteger(int64_t value, double error = 0) {
  Element element;
  element.i = value;
  element.error = error;
  return element;
}
/// The result of a comparison or of logic on i1.
inline Element makeBit(bool value, bool isUncertain) {
  return makeInteger(value, isUncertain);
}

/// An integer without its sign extension.
inline uint64_t zeroExtend(int64_t value, unsigned bits) {
  return bits >= 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

/// The op on one element of each operand. Sets `fault` to what went wrong
/// (division by zero), leaves it alone otherwise.
using ElementFn =
    std::function<Element(const Element *operands, const char *&fault)>;

/// The function of an op with one result, null for an op that is not
/// elementwise arithmetic known here. The result is wrapped to the op's element
/// type, or rounded to it where the device's is certain (Rounding.h).
ElementFn lookupElementwise(mlir::Operation *op);

/// The same of arithmetic and comparisons on integers.
ElementFn lookupInteger(mlir::Operation *op, ElementType type);

/// What was computed from `count` operands of which one is uncertain may be
/// anything.
Element withoutBound(const Element *operands, unsigned count, Element result);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ELEMENTWISE_H
