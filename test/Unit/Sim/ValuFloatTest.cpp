//===- ValuFloatTest.cpp - float arithmetic in its modes ------------------===//

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <algorithm>

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;

namespace {

using U64 = uint64_t;
using Lane = const LaneView &;

float f(U64 bits) { return asFloat(bits); }
double d(U64 bits) { return asDouble(bits); }

/// Order of all numbers with -0 below +0.
bool below(double a, double b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
bool isSignalling(float v) { return std::isnan(v) && !(bitsOf(v) & 0x400000); }
float minOf(float a, float b) {
  if (isSignalling(a) || isSignalling(b))
    return asFloat(bitsOf(isSignalling(a) ? a : b) | 0x400000);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return below(a, b) ? a : b;
}
float maxOf(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return minOf(a, b);
  return below(b, a) ? a : b;
}
float clamp01(float v) {
  return std::isnan(v) ? 0 : v <= 0 ? 0 : v > 1 ? 1 : v;
}

std::vector<ValuCase> singleCases() {
  return {
      {"v_add_f32_e32 v20, v10, v12",
       [](Lane l) { return nanRule(f(l.a) + f(l.b), {f(l.a), f(l.b)}); }},
      {"v_sub_f32_e32 v20, v10, v12",
       [](Lane l) { return nanRule(f(l.a) - f(l.b), {f(l.a), f(l.b)}); }},
      {"v_subrev_f32_e32 v20, v10, v12",
       [](Lane l) { return nanRule(f(l.b) - f(l.a), {f(l.a), f(l.b)}); }},
      {"v_mul_f32_e32 v20, v10, v12",
       [](Lane l) { return nanRule(f(l.a) * f(l.b), {f(l.a), f(l.b)}); }},
      {"v_mul_f32_e32 v20, 0.5, v12",
       [](Lane l) { return nanRule(0.5f * f(l.b), {f(l.b)}); }},
      {"v_fma_f32 v20, v10, v12, v14",
       [](Lane l) {
         return nanRule(std::fma(f(l.a), f(l.b), f(l.c)),
                        {f(l.a), f(l.b), f(l.c)});
       }},
      {"v_fma_f32 v20, -v10, |v12|, -|v14|",
       [](Lane l) {
         float a = -f(l.a), b = std::fabs(f(l.b)), c = -std::fabs(f(l.c));
         return nanRule(std::fma(a, b, c), {a, b, c});
       }},
      {"v_fmac_f32_e32 v20, v10, v12",
       [](Lane l) {
         return nanRule(std::fma(f(l.a), f(l.b), f(l.old)),
                        {f(l.a), f(l.b), f(l.old)});
       }},
      {"v_fmamk_f32 v20, v10, 0x40490fdb, v12",
       [](Lane l) {
         float k = asFloat(0x40490fdb);
         return nanRule(std::fma(f(l.a), k, f(l.b)), {f(l.a), k, f(l.b)});
       }},
      {"v_fmaak_f32 v20, v10, v12, 0x40490fdb",
       [](Lane l) {
         float k = asFloat(0x40490fdb);
         return nanRule(std::fma(f(l.a), f(l.b), k), {f(l.a), f(l.b), k});
       }},
      {"v_mul_legacy_f32 v20, v10, v12",
       [](Lane l) {
         if (f(l.a) == 0 || f(l.b) == 0)
           return 0u;
         return nanRule(f(l.a) * f(l.b), {f(l.a), f(l.b)});
       }},
      {"v_add_f32_e64 v20, v10, v12 clamp",
       [](Lane l) { return bitsOf(clamp01(f(l.a) + f(l.b))); }},
      {"v_min_f32_e32 v20, v10, v12",
       [](Lane l) { return bitsOf(minOf(f(l.a), f(l.b))); }},
      {"v_max_f32_e32 v20, v10, v12",
       [](Lane l) { return bitsOf(maxOf(f(l.a), f(l.b))); }},
      {"v_max3_f32 v20, v10, v12, v14",
       [](Lane l) { return bitsOf(maxOf(maxOf(f(l.a), f(l.b)), f(l.c))); }},
      {"v_med3_f32 v20, v10, v12, v14",
       [](Lane l) {
         float v[] = {f(l.a), f(l.b), f(l.c)};
         if (std::isnan(v[0]) || std::isnan(v[1]) || std::isnan(v[2]))
           return bitsOf(minOf(minOf(v[0], v[1]), v[2]));
         std::sort(v, v + 3, below);
         return bitsOf(v[1]);
       }},
      {"v_floor_f32_e32 v20, v10",
       [](Lane l) { return nanRule(std::floor(f(l.a)), {f(l.a)}); }},
      {"v_ceil_f32_e32 v20, v10",
       [](Lane l) { return nanRule(std::ceil(f(l.a)), {f(l.a)}); }},
      {"v_trunc_f32_e32 v20, v10",
       [](Lane l) { return nanRule(std::trunc(f(l.a)), {f(l.a)}); }},
      {"v_rndne_f32_e32 v20, v10",
       [](Lane l) { return nanRule(std::nearbyint(f(l.a)), {f(l.a)}); }},
      {"v_fract_f32_e32 v20, v10",
       [](Lane l) {
         float a = f(l.a);
         if (!std::isfinite(a))
           return nanRule(NAN, {a});
         float result = a - std::floor(a);
         return bitsOf(result < 1 ? result : asFloat(0x3F7FFFFF));
       }},
      {"v_ldexp_f32 v20, v10, -3",
       [](Lane l) { return nanRule(std::ldexp(f(l.a), -3), {f(l.a)}); }},
      {"v_cndmask_b32_e64 v20, -v10, |v12|, vcc",
       [](Lane l) {
         return (l.vcc >> l.lane) & 1 ? uint32_t(l.b) & 0x7FFFFFFF
                                      : uint32_t(l.a) ^ 0x80000000;
       }},
  };
}

TEST(ValuFloat, ComputesSingles) {
  runCases(singleCases(), "gfx942", floatOperands, 201);
}

TEST(ValuFloat, SplitsMantissaAndExponent) {
  runCases(
      {
          {"v_frexp_exp_i32_f32_e32 v20, v10",
           [](Lane l) {
             float a = f(l.a);
             bool number = std::isfinite(a) && a != 0;
             return U64(number ? std::ilogb(a) + 1 : 0);
           }},
          {"v_frexp_mant_f32_e32 v20, v10",
           [](Lane l) {
             float a = f(l.a);
             if (!std::isfinite(a) || a == 0)
               return uint32_t(l.a);
             return bitsOf(std::ldexp(a, -std::ilogb(a) - 1));
           }},
      },
      "gfx942", floatOperands, 202);
}

/// One f32 operation by APFloat under a rounding direction, denormals flushed
/// as the two bits of MODE say.
uint32_t byLlvm(char op, float a, float b, unsigned rounding, unsigned keep) {
  constexpr llvm::RoundingMode modes[] = {
      APFloat::rmNearestTiesToEven, APFloat::rmTowardPositive,
      APFloat::rmTowardNegative, APFloat::rmTowardZero};
  auto flush = [](float v) {
    return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
  };
  if (!(keep & 1))
    a = flush(a), b = flush(b);
  APFloat x(a), y(b);
  if (op == '+')
    x.add(y, modes[rounding]);
  else
    x.multiply(y, modes[rounding]);
  float result = x.convertToFloat();
  if (!(keep & 2))
    result = flush(result);
  return nanRule(result, {a, b});
}

TEST(ValuFloat, FollowsTheModeRegister) {
  for (unsigned rounding = 0; rounding != 4; ++rounding)
    for (unsigned keep = 0; keep != 4; ++keep)
      runCases(
          {
              {"v_add_f32_e32 v20, v10, v12",
               [=](Lane l) {
                 return byLlvm('+', f(l.a), f(l.b), rounding, keep);
               }},
              {"v_mul_f32_e32 v20, v10, v12",
               [=](Lane l) {
                 return byLlvm('*', f(l.a), f(l.b), rounding, keep);
               }},
          },
          "gfx942", floatOperands, 203, 0x300 | 0xC0 | keep << 4 | rounding);
}

TEST(ValuFloat, AppliesOutputMultipliersOnlyWithoutDenormals) {
  // IEEE off, denormal results flushed: omod counts.
  ValuCase doubled = {"v_add_f32_e64 v20, v10, v12 mul:2", [](Lane l) {
                        return byLlvm('+', f(l.a), f(l.b), 0, 0) + 0x800000;
                      }};
  runCases(
      {doubled}, "gfx942",
      [](SeededRandom &random, BareWave &wave, unsigned lane) {
        for (unsigned reg : {10u, 12u})
          wave.v(reg, lane) = (random.bits() & 0x007FFFFF) | 0x3F800000;
      },
      204, 0xC0);
  ValuCase ignored = {"v_add_f32_e64 v20, v10, v12 mul:4", [](Lane l) {
                        return nanRule(f(l.a) + f(l.b), {f(l.a), f(l.b)});
                      }};
  runCases({ignored}, "gfx942", floatOperands, 205);
}

TEST(ValuFloat, ComputesDoubles) {
  runCases(
      {
          {"v_add_f64 v[20:21], v[10:11], v[12:13]",
           [](Lane l) { return nanRule(d(l.a) + d(l.b), {d(l.a), d(l.b)}); },
           true},
          {"v_mul_f64 v[20:21], -v[10:11], |v[12:13]|",
           [](Lane l) {
             double a = -d(l.a), b = std::fabs(d(l.b));
             return nanRule(a * b, {a, b});
           },
           true},
          {"v_fma_f64 v[20:21], v[10:11], v[12:13], v[14:15]",
           [](Lane l) {
             return nanRule(std::fma(d(l.a), d(l.b), d(l.c)),
                            {d(l.a), d(l.b), d(l.c)});
           },
           true},
          {"v_fmac_f64_e32 v[20:21], v[10:11], v[12:13]",
           [](Lane l) {
             return nanRule(std::fma(d(l.a), d(l.b), d(l.old)),
                            {d(l.a), d(l.b), d(l.old)});
           },
           true},
          {"v_max_f64 v[20:21], v[10:11], v[12:13]",
           [](Lane l) {
             double a = d(l.a), b = d(l.b);
             U64 quiet = U64(1) << 51;
             for (U64 bits : {l.a, l.b})
               if (std::isnan(d(bits)) && !(bits & quiet))
                 return bits | quiet;
             if (std::isnan(a) || std::isnan(b))
               return std::isnan(a) ? l.b : l.a;
             return below(b, a) ? l.a : l.b;
           },
           true},
          {"v_floor_f64_e32 v[20:21], v[10:11]",
           [](Lane l) { return nanRule(std::floor(d(l.a)), {d(l.a)}); }, true},
          {"v_ldexp_f64 v[20:21], v[10:11], 5",
           [](Lane l) { return nanRule(std::ldexp(d(l.a), 5), {d(l.a)}); },
           true},
          {"v_rcp_f64_e32 v[20:21], v[10:11]",
           [](Lane l) { return nanRule(1.0 / d(l.a), {d(l.a)}); }, true},
      },
      "gfx942", doubleOperands, 206);
}

TEST(ValuFloat, ComparesFloats) {
  SeededRandom random(207);
  AssembledCode code("v_cmp_lt_f32_e64 s[10:11], v10, v12\n"
                     "v_cmp_nlt_f32_e64 s[12:13], v10, v12\n"
                     "v_cmp_o_f32_e64 s[14:15], v10, v12\n"
                     "v_cmp_neq_f32_e64 s[16:17], -v10, |v12|\n"
                     "v_cmp_lg_f64_e64 s[18:19], v[10:11], v[12:13]\n"
                     "v_cmp_class_f32_e64 s[20:21], v10, v14\n"
                     "v_cmp_ge_f16_e64 s[22:23], v10, v12\n",
                     "gfx942");
  for (unsigned round = 0; round != 20; ++round) {
    BareWave wave;
    for (unsigned lane = 0; lane != 64; ++lane) {
      floatOperands(random, wave, lane);
      wave.v(14, lane) = random.bits();
    }
    wave.run(code);
    for (unsigned lane = 0; lane != 64; ++lane) {
      float a = wave.f(10, lane), b = wave.f(12, lane);
      double x = d(wave.v64(10, lane)), y = d(wave.v64(12, lane));
      unsigned group = 0;
      switch (std::fpclassify(a)) {
      case FP_NAN:
        group = isSignalling(a) ? 0 : 1;
        break;
      case FP_INFINITE:
        group = std::signbit(a) ? 2 : 9;
        break;
      case FP_NORMAL:
        group = std::signbit(a) ? 3 : 8;
        break;
      case FP_SUBNORMAL:
        group = std::signbit(a) ? 4 : 7;
        break;
      default:
        group = std::signbit(a) ? 5 : 6;
      }
      auto half = [&](unsigned reg) {
        APFloat v(APFloat::IEEEhalf(),
                  llvm::APInt(16, wave.v(reg, lane) & 0xFFFF));
        bool loses;
        v.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
        return v.convertToFloat();
      };
      const bool expected[] = {a < b,
                               !(a < b),
                               !std::isnan(a) && !std::isnan(b),
                               !(-a == std::fabs(b)),
                               x < y || x > y,
                               ((wave.v(14, lane) >> group) & 1) != 0,
                               half(10) >= half(12)};
      for (unsigned i = 0; i != 7; ++i)
        EXPECT_EQ((wave.state.sgpr64(10 + 2 * i) >> lane) & 1, U64(expected[i]))
            << code[i].text.str() << " " << a << " " << b;
    }
  }
}

// The sequence that LLVM emits for an IEEE f32 division.
TEST(ValuFloat, DividesCorrectlyRounded) {
  AssembledCode code("v_div_scale_f32 v30, s[10:11], v12, v12, v10\n"
                     "v_rcp_f32_e32 v31, v30\n"
                     "v_fma_f32 v32, -v30, v31, 1.0\n"
                     "v_fmac_f32_e32 v31, v32, v31\n"
                     "v_div_scale_f32 v32, vcc, v10, v12, v10\n"
                     "v_mul_f32_e32 v33, v32, v31\n"
                     "v_fma_f32 v34, -v30, v33, v32\n"
                     "v_fmac_f32_e32 v33, v34, v31\n"
                     "v_fma_f32 v30, -v30, v33, v32\n"
                     "v_div_fmas_f32 v30, v30, v31, v33\n"
                     "v_div_fixup_f32 v20, v30, v12, v10\n",
                     "gfx942");
  SeededRandom random(208);
  for (unsigned round = 0; round != 400; ++round) {
    BareWave wave;
    for (unsigned lane = 0; lane != 64; ++lane) {
      floatOperands(random, wave, lane);
      if (round % 2) // every pair of exponents, denormals included
        for (unsigned reg : {10u, 12u})
          wave.v(reg, lane) = random.bits() & 0xFF7FFFFF;
    }
    wave.run(code);
    for (unsigned lane = 0; lane != 64; ++lane) {
      float n = wave.f(10, lane), den = wave.f(12, lane);
      float quotient = n / den;
      if (std::isnan(quotient))
        EXPECT_TRUE(std::isnan(wave.f(20, lane))) << n << " / " << den;
      else
        ASSERT_EQ(wave.v(20, lane), bitsOf(quotient))
            << std::hexfloat << n << " / " << den << " lane " << lane;
    }
  }
}

// The sequence that LLVM emits for an f64 division.
TEST(ValuFloat, DividesDoubles) {
  AssembledCode code(
      "v_div_scale_f64 v[30:31], s[10:11], v[12:13], v[12:13], v[10:11]\n"
      "v_rcp_f64_e32 v[32:33], v[30:31]\n"
      "v_fma_f64 v[34:35], -v[30:31], v[32:33], 1.0\n"
      "v_fmac_f64_e32 v[32:33], v[32:33], v[34:35]\n"
      "v_fma_f64 v[34:35], -v[30:31], v[32:33], 1.0\n"
      "v_fmac_f64_e32 v[32:33], v[32:33], v[34:35]\n"
      "v_div_scale_f64 v[34:35], vcc, v[10:11], v[12:13], v[10:11]\n"
      "v_mul_f64 v[36:37], v[34:35], v[32:33]\n"
      "v_fma_f64 v[30:31], -v[30:31], v[36:37], v[34:35]\n"
      "v_div_fmas_f64 v[30:31], v[30:31], v[32:33], v[36:37]\n"
      "v_div_fixup_f64 v[20:21], v[30:31], v[12:13], v[10:11]\n",
      "gfx942");
  SeededRandom random(209);
  for (unsigned round = 0; round != 200; ++round) {
    BareWave wave;
    for (unsigned lane = 0; lane != 64; ++lane)
      doubleOperands(random, wave, lane);
    wave.run(code);
    for (unsigned lane = 0; lane != 64; ++lane) {
      double n = d(wave.v64(10, lane)), den = d(wave.v64(12, lane));
      double quotient = n / den;
      if (std::fpclassify(quotient) == FP_SUBNORMAL)
        continue; // may be rounded twice, see ValuDivide.cpp
      if (std::isnan(quotient))
        EXPECT_TRUE(std::isnan(d(wave.v64(20, lane))));
      else
        ASSERT_EQ(wave.v64(20, lane), bitsOf(quotient))
            << std::hexfloat << n << " / " << den;
    }
  }
}

TEST(ValuFloat, EvaluatesTranscendentals) {
  struct Function {
    const char *text;
    long double (*value)(long double);
    float low, high;
  };
  constexpr long double turn = 6.283185307179586476925286766559L;
  const Function functions[] = {
      {"v_exp_f32_e32 v20, v10\n", [](long double x) { return std::exp2(x); },
       -125, 127},
      {"v_log_f32_e32 v20, v10\n", [](long double x) { return std::log2(x); },
       1e-30f, 1e30f},
      {"v_rcp_f32_e32 v20, v10\n", [](long double x) { return 1 / x; }, 1e-30f,
       1e30f},
      {"v_rsq_f32_e32 v20, v10\n",
       [](long double x) { return 1 / std::sqrt(x); }, 1e-30f, 1e30f},
      {"v_sqrt_f32_e32 v20, v10\n", [](long double x) { return std::sqrt(x); },
       0, 1e30f},
      {"v_sin_f32_e32 v20, v10\n",
       [](long double x) { return std::sin((x - std::floor(x)) * turn); }, -8,
       8},
      {"v_cos_f32_e32 v20, v10\n",
       [](long double x) { return std::cos((x - std::floor(x)) * turn); }, -8,
       8},
  };
  SeededRandom random(210);
  for (const Function &function : functions) {
    AssembledCode code(function.text, "gfx942");
    for (unsigned round = 0; round != 50; ++round) {
      BareWave wave;
      for (unsigned lane = 0; lane != 64; ++lane) {
        double t = random.bits() / 4294967296.0;
        wave.v(10, lane) =
            bitsOf(float(function.low + t * (function.high - function.low)));
      }
      wave.run(code);
      for (unsigned lane = 0; lane != 64; ++lane) {
        long double exact = function.value(wave.f(10, lane));
        // Correctly rounded, but for what the reference's own error hides.
        float ulp =
            std::fabs(std::nextafter(float(exact), INFINITY) - float(exact));
        EXPECT_LE(std::fabs(wave.f(20, lane) - exact),
                  ulp * 0.5000001L + 1e-16L)
            << code[0].text.str() << " of " << wave.f(10, lane);
      }
    }
  }
}

TEST(ValuFloat, GivesSegmentsOfTwoOverPi) {
  AssembledCode code("v_trig_preop_f64 v[20:21], v[10:11], 0\n"
                     "v_trig_preop_f64 v[22:23], v[10:11], 1\n"
                     "v_trig_preop_f64 v[24:25], v[10:11], 2\n",
                     "gfx942");
  BareWave wave;
  wave.setV64(10, 0, bitsOf(1.0));
  wave.setV64(10, 1, bitsOf(0x1p64)); // exponent 1087: ten bits further
  wave.setV64(10, 2, bitsOf(0x1p1000));
  wave.run(code);
  constexpr long double twoOverPi = 0.636619772367581343075535053490057448L;
  EXPECT_EQ(wave.v64(20, 0), bitsOf(0x1.45f306dc9c882p-1));
  EXPECT_EQ(static_cast<long double>(d(wave.v64(20, 0))) + d(wave.v64(22, 0)),
            twoOverPi);
  // The bits that the first segment skips are those above 2^-10; the constant
  // is good to 2^-65.
  long double skipped = std::floor(twoOverPi * 1024) / 1024;
  long double rest =
      static_cast<long double>(d(wave.v64(20, 1))) + d(wave.v64(22, 1));
  EXPECT_LT(std::fabs(rest - (twoOverPi - skipped)), 0x1p-64L);
  // 946 bits further, 53 of them, scaled by 2^128.
  EXPECT_LT(d(wave.v64(20, 2)), 0x1p-818);
  EXPECT_GT(d(wave.v64(20, 2)), 0x1p-871);
}

TEST(ValuFloat, TranscendentalsOfSpecialValues) {
  AssembledCode code("v_exp_f32_e32 v20, v10\n"
                     "v_log_f32_e32 v21, v10\n"
                     "v_rcp_f32_e32 v22, v10\n"
                     "v_sin_f32_e32 v23, v10\n"
                     "v_rsq_f32_e32 v24, v10\n",
                     "gfx942");
  BareWave wave;
  const uint32_t inputs[] = {0xFF800000, 0x7F800000, 0x80000000, 0xBF800000,
                             0x00000001, 0xC3000000, 0x7F800001};
  for (unsigned i = 0; i != 7; ++i)
    wave.v(10, i) = inputs[i];
  wave.run(code);
  const uint32_t expected[7][5] = {
      // exp, log, rcp, sin, rsq
      {0x00000000, 0x7FC00000, 0x80000000, 0x7FC00000, 0x7FC00000}, // -inf
      {0x7F800000, 0x7F800000, 0x00000000, 0x7FC00000, 0x00000000}, // inf
      {0x3F800000, 0xFF800000, 0xFF800000, 0x80000000, 0xFF800000}, // -0
      {0x3F000000, 0x7FC00000, 0xBF800000, 0x00000000, 0x7FC00000}, // -1
      {0x3F800000, 0xFF800000, 0x7F800000, 0x00000006, 0x64B504F3}, // denormal
      {0x00000000, 0x7FC00000, 0xBC000000, 0x00000000, 0x7FC00000}, // -128
      {0x7FC00001, 0x7FC00001, 0x7FC00001, 0x7FC00001, 0x7FC00001}, // sNaN
  };
  for (unsigned i = 0; i != 7; ++i)
    for (unsigned n = 0; n != 5; ++n) {
      bool isZero = (expected[i][n] & 0x7FFFFFFF) == 0 && n == 3;
      EXPECT_EQ(wave.v(20 + n, i) & (isZero ? 0x7FFFFFFF : ~0u),
                expected[i][n] & (isZero ? 0x7FFFFFFF : ~0u))
          << "input " << std::hex << inputs[i] << " function " << n;
    }
}

} // namespace
