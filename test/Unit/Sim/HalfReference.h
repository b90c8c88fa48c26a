//===- HalfReference.h - f16 and bf16 by LLVM -------------------*- C++ -*-===//
//
// The other side of conversion tests: numbers and codes of narrow formats by
// LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_HALFREFERENCE_H
#define FLY_TEST_UNIT_SIM_HALFREFERENCE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include "ValuCases.h"

namespace fly::test {

using U32 = uint32_t;
using U64 = uint64_t;
using llvm::APFloat;

inline double fromCode(const llvm::fltSemantics &semantics, U64 code) {
  unsigned width = APFloat::semanticsSizeInBits(semantics);
  APFloat value(semantics, llvm::APInt(64, code).trunc(width));
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}
inline U32 toCode(const llvm::fltSemantics &semantics, double value,
                  llvm::RoundingMode mode = APFloat::rmNearestTiesToEven) {
  APFloat number(value);
  bool loses;
  number.convert(semantics, mode, &loses);
  return U32(number.bitcastToAPInt().getZExtValue());
}
/// f16 of a number; NaNs by their rule: payload's top bits kept, quiet.
inline U32 toHalf(float value,
                  llvm::RoundingMode mode = APFloat::rmNearestTiesToEven) {
  if (!std::isnan(value))
    return toCode(APFloat::IEEEhalf(), value, mode);
  U32 bits = bitsOf(value);
  return (bits >> 16 & 0x8000) | 0x7E00 | (bits >> 13 & 0x3FF);
}
inline U32 toBFloat(float value) {
  return std::isnan(value) ? bitsOf(value) >> 16 | 0x40
                           : toCode(APFloat::BFloat(), value);
}
inline double half(U64 bits) {
  return fromCode(APFloat::IEEEhalf(), bits & 0xFFFF);
}

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_HALFREFERENCE_H
