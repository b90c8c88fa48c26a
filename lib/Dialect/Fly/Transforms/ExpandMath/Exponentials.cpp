//===- Exponentials.cpp - exp, exp2, expm1, tanh --------------------------===//
//
// v_exp_f32 is 2^x. It flushes results below the normal range, and an error of
// the argument becomes one of the result that grows with the argument, so that
// products with log2(e) are kept in two parts. For f16 and bf16 neither the
// second part nor, for f16, results below f32's normal range matter.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

static constexpr double kLog2E = 0x1.715476p0;       // nearest f32
static constexpr double kLog2ELow = 0x1.4ae0bfp-26;  // log2(e) minus it
static constexpr double kTwoLog2E = 0x1.715476p1;    // 2 log2(e)
static constexpr double kExpOverflow = 0x1.62e430p6; // exp is infinite above

Value fly::expandExp2(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isF16())
    return m.exp2(x[0]);
  // Below the normal range compute 2^(x + 64) and scale back.
  Value small = m.less(x[0], m.constant(-126.0));
  Value shifted =
      m.add(x[0], m.select(small, m.constant(64.0), m.constant(0.0)));
  return m.mul(m.exp2(shifted),
               m.select(small, m.constant(0x1p-64), m.constant(1.0)));
}

PowerOfTwo fly::splitExp2(MathBuilder &m, Value high, Value low) {
  Value whole = m.roundEven(high);
  Value fraction = m.sub(high, whole);
  if (low)
    fraction = m.add(fraction, low);
  return {m.exp2(fraction), whole};
}

/// x log2(e) in two parts, for |x| up to 200.
static std::pair<Value, Value> timesLog2E(MathBuilder &m, Value x) {
  Value high = m.mul(x, m.constant(kLog2E));
  Value low = m.fma(x, m.constant(kLog2E), m.neg(high));
  return {high, m.fma(x, m.constant(kLog2ELow), low)};
}

Value fly::expandExp(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isNarrow())
    return expandExp2(m, m.mul(x[0], m.constant(kLog2E)));
  // Beyond these the result is 0 or infinity; the clamp drops NaN.
  Value clamped = m.min(m.max(x[0], m.constant(-105.0)), m.constant(90.0));
  auto [high, low] = timesLog2E(m, clamped);
  PowerOfTwo power = splitExp2(m, high, low);
  Value result = m.scaleByPowerOfTwo(power.mantissa, power.exponent);
  return m.select(m.isNan(x[0]), x[0], result);
}

/// With x log2(e) = n + f: 2^n (2^f - 1) + (2^n - 1), the first by a polynomial
/// that is right to the last digit of small arguments.
Value fly::expandExpM1(MathBuilder &m, ValueRange x) {
  if (m.isApproximate())
    return m.sub(m.exp2(m.mul(x[0], m.constant(kLog2E))), m.constant(1.0));
  Value clamped = m.min(m.max(x[0], m.constant(-40.0)), m.constant(89.0));
  auto [high, low] = timesLog2E(m, clamped);
  Value whole = m.roundEven(high);
  Value fraction = m.add(m.sub(high, whole), low);
  // (2^f - 1) / f on [-0.501, 0.501]: relative minimax fit, 2^-32.
  Value p = m.mul(
      fraction,
      m.polynomial(fraction, {0.69314718058190132, 0.24022650922747673,
                              0.055504107259805235, 0.0096180564587435587,
                              0.0013333670300749696, 0.00015461561602495767,
                              1.52527291881404e-5}));
  // 2^128 is no f32: half of it all, doubled in the end.
  Value half = m.scaleByPowerOfTwo(m.constant(0.5), whole);
  Value sum = m.fma(half, p, m.sub(half, m.constant(0.5)));
  // -0 and what is too small to be scaled by log2(e) without loss.
  Value tiny = m.less(m.abs(x[0]), m.constant(0x1p-26));
  Value result = m.select(tiny, x[0], m.add(sum, sum));
  Value over =
      m.compare(arith::CmpFPredicate::OGT, x[0], m.constant(kExpOverflow));
  result = m.select(over, m.constant(INFINITY), result);
  return m.select(m.isNan(x[0]), x[0], result);
}

/// 1 - 2 / (e^2x + 1); near zero, where that cancels, a polynomial.
Value fly::expandTanh(MathBuilder &m, ValueRange x) {
  bool isPlain = m.isApproximate() || m.isNarrow();
  Value magnitude = isPlain ? Value(x[0]) : m.abs(x[0]);
  Value e = m.exp2(m.mul(magnitude, m.constant(kTwoLog2E)));
  Value large = m.fma(m.constant(-2.0), m.rcp(m.add(e, m.constant(1.0))),
                      m.constant(1.0));
  if (m.isApproximate())
    return large;
  // tanh(x) = x (1 - x^2 / 3 + ...): the second term is below 2^-15.
  if (m.isNarrow())
    return m.select(m.less(m.abs(x[0]), m.constant(0x1p-7)), x[0], large);
  Value square = m.mul(magnitude, magnitude);
  // tanh(x) = x + x^3 P(x^2) on [0, 0.625]: weighted minimax fit, 2^-27.9.
  Value p = m.polynomial(square, {-0.33333283695826915, 0.13331486127238434,
                                  -0.05374312246095323, 0.020649487725652556,
                                  -0.005715922670323234});
  Value small = m.fma(m.mul(square, magnitude), p, magnitude);
  Value isSmall = m.less(magnitude, m.constant(0.625));
  return m.copysign(m.select(isSmall, small, large), x[0]);
}
