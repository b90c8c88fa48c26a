//===- Rounding.h - Results of ops with their error bounds ------*- C++ -*-===//
//
// What problem: a correct kernel need not give the reference's number: sums run
// in another order, functions of the hardware are off by some units.
// What idea: running error analysis. Each element carries an absolute bound of
// how far the device's element may be. What IEEE rounds correctly from exact
// operands is rounded here as well and stays exact; everything else stays wide
// and gets a bound from those of the operands and the rounding of the result.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_ROUNDING_H
#define FLY_LIB_REFERENCE_ROUNDING_H

#include "fly/Support/ElementType.h"

#include <limits>

#include "Elementwise.h"

namespace fly::reference {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Half a unit in the last place of a float type at `magnitude`: how far
/// rounding to it goes at most.
double halfUnit(ElementType type, double magnitude);

/// The type that sums of `type` are rounded to on the way: f32 for narrower
/// ones.
ElementType accumulatorOf(ElementType type);

/// Whether the device rounds op by op as the IR says, or may add and contract
/// in another order (combiners of reductions, fastmath flags).
enum class Order { Fixed, Any };

/// The result of a correctly rounded op: `wide` computed from operands whose
/// errors change it by at most `error`.
Element roundResult(ElementType type, double wide, double error,
                    Order order = Order::Fixed);

/// The same where the device is off by up to `units` ulps and `absolute`
/// beside what `error` says.
Element roundInexact(ElementType type, double wide, double error, double units,
                     double absolute = 0);

/// A number converted to a float type, by the device and here alike.
Element roundToType(ElementType type, Element value, bool saturate);

/// What an error of the argument does to a monotone function with steps.
double stepError(Element x, double (*step)(double));

/// What a sum of `count` terms whose magnitudes sum to `magnitude` may be off
/// by, in any order of additions.
double sumError(ElementType type, int64_t count, double magnitude);

/// The exponent of the lowest bit of a number, INT_MAX for 0, INT_MIN for what
/// is not finite.
int lowestBit(double value);

/// Whether sums of multiples of 2^`lowest` with magnitudes that sum to
/// `magnitude` are exact in any order.
bool isSumExact(ElementType type, int lowest, double magnitude);

// How errors of operands reach the result.
inline double productError(Element a, Element b) {
  double x = a.f < 0 ? -a.f : a.f, y = b.f < 0 ? -b.f : b.f;
  // An exact zero stays one, whatever the other is.
  double e = (a.error ? y * a.error : 0) + (b.error ? x * b.error : 0) +
             (a.error && b.error ? a.error * b.error : 0);
  return e == e ? e : kUnbounded;
}
double quotientError(Element a, Element b, double quotient);

/// Whether a comparison of the two may turn out otherwise on the device.
bool isUncertain(Element a, Element b);

/// `chosen`, which might have been `other`.
Element unite(bool isFloat, Element chosen, Element other);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ROUNDING_H
