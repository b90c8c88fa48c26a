//===- MathFunctions.h - Functions of floats, by name -----------*- C++ -*-===//
//
// The functions of the math dialect, of fly.activate and of fly.map, in wide
// precision and with error bounds: how far the device's function is from the
// exact value (Support/MathTable.h), and what an error of the argument does.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_MATHFUNCTIONS_H
#define FLY_LIB_REFERENCE_MATHFUNCTIONS_H

#include "fly/Support/ElementType.h"

#include "llvm/ADT/StringRef.h"

#include "Rounding.h"

namespace fly::reference {

/// The function that math, fly.activate or arith calls `name` ("exp", "silu",
/// "powf", "divf", "absf"), null for one that is not known.
ElementFn makeFloatFunction(llvm::StringRef name, ElementType type,
                            bool isApproximate, Order order = Order::Fixed);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_MATHFUNCTIONS_H
