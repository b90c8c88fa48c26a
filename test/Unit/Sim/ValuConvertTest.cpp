//===- ValuConvertTest.cpp - conversions, packed and mixed arithmetic -----===//

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;
using llvm::formatv;

namespace {

using U32 = uint32_t;
using U64 = uint64_t;
using Lane = const LaneView &;

float f(U64 bits) { return asFloat(bits); }

double fromCode(const llvm::fltSemantics &semantics, U64 code) {
  unsigned width = APFloat::semanticsSizeInBits(semantics);
  APFloat value(semantics, llvm::APInt(64, code).trunc(width));
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}
U32 toCode(const llvm::fltSemantics &semantics, double value,
           llvm::RoundingMode mode = APFloat::rmNearestTiesToEven) {
  APFloat number(value);
  bool loses;
  number.convert(semantics, mode, &loses);
  return U32(number.bitcastToAPInt().getZExtValue());
}
/// f16 of a number; NaNs by their rule: payload's top bits kept, quiet.
U32 toHalf(float value,
           llvm::RoundingMode mode = APFloat::rmNearestTiesToEven) {
  if (!std::isnan(value))
    return toCode(APFloat::IEEEhalf(), value, mode);
  U32 bits = bitsOf(value);
  return (bits >> 16 & 0x8000) | 0x7E00 | (bits >> 13 & 0x3FF);
}
U32 toBFloat(float value) {
  return std::isnan(value) ? bitsOf(value) >> 16 | 0x40
                           : toCode(APFloat::BFloat(), value);
}
double half(U64 bits) { return fromCode(APFloat::IEEEhalf(), bits & 0xFFFF); }

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

/// A double rounded to f16 after one exact operation.
U32 halfResult(double exact, std::initializer_list<U32> operands) {
  if (!std::isnan(exact))
    return toCode(APFloat::IEEEhalf(), exact);
  for (U32 operand : operands)
    if ((operand & 0x7FFF) > 0x7C00)
      return operand | 0x200;
  return 0x7E00;
}
/// a * b + c for f16 operands, rounded once, by APFloat.
U32 halfFma(U32 a, U32 b, U32 c) {
  APFloat x(APFloat::IEEEhalf(), llvm::APInt(16, a));
  x.fusedMultiplyAdd(APFloat(APFloat::IEEEhalf(), llvm::APInt(16, b)),
                     APFloat(APFloat::IEEEhalf(), llvm::APInt(16, c)),
                     APFloat::rmNearestTiesToEven);
  if (x.isNaN())
    return halfResult(NAN, {a, b, c});
  return U32(x.bitcastToAPInt().getZExtValue());
}
U32 lo(U64 v) { return v & 0xFFFF; }
U32 hi(U64 v) { return (v >> 16) & 0xFFFF; }

TEST(ValuConvert, HalfArithmetic) {
  runCases(
      {
          {"v_add_f16_e32 v20, v10, v12",
           [](Lane l) {
             return halfResult(half(l.a) + half(l.b), {lo(l.a), lo(l.b)});
           }},
          {"v_mul_f16_e64 v20, -v10, v12",
           [](Lane l) {
             U32 a = lo(l.a) ^ 0x8000;
             return halfResult(half(a) * half(l.b), {a, lo(l.b)});
           }},
          {"v_fma_f16 v20, v10, v12, v14 op_sel:[1,0,0,0]",
           [](Lane l) {
             return (l.old & 0xFFFF0000) | halfFma(hi(l.a), lo(l.b), lo(l.c));
           }},
          {"v_pk_add_f16 v20, v10, v12",
           [](Lane l) {
             return halfResult(half(l.a) + half(l.b), {lo(l.a), lo(l.b)}) |
                    halfResult(half(hi(l.a)) + half(hi(l.b)),
                               {hi(l.a), hi(l.b)})
                        << 16;
           }},
          {"v_pk_mul_f16 v20, v10, v12 op_sel:[1,0] op_sel_hi:[0,0] "
           "neg_lo:[0,1] neg_hi:[1,0]",
           [](Lane l) {
             U32 b = lo(l.b) ^ 0x8000, a = lo(l.a) ^ 0x8000;
             return halfResult(half(hi(l.a)) * half(b), {hi(l.a), b}) |
                    halfResult(half(a) * half(l.b), {a, lo(l.b)}) << 16;
           }},
          {"v_pk_fma_f16 v20, v10, v12, v14",
           [](Lane l) {
             return halfFma(lo(l.a), lo(l.b), lo(l.c)) |
                    halfFma(hi(l.a), hi(l.b), hi(l.c)) << 16;
           }},
          {"v_pk_add_f16 v20, v10, 1.0 op_sel_hi:[1,0]",
           [](Lane l) {
             return halfResult(half(l.a) + 1.0, {lo(l.a)}) |
                    halfResult(half(hi(l.a)) + 1.0, {hi(l.a)}) << 16;
           }},
          {"v_pack_b32_f16 v20, v10, v12 op_sel:[1,0,0]",
           [](Lane l) { return hi(l.a) | lo(l.b) << 16; }},
          {"v_floor_f16_e32 v20, v10",
           [](Lane l) { return halfResult(std::floor(half(l.a)), {lo(l.a)}); }},
      },
      "gfx942", halfOperands, 310);
}

TEST(ValuConvert, PackedIntegersAndSingles) {
  runCases(
      {
          {"v_pk_add_u16 v20, v10, v12",
           [](Lane l) {
             return ((l.a + l.b) & 0xFFFF) | ((hi(l.a) + hi(l.b)) & 0xFFFF)
                                                 << 16;
           }},
          {"v_pk_sub_i16 v20, v10, v12 clamp",
           [](Lane l) {
             auto sub = [](U32 a, U32 b) {
               return U32(std::clamp(int16_t(a) - int16_t(b), -32768, 32767)) &
                      0xFFFF;
             };
             return sub(lo(l.a), lo(l.b)) | sub(hi(l.a), hi(l.b)) << 16;
           }},
          {"v_pk_mad_u16 v20, v10, v12, v14",
           [](Lane l) {
             return ((lo(l.a) * lo(l.b) + lo(l.c)) & 0xFFFF) |
                    (hi(l.a) * hi(l.b) + hi(l.c)) << 16;
           }},
          {"v_pk_lshlrev_b16 v20, v10, v12",
           [](Lane l) {
             return ((lo(l.b) << (l.a & 15)) & 0xFFFF) |
                    hi(l.b) << (hi(l.a) & 15) << 16;
           }},
          {"v_pk_max_i16 v20, v10, v12",
           [](Lane l) {
             auto larger = [](U32 a, U32 b) {
               return U32(std::max(int16_t(a), int16_t(b))) & 0xFFFF;
             };
             return larger(lo(l.a), lo(l.b)) | larger(hi(l.a), hi(l.b)) << 16;
           }},
          {"v_dot4_i32_i8 v20, v10, v12, v14",
           [](Lane l) {
             int64_t sum = int32_t(l.c);
             for (unsigned i = 0; i != 4; ++i)
               sum += int8_t(l.a >> (8 * i)) * int8_t(l.b >> (8 * i));
             return U64(sum);
           }},
          {"v_dot4_u32_u8 v20, v10, v12, v14 clamp",
           [](Lane l) {
             int64_t sum = U32(l.c);
             for (unsigned i = 0; i != 4; ++i)
               sum += uint8_t(l.a >> (8 * i)) * uint8_t(l.b >> (8 * i));
             return U64(std::min<int64_t>(sum, UINT32_MAX));
           }},
          {"v_dot2_i32_i16 v20, v10, v12, v14",
           [](Lane l) {
             return U64(int64_t(int32_t(l.c)) + int16_t(l.a) * int16_t(l.b) +
                        int64_t(int16_t(hi(l.a))) * int16_t(hi(l.b)));
           }},
          {"v_dot8_i32_i4 v20, v10, v12, v14",
           [](Lane l) {
             int64_t sum = int32_t(l.c);
             for (unsigned i = 0; i != 8; ++i) {
               int x = int32_t(U32(l.a) << (28 - 4 * i)) >> 28;
               int y = int32_t(U32(l.b) << (28 - 4 * i)) >> 28;
               sum += x * y;
             }
             return U64(sum);
           }},
      },
      "gfx942", integerOperands, 311);
  auto pair = [](U32 low, U32 high) { return low | U64(high) << 32; };
  runCases(
      {
          {"v_pk_add_f32 v[20:21], v[10:11], v[12:13]",
           [=](Lane l) {
             float a0 = f(l.a), a1 = f(l.a >> 32), b0 = f(l.b),
                   b1 = f(l.b >> 32);
             return pair(nanRule(a0 + b0, {a0, b0}),
                         nanRule(a1 + b1, {a1, b1}));
           },
           true},
          {"v_pk_mul_f32 v[20:21], v[10:11], v[12:13] op_sel:[1,0] "
           "op_sel_hi:[0,0] neg_lo:[1,0]",
           [=](Lane l) {
             float a0 = -f(l.a >> 32), a1 = f(l.a), b = f(l.b);
             return pair(nanRule(a0 * b, {a0, b}), nanRule(a1 * b, {a1, b}));
           },
           true},
          {"v_pk_fma_f32 v[20:21], v[10:11], v[12:13], v[14:15]",
           [=](Lane l) {
             float r[2];
             U32 bits[2];
             for (unsigned i = 0; i != 2; ++i) {
               float a = f(l.a >> (32 * i)), b = f(l.b >> (32 * i)),
                     c = f(l.c >> (32 * i));
               r[i] = std::fma(a, b, c);
               bits[i] = nanRule(r[i], {a, b, c});
             }
             return pair(bits[0], bits[1]);
           },
           true},
          {"v_pk_mul_f32 v[20:21], v[10:11], 2.0 op_sel_hi:[1,0]",
           [=](Lane l) {
             float a0 = f(l.a), a1 = f(l.a >> 32);
             return pair(nanRule(a0 * 2, {a0}), nanRule(a1 * 2, {a1}));
           },
           true},
          {"v_pk_mov_b32 v[20:21], v[10:11], v[12:13] op_sel:[1,0]",
           [=](Lane l) { return pair(U32(l.a >> 32), U32(l.b)); }, true},
      },
      "gfx942", floatOperands, 312);
}

TEST(ValuConvert, MixedPrecision) {
  auto numbers = [](SeededRandom &random, BareWave &wave, unsigned lane) {
    for (unsigned reg = 10; reg != 16; ++reg) {
      auto one = [&] {
        return (random.bits() & 0x83FF) | (12 + random.below(6)) << 10;
      };
      wave.v(reg, lane) = one() | one() << 16;
    }
  };
  runCases(
      {
          {"v_fma_mix_f32 v20, v10, v12, v14 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
           [](Lane l) {
             return bitsOf(
                 std::fma(float(half(hi(l.a))), float(half(l.b)), f(l.c)));
           }},
          {"v_fma_mix_f32 v20, -v10, |v12|, v14",
           [](Lane l) {
             return bitsOf(std::fma(-f(l.a), std::fabs(f(l.b)), f(l.c)));
           }},
          {"v_fma_mixlo_f16 v20, v10, v12, v14 op_sel_hi:[1,1,1]",
           [](Lane l) {
             float value =
                 std::fma(float(half(l.a)), float(half(l.b)), float(half(l.c)));
             return (l.old & 0xFFFF0000) | toHalf(value);
           }},
          {"v_fma_mixhi_f16 v20, v10, v12, v14 op_sel_hi:[1,1,1]",
           [](Lane l) {
             float value =
                 std::fma(float(half(l.a)), float(half(l.b)), float(half(l.c)));
             return (l.old & 0xFFFF) | U64(toHalf(value)) << 16;
           }},
          {"v_dot2_f32_f16 v20, v10, v12, v14",
           [](Lane l) {
             float sum = std::fma(float(half(l.a)), float(half(l.b)), f(l.c));
             return bitsOf(
                 std::fma(float(half(hi(l.a))), float(half(hi(l.b))), sum));
           }},
          {"v_dot2c_f32_f16_e32 v20, v10, v12",
           [](Lane l) {
             float sum = std::fma(float(half(l.a)), float(half(l.b)), f(l.old));
             sum = std::fma(float(half(hi(l.a))), float(half(hi(l.b))), sum);
             return nanRule(sum, {});
           }},
      },
      "gfx942", numbers, 313);
}

/// Bits [at, at + width) of register tuple `reg` of a lane.
U32 fieldOf(BareWave &wave, unsigned reg, unsigned lane, unsigned at,
            unsigned width) {
  U32 value = 0;
  for (unsigned bit = 0; bit != width; ++bit)
    value |= ((wave.v(reg + (at + bit) / 32, lane) >> ((at + bit) % 32)) & 1)
             << bit;
  return value;
}

struct ScaledConversion {
  const char *text;
  const llvm::fltSemantics &from, &to;
  unsigned count;
  unsigned sourceBit; ///< First source bit.
  unsigned targetBit; ///< First result bit in v100...
  bool narrows;
  bool byTurns; ///< f32 elements from v10... and v50... by turns.
};

TEST(ValuConvert, ScaledConversionsOfGfx950) {
  const auto &f32 = APFloat::IEEEsingle(), &f16 = APFloat::IEEEhalf(),
             &bf16 = APFloat::BFloat(), &fp8 = APFloat::Float8E4M3FN(),
             &bf8 = APFloat::Float8E5M2(), &fp6 = APFloat::Float6E2M3FN(),
             &bf6 = APFloat::Float6E3M2FN(), &fp4 = APFloat::Float4E2M1FN();
  const ScaledConversion cases[] = {
      {"v_cvt_scalef32_pk_fp8_f32 v100, v10, v50, v8", f32, fp8, 2, 0, 0, true,
       true},
      {"v_cvt_scalef32_pk_bf8_f32 v100, v10, v50, v8 op_sel:[0,0,0,1]", f32,
       bf8, 2, 0, 16, true, true},
      {"v_cvt_scalef32_pk_fp4_f32 v100, v10, v50, v8 op_sel:[0,0,1,0]", f32,
       fp4, 2, 0, 8, true, true},
      {"v_cvt_scalef32_pk_fp4_f32 v100, v10, v50, v8 op_sel:[0,0,1,1]", f32,
       fp4, 2, 0, 24, true, true},
      {"v_cvt_scalef32_pk_fp8_bf16 v100, v10, v8", bf16, fp8, 2, 0, 0, true,
       false},
      {"v_cvt_scalef32_2xpk16_fp6_f32 v[100:105], v[10:25], v[50:65], v8", f32,
       fp6, 32, 0, 0, true, true},
      {"v_cvt_scalef32_pk32_bf6_bf16 v[100:105], v[10:25], v8", bf16, bf6, 32,
       0, 0, true, false},
      {"v_cvt_scalef32_pk32_fp6_f16 v[100:105], v[10:25], v8", f16, fp6, 32, 0,
       0, true, false},
      {"v_cvt_scalef32_f32_fp8 v100, v10, v8 op_sel:[1,0,0]", fp8, f32, 1, 8, 0,
       false, false},
      {"v_cvt_scalef32_f32_bf8 v100, v10, v8 op_sel:[0,1,0]", bf8, f32, 1, 16,
       0, false, false},
      {"v_cvt_scalef32_pk_f32_fp8 v[100:101], v10, v8 op_sel:[1,0,0]", fp8, f32,
       2, 16, 0, false, false},
      {"v_cvt_scalef32_pk_bf16_fp8 v100, v10, v8", fp8, bf16, 2, 0, 0, false,
       false},
      {"v_cvt_scalef32_pk_f16_fp4 v100, v10, v8 op_sel:[0,1,0]", fp4, f16, 2,
       16, 0, false, false},
      {"v_cvt_scalef32_pk32_f32_fp6 v[100:131], v[10:15], v8", fp6, f32, 32, 0,
       0, false, false},
      {"v_cvt_scalef32_pk32_bf16_bf6 v[100:115], v[10:15], v8", bf6, bf16, 32,
       0, 0, false, false},
  };
  std::string body;
  for (const ScaledConversion &c : cases)
    body += std::string(c.text) + "\n";
  AssembledCode code(body, "gfx950");
  ASSERT_EQ(code.size(), std::size(cases));
  SeededRandom random(314);
  for (size_t n = 0; n != std::size(cases); ++n) {
    const ScaledConversion &c = cases[n];
    BareWave wave;
    auto operand = [&]() -> U32 {
      // Numbers of every format that stay in range when scaled by 2^+-2.
      U32 bits = random.bits();
      if (&c.from == &f32)
        return (bits & 0x807FFFFF) | (124 + random.below(4)) << 23;
      if (&c.from == &bf16)
        return (bits & 0x807F807F) | 0x3F003F80;
      if (&c.from == &f16)
        return (bits & 0x83FF83FF) | 0x38003C00;
      return bits;
    };
    wave.fill(10, 16, operand);
    wave.fill(50, 16, operand);
    wave.fill(100, 32, [&] { return random.bits(); });
    // Only the exponent of the scale counts.
    wave.fill(8, 1, [&] {
      return (random.bits() & 0x807FFFFF) | (126 + random.below(3)) << 23;
    });
    std::vector<U32> before;
    for (unsigned lane = 0; lane != 64; ++lane)
      before.push_back(wave.v(100, lane));
    wave.run(code[n], code.chip());
    unsigned from = APFloat::semanticsSizeInBits(c.from);
    unsigned to = APFloat::semanticsSizeInBits(c.to);
    for (unsigned lane = 0; lane != 64; ++lane) {
      double scale = std::ldexp(1.0, int((wave.v(8, lane) >> 23) & 0xFF) - 127);
      U32 kept = ~0u;
      for (unsigned i = 0; i != c.count; ++i) {
        unsigned reg = c.byTurns && i % 2 ? 50 : 10;
        unsigned index = c.byTurns ? i / 2 : i;
        double value = fromCode(
            c.from, fieldOf(wave, reg, lane, c.sourceBit + index * from, from));
        double scaled = c.narrows ? value / scale : value * scale;
        U32 ours = fieldOf(wave, 100, lane, c.targetBit + i * to, to);
        if (std::isnan(scaled))
          EXPECT_TRUE(std::isnan(fromCode(c.to, ours))) << c.text;
        else
          ASSERT_EQ(ours, toCode(c.to, scaled)) << c.text << " element " << i;
        for (unsigned bit = 0; bit != to; ++bit)
          if (c.targetBit + i * to + bit < 32)
            kept &= ~(1u << (c.targetBit + i * to + bit));
      }
      EXPECT_EQ(wave.v(100, lane) & kept, before[lane] & kept) << c.text;
    }
  }
}

} // namespace
