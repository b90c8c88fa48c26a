//===- Functions.h - The functions that are measured ------------*- C++ -*-===//
#ifndef FLY_TEST_MATHTABLE_FUNCTIONS_H
#define FLY_TEST_MATHTABLE_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fly::mathtable {

/// A function: how it is written, and its exact value.
struct Function {
  llvm::StringLiteral name;
  /// The op of one or two operands, with %v and %w for them and $F for the
  /// fastmath flags.
  llvm::StringLiteral operation;
  /// The value to the precision of long double, 2^-10 ulp of f32 or better.
  long double (*exact)(long double x, long double y);
  unsigned arguments = 1;
  /// Arguments between which the result is neither 0, infinite nor constant to
  /// f32's precision: half of the samples lie here.
  double low, high;
  /// Whether there is an `afn` form, and the magnitudes of the arguments that
  /// its bound holds for.
  bool hasApproximation = true;
  double lowApproximate = 0x1p-126, highApproximate = 0;
  /// The bound of the `afn` form is one of the absolute error.
  bool isAbsolute = false;
};

llvm::ArrayRef<Function> getFunctions();

} // namespace fly::mathtable

#endif // FLY_TEST_MATHTABLE_FUNCTIONS_H
