//===- ValuTranscendental.cpp - exp, log, rcp, rsq, sqrt, sin, cos --------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware promises about 1 ulp [AMD]; the simulator returns the value
// rounded to nearest even (rcp, rsq, sqrt: correctly; exp, log, sin, cos: from
// a double with an error below 2^-48, Transcendental.h; [INF:
// SIM-TRANSCENDENTAL]). v_exp_f32 and v_log_f32 treat denormals as zero
// whatever MODE says: LLVM scales around it [LLVM22]. The f64 rcp and rsq of
// the hardware are seeds with about 2^-24 relative error that the compiler
// refines [MEM]; here they are correctly rounded, which the refinement leaves
// alone.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Numeric/Transcendental.h"

#include <cmath>

#include "ValuFused.h"
#include "ValuHalf.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// Denormals become zeros of their sign.
float flush(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  return (bits & 0x7F800000u) == 0 ? bitCast<float>(bits & 0x80000000u) : a;
}

float exp2Of(float a) { return flush(float(exp2Wide(flush(a)))); }
float log2Of(float a) { return float(log2Wide(flush(a))); }
float sinOf(float a) { return float(sinRevolutions(a)); }
float cosOf(float a) { return float(cosRevolutions(a)); }
/// Without errno, which would keep loops from becoming vectors.
template <typename T>
T rootOf(T a) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(a);
#else
  return std::sqrt(a);
#endif
}
float reciprocal(float a) { return 1.0f / a; }
float squareRoot(float a) { return rootOf(a); }
/// The double's square root and quotient err by 2^-52, far from f32's ties.
float reciprocalRoot(float a) { return float(1.0 / rootOf(double(a))); }

double reciprocal64(double a) { return 1.0 / a; }
double squareRoot64(double a) { return std::sqrt(a); }
double reciprocalRoot64(double a) { return 1.0 / std::sqrt(a); }

double toWide(Half a) { return halfToFloat(a.bits); }
Half fromWide(double value) { return {floatToHalf(narrowToOdd(value))}; }
Half exp2Half(Half a) { return fromWide(exp2Wide(toWide(a))); }
Half log2Half(Half a) { return fromWide(log2Wide(toWide(a))); }
Half sinHalf(Half a) { return fromWide(sinRevolutions(toWide(a))); }
Half cosHalf(Half a) { return fromWide(cosRevolutions(toWide(a))); }
Half reciprocalHalf(Half a) { return fromWide(1.0 / toWide(a)); }
Half squareRootHalf(Half a) { return fromWide(rootOf(toWide(a))); }
Half reciprocalRootHalf(Half a) { return fromWide(1.0 / rootOf(toWide(a))); }

// The unit ignores MODE's rounding direction but its NaNs follow the rule of
// arithmetic, hence the wrappers' NaN fix through kRounds is replaced here.
template <auto Fn, typename T>
T withCanonicalNan(T a) {
  T result = Fn(a);
  T nan = isNanValue(a) ? quietNan(a) : canonicalNan<T>();
  return isNanValue(result) ? nan : result;
}

} // namespace

// Without the ends of the range.
template <>
struct fly::sim::ShortForm<withCanonicalNan<exp2Of, float>> {
  static constexpr bool exists = true;
  /// No result is denormal; denormal operands are as good as 0.
  static bool fits(float a) { return std::fabs(a) <= 126; }
  static float run(float a) { return float(exp2InRange(a)); }
};
struct PositiveNormal {
  static constexpr bool exists = true;
  static bool fits(float a) {
    return (a >= 0x1p-126f) & (a <= std::numeric_limits<float>::max());
  }
};
template <>
struct fly::sim::ShortForm<withCanonicalNan<log2Of, float>> : PositiveNormal {
  static float run(float a) { return float(log2Normal(a)); }
};
/// In f32: one step of Newton with an exact remainder, which rounds rightly; a
/// test goes through all mantissas.
template <>
struct fly::sim::ShortForm<withCanonicalNan<reciprocalRoot, float>>
    : PositiveNormal {
  static float run(float a) {
    float seed = 1.0f / rootOf(a);
    float root = a * seed;
    float lost = fusedMultiplyAdd32(a, seed, -root);
    float rest = fusedMultiplyAdd32(-root, seed, 1.0f);
    rest = fusedMultiplyAdd32(-lost, seed, rest);
    // (1 - rest)^(-1/2) = 1 + rest (1/2 + rest 3/8)
    float change = fusedMultiplyAdd32(0.375f * rest, rest, 0.5f * rest);
    return fusedMultiplyAdd32(seed, change, seed);
  }
};

namespace {

template <float (*Fn)(float)>
constexpr ValuRow singleWide(const char *mnemonic) {
  return valuWide<withCanonicalNan<Fn, float>, kFlushes>(mnemonic);
}
template <double (*Fn)(double)>
constexpr ValuRow wide(const char *mnemonic) {
  return valu<withCanonicalNan<Fn, double>, kFlushes>(mnemonic);
}
template <Half (*Fn)(Half)>
constexpr ValuRow half(const char *mnemonic) {
  return valuWide<withCanonicalNan<Fn, Half>, kFlushes>(mnemonic);
}

constexpr ValuRow kRows[] = {
    singleWide<exp2Of>("v_exp_f32"),
    singleWide<log2Of>("v_log_f32"),
    singleWide<exp2Of>("v_exp_legacy_f32"),
    singleWide<log2Of>("v_log_legacy_f32"),
    singleWide<sinOf>("v_sin_f32"),
    singleWide<cosOf>("v_cos_f32"),
    singleWide<reciprocal>("v_rcp_f32"),
    singleWide<reciprocal>("v_rcp_iflag_f32"),
    singleWide<squareRoot>("v_sqrt_f32"),
    singleWide<reciprocalRoot>("v_rsq_f32"),

    wide<reciprocal64>("v_rcp_f64"),
    wide<squareRoot64>("v_sqrt_f64"),
    wide<reciprocalRoot64>("v_rsq_f64"),

    half<exp2Half>("v_exp_f16"),
    half<log2Half>("v_log_f16"),
    half<sinHalf>("v_sin_f16"),
    half<cosHalf>("v_cos_f16"),
    half<reciprocalHalf>("v_rcp_f16"),
    half<squareRootHalf>("v_sqrt_f16"),
    half<reciprocalRootHalf>("v_rsq_f16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuTranscendentalRows() { return kRows; }
