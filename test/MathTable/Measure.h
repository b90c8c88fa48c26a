//===- Measure.h - Errors and instructions of math functions ----*- C++ -*-===//
//
// Compiles kernels that apply a function to every element, counts the vector
// instructions of one element in the machine code, and compares the simulator's
// results with exact values.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_MATHTABLE_MEASURE_H
#define FLY_TEST_MATHTABLE_MEASURE_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

#include "Functions.h"

namespace fly::mathtable {

/// What was measured of one function on one type.
struct Measured {
  const Function *function;
  bool isApproximate;
  std::string type;
  unsigned instructions = 0;
  /// As in MathBound.
  double ulp = 0, absolute = 0, worst = 0, worstSecond = 0;
  /// What the function gave there, and what it is.
  double got = 0, exact = 0;
};

/// Every function whose name is or, with an empty `name`, all of them, in the
/// forms that it has, on one type ("f32", "f16", "bf16") and chip.
llvm::Expected<std::vector<Measured>> measure(llvm::StringRef chip,
                                              llvm::StringRef type,
                                              llvm::StringRef name,
                                              size_t samples);

} // namespace fly::mathtable

#endif // FLY_TEST_MATHTABLE_MEASURE_H
