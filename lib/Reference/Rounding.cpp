//===- Rounding.cpp - Results of ops with their error bounds --------------===//
#include "Rounding.h"

#include <climits>
#include <cmath>
#include <cstring>

using namespace fly;
using namespace fly::reference;
using llvm::APFloat;

double fly::reference::halfUnit(ElementType type, double magnitude) {
  if (!std::isfinite(magnitude))
    return kUnbounded;
  const llvm::fltSemantics &semantics = type.semantics();
  int exponent = magnitude == 0 ? INT_MIN / 2 : std::ilogb(magnitude);
  exponent = std::max(exponent, APFloat::semanticsMinExponent(semantics));
  return std::ldexp(1.0,
                    exponent - int(APFloat::semanticsPrecision(semantics)));
}

ElementType fly::reference::accumulatorOf(ElementType type) {
  return type.bits() < 32 ? llvm::cantFail(ElementType::parse("f32")) : type;
}

/// bf16 is computed in f32, which rounds first; the others have their own
/// instructions.
static double roundAsDevice(ElementType type, double wide) {
  if (type.bits() == 32)
    return double(float(wide));
  if (type.bits() == 64)
    return wide;
  bool isF16 = &type.semantics() == &APFloat::IEEEhalf();
  return type.round(isF16 ? wide : double(float(wide)));
}

Element fly::reference::roundResult(ElementType type, double wide, double error,
                                    Order order) {
  double rounded = roundAsDevice(type, wide);
  if (error != 0 || (order == Order::Any && rounded != wide))
    return roundInexact(type, wide, error, order == Order::Fixed ? 0.5 : 1);
  Element result;
  result.f = rounded;
  // f32 stays wide; it is known which number the device has.
  if (type.bits() == 32 && std::isfinite(rounded)) {
    result.f = wide;
    result.error = std::fabs(rounded - wide);
  }
  return result;
}

Element fly::reference::roundInexact(ElementType type, double wide,
                                     double error, double units,
                                     double absolute) {
  Element result;
  result.f = type.bits() < 32 ? type.round(wide) : wide;
  if (!(error <= std::numeric_limits<double>::max())) {
    result.error = kUnbounded;
    return result;
  }
  // Infinity stays itself whatever is added to it.
  if (!std::isfinite(wide)) {
    result.error = std::isnan(wide) && error != 0 ? kUnbounded : 0;
    return result;
  }
  // The device rounds; so does the line above, for narrow types.
  double half = halfUnit(type, std::fabs(wide) + error);
  double ownRounding = type.bits() < 32 ? half : 0;
  result.error = error + 2 * units * half + ownRounding + absolute;
  APFloat largest = APFloat::getLargest(type.semantics());
  bool losesInfo;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  double limit = largest.convertToDouble();
  if (std::fabs(wide) + result.error <= limit)
    return result;
  bool isCertain =
      std::fabs(wide) - result.error > limit + halfUnit(type, limit);
  if (isCertain)
    result.f = type.round(wide);
  result.error = isCertain ? 0 : kUnbounded;
  return result;
}

Element fly::reference::roundToType(ElementType type, Element value,
                                    bool saturate) {
  Element result;
  result.f = type.round(value.f, saturate);
  if (value.error == 0)
    return result;
  result.error =
      std::isfinite(value.f)
          ? value.error + 2 * halfUnit(type, std::fabs(value.f) + value.error)
          : value.error;
  if (!std::isfinite(result.f) && std::isfinite(value.f))
    result.error = kUnbounded;
  return result;
}

double fly::reference::stepError(Element x, double (*step)(double)) {
  if (x.error == 0)
    return 0;
  double value = step(x.f);
  double error =
      std::max(step(x.f + x.error) - value, value - step(x.f - x.error));
  return error == error ? error : kUnbounded;
}

double fly::reference::sumError(ElementType type, int64_t count,
                                double magnitude) {
  if (count < 2 || magnitude == 0)
    return 0;
  ElementType sums = accumulatorOf(type);
  double unit =
      std::ldexp(1.0, -int(APFloat::semanticsPrecision(sums.semantics())));
  // (1 + unit)^n - 1 <= 1.01 n unit for the n that are of use; the reference
  // rounds sums of doubles itself.
  double n = double(count - 1) * unit * (sums.bits() > 32 ? 2 : 1);
  double bound = 1.01 * n * magnitude;
  return n < 0.01 && bound == bound ? bound : kUnbounded;
}

int fly::reference::lowestBit(double value) {
  if (value == 0)
    return INT_MAX;
  if (!std::isfinite(value))
    return INT_MIN;
  uint64_t bits;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  int exponent = int(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (exponent)
    mantissa |= uint64_t(1) << 52;
  else
    exponent = 1;
  return exponent - 1075 + __builtin_ctzll(mantissa);
}

bool fly::reference::isSumExact(ElementType type, int lowest,
                                double magnitude) {
  if (lowest == INT_MAX)
    return true;
  ElementType sums = accumulatorOf(type);
  int precision = int(APFloat::semanticsPrecision(sums.semantics()));
  return lowest >= APFloat::semanticsMinExponent(sums.semantics()) &&
         magnitude <= std::ldexp(1.0, lowest + precision);
}

double fly::reference::quotientError(Element a, Element b, double quotient) {
  double divisor = std::fabs(b.f) - b.error;
  if (!(divisor > 0))
    return kUnbounded;
  double numerator = a.error + (b.error ? std::fabs(quotient) * b.error : 0);
  return std::isinf(divisor) ? 0 : numerator / divisor;
}

bool fly::reference::isUncertain(Element a, Element b) {
  double error = a.error + b.error;
  // Equal infinities differ by NaN, and are certain.
  return error != 0 && std::fabs(a.f - b.f) <= error;
}

Element fly::reference::unite(bool isFloat, Element chosen, Element other) {
  double apart;
  if (isFloat)
    apart = chosen.f == other.f ? 0 : std::fabs(chosen.f - other.f);
  else
    apart = std::fabs(double(chosen.i) - double(other.i));
  double error = std::max(chosen.error, apart + other.error);
  chosen.error = error == error ? error : kUnbounded;
  return chosen;
}
