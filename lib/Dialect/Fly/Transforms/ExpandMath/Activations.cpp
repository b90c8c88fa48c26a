//===- Activations.cpp - sigmoid, silu, gelu ------------------------------===//
//
// What problem: for negative x these are x (or 1) times something that vanishes
// exponentially. Written as formulas they cancel, flush what is below the
// normal range before it is multiplied by x, and are NaN at minus infinity.
// What idea: each is x w(|x|) 2^n for negative x, with the power of two applied
// last, and x (1 - that) or x / (1 + that) for positive x. Exponents are
// computed in two parts, so that the error does not grow with them.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

static constexpr double kLog2E = 0x1.715476p0;
static constexpr double kLog2ELow = 0x1.4ae0bfp-26;
/// 2 0.7978845608 log2(e), and 0.044715 times that; each as two f32.
static constexpr double kGeluLinear = 0x1.26aec2p1;
static constexpr double kGeluLinearLow = 0x1.bc9ea0p-27;
static constexpr double kGeluCubic = 0x1.a5a7d0p-4;
static constexpr double kGeluCubicLow = -0x1.1527aep-29;

/// `value` where `argument` is negative, `other` elsewhere.
static Value whereNegative(MathBuilder &m, Value argument, Value value,
                           Value other) {
  return m.select(m.less(argument, m.constant(0.0)), value, other);
}

/// x clamped from below where every result is -0; NaN stays.
static Value clampBelow(MathBuilder &m, Value x, double low) {
  return m.select(m.less(x, m.constant(low)), m.constant(low), x);
}

/// factor / (1 + 2^-(high + low)) for the sign of `high`: with the power of
/// -|high| for either.
static Value logistic(MathBuilder &m, Value factor, Value high, Value low) {
  Value negative = m.neg(m.abs(high));
  Value signedLow;
  if (low)
    signedLow = whereNegative(m, high, low, m.neg(low));
  PowerOfTwo power = splitExp2(m, negative, signedLow);
  Value exponent = m.toInteger(power.exponent);
  Value small = m.ldexp(power.mantissa, exponent);
  Value quotient = m.rcp(m.add(small, m.constant(1.0)));
  if (factor)
    quotient = m.mul(quotient, factor);
  Value scaled = m.ldexp(m.mul(quotient, power.mantissa), exponent);
  return whereNegative(m, high, scaled, quotient);
}

/// x / (1 + 2^-y) by the instructions alone.
static Value bareLogistic(MathBuilder &m, Value factor, Value y) {
  Value quotient = m.rcp(m.add(m.exp2(m.neg(y)), m.constant(1.0)));
  return factor ? m.mul(factor, quotient) : quotient;
}

static Value sigmoidTimes(MathBuilder &m, Value factor, Value x) {
  Value high = m.mul(x, m.constant(kLog2E));
  if (m.isApproximate() || (m.isF16() && !factor))
    return bareLogistic(m, factor, high);
  if (m.isNarrow())
    return logistic(m, factor, high, Value());
  Value low = m.fma(x, m.constant(kLog2ELow),
                    m.fma(x, m.constant(kLog2E), m.neg(high)));
  return logistic(m, factor, high, low);
}

Value fly::expandSigmoid(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isF16())
    return sigmoidTimes(m, Value(), x[0]);
  // Infinity has no lower part.
  Value clamped = m.select(m.less(m.constant(128.0), m.abs(x[0])),
                           m.copysign(m.constant(128.0), x[0]), x[0]);
  return sigmoidTimes(m, Value(), clamped);
}

Value fly::expandSilu(MathBuilder &m, ValueRange x) {
  if (m.isApproximate())
    return sigmoidTimes(m, x[0], x[0]);
  Value clamped = clampBelow(m, x[0], -128.0);
  Value isLarge = m.less(m.constant(128.0), clamped);
  Value bounded = m.select(isLarge, m.constant(128.0), clamped);
  return sigmoidTimes(m, clamped, bounded);
}

/// x / (1 + 2^-y) with y = x (linear + cubic x^2).
Value fly::expandGeluTanh(MathBuilder &m, ValueRange x) {
  if (m.isApproximate()) {
    Value p = m.fma(m.mul(x[0], x[0]), m.constant(kGeluCubic),
                    m.constant(kGeluLinear));
    return bareLogistic(m, x[0], m.mul(x[0], p));
  }
  // The result is -0 below -16 and x above 16.
  Value clamped = clampBelow(m, x[0], -16.0);
  Value isLarge = m.less(m.constant(16.0), clamped);
  Value bounded = m.select(isLarge, m.constant(16.0), clamped);
  Value square = m.mul(bounded, bounded);
  Value p = m.fma(square, m.constant(kGeluCubic), m.constant(kGeluLinear));
  Value high = m.mul(bounded, p);
  if (m.isNarrow())
    return logistic(m, clamped, high, Value());
  // The lower parts of the square, of the sum p and of the product.
  Value squareLow = m.fma(bounded, bounded, m.neg(square));
  Value cubic = m.mul(square, m.constant(kGeluCubic));
  Value cubicLow = m.fma(square, m.constant(kGeluCubic), m.neg(cubic));
  // p = linear + cubic, up to a rounding, which either difference finds.
  Value fromLinear = m.sub(cubic, m.sub(p, m.constant(kGeluLinear)));
  Value fromCubic = m.sub(m.constant(kGeluLinear), m.sub(p, cubic));
  Value pLow =
      m.select(m.less(cubic, m.constant(kGeluLinear)), fromLinear, fromCubic);
  pLow = m.add(m.add(pLow, cubicLow), m.constant(kGeluLinearLow));
  pLow = m.fma(square, m.constant(kGeluCubicLow), pLow);
  pLow = m.fma(squareLow, m.constant(kGeluCubic), pLow);
  Value low = m.fma(bounded, pLow, m.fma(bounded, p, m.neg(high)));
  return logistic(m, clamped, high, low);
}

/// The normal distribution's tail: with a = |x|, Phi(-a) = 2^-(a^2 log2(e) / 2)
/// t Q(t), t = 1 / (1 + k a).
Value fly::expandGeluErf(MathBuilder &m, ValueRange x) {
  Value clamped = clampBelow(m, x[0], -17.0);
  Value isLarge = m.less(m.constant(17.0), clamped);
  Value a = m.abs(m.select(isLarge, m.constant(17.0), clamped));
  bool isCoarse = m.isApproximate() || m.isNarrow();
  Value t = m.rcp(m.fma(a, m.constant(0.3), m.constant(1.0)));
  // Relative minimax fits for a from 0 to 17: 2^-21.9 and 2^-28.1.
  Value q = isCoarse
                ? m.polynomial(t, {0.11964303966045014, 0.12053628995788044,
                                   0.10130918705219707, 0.12385295247882484,
                                   -0.044622654934263788, 0.19636581454429008,
                                   -0.15133878662392923, 0.034254028899176085})
                : m.polynomial(t, {0.11968672366735704, 0.11957118805800503,
                                   0.11024037126277772, 0.078367664241643735,
                                   0.096217524422622364, -0.079531658359494981,
                                   0.19190928024204075, -0.22830356716512642,
                                   0.11247250938807977, -0.020630037490998234});
  Value weight = m.mul(t, q);
  Value square = m.mul(a, a);
  Value high = m.mul(square, m.constant(-kLog2E / 2));
  if (m.isApproximate()) {
    Value tail = m.mul(m.exp2(high), weight);
    return m.mul(clamped,
                 whereNegative(m, x[0], tail, m.sub(m.constant(1.0), tail)));
  }
  Value low;
  if (!m.isNarrow()) {
    low = m.fma(square, m.constant(-kLog2E / 2), m.neg(high));
    low = m.fma(square, m.constant(-kLog2ELow / 2), low);
    low = m.fma(m.fma(a, a, m.neg(square)), m.constant(-kLog2E / 2), low);
  }
  PowerOfTwo power = splitExp2(m, high, low);
  weight = m.mul(weight, power.mantissa);
  Value exponent = m.toInteger(power.exponent);
  Value tail = m.ldexp(weight, exponent);
  Value negative = m.ldexp(m.mul(clamped, weight), exponent);
  Value positive = m.mul(clamped, m.sub(m.constant(1.0), tail));
  return whereNegative(m, x[0], negative, positive);
}
