//===- ValuFused.h - Fused multiply-add of whole registers ------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The baseline of x86-64 has no fused multiply-add, and a library call a lane
// is slow; whole registers therefore go through a function that is compiled for
// the hosts that have it and chosen at the first call. The bits are the same.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUFUSED_H
#define FLY_SIM_EXEC_VALUFUSED_H

#include <cmath>

#include "ValuDriver.h"

namespace fly::sim {

inline float fusedMultiplyAdd32(float a, float b, float c) {
  return std::fmaf(a, b, c);
}
inline double fusedMultiplyAdd64(double a, double b, double c) {
  return std::fma(a, b, c);
}

/// out = a * b + c for 64 f32 lanes given as their bits.
void fuseLanes32(const uint32_t *a, const uint32_t *b, const uint32_t *c,
                 uint32_t *out);

template <>
struct RowKernel<fusedMultiplyAdd32> {
  static constexpr bool exists = true;
  static void run(Result<float> &result, const Argument<float> &a,
                  const Argument<float> &b, const Argument<float> &c) {
    fuseLanes32(a.lowLanes(), b.lowLanes(), c.lowLanes(), result.lowLanes());
  }
};

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUFUSED_H
