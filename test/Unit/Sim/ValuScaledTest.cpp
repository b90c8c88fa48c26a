//===- ValuScaledTest.cpp - v_cvt_scalef32 conversions of gfx950 ----------===//

#include "HalfReference.h"

using namespace fly;
using namespace fly::test;

namespace {

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

TEST(ValuScaled, ScaledConversionsOfGfx950) {
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
