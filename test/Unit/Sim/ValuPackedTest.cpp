//===- ValuPackedTest.cpp - f16, packed, dot and mixed arithmetic ---------===//

#include <algorithm>

#include "HalfReference.h"

using namespace fly;
using namespace fly::test;

namespace {

using Lane = const LaneView &;

float f(U64 bits) { return asFloat(bits); }

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

TEST(ValuPacked, HalfArithmetic) {
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

TEST(ValuPacked, PackedIntegersAndSingles) {
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

TEST(ValuPacked, MixedPrecision) {
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

} // namespace
