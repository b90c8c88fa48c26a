//===- Roots.cpp - rsqrt, sqrt, division, remainder -----------------------===//
//
// v_rsq_f32, v_sqrt_f32 and v_rcp_f32 count denormals as zero: arguments are
// scaled up where they may be denormal. sqrt and division of f32 without `afn`
// stay: LLVM rounds them correctly.
//
//===----------------------------------------------------------------------===//
#include "Expansions.h"

using namespace mlir;
using namespace fly;

static constexpr double kSmallestNormal = 0x1p-126;

Value fly::expandRsqrt(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isF16())
    return m.rsq(x[0]);
  Value small = m.less(x[0], m.constant(kSmallestNormal));
  Value scaled =
      m.mul(x[0], m.select(small, m.constant(0x1p24), m.constant(1.0)));
  return m.mul(m.rsq(scaled),
               m.select(small, m.constant(0x1p12), m.constant(1.0)));
}

Value fly::expandSqrt(MathBuilder &m, ValueRange x) {
  if (m.isApproximate() || m.isF16())
    return m.sqrt(x[0]);
  Value small = m.less(x[0], m.constant(kSmallestNormal));
  Value scaled =
      m.mul(x[0], m.select(small, m.constant(0x1p24), m.constant(1.0)));
  return m.mul(m.sqrt(scaled),
               m.select(small, m.constant(0x1p-12), m.constant(1.0)));
}

Value fly::expandDivision(MathBuilder &m, ValueRange x) {
  return m.mul(x[0], m.rcp(x[1]));
}

Value fly::expandRemainder(MathBuilder &m, ValueRange x) {
  return m.rem(x[0], x[1]);
}
