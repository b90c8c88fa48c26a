//===- ValuIntTest.cpp - integer, logic, shift and carry instructions -----===//

#include <algorithm>

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;

namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;
using Lane = const LaneView &;

I64 limit(I64 value, I64 low, I64 high) {
  return value < low ? low : value > high ? high : value;
}
I64 signed24(U64 a) { return I64(a << 40) >> 40; }

TEST(ValuInt, AddsMultipliesAndCompares) {
  runCases(
      {
          {"v_add_u32_e32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a + l.b)); }},
          {"v_add_u32_e64 v20, v10, v12 clamp",
           [](Lane l) {
             return U64(limit(I64(U32(l.a)) + U32(l.b), 0, UINT32_MAX));
           }},
          {"v_sub_u32_e32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a - l.b)); }},
          {"v_sub_u32_e64 v20, v10, v12 clamp",
           [](Lane l) {
             return U64(limit(I64(U32(l.a)) - U32(l.b), 0, UINT32_MAX));
           }},
          {"v_subrev_u32_e32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.b - l.a)); }},
          {"v_add_i32 v20, v10, v12 clamp",
           [](Lane l) {
             return U64(
                 U32(limit(I64(I32(l.a)) + I32(l.b), INT32_MIN, INT32_MAX)));
           }},
          {"v_sub_i32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a) - U32(l.b)); }},
          {"v_mul_lo_u32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a * l.b)); }},
          {"v_mul_hi_u32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a)) * U32(l.b) >> 32; }},
          {"v_mul_hi_i32 v20, v10, v12",
           [](Lane l) { return U64(I64(I32(l.a)) * I32(l.b) >> 32); }},
          {"v_mul_i32_i24_e32 v20, v10, v12",
           [](Lane l) { return U64(signed24(l.a) * signed24(l.b)); }},
          {"v_mul_u32_u24_e32 v20, v10, v12",
           [](Lane l) { return (l.a & 0xFFFFFF) * (l.b & 0xFFFFFF); }},
          {"v_mul_hi_u32_u24_e32 v20, v10, v12",
           [](Lane l) { return (l.a & 0xFFFFFF) * (l.b & 0xFFFFFF) >> 32; }},
          {"v_mul_hi_i32_i24_e32 v20, v10, v12",
           [](Lane l) { return U64(signed24(l.a) * signed24(l.b) >> 32); }},
          {"v_mad_u32_u24 v20, v10, v12, v14",
           [](Lane l) {
             return (l.a & 0xFFFFFF) * (l.b & 0xFFFFFF) + U32(l.c);
           }},
          {"v_mad_i32_i24 v20, v10, v12, v14",
           [](Lane l) {
             return U64(signed24(l.a) * signed24(l.b) + I32(l.c));
           }},
          {"v_min_i32_e32 v20, v10, v12",
           [](Lane l) { return U64(I32(l.a) < I32(l.b) ? l.a : l.b); }},
          {"v_max_u32_e32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.a) > U32(l.b) ? l.a : l.b); }},
          {"v_max3_i32 v20, v10, v12, v14",
           [](Lane l) {
             I32 m = I32(l.a) > I32(l.b) ? I32(l.a) : I32(l.b);
             return U64(U32(m > I32(l.c) ? m : I32(l.c)));
           }},
          {"v_med3_u32 v20, v10, v12, v14",
           [](Lane l) {
             U32 v[] = {U32(l.a), U32(l.b), U32(l.c)};
             std::sort(v, v + 3);
             return U64(v[1]);
           }},
          {"v_add3_u32 v20, v10, v12, v14",
           [](Lane l) { return U64(U32(l.a + l.b + l.c)); }},
          {"v_lshl_add_u32 v20, v10, v12, v14",
           [](Lane l) { return U64((U32(l.a) << (l.b & 31)) + U32(l.c)); }},
          {"v_add_lshl_u32 v20, v10, v12, v14",
           [](Lane l) { return U64(U32(l.a + l.b) << (l.c & 31)); }},
          {"v_xad_u32 v20, v10, v12, v14",
           [](Lane l) { return U64(U32(l.a ^ l.b) + U32(l.c)); }},
          {"v_lshl_add_u64 v[20:21], v[10:11], 3, v[14:15]",
           [](Lane l) { return l.a * 8 + l.c; }, true},
          {"v_sad_u32 v20, v10, v12, v14",
           [](Lane l) {
             return U64(std::llabs(I64(U32(l.a)) - I64(U32(l.b)))) + U32(l.c);
           }},
      },
      "gfx942", integerOperands, 101);
}

TEST(ValuInt, MovesShiftsAndExtracts) {
  runCases(
      {
          {"v_mov_b32_e32 v20, v10", [](Lane l) { return l.a; }},
          {"v_mov_b32_e32 v20, 0x12345678",
           [](Lane) { return U64(0x12345678); }},
          {"v_mov_b64_e32 v[20:21], v[10:11]", [](Lane l) { return l.a; },
           true},
          {"v_not_b32_e32 v20, v10", [](Lane l) { return ~l.a; }},
          {"v_and_b32_e32 v20, v10, v12", [](Lane l) { return l.a & l.b; }},
          {"v_or_b32_e32 v20, v10, v12", [](Lane l) { return l.a | l.b; }},
          {"v_xor_b32_e32 v20, v10, v12", [](Lane l) { return l.a ^ l.b; }},
          {"v_xnor_b32_e32 v20, v10, v12", [](Lane l) { return ~(l.a ^ l.b); }},
          {"v_cndmask_b32_e32 v20, v10, v12, vcc",
           [](Lane l) { return (l.vcc >> l.lane) & 1 ? l.b : l.a; }},
          {"v_cndmask_b32_e64 v20, v10, -1, vcc",
           [](Lane l) { return (l.vcc >> l.lane) & 1 ? ~U64(0) : l.a; }},
          {"v_lshlrev_b32_e32 v20, v10, v12",
           [](Lane l) { return U64(U32(l.b) << (l.a & 31)); }},
          {"v_lshrrev_b32_e32 v20, 7, v12",
           [](Lane l) { return U64(U32(l.b) >> 7); }},
          {"v_ashrrev_i32_e32 v20, v10, v12",
           [](Lane l) { return U64(I64(I32(l.b)) >> (l.a & 31)); }},
          {"v_lshlrev_b64 v[20:21], v10, v[12:13]",
           [](Lane l) { return l.b << (l.a & 63); }, true},
          {"v_lshrrev_b64 v[20:21], v10, v[12:13]",
           [](Lane l) { return l.b >> (l.a & 63); }, true},
          {"v_ashrrev_i64 v[20:21], v10, v[12:13]",
           [](Lane l) { return U64(I64(l.b) >> (l.a & 63)); }, true},
          {"v_lshl_or_b32 v20, v10, v12, v14",
           [](Lane l) { return U64((U32(l.a) << (l.b & 31)) | U32(l.c)); }},
          {"v_and_or_b32 v20, v10, v12, v14",
           [](Lane l) { return (l.a & l.b) | l.c; }},
          {"v_or3_b32 v20, v10, v12, v14",
           [](Lane l) { return l.a | l.b | l.c; }},
          {"v_bfe_u32 v20, v10, v12, v14",
           [](Lane l) {
             return (U64(U32(l.a)) >> (l.b & 31)) &
                    ((U64(1) << (l.c & 31)) - 1);
           }},
          {"v_bfe_i32 v20, v10, v12, v14",
           [](Lane l) {
             unsigned width = l.c & 31;
             if (width == 0)
               return U64(0);
             U64 field = (U64(I64(I32(l.a))) >> (l.b & 31)) << (64 - width);
             return U64(I64(field) >> (64 - width));
           }},
          {"v_bfi_b32 v20, v10, v12, v14",
           [](Lane l) { return (l.a & l.b) | (~l.a & l.c); }},
          {"v_bfm_b32 v20, v10, v12",
           [](Lane l) { return ((U64(1) << (l.a & 31)) - 1) << (l.b & 31); }},
          {"v_bfrev_b32_e32 v20, v10",
           [](Lane l) {
             U64 r = 0;
             for (unsigned i = 0; i != 32; ++i)
               if ((l.a >> i) & 1)
                 r |= U64(1) << (31 - i);
             return r;
           }},
          {"v_bcnt_u32_b32 v20, v10, v12",
           [](Lane l) { return U64(__builtin_popcount(U32(l.a))) + l.b; }},
          {"v_ffbh_u32_e32 v20, v10",
           [](Lane l) {
             return U32(l.a) ? U64(__builtin_clz(U32(l.a))) : ~U64(0);
           }},
          {"v_ffbl_b32_e32 v20, v10",
           [](Lane l) {
             return U32(l.a) ? U64(__builtin_ctz(U32(l.a))) : ~U64(0);
           }},
          {"v_ffbh_i32_e32 v20, v10",
           [](Lane l) {
             for (unsigned i = 1; i != 32; ++i)
               if (((l.a >> (31 - i)) & 1) != ((l.a >> 31) & 1))
                 return U64(i);
             return ~U64(0);
           }},
          {"v_alignbit_b32 v20, v10, v12, v14",
           [](Lane l) { return (l.a << 32 | U32(l.b)) >> (l.c & 31); }},
          {"v_alignbyte_b32 v20, v10, v12, v14",
           [](Lane l) { return (l.a << 32 | U32(l.b)) >> (8 * (l.c & 3)); }},
          {"v_mbcnt_lo_u32_b32 v20, v10, v12",
           [](Lane l) {
             U32 below = l.lane < 32 ? (1u << l.lane) - 1 : ~0u;
             return U64(__builtin_popcount(U32(l.a) & below)) + l.b;
           }},
          {"v_mbcnt_hi_u32_b32 v20, v10, v12",
           [](Lane l) {
             U32 below = l.lane < 32 ? 0 : (1u << (l.lane - 32)) - 1;
             return U64(__builtin_popcount(U32(l.a) & below)) + l.b;
           }},
      },
      "gfx942", integerOperands, 102);
}

TEST(ValuInt, PermutesBytes) {
  runCases(
      {{"v_perm_b32 v20, v10, v12, v14",
        [](Lane l) {
          U64 result = 0;
          for (unsigned i = 0; i != 4; ++i) {
            unsigned select = (l.c >> (8 * i)) & 0xFF;
            unsigned byte = 0;
            if (select < 4)
              byte = (l.b >> (8 * select)) & 0xFF;
            else if (select < 8)
              byte = (l.a >> (8 * (select - 4))) & 0xFF;
            else if (select == 8 || select == 9)
              byte = (l.b >> (select == 8 ? 15 : 31)) & 1 ? 0xFF : 0;
            else if (select == 10 || select == 11)
              byte = (l.a >> (select == 10 ? 15 : 31)) & 1 ? 0xFF : 0;
            else
              byte = select == 12 ? 0 : 0xFF;
            result |= U64(byte) << (8 * i);
          }
          return result;
        }}},
      "gfx942",
      [](SeededRandom &random, BareWave &wave, unsigned lane) {
        integerOperands(random, wave, lane);
        uint32_t selector = 0;
        for (unsigned i = 0; i != 4; ++i)
          selector |= random.below(16) << (8 * i);
        wave.v(14, lane) = selector;
      },
      103);
}

TEST(ValuInt, AppliesTruthTablesOnGfx950) {
  runCases(
      {
          {"v_bitop3_b32 v20, v10, v12, v14 bitop3:0xca", // a ? b : c
           [](Lane l) { return (l.a & l.b) | (~l.a & l.c); }},
          {"v_bitop3_b32 v20, v10, v12, v14 bitop3:0x96", // parity
           [](Lane l) { return l.a ^ l.b ^ l.c; }},
          {"v_bitop3_b32 v20, v10, v12, v14 bitop3:0x36",
           [](Lane l) { return l.b ^ (l.a | l.c); }},
          {"v_prng_b32 v20, v10",
           [](Lane l) {
             return (U64(U32(l.a)) << 1) ^ (l.a >> 31 & 1 ? 197 : 0);
           }},
      },
      "gfx950", integerOperands, 104);
}

TEST(ValuInt, SixteenBitFormsZeroOrKeepTheOtherHalf) {
  runCases(
      {
          {"v_add_u16_e32 v20, v10, v12",
           [](Lane l) { return (l.a + l.b) & 0xFFFF; }},
          {"v_sub_u16_e64 v20, v10, v12 clamp",
           [](Lane l) {
             return U64(limit(I64(l.a & 0xFFFF) - I64(l.b & 0xFFFF), 0, 65535));
           }},
          {"v_mul_lo_u16_e32 v20, v10, v12",
           [](Lane l) { return (l.a * l.b) & 0xFFFF; }},
          {"v_ashrrev_i16_e32 v20, v10, v12",
           [](Lane l) { return U64(int16_t(l.b) >> (l.a & 15)) & 0xFFFF; }},
          {"v_min_i16_e32 v20, v10, v12",
           [](Lane l) {
             return U64(std::min(int16_t(l.a), int16_t(l.b))) & 0xFFFF;
           }},
          {"v_mad_u16 v20, v10, v12, v14",
           [](Lane l) {
             return (l.old & 0xFFFF0000) | ((l.a * l.b + l.c) & 0xFFFF);
           }},
          {"v_mad_i16 v20, v10, v12, v14 op_sel:[1,0,1,1]",
           [](Lane l) {
             U64 value = (l.a >> 16) * l.b + (l.c >> 16);
             return (l.old & 0xFFFF) | (value & 0xFFFF) << 16;
           }},
          {"v_add_i16 v20, v10, v12 op_sel:[0,1,0] clamp",
           [](Lane l) {
             I64 sum = I64(int16_t(l.a)) + int16_t(l.b >> 16);
             return (l.old & 0xFFFF0000) |
                    (U64(limit(sum, -32768, 32767)) & 0xFFFF);
           }},
          {"v_mad_u32_u16 v20, v10, v12, v14",
           [](Lane l) { return (l.a & 0xFFFF) * (l.b & 0xFFFF) + l.c; }},
      },
      "gfx942", integerOperands, 105);
}

/// Runs one instruction on random operands; gives the wave after it.
BareWave runOnce(llvm::StringRef text, SeededRandom &random, uint64_t exec,
                 uint64_t vcc) {
  AssembledCode code(text, "gfx942");
  BareWave wave;
  wave.state.setExec(exec);
  wave.state.setVcc(vcc);
  for (unsigned lane = 0; lane != 64; ++lane)
    integerOperands(random, wave, lane);
  wave.run(code);
  return wave;
}

TEST(ValuInt, CarriesGoToLaneMasks) {
  SeededRandom random(106);
  uint64_t exec = 0xF0F012345678FFFF, vcc = 0x123456789ABCDEF0;
  struct Carry {
    const char *text;
    unsigned mask; ///< Register of the mask.
    std::function<__int128(U64, U64, bool)> value;
  };
  const Carry carries[] = {
      {"v_add_co_u32_e32 v20, vcc, v10, v12\n", 106,
       [](U64 a, U64 b, bool) { return __int128(a) + b; }},
      {"v_sub_co_u32_e64 v20, s[10:11], v10, v12\n", 10,
       [](U64 a, U64 b, bool) { return __int128(a) - b; }},
      {"v_subrev_co_u32_e32 v20, vcc, v10, v12\n", 106,
       [](U64 a, U64 b, bool) { return __int128(b) - a; }},
      {"v_addc_co_u32_e32 v20, vcc, v10, v12, vcc\n", 106,
       [](U64 a, U64 b, bool c) { return __int128(a) + b + c; }},
      {"v_subb_co_u32_e64 v20, s[12:13], v10, v12, vcc\n", 12,
       [](U64 a, U64 b, bool c) { return __int128(a) - b - c; }},
  };
  for (const Carry &carry : carries) {
    BareWave wave = runOnce(carry.text, random, exec, vcc);
    for (unsigned lane = 0; lane != 64; ++lane) {
      __int128 value =
          carry.value(wave.v(10, lane), wave.v(12, lane), (vcc >> lane) & 1);
      bool active = (exec >> lane) & 1;
      EXPECT_EQ((wave.state.sgpr64(carry.mask) >> lane) & 1,
                U64(active && (value < 0 || value > UINT32_MAX)))
          << carry.text << lane;
      EXPECT_EQ(wave.v(20, lane), active ? U32(value) : 0) << carry.text;
    }
  }
}

TEST(ValuInt, MultipliesAndAddsSixtyFourBits) {
  SeededRandom random(107);
  uint64_t exec = 0xFFFF00FF0FF0FFFF;
  BareWave wave = runOnce("v_mad_u64_u32 v[20:21], s[10:11], v10, v12, "
                          "v[14:15]\n"
                          "v_mad_i64_i32 v[22:23], vcc, v10, v12, v[14:15]\n",
                          random, exec, 0);
  for (unsigned lane = 0; lane != 64; ++lane) {
    if (!((exec >> lane) & 1)) {
      EXPECT_EQ(wave.v64(20, lane), 0u);
      continue;
    }
    unsigned __int128 sum =
        (unsigned __int128)wave.v(10, lane) * wave.v(12, lane) +
        wave.v64(14, lane);
    EXPECT_EQ(wave.v64(20, lane), U64(sum));
    EXPECT_EQ((wave.state.sgpr64(10) >> lane) & 1, U64(sum >> 64));
    EXPECT_EQ(wave.v64(22, lane),
              U64(I64(I32(wave.v(10, lane))) * I32(wave.v(12, lane)) +
                  wave.v64(14, lane)));
  }
}

TEST(ValuInt, ComparesIntoMasksAndExec) {
  SeededRandom random(108);
  uint64_t exec = 0x0F0F0F0F0F0F0F0F;
  BareWave wave = runOnce("v_cmp_lt_i32_e32 vcc, v10, v12\n"
                          "v_cmp_ge_u32_e64 s[10:11], v10, v12\n"
                          "v_cmp_ne_u64_e64 s[12:13], v[10:11], v[12:13]\n"
                          "v_cmp_eq_u16_e64 s[14:15], v10, v12\n"
                          "v_cmp_t_i32_e64 s[16:17], v10, v12\n"
                          "v_cmpx_gt_i64_e64 s[18:19], v[10:11], v[12:13]\n",
                          random, exec, ~U64(0));
  uint64_t expected[6] = {};
  for (unsigned lane = 0; lane != 64; ++lane) {
    U64 a = wave.v64(10, lane), b = wave.v64(12, lane);
    bool bits[6] = {I32(a) < I32(b),
                    U32(a) >= U32(b),
                    a != b,
                    uint16_t(a) == uint16_t(b),
                    true,
                    I64(a) > I64(b)};
    for (unsigned i = 0; i != 6; ++i)
      expected[i] |= U64(bits[i] && ((exec >> lane) & 1)) << lane;
  }
  EXPECT_EQ(wave.state.vcc(), expected[0]);
  for (unsigned i = 1; i != 6; ++i)
    EXPECT_EQ(wave.state.sgpr64(8 + 2 * i), expected[i]) << i;
  EXPECT_EQ(wave.state.exec(), expected[5]);
}

} // namespace
