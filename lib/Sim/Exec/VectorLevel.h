//===- VectorLevel.h - Instruction sets that loops are built for *- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product runs on any x86-64 host. A few inner loops are compiled again for
// wider vectors and fused multiply-adds, and chosen once by what the host has.
// All levels give the same bits; a test compares them.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VECTORLEVEL_H
#define FLY_SIM_EXEC_VECTORLEVEL_H

namespace fly::sim {

enum class VectorLevel {
  Generic,
  Avx2,   ///< With FMA and F16C.
  Avx512, ///< With F, BW, DQ and VL, as all servers have them.
};

/// The highest level that the host executes.
inline VectorLevel hostVectorLevel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return VectorLevel::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c"))
    return VectorLevel::Avx2;
#endif
  return VectorLevel::Generic;
}

} // namespace fly::sim

#if defined(__x86_64__)
#define FLY_TARGET_AVX2 __attribute__((target("avx2,fma,f16c")))
#define FLY_TARGET_AVX512                                                      \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define FLY_TARGET_AVX2
#define FLY_TARGET_AVX512
#endif

/// A loop that takes on the instruction set of its caller.
#define FLY_INLINE inline __attribute__((always_inline))

/// Before a statement whose calls must be inlined: one that stays a call keeps
/// the loop around it from becoming vectors.
#if defined(__clang__)
#define FLY_INLINE_CALLS [[clang::always_inline]]
#else
#define FLY_INLINE_CALLS
#endif

/// Before a short loop over lanes: not unrolled lane by lane before it can
/// become vectors.
#if defined(__clang__)
#define FLY_LANES_LOOP _Pragma("clang loop unroll(disable)")
#else
#define FLY_LANES_LOOP
#endif

#endif // FLY_SIM_EXEC_VECTORLEVEL_H
