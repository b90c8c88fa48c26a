//===- ValuMinMax.h - Minimum, maximum and median of floats -----*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One definition for f32, f64 and f16, by the ISA document's pseudocode [AMD:
// CDNA3 ISA, V_MIN_F32, V_MED3_F32]: -0 is below +0, NaN loses against numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUMINMAX_H
#define FLY_SIM_EXEC_VALUMINMAX_H

#include "ValuWide.h"

namespace fly::sim {

inline bool isSignallingNan(float v) {
  return isNanValue(v) && !(bitCast<uint32_t>(v) & 0x00400000u);
}
inline bool isSignallingNan(double v) {
  return isNanValue(v) && !(bitCast<uint64_t>(v) & uint64_t(1) << 51);
}
inline bool isSignallingNan(Half v) {
  return isNanValue(v) && !(v.bits & 0x0200);
}

/// An integer that orders all numbers, -0 below +0.
inline int32_t orderKey(float v) {
  int32_t bits = bitCast<int32_t>(v);
  return bits < 0 ? bits ^ INT32_MAX : bits;
}
inline int64_t orderKey(double v) {
  int64_t bits = bitCast<int64_t>(v);
  return bits < 0 ? bits ^ INT64_MAX : bits;
}
inline int32_t orderKey(Half v) {
  return v.bits & 0x8000 ? -int32_t(v.bits & 0x7FFF) - 1 : int32_t(v.bits);
}

template <typename T>
T minimumNumber(T a, T b, const ModeRegister &mode) {
  if (isNanValue(a) || isNanValue(b)) {
    if (mode.ieee() && isSignallingNan(a))
      return quietNan(a);
    if (mode.ieee() && isSignallingNan(b))
      return quietNan(b);
    return isNanValue(a) ? b : a;
  }
  return orderKey(a) < orderKey(b) ? a : b;
}

template <typename T>
T maximumNumber(T a, T b, const ModeRegister &mode) {
  if (isNanValue(a) || isNanValue(b))
    return minimumNumber(a, b, mode);
  return orderKey(a) > orderKey(b) ? a : b;
}

template <typename T>
T minimumOf3(T a, T b, T c, const ModeRegister &mode) {
  return minimumNumber(minimumNumber(a, b, mode), c, mode);
}
template <typename T>
T maximumOf3(T a, T b, T c, const ModeRegister &mode) {
  return maximumNumber(maximumNumber(a, b, mode), c, mode);
}

// Of f32 numbers only the order counts, whatever MODE says. Equal ones differ
// by the sign of zero alone.
inline float lesserOf(float a, float b) {
  uint32_t both = bitCast<uint32_t>(a) | bitCast<uint32_t>(b);
  float other = a == b ? bitCast<float>(both) : b;
  return a < b ? a : other;
}
inline float greaterOf(float a, float b) {
  uint32_t both = bitCast<uint32_t>(a) & bitCast<uint32_t>(b);
  float other = a == b ? bitCast<float>(both) : b;
  return a > b ? a : other;
}
template <>
struct ShortForm<minimumNumber<float>> : FormOfNumbers {
  static float run(float a, float b, const ModeRegister &) {
    return lesserOf(a, b);
  }
};
template <>
struct ShortForm<maximumNumber<float>> : FormOfNumbers {
  static float run(float a, float b, const ModeRegister &) {
    return greaterOf(a, b);
  }
};
template <>
struct ShortForm<minimumOf3<float>> : FormOfNumbers {
  static float run(float a, float b, float c, const ModeRegister &) {
    return lesserOf(lesserOf(a, b), c);
  }
};
template <>
struct ShortForm<maximumOf3<float>> : FormOfNumbers {
  static float run(float a, float b, float c, const ModeRegister &) {
    return greaterOf(greaterOf(a, b), c);
  }
};

// Of f16 numbers likewise, in 16 bits.
inline int16_t shortKey(Half v) {
  return static_cast<int16_t>(v.bits & 0x8000 ? v.bits ^ 0x7FFF : v.bits);
}
inline Half lesserOf(Half a, Half b) {
  return shortKey(a) < shortKey(b) ? a : b;
}
inline Half greaterOf(Half a, Half b) {
  return shortKey(a) > shortKey(b) ? a : b;
}
template <>
struct ShortForm<minimumNumber<Half>> : FormOfNumbers {
  static Half run(Half a, Half b, const ModeRegister &) {
    return lesserOf(a, b);
  }
};
template <>
struct ShortForm<maximumNumber<Half>> : FormOfNumbers {
  static Half run(Half a, Half b, const ModeRegister &) {
    return greaterOf(a, b);
  }
};

/// The number of a key.
inline float ofOrderKey(int32_t key) {
  return bitCast<float>(key < 0 ? key ^ INT32_MAX : key);
}

/// The middle of three numbers; with a NaN among them, their minimum.
template <typename T>
T medianOf3(T a, T b, T c, const ModeRegister &mode) {
  if (isNanValue(a) || isNanValue(b) || isNanValue(c))
    return minimumOf3(a, b, c, mode);
  T largest = maximumOf3(a, b, c, mode);
  if (orderKey(largest) == orderKey(a))
    return maximumNumber(b, c, mode);
  if (orderKey(largest) == orderKey(b))
    return maximumNumber(a, c, mode);
  return maximumNumber(a, b, mode);
}

template <>
struct ShortForm<medianOf3<float>> : FormOfNumbers {
  static float run(float a, float b, float c, const ModeRegister &) {
    int32_t x = orderKey(a), y = orderKey(b), z = orderKey(c);
    int32_t lesser = x < y ? x : y, greater = x < y ? y : x;
    int32_t bounded = greater < z ? greater : z;
    return ofOrderKey(lesser > bounded ? lesser : bounded);
  }
};

/// IEEE 754-2019 minimum of three: any NaN is the result, made quiet.
template <typename T>
T minimumPropagating3(T a, T b, T c, const ModeRegister &mode) {
  if (isNanValue(a) || isNanValue(b) || isNanValue(c))
    return propagateNan<T>(a, b, c);
  return minimumOf3(a, b, c, mode);
}
template <typename T>
T maximumPropagating3(T a, T b, T c, const ModeRegister &mode) {
  if (isNanValue(a) || isNanValue(b) || isNanValue(c))
    return propagateNan<T>(a, b, c);
  return maximumOf3(a, b, c, mode);
}

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUMINMAX_H
