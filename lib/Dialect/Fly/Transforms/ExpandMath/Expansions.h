//===- Expansions.h - Math functions as sequences of ours -------*- C++ -*-===//
//
// One function a math function: from the arguments, widened to f32, to the
// result in f32, which the pass rounds to the op's type. What each promises is
// in Support/MathTable.h, by type and fastmath flag.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_EXPANSIONS_H

#include "MathBuilder.h"

namespace fly {

// Exponentials.cpp
mlir::Value expandExp(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandExp2(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandExpM1(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandTanh(MathBuilder &m, mlir::ValueRange x);

/// 2^(high + low) as `mantissa`, from 2^-0.5 to 2^0.5, times 2^`exponent`, an
/// integral f32; |low| is below an ulp of `high`, which is at most 2^22.
struct PowerOfTwo {
  mlir::Value mantissa, exponent;
};
PowerOfTwo splitExp2(MathBuilder &m, mlir::Value high, mlir::Value low = {});

// Logarithms.cpp
mlir::Value expandLog(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandLog2(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandLog10(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandLog1p(MathBuilder &m, mlir::ValueRange x);

// Roots.cpp
mlir::Value expandRsqrt(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandSqrt(MathBuilder &m, mlir::ValueRange x);
/// fmod(x, y), which is exact: LLVM has it of f32 and f16, not of bf16.
mlir::Value expandRemainder(MathBuilder &m, mlir::ValueRange x);
/// x / y around the instruction for 1 / y.
mlir::Value expandDivision(MathBuilder &m, mlir::ValueRange x);

// ErrorFunction.cpp
mlir::Value expandErf(MathBuilder &m, mlir::ValueRange x);

// Trigonometry.cpp
mlir::Value expandSin(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandCos(MathBuilder &m, mlir::ValueRange x);

// Power.cpp
mlir::Value expandPow(MathBuilder &m, mlir::ValueRange x);

// Activations.cpp
mlir::Value expandSigmoid(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandSilu(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandGeluTanh(MathBuilder &m, mlir::ValueRange x);
mlir::Value expandGeluErf(MathBuilder &m, mlir::ValueRange x);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
