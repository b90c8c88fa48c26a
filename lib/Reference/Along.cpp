//===- Along.cpp - Kinds of combination on elements -----------------------===//
//
// Kinds work on whole elements in wide precision. Bounds hold for any order:
// a sum is off by its number of terms and the sum of magnitudes, a product by
// its number of factors, and both are exact where all partial results are.
//
//===----------------------------------------------------------------------===//
#include "Along.h"

#include <climits>
#include <cmath>

#include "Rounding.h"

using namespace fly;
using namespace fly::reference;
using llvm::APFloat;

static double combineFloats(ReduceKind kind, double a, double b) {
  bool isNan = std::isnan(a) || std::isnan(b);
  switch (kind) {
  case ReduceKind::Add:
    return a + b;
  case ReduceKind::Mul:
    return a * b;
  case ReduceKind::Max:
    return std::fmax(a, b);
  case ReduceKind::Min:
    return std::fmin(a, b);
  case ReduceKind::MaxNan:
    return isNan ? std::numeric_limits<double>::quiet_NaN() : std::fmax(a, b);
  default:
    return isNan ? std::numeric_limits<double>::quiet_NaN() : std::fmin(a, b);
  }
}

static int64_t combineIntegers(ReduceKind kind, ElementType type, int64_t a,
                               int64_t b) {
  uint64_t ua = uint64_t(a), ub = uint64_t(b);
  uint64_t za = zeroExtend(a, type.bits()), zb = zeroExtend(b, type.bits());
  switch (kind) {
  case ReduceKind::Add:
    return type.wrap(int64_t(ua + ub));
  case ReduceKind::Mul:
    return type.wrap(int64_t(ua * ub));
  case ReduceKind::Max:
    return std::max(a, b);
  case ReduceKind::Min:
    return std::min(a, b);
  case ReduceKind::UMax:
    return za >= zb ? a : b;
  case ReduceKind::UMin:
    return za <= zb ? a : b;
  case ReduceKind::And:
    return a & b;
  case ReduceKind::Or:
    return a | b;
  default:
    return type.wrap(int64_t(ua ^ ub));
  }
}

/// What combines with every element to that element.
static Element neutralOf(ReduceKind kind, ElementType type) {
  Element element;
  double infinity = std::numeric_limits<double>::infinity();
  int64_t highest = type.isFloat()      ? 0
                    : type.bits() >= 64 ? INT64_MAX
                                        : (int64_t(1) << (type.bits() - 1)) - 1;
  if (type.isFloat()) {
    bool isMax = kind == ReduceKind::Max || kind == ReduceKind::MaxNan;
    element.f = kind == ReduceKind::Add   ? 0.0
                : kind == ReduceKind::Mul ? 1.0
                : isMax                   ? -infinity
                                          : infinity;
    if (std::isinf(element.f) && !APFloat::semanticsHasInf(type.semantics()))
      element.f = std::copysign(
          APFloat::getLargest(type.semantics()).convertToDouble(), element.f);
    return element;
  }
  bool isAllOnes = kind == ReduceKind::And || kind == ReduceKind::UMin;
  element.i = type.wrap(kind == ReduceKind::Mul   ? 1
                        : kind == ReduceKind::Max ? -highest - 1
                        : kind == ReduceKind::Min ? highest
                        : isAllOnes               ? -1
                                                  : 0);
  return element;
}

Element fly::reference::combine(ReduceKind kind, ElementType type, Element a,
                                Element b) {
  Element result;
  bool isSum = kind == ReduceKind::Add, isProduct = kind == ReduceKind::Mul;
  if (!type.isFloat()) {
    result.i = combineIntegers(kind, type, a.i, b.i);
    bool isChoice = kind == ReduceKind::Max || kind == ReduceKind::Min ||
                    kind == ReduceKind::UMax || kind == ReduceKind::UMin;
    result.error = isChoice             ? std::max(a.error, b.error)
                   : isSum              ? a.error + b.error
                   : a.error || b.error ? kUnbounded
                                        : 0;
    return result;
  }
  result.f = combineFloats(kind, a.f, b.f);
  if (!isSum && !isProduct) {
    result.error = std::max(a.error, b.error);
    return result;
  }
  double error = isSum ? a.error + b.error : productError(a, b);
  return roundResult(type, result.f, error, Order::Any);
}

LineResult::LineResult(ReduceKind kind, ElementType type)
    : kind(kind), type(type), running(neutralOf(kind, type)) {}

void LineResult::include(Element next) {
  if (type.isFloat() && (kind == ReduceKind::Add || kind == ReduceKind::Mul)) {
    double size = std::fabs(next.f) + next.error;
    lowest = std::min(lowest, lowestBit(next.f));
    magnitude = kind == ReduceKind::Add ? magnitude + size : magnitude * size;
    largestProduct *= std::max(size, 1.0);
    running.f = count ? combineFloats(kind, running.f, next.f) : next.f;
    running.error += next.error;
  } else {
    running = count ? combine(kind, type, running, next) : next;
  }
  ++count;
  if (count == 1 && kind == ReduceKind::Mul)
    magnitude = std::fabs(next.f) + next.error;
}

Element LineResult::get() const {
  Element result = running;
  if (!type.isFloat())
    return result;
  if (kind == ReduceKind::Add)
    result.error += sumRounding();
  else if (kind == ReduceKind::Mul)
    result.error = productBound();
  return type.bits() < 32 ? roundToType(type, result, /*saturate=*/false)
                          : result;
}

double LineResult::sumRounding() const {
  if (running.error == 0 && isSumExact(type, lowest, magnitude))
    return 0;
  // Infinity and NaN stay what they are in any order.
  return std::isfinite(running.f) ? sumError(type, count, magnitude) : 0;
}

double LineResult::productBound() const {
  // Partial products of integers are integers, and none is larger.
  if (running.error == 0 &&
      (count < 2 || (lowest >= 0 && isSumExact(type, 0, largestProduct))))
    return 0;
  if (!std::isfinite(running.f))
    return 0;
  return magnitude - std::fabs(running.f) + sumError(type, count, magnitude);
}
