//===- ValuConvertTest.cpp - conversions of one operand or two ------------===//

#include <algorithm>

#include "HalfReference.h"

using namespace fly;
using namespace fly::test;

namespace {

using Lane = const LaneView &;

float f(U64 bits) { return asFloat(bits); }

U32 saturated(double value, double low, double high) {
  if (std::isnan(value))
    return 0;
  return U32(int64_t(std::trunc(std::clamp(value, low, high))));
}

TEST(ValuConvert, BetweenFloatsAndIntegers) {
  runCases(
      {
          {"v_cvt_f32_i32_e32 v20, v10",
           [](Lane l) { return bitsOf(float(int32_t(l.a))); }},
          {"v_cvt_f32_u32_e32 v20, v10",
           [](Lane l) { return bitsOf(float(U32(l.a))); }},
          {"v_cvt_f32_ubyte2_e32 v20, v10",
           [](Lane l) { return bitsOf(float((l.a >> 16) & 0xFF)); }},
          {"v_cvt_f64_i32_e32 v[20:21], v10",
           [](Lane l) { return bitsOf(double(int32_t(l.a))); }, true},
          {"v_cvt_f16_u16_e32 v20, v10",
           [](Lane l) { return toHalf(float(l.a & 0xFFFF)); }},
      },
      "gfx942", integerOperands, 301);
  runCases(
      {
          {"v_cvt_i32_f32_e32 v20, v10",
           [](Lane l) { return saturated(f(l.a), INT32_MIN, INT32_MAX); }},
          {"v_cvt_u32_f32_e32 v20, v10",
           [](Lane l) { return saturated(f(l.a), 0, UINT32_MAX); }},
          {"v_cvt_f16_f32_e32 v20, v10", [](Lane l) { return toHalf(f(l.a)); }},
          {"v_cvt_f64_f32_e32 v[20:21], v10",
           [](Lane l) {
             double a = f(l.a);
             return bitsOf(a);
           },
           true},
          {"v_cvt_pkrtz_f16_f32 v20, v10, v12",
           [](Lane l) {
             return toHalf(f(l.a), APFloat::rmTowardZero) |
                    toHalf(f(l.b), APFloat::rmTowardZero) << 16;
           }},
          {"v_cvt_flr_i32_f32_e32 v20, v10",
           [](Lane l) {
             return saturated(std::floor(f(l.a)), INT32_MIN, INT32_MAX);
           }},
      },
      "gfx942", floatOperands, 302);
  runCases(
      {
          {"v_cvt_f32_f16_e32 v20, v10",
           [](Lane l) {
             U32 bits = l.a & 0xFFFF;
             if ((bits & 0x7FFF) > 0x7C00)
               return (bits & 0x8000) << 16 | 0x7FC00000 | (bits & 0x3FF) << 13;
             return bitsOf(float(half(bits)));
           }},
          {"v_cvt_u16_f16_e32 v20, v10",
           [](Lane l) { return saturated(half(l.a), 0, 65535); }},
          {"v_cvt_i16_f16_e32 v20, v10",
           [](Lane l) { return saturated(half(l.a), -32768, 32767) & 0xFFFF; }},
      },
      "gfx942", halfOperands, 303);
  runCases(
      {{"v_cvt_f32_f64_e32 v20, v[10:11]",
        [](Lane l) {
          double a = asDouble(l.a);
          return std::isnan(a) ? bitsOf(float(a)) : bitsOf(float(a));
        }},
       {"v_cvt_i32_f64_e32 v20, v[10:11]",
        [](Lane l) { return saturated(asDouble(l.a), INT32_MIN, INT32_MAX); }}},
      "gfx942", doubleOperands, 304);
}

TEST(ValuConvert, PacksOnGfx950) {
  runCases(
      {
          {"v_cvt_pk_bf16_f32 v20, v10, v12",
           [](Lane l) { return toBFloat(f(l.a)) | toBFloat(f(l.b)) << 16; }},
          {"v_cvt_pk_bf16_f32 v20, -v10, |v12|",
           [](Lane l) {
             return toBFloat(-f(l.a)) | toBFloat(std::fabs(f(l.b))) << 16;
           }},
          {"v_cvt_pk_f16_f32 v20, v10, v12",
           [](Lane l) { return toHalf(f(l.a)) | toHalf(f(l.b)) << 16; }},
      },
      "gfx950", floatOperands, 305);
}

/// fp8 by the chip's formats, against LLVM's.
void testFp8(llvm::StringRef chip, const llvm::fltSemantics &fp8,
             const llvm::fltSemantics &bf8) {
  auto numbers = [](SeededRandom &random, BareWave &wave, unsigned lane) {
    for (unsigned reg : {10u, 12u}) // in range of every fp8
      wave.v(reg, lane) =
          (random.bits() & 0x807FFFFF) | (115 + random.below(18)) << 23;
    wave.v(14, lane) = random.bits();
  };
  auto code = [](const llvm::fltSemantics &s, float v) { return toCode(s, v); };
  runCases(
      {
          {"v_cvt_pk_fp8_f32 v20, v10, v12",
           [&](Lane l) {
             return (l.old & 0xFFFF0000) | code(fp8, f(l.a)) |
                    code(fp8, f(l.b)) << 8;
           }},
          {"v_cvt_pk_bf8_f32 v20, -v10, v12 op_sel:[0,0,1]",
           [&](Lane l) {
             return (l.old & 0xFFFF) |
                    U64(code(bf8, -f(l.a)) | code(bf8, f(l.b)) << 8) << 16;
           }},
      },
      chip, numbers, 306);
  AssembledCode widen("v_cvt_f32_fp8_e32 v20, v10\n"
                      "v_cvt_f32_bf8_sdwa v21, v10 src0_sel:BYTE_3\n"
                      "v_cvt_pk_f32_fp8_e32 v[22:23], v10\n"
                      "v_cvt_pk_f32_bf8_sdwa v[24:25], v10 src0_sel:WORD_1\n",
                      chip);
  SeededRandom random(307);
  BareWave wave;
  wave.fill(10, 1, [&] { return random.bits(); });
  wave.run(widen);
  auto same = [](float ours, double theirs) {
    return std::isnan(theirs) ? std::isnan(ours) : ours == theirs;
  };
  for (unsigned lane = 0; lane != 64; ++lane) {
    U32 a = wave.v(10, lane);
    EXPECT_TRUE(same(wave.f(20, lane), fromCode(fp8, a & 0xFF)));
    EXPECT_TRUE(same(wave.f(21, lane), fromCode(bf8, a >> 24)));
    EXPECT_TRUE(same(wave.f(22, lane), fromCode(fp8, a & 0xFF)));
    EXPECT_TRUE(same(wave.f(23, lane), fromCode(fp8, (a >> 8) & 0xFF)));
    EXPECT_TRUE(same(wave.f(24, lane), fromCode(bf8, (a >> 16) & 0xFF)));
    EXPECT_TRUE(same(wave.f(25, lane), fromCode(bf8, a >> 24)));
  }
}

TEST(ValuConvert, Fp8HasTheChipsFormats) {
  testFp8("gfx942", APFloat::Float8E4M3FNUZ(), APFloat::Float8E5M2FNUZ());
  testFp8("gfx950", APFloat::Float8E4M3FN(), APFloat::Float8E5M2());
}

TEST(ValuConvert, StochasticRoundingAddsTheSeed) {
  auto operands = [](SeededRandom &random, BareWave &wave, unsigned lane) {
    wave.v(10, lane) = (random.bits() & 0x807FFFFF) | 127 << 23;
    wave.v(12, lane) = random.bits();
  };
  runCases({{"v_cvt_sr_fp8_f32 v20, v10, v12",
             [](Lane l) {
               // Exponent 0: three mantissa bits stay, the seed's upper 20 bits
               // are added below them.
               U32 bits = (U32(l.a) & 0x7FFFFFFF) + (U32(l.b) >> 12);
               U32 code = (bits >> 20) - ((127 - 8) << 3);
               return (l.old & 0xFFFFFF00) | code | (U32(l.a) >> 31) << 7;
             }},
            {"v_cvt_sr_bf8_f32 v20, v10, v12 op_sel:[0,0,1,1]",
             [](Lane l) {
               U32 bits = (U32(l.a) & 0x7FFFFFFF) + (U32(l.b) >> 11);
               U32 code = (bits >> 21) - ((127 - 16) << 2);
               return (l.old & 0x00FFFFFF) | U64(code | (U32(l.a) >> 31) << 7)
                                                 << 24;
             }}},
           "gfx942", operands, 308);
  runCases({{"v_cvt_sr_bf16_f32 v20, v10, v12",
             [](Lane l) {
               U32 bits = U32(l.a) + (U32(l.b) >> 16);
               return (l.old & 0xFFFF0000) | bits >> 16;
             }}},
           "gfx950", operands, 309);
}

} // namespace
