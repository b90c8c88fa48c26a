//===- Functions.cpp - The functions that are measured --------------------===//
//
// Exact values come from the host's long double: 64 bits of precision, and
// glibc's functions err by at most 2 units there, 2^-38 of f32's.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

#include <cmath>

using namespace fly::mathtable;

static long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }
/// x times a factor that vanishes faster than x grows.
static long double times(long double x, long double factor) {
  return std::isinf(x) && factor == 0 ? -0.0L : x * factor;
}
static long double geluTanh(long double x) {
  long double u = 0.7978845608L * x * (1 + 0.044715L * x * x);
  return times(x, sigmoid(2 * u));
}
static long double geluErf(long double x) {
  return times(x, erfcl(-x / sqrtl(2)) / 2);
}

using Real = long double;

/// `range` is where half of the samples lie; `afn` the magnitudes for which the
/// approximate form has a bound.
static Function unary(llvm::StringLiteral name, llvm::StringLiteral operation,
                      Real (*exact)(Real, Real), double low, double high,
                      double lowApproximate, double highApproximate,
                      bool isAbsolute = false) {
  return {name, operation,      exact,           1,         low, high,
          true, lowApproximate, highApproximate, isAbsolute};
}

llvm::ArrayRef<Function> fly::mathtable::getFunctions() {
  static const Function functions[] = {
      unary(
          "exp", "math.exp %v $F", [](Real x, Real) { return expl(x); }, -104,
          89, 0, 87.3),
      unary(
          "exp2", "math.exp2 %v $F", [](Real x, Real) { return exp2l(x); },
          -150, 128, 0, 126),
      unary(
          "expm1", "math.expm1 %v $F", [](Real x, Real) { return expm1l(x); },
          -18, 89, 0, 87.3, true),
      unary(
          "log", "math.log %v $F", [](Real x, Real) { return logl(x); }, 0.25,
          4, 0x1p-126, 0x1p127),
      unary(
          "log2", "math.log2 %v $F", [](Real x, Real) { return log2l(x); },
          0.25, 4, 0x1p-126, 0x1p127),
      unary(
          "log10", "math.log10 %v $F", [](Real x, Real) { return log10l(x); },
          0.25, 4, 0x1p-126, 0x1p127),
      unary(
          "log1p", "math.log1p %v $F", [](Real x, Real) { return log1pl(x); },
          -1, 4, 0, 0x1p127, true),
      unary(
          "sqrt", "math.sqrt %v $F", [](Real x, Real) { return sqrtl(x); },
          0.25, 4, 0x1p-126, 0x1p127),
      unary(
          "rsqrt", "math.rsqrt %v $F",
          [](Real x, Real) { return 1 / sqrtl(x); }, 0.25, 4, 0x1p-126,
          0x1p127),
      unary(
          "sin", "math.sin %v $F", [](Real x, Real) { return sinl(x); }, -800,
          800, 0, 0x1p20, true),
      unary(
          "cos", "math.cos %v $F", [](Real x, Real) { return cosl(x); }, -800,
          800, 0, 0x1p20, true),
      unary(
          "tanh", "math.tanh %v $F", [](Real x, Real) { return tanhl(x); }, -10,
          10, 0, 0x1p127, true),
      {"erf", "math.erf %v $F", [](Real x, Real) { return erfl(x); }, 1, -5, 5,
       /*hasApproximation=*/false},
      unary(
          "sigmoid", "fly.activate sigmoid %v $F",
          [](Real x, Real) { return sigmoid(x); }, -104, 20, 0, 87),
      unary(
          "silu", "fly.activate silu %v $F",
          [](Real x, Real) { return times(x, sigmoid(x)); }, -109, 20, 0, 87),
      unary(
          "gelu_tanh", "fly.activate gelu_tanh %v $F",
          [](Real x, Real) { return geluTanh(x); }, -11, 6, 0, 10),
      unary(
          "gelu_erf", "fly.activate gelu_erf %v $F",
          [](Real x, Real) { return geluErf(x); }, -15, 6, 0, 12.5),
      {"powf", "math.powf %v, %w $F", [](Real x, Real y) { return powl(x, y); },
       2, -4, 4, true, 0x1p-126, 0x1p127},
      {"divf", "arith.divf %v, %w $F", [](Real x, Real y) { return x / y; }, 2,
       -4, 4, true, 0x1p-60, 0x1p60},
  };
  return functions;
}
