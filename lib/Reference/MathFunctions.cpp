//===- MathFunctions.cpp - Functions of floats, by name -------------------===//
#include "MathFunctions.h"

#include "fly/Support/MathTable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace fly;
using namespace fly::reference;

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
/// x times a factor that vanishes faster than x grows.
static double times(double x, double factor) {
  return std::isinf(x) && factor == 0 ? -0.0 : x * factor;
}
static double silu(double x) { return times(x, sigmoid(x)); }
static double geluTanh(double x) {
  double u = 0.7978845608 * x * (1.0 + 0.044715 * x * x);
  return times(x, sigmoid(2 * u));
}
static double geluErf(double x) {
  return times(x, 0.5 * std::erfc(-x * std::sqrt(0.5)));
}
static double rsqrt(double x) { return 1.0 / std::sqrt(x); }

namespace {
/// How an error of the argument reaches the result.
enum class Shape {
  Monotone, ///< The values at the ends of the interval bound it.
  Gentle,   ///< The derivative is below 1.13.
  Step,     ///< Monotone and exact: floor and its kin.
};
struct Row {
  llvm::StringLiteral name;
  double (*fn)(double);
  Shape shape;
};
} // namespace

static constexpr Row kRows[] = {
    {"exp", std::exp, Shape::Monotone},
    {"exp2", std::exp2, Shape::Monotone},
    {"expm1", std::expm1, Shape::Monotone},
    {"log", std::log, Shape::Monotone},
    {"log2", std::log2, Shape::Monotone},
    {"log10", std::log10, Shape::Monotone},
    {"log1p", std::log1p, Shape::Monotone},
    {"sqrt", std::sqrt, Shape::Monotone},
    {"rsqrt", rsqrt, Shape::Monotone},
    {"tanh", std::tanh, Shape::Monotone},
    {"erf", std::erf, Shape::Monotone},
    {"sin", std::sin, Shape::Gentle},
    {"cos", std::cos, Shape::Gentle},
    {"sigmoid", sigmoid, Shape::Monotone},
    {"silu", silu, Shape::Gentle},
    {"gelu_tanh", geluTanh, Shape::Gentle},
    {"gelu_erf", geluErf, Shape::Gentle},
    {"floor", std::floor, Shape::Step},
    {"ceil", std::ceil, Shape::Step},
    {"trunc", std::trunc, Shape::Step},
    {"round", std::round, Shape::Step},
    {"roundeven", std::nearbyint, Shape::Step},
};

/// The largest difference of `fn` at the ends of an interval from `value`;
/// unbounded where an end is outside of its domain.
static double spreadOf(double (*fn)(double), Element x, double value) {
  double low = std::fabs(fn(x.f - x.error) - value);
  double high = std::fabs(fn(x.f + x.error) - value);
  return std::isnan(low) || std::isnan(high) ? kUnbounded : std::max(low, high);
}

static double argumentError(const Row &row, Element x, double value) {
  if (x.error == 0)
    return 0;
  if (row.shape == Shape::Step)
    return stepError(x, row.fn);
  if (std::isinf(x.error))
    return kUnbounded;
  if (row.shape != Shape::Gentle)
    return spreadOf(row.fn, x, value);
  double bound = 1.13 * x.error;
  return row.name == "sin" || row.name == "cos" ? std::min(bound, 2.0) : bound;
}

/// The result of a function with a row in the table of math functions.
static Element roundByTable(const MathBound *row, ElementType type,
                            double value, double error, double argument) {
  // What Fly does not compile has no row: the best that a library would give.
  if (!row)
    return roundInexact(type, value, error, 1);
  double margin = type.bits() == 32 ? kMathMarginUlps : 0;
  double absolute = 0;
  if (row->absolute != 0)
    absolute = row->absolute *
               std::max({1.0, std::fabs(argument), std::fabs(value) + error});
  return roundInexact(type, value, error, row->ulp + margin, absolute);
}

static ElementFn makeUnary(const Row &row, ElementType type, bool isApproximate,
                           Order order) {
  if (row.shape == Shape::Step)
    return [&row](const Element *x, const char *&) {
      Element result;
      result.f = row.fn(x[0].f);
      result.error = argumentError(row, x[0], result.f);
      return result;
    };
  const MathBound *bound =
      lookupMathBound(row.name, type.name(), isApproximate);
  if (!bound)
    bound = lookupMathBound(row.name, type.name(), false);
  // LLVM rounds the root of f32 correctly.
  bool isCorrect = row.name == "sqrt" && !isApproximate && type.bits() >= 32;
  return
      [&row, type, bound, isCorrect, order](const Element *x, const char *&) {
        double value = row.fn(x[0].f);
        double error = argumentError(row, x[0], value);
        return isCorrect ? roundResult(type, value, error, order)
                         : roundByTable(bound, type, value, error, x[0].f);
      };
}

/// x^y is monotone in both where x is positive: its ends are at the corners.
static double powError(Element x, Element y, double value) {
  if (x.error == 0 && y.error == 0)
    return 0;
  if (!(x.f - x.error > 0))
    return kUnbounded;
  double error = 0;
  for (double a : {x.f - x.error, x.f + x.error})
    for (double b : {y.f - y.error, y.f + y.error})
      error = std::max(error, std::fabs(std::pow(a, b) - value));
  return error == error ? error : kUnbounded;
}

static ElementFn makePow(ElementType type, bool isApproximate) {
  const MathBound *bound = lookupMathBound("powf", type.name(), isApproximate);
  return [type, bound](const Element *x, const char *&) {
    double value = std::pow(x[0].f, x[1].f);
    return roundByTable(bound, type, value, powError(x[0], x[1], value),
                        x[0].f);
  };
}

static ElementFn makeQuotient(ElementType type, bool isApproximate,
                              Order order) {
  const MathBound *bound = lookupMathBound("divf", type.name(), isApproximate);
  // Of f16 LLVM rounds twice.
  bool isCorrect = !isApproximate && type.name() != "f16";
  return [type, bound, isCorrect, order](const Element *x, const char *&) {
    double value = x[0].f / x[1].f;
    double error =
        x[0].error || x[1].error ? quotientError(x[0], x[1], value) : 0;
    return isCorrect ? roundResult(type, value, error, order)
                     : roundByTable(bound, type, value, error, 0);
  };
}

ElementFn fly::reference::makeFloatFunction(llvm::StringRef name,
                                            ElementType type,
                                            bool isApproximate, Order order) {
  if (name == "powf")
    return makePow(type, isApproximate);
  if (name == "divf")
    return makeQuotient(type, isApproximate, order);
  if (name == "absf")
    return [](const Element *x, const char *&) {
      Element result = x[0];
      result.f = std::fabs(x[0].f);
      return result;
    };
  const Row *row =
      llvm::find_if(kRows, [&](const Row &r) { return r.name == name; });
  return row == std::end(kRows) ? ElementFn()
                                : makeUnary(*row, type, isApproximate, order);
}
