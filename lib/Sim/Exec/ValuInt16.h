//===- ValuInt16.h - One-lane arithmetic on 16-bit integers -----*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the plain and the packed instructions. T is int16_t or uint16_t.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUINT16_H
#define FLY_SIM_EXEC_VALUINT16_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace fly::sim {

/// The nearest value of T.
template <typename T>
T saturate16(int64_t value) {
  return static_cast<T>(std::clamp<int64_t>(
      value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <typename T>
T add16(T a, T b) {
  return static_cast<T>(a + b);
}
template <typename T>
T sub16(T a, T b) {
  return static_cast<T>(a - b);
}
template <typename T>
T mul16(T a, T b) {
  return static_cast<T>(uint32_t(a) * uint32_t(b));
}
template <typename T>
T mad16(T a, T b, T c) {
  return static_cast<T>(uint32_t(a) * uint32_t(b) + uint32_t(c));
}
template <typename T>
T add16Saturating(T a, T b) {
  return saturate16<T>(int64_t(a) + b);
}
template <typename T>
T sub16Saturating(T a, T b) {
  return saturate16<T>(int64_t(a) - b);
}
template <typename T>
T mad16Saturating(T a, T b, T c) {
  return saturate16<T>(int64_t(a) * b + c);
}
template <typename T>
T min16(T a, T b) {
  return std::min(a, b);
}
template <typename T>
T max16(T a, T b) {
  return std::max(a, b);
}
inline uint16_t shiftLeft16(uint16_t amount, uint16_t a) {
  return static_cast<uint16_t>(a << (amount & 15));
}
template <typename T>
T shiftRight16(uint16_t amount, T a) {
  return static_cast<T>(a >> (amount & 15));
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUINT16_H
