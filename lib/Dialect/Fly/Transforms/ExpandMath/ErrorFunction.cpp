//===- ErrorFunction.cpp - erf --------------------------------------------===//
//
// x P(x^2) below 1, 1 - 2^-Q(|x|) above; 1 from 4 on.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

Value fly::expandErf(MathBuilder &m, ValueRange arguments) {
  Value x = arguments[0];
  Value magnitude = m.abs(x);
  Value square = m.mul(x, x);
  // Minimax fits: relative 2^-29.7 on [0, 1], and on [1, 4], weighted by
  // erfc, 2^-29.8.
  Value small = m.mul(
      x, m.polynomial(square, {1.12837916591142, -0.3761262711955839,
                               0.11283599983731755, -0.026854436342268386,
                               0.005189519377761312, -0.000802069903602168,
                               7.888644410314298e-05}));
  Value beyond = m.less(m.constant(4.0), magnitude);
  Value clamped = m.select(beyond, m.constant(4.0), magnitude);
  Value q = m.polynomial(clamped, {0.0005083128989875562, 1.6259833852802583,
                                   0.9207508485511141, 0.14866414139646159,
                                   -0.0314646427648384, 0.00424255503458098,
                                   -0.00026789424369963113});
  Value large = m.sub(m.constant(1.0), m.exp2(m.neg(q)));
  Value isSmall = m.less(magnitude, m.constant(1.0));
  return m.select(isSmall, small, m.copysign(large, x));
}
