//===- ValuFused.h - Fused multiply-add of one lane -------------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rounding on every host: an instruction where the caller is compiled for
// one, else the C library's exact function.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUFUSED_H
#define FLY_SIM_EXEC_VALUFUSED_H

#include <cmath>

namespace fly::sim {

inline float fusedMultiplyAdd32(float a, float b, float c) {
  return std::fmaf(a, b, c);
}
inline double fusedMultiplyAdd64(double a, double b, double c) {
  return std::fma(a, b, c);
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUFUSED_H
