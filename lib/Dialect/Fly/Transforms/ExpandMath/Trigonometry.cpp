//===- Trigonometry.cpp - sin, cos ----------------------------------------===//
//
// What problem: the argument must be reduced by multiples of pi/2, of which
// large arguments need more digits than f32 or f64 has; v_sin_f32 alone has an
// absolute error that grows with the argument.
// What idea: f64 arithmetic has the rate of f32 on these chips [AMD]. x 2/pi is
// computed with 2/pi in three f64 parts, of which multiples of 4 (whole turns)
// are left out beforehand: up to 2^55 with 2/pi itself, beyond with 2^32 2/pi
// and 2^64 2/pi modulo 4, times x scaled down as much, which is still integral.
// So the quadrant and the position in it are right to more digits than f32 has
// for every f32, and there is no branch. Infinity gives NaN by itself. `afn` is
// the instruction with one multiplication and the fraction of the number of
// turns: its absolute error is that of x.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

namespace {
/// |x| = (quadrant + fraction) pi/2 with |fraction| <= 1/2 but for a rounding,
/// modulo whole turns.
struct Reduced {
  Value angle;    ///< fraction pi/2, f32
  Value quadrant; ///< i32
};
} // namespace

static constexpr double kHalfPi = 0x1.921fb54442d18p0;
static constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
static constexpr double kOneOverTwoPi = 0x1.45f306dc9c883p-3;

/// f16 arguments are below 2^16: the rounding of 2/pi does not matter.
static Reduced reduceSmall(MathBuilder &m, Value magnitude) {
  Value turns = m.mul(m.toWide(magnitude), m.wide(kTwoOverPi));
  Value whole = m.roundEven(turns);
  Value angle = m.mul(m.sub(turns, whole), m.wide(kHalfPi));
  return {m.toSingle(angle), m.toInteger(whole)};
}

static Reduced reduce(MathBuilder &m, Value magnitude) {
  if (m.isF16())
    return reduceSmall(m, magnitude);
  struct Window {
    double scale;    ///< 2^-s
    double parts[3]; ///< 2^s 2/pi modulo 4
  };
  static constexpr Window windows[] = {
      {1.0,
       {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, -0x1.6447e493ad4cep-109}},
      {0x1p-32,
       {-0x1.b1bbead603d8bp+0, 0x1.f47d4d377036ep-54, -0x1.d6a66c3bc6fbep-108}},
      {0x1p-64,
       {0x1.fc2757d1f534ep+0, -0x1.1f924eb53361ep-55, 0x1.c820ff28b1d5fp-111}}};
  // f32 from 2^55 on are multiples of 2^32, from 2^87 on of 2^64.
  Value isLarge = m.less(m.constant(0x1p55), magnitude);
  Value isHuge = m.less(m.constant(0x1p87), magnitude);
  auto pick = [&](auto get) {
    Value large =
        m.select(isHuge, m.wide(get(windows[2])), m.wide(get(windows[1])));
    return m.select(isLarge, large, m.wide(get(windows[0])));
  };
  Value d[3];
  for (int i = 0; i < 3; ++i)
    d[i] = pick([i](const Window &w) { return w.parts[i]; });
  // Exact: 24 bits, scaled by a power of two.
  Value y =
      m.mul(m.toWide(magnitude), pick([](const Window &w) { return w.scale; }));
  // p + e = y d0 exactly, then without whole turns.
  Value p = m.mul(y, d[0]);
  Value e = m.fma(y, d[0], m.neg(p));
  Value turns = m.roundEven(m.mul(p, m.wide(0.25)));
  Value rest = m.fma(turns, m.wide(-4.0), p);
  // rest is 0 or not smaller than e: sum + lost = rest + e exactly.
  Value sum = m.add(rest, e);
  Value lost = m.sub(e, m.sub(sum, rest));
  Value p1 = m.mul(y, d[1]);
  Value e1 = m.fma(y, d[1], m.neg(p1));
  Value whole = m.roundEven(m.add(sum, p1));
  Value low = m.add(m.fma(y, d[2], e1), lost);
  Value fraction = m.add(m.add(m.sub(sum, whole), p1), low);
  Value angle = m.toSingle(m.mul(fraction, m.wide(kHalfPi)));
  return {angle, m.toInteger(whole)};
}

/// sin or cos of the angle by the parity of `quadrant`, with the sign of its
/// second bit.
static Value evaluate(MathBuilder &m, Value angle, Value quadrant) {
  // Relative minimax fits on [0, pi/4]: 2^-28 and 2^-33.
  Value square = m.mul(angle, angle);
  Value s = m.polynomial(square, {-0.16666654463366229, 0.0083321513310759344,
                                  -0.00019513979789275291});
  Value sin = m.fma(m.mul(square, angle), s, angle);
  Value c =
      m.polynomial(square, {-0.5, 0.041666645430010395, -0.0013887303696548883,
                            2.4431693641120012e-5});
  Value cos = m.fma(square, c, m.constant(1.0));
  Value isOdd =
      m.compareInteger(arith::CmpIPredicate::ne,
                       m.logicalAnd(quadrant, m.integer(1)), m.integer(0));
  Value sign = m.shiftLeft(m.logicalAnd(quadrant, m.integer(2)), 30);
  Value value = m.select(isOdd, cos, sin);
  return m.fromBits(m.logicalXor(m.bitsOf(value), sign));
}

Value fly::expandSin(MathBuilder &m, ValueRange x) {
  if (m.isApproximate())
    return m.sinRevolutions(m.fract(m.mul(x[0], m.constant(kOneOverTwoPi))));
  auto [angle, quadrant] = reduce(m, m.abs(x[0]));
  Value value = evaluate(m, angle, quadrant);
  Value sign = m.logicalAnd(m.bitsOf(x[0]), m.integer(INT32_MIN));
  return m.fromBits(m.logicalXor(m.bitsOf(value), sign));
}

Value fly::expandCos(MathBuilder &m, ValueRange x) {
  if (m.isApproximate())
    return m.cosRevolutions(m.fract(m.mul(x[0], m.constant(kOneOverTwoPi))));
  auto [angle, quadrant] = reduce(m, m.abs(x[0]));
  return evaluate(m, angle, m.addInteger(quadrant, m.integer(1)));
}
