//===- Power.cpp - pow ----------------------------------------------------===//
//
// What problem: x^y = 2^(y log2 |x|), where an error of the logarithm is
// multiplied by up to 2^7.
// What idea: for f32 the logarithm is computed in f64, by a polynomial in
// (m - 1) / (m + 1); 1 / (m + 1) starts from v_rcp_f32 and is refined once. f16
// and bf16 have digits to spare in v_log_f32. Special values are C99's: x^0 and
// 1^y are 1 also for NaN, (-1)^inf is 1, a negative x needs an integral y, and
// an odd y keeps the sign. `afn` is 2^(y log2 x): NaN for negative x.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

using Predicate = arith::CmpFPredicate;

/// log2 of a number that is not negative, as f64 with an error of 2^-44.
static Value wideLog2(MathBuilder &m, Value magnitude) {
  Value mantissa = m.frexpMantissa(magnitude);
  Value isLow = m.less(mantissa, m.constant(0x1.6a09e6p-1)); // sqrt(1/2)
  mantissa = m.mul(mantissa, m.select(isLow, m.constant(2.0), m.constant(1.0)));
  Value exponent = m.addInteger(m.frexpExponent(magnitude),
                                m.select(isLow, m.integer(-1), m.integer(0)));
  Value one = m.wide(1.0), wide = m.toWide(mantissa);
  Value numerator = m.sub(wide, one), denominator = m.add(wide, one);
  Value inverse = m.toWide(m.rcp(m.add(mantissa, m.constant(1.0))));
  Value s = m.mul(numerator, inverse);
  s = m.fma(m.fma(m.neg(denominator), s, numerator), inverse, s);
  // log2((1 + s) / (1 - s)) / s on |s| <= 0.1716: relative minimax fit, 2^-45.
  Value p = m.polynomial(m.mul(s, s),
                         {2.8853900817778499183, 0.96179669411349640216,
                          0.5770779423165410752, 0.41220925760806907275,
                          0.31990546873347871912, 0.28290360582879007298});
  Value log = m.fma(s, p, m.integerToWide(exponent));
  log = m.select(m.compare(Predicate::OEQ, magnitude, m.constant(0.0)),
                 m.wide(-INFINITY), log);
  return m.select(m.compare(Predicate::OEQ, magnitude, m.constant(INFINITY)),
                  m.wide(INFINITY), log);
}

/// 2^(y log2 |x|), and whether the product has no value: then x is 1 in
/// magnitude, or y is 0, or one of them is NaN.
static std::pair<Value, Value> powerOfMagnitude(MathBuilder &m, Value magnitude,
                                                Value y) {
  if (m.isNarrow()) {
    Value product = m.mul(y, expandLog2(m, magnitude));
    return {expandExp2(m, product), m.isNan(product)};
  }
  Value product = m.mul(m.toWide(y), wideLog2(m, magnitude));
  Value clamped = m.min(m.max(product, m.wide(-200.0)), m.wide(200.0));
  Value whole = m.roundEven(clamped);
  Value fraction = m.toSingle(m.sub(clamped, whole));
  return {m.ldexp(m.exp2(fraction), m.toInteger(whole)), m.isNan(product)};
}

Value fly::expandPow(MathBuilder &m, ValueRange arguments) {
  Value x = arguments[0], y = arguments[1];
  if (m.isApproximate())
    return m.exp2(m.mul(y, m.log2(x)));
  Value magnitude = m.abs(x), zero = m.constant(0.0), one = m.constant(1.0);
  auto [power, isUndefined] = powerOfMagnitude(m, magnitude, y);
  Value result = m.select(isUndefined, one, power);

  // y is integral where floor keeps it, odd where floor changes its half.
  // Infinity is both integral and even by this.
  Value half = m.mul(y, m.constant(0.5));
  Value isIntegral = m.compare(Predicate::OEQ, m.floor(y), y);
  Value isHalfIntegral = m.compare(Predicate::OEQ, m.floor(half), half);
  Value signedResult = m.copysign(result, x);
  result = m.select(isHalfIntegral, result,
                    m.select(isIntegral, signedResult, result));

  Value nan = m.constant(NAN);
  Value isNegative =
      m.logicalAnd(m.less(x, zero), m.less(magnitude, m.constant(INFINITY)));
  Value hasNoRoot =
      m.logicalAnd(isNegative, m.compare(Predicate::ONE, m.floor(y), y));
  result = m.select(hasNoRoot, nan, result);
  Value isOne = m.logicalOr(m.compare(Predicate::OEQ, x, one),
                            m.compare(Predicate::OEQ, y, zero));
  Value fromNan = m.select(isOne, one, nan);
  return m.select(m.compare(Predicate::UNO, x, y), fromNan, result);
}
