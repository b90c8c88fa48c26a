//===- Logarithms.cpp - log, log2, log10, log1p ---------------------------===//
//
// v_log_f32 is log2(x). It counts denormal arguments as zero: they are scaled
// up and the logarithm of the scale is taken off. As f32, arguments of f16 are
// never denormal.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

static constexpr double kLn2 = 0.693147180559945309417;
static constexpr double kLog10Of2 = 0.301029995663981195214;
static constexpr double kSmallestNormal = 0x1p-126;

Value fly::expandLog2(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isF16())
    return m.log2(x[0]);
  Value small = m.less(x[0], m.constant(kSmallestNormal));
  Value scaled =
      m.mul(x[0], m.select(small, m.constant(0x1p32), m.constant(1.0)));
  return m.sub(m.log2(scaled),
               m.select(small, m.constant(32.0), m.constant(0.0)));
}

Value fly::expandLog(MathBuilder &m, ValueRange x) {
  return m.mul(expandLog2(m, x), m.constant(kLn2));
}

Value fly::expandLog10(MathBuilder &m, ValueRange x) {
  return m.mul(expandLog2(m, x), m.constant(kLog10Of2));
}

/// log(u) + c / u, where u + c = 1 + x exactly and u is a f32.
Value fly::expandLog1p(MathBuilder &m, ValueRange x) {
  Value one = m.constant(1.0);
  Value u = m.add(x[0], one);
  Value log = m.mul(m.log2(u), m.constant(kLn2));
  if (m.isApproximate())
    return log;
  Value c = m.sub(x[0], m.sub(u, one));
  Value sum = m.fma(c, m.rcp(u), log);
  // At -1 and infinity c / u has no meaning, and log is the result.
  Value result = m.select(m.isNan(sum), log, sum);
  // Keeps -0; the sign of a result is that of the argument.
  return m.copysign(result, x[0]);
}
