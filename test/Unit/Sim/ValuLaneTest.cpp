//===- ValuLaneTest.cpp - DPP, SDWA and cross-lane instructions -----------===//

#include "llvm/Support/FormatVariadic.h"

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;
using llvm::formatv;

namespace {

using U32 = uint32_t;
using U64 = uint64_t;

/// A DPP control as text and the lane that it reads, -1 for none.
struct DppCase {
  std::string text;
  std::function<int(int)> source;
};

std::vector<DppCase> dppCases() {
  std::vector<DppCase> cases = {
      {"quad_perm:[3,0,2,1]",
       [](int l) {
         const int order[] = {3, 0, 2, 1};
         return l / 4 * 4 + order[l % 4];
       }},
      {"row_mirror", [](int l) { return l / 16 * 16 + 15 - l % 16; }},
      {"row_half_mirror", [](int l) { return l / 8 * 8 + 7 - l % 8; }},
      {"row_bcast:15", [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; }},
      {"row_bcast:31", [](int l) { return l < 32 ? -1 : 31; }},
      {"wave_shl:1", [](int l) { return l == 63 ? -1 : l + 1; }},
      {"wave_rol:1", [](int l) { return (l + 1) % 64; }},
      {"wave_shr:1", [](int l) { return l - 1; }},
      {"wave_ror:1", [](int l) { return (l + 63) % 64; }},
  };
  for (int n : {1, 7, 15}) {
    cases.push_back({formatv("row_shl:{0}", n),
                     [n](int l) { return l % 16 + n < 16 ? l + n : -1; }});
    cases.push_back({formatv("row_shr:{0}", n),
                     [n](int l) { return l % 16 >= n ? l - n : -1; }});
    cases.push_back({formatv("row_ror:{0}", n), [n](int l) {
                       return l / 16 * 16 + (l % 16 + 16 - n) % 16;
                     }});
    cases.push_back({formatv("row_newbcast:{0}", n),
                     [n](int l) { return l / 16 * 16 + n; }});
  }
  return cases;
}

TEST(ValuLane, DppReadsOtherLanes) {
  struct Masks {
    const char *text;
    unsigned row, bank;
    bool bound;
  };
  const Masks masks[] = {
      {"row_mask:0xf bank_mask:0xf", 0xf, 0xf, false},
      {"row_mask:0xa bank_mask:0x7", 0xa, 0x7, false},
      {"row_mask:0xf bank_mask:0xf bound_ctrl:0", 0xf, 0xf, true},
      {"row_mask:0xc bank_mask:0xd bound_ctrl:0", 0xc, 0xd, true}};
  std::vector<DppCase> cases = dppCases();
  std::string body;
  for (const DppCase &c : cases)
    for (const Masks &m : masks)
      body += formatv("v_add_u32_dpp v20, v10, v12 {0} {1}\n", c.text, m.text);
  AssembledCode code(body, "gfx942");
  ASSERT_EQ(code.size(), cases.size() * std::size(masks));
  SeededRandom random(401);
  for (size_t n = 0; n != code.size(); ++n)
    for (unsigned round = 0; round != 4; ++round) {
      const DppCase &c = cases[n / std::size(masks)];
      const Masks &m = masks[n % std::size(masks)];
      BareWave wave;
      uint64_t exec = round == 0 ? ~uint64_t(0) : random.execMask();
      wave.state.setExec(exec);
      wave.fill(10, 11, [&] { return random.bits(); });
      std::vector<U32> old;
      for (unsigned lane = 0; lane != 64; ++lane)
        old.push_back(wave.v(20, lane));
      wave.run(code[n], code.chip());
      for (unsigned lane = 0; lane != 64; ++lane) {
        int from = c.source(lane);
        bool valid = from >= 0 && (exec >> from) & 1;
        bool written = (exec >> lane) & 1 && (m.row >> (lane / 16)) & 1 &&
                       (m.bank >> (lane % 16 / 4)) & 1 && (valid || m.bound);
        U32 operand = valid ? wave.v(10, from) : 0;
        ASSERT_EQ(wave.v(20, lane),
                  written ? operand + wave.v(12, lane) : old[lane])
            << code[n].text.str() << " lane " << lane;
      }
    }
}

TEST(ValuLane, DppMovesAndNegates) {
  AssembledCode code(
      "v_mov_b32_dpp v20, v10 row_shr:1 row_mask:0xf bank_mask:0xf\n"
      "v_mul_f32_dpp v21, -v10, |v12| row_shl:1 row_mask:0xf bank_mask:0xf "
      "bound_ctrl:0\n",
      "gfx942");
  BareWave wave;
  SeededRandom random(402);
  auto number = [&] { return (random.bits() & 0x807FFFFF) | 0x3F800000; };
  wave.fill(10, 3, number);
  wave.fill(20, 1, [] { return 7u; });
  wave.run(code);
  for (unsigned lane = 0; lane != 64; ++lane) {
    EXPECT_EQ(wave.v(20, lane), lane % 16 ? wave.v(10, lane - 1) : 7u);
    float a = lane % 16 == 15 ? 0.0f : wave.f(10, lane + 1);
    EXPECT_EQ(wave.f(21, lane), -a * std::fabs(wave.f(12, lane)));
  }
}

const char *const kSelects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                "WORD_0", "WORD_1", "DWORD"};
unsigned widthOf(unsigned select) {
  return select < 4 ? 8 : select < 6 ? 16 : 32;
}
unsigned shiftOf(unsigned select) {
  return select < 4 ? 8 * select : select < 6 ? 16 * (select - 4) : 0;
}
U64 fieldMask(unsigned select) { return (U64(1) << widthOf(select)) - 1; }
U32 selected(U32 value, unsigned select, bool sext) {
  U64 field = (value >> shiftOf(select)) & fieldMask(select);
  if (sext && (field >> (widthOf(select) - 1)) & 1)
    field |= ~fieldMask(select);
  return U32(field);
}

TEST(ValuLane, SdwaSelectsEveryField) {
  struct Case {
    unsigned dst, unused, src0, src1;
    bool sext0, sext1;
  };
  std::vector<Case> cases;
  SeededRandom random(403);
  for (unsigned dst = 0; dst != 7; ++dst)
    for (unsigned unused = 0; unused != 3; ++unused)
      for (unsigned i = 0; i != 4; ++i)
        cases.push_back({dst, unused, random.below(7), random.below(7),
                         random.below(2) != 0, random.below(2) != 0});
  const char *const unusedNames[] = {"UNUSED_PAD", "UNUSED_SEXT",
                                     "UNUSED_PRESERVE"};
  std::string body;
  for (const Case &c : cases)
    body += formatv("v_add_u32_sdwa v20, {0}, {1} dst_sel:{2} dst_unused:{3} "
                    "src0_sel:{4} src1_sel:{5}\n",
                    c.sext0 ? "sext(v10)" : "v10",
                    c.sext1 ? "sext(v12)" : "v12", kSelects[c.dst],
                    unusedNames[c.unused], kSelects[c.src0], kSelects[c.src1]);
  AssembledCode code(body, "gfx942");
  ASSERT_EQ(code.size(), cases.size());
  for (size_t n = 0; n != cases.size(); ++n) {
    const Case &c = cases[n];
    BareWave wave;
    uint64_t exec = random.execMask();
    wave.state.setExec(exec);
    wave.fill(10, 11, [&] { return random.bits(); });
    std::vector<U32> old;
    for (unsigned lane = 0; lane != 64; ++lane)
      old.push_back(wave.v(20, lane));
    wave.run(code[n], code.chip());
    for (unsigned lane = 0; lane != 64; ++lane) {
      U32 sum = selected(wave.v(10, lane), c.src0, c.sext0) +
                selected(wave.v(12, lane), c.src1, c.sext1);
      U64 mask = fieldMask(c.dst) << shiftOf(c.dst);
      U64 placed = (U64(sum) << shiftOf(c.dst)) & mask;
      U64 rest = 0;
      if (c.unused == 2)
        rest = old[lane] & ~mask;
      else if (c.unused == 1 && (sum >> (widthOf(c.dst) - 1)) & 1)
        rest = ~((U64(1) << (shiftOf(c.dst) + widthOf(c.dst))) - 1);
      U32 expected = (exec >> lane) & 1 ? U32(placed | rest) : old[lane];
      ASSERT_EQ(wave.v(20, lane), expected)
          << code[n].text.str() << " lane " << lane;
    }
  }
}

// The form that a compiler uses to round to bf16, and a comparison.
TEST(ValuLane, SdwaSelectsInCndmaskAndCompare) {
  AssembledCode code(
      "v_cndmask_b32_sdwa v20, v10, v12, vcc dst_sel:DWORD "
      "dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD\n"
      "v_cmp_gt_i32_sdwa s[10:11], sext(v10), v12 src0_sel:BYTE_1 "
      "src1_sel:WORD_0\n"
      "v_cvt_f32_f16_sdwa v21, -v14 dst_sel:DWORD dst_unused:UNUSED_PAD "
      "src0_sel:WORD_1\n",
      "gfx942");
  BareWave wave;
  SeededRandom random(404);
  wave.fill(10, 3, [&] { return random.bits(); });
  wave.fill(14, 1, [] { return 0x3C00BEEFu; });
  wave.state.setVcc(0xAAAA5555AAAA5555);
  wave.run(code);
  for (unsigned lane = 0; lane != 64; ++lane) {
    bool second = (wave.state.vcc() >> lane) & 1;
    EXPECT_EQ(wave.v(20, lane),
              second ? wave.v(12, lane) : wave.v(10, lane) >> 16);
    bool greater =
        int8_t(wave.v(10, lane) >> 8) > int32_t(wave.v(12, lane) & 0xFFFF);
    EXPECT_EQ((wave.state.sgpr64(10) >> lane) & 1, U64(greater));
    EXPECT_EQ(wave.f(21, lane), -1.0f);
  }
}

TEST(ValuLane, ReadsAndWritesLanes) {
  AssembledCode code("v_readfirstlane_b32 s20, v10\n"
                     "v_readlane_b32 s21, v10, 63\n"
                     "v_readlane_b32 s22, v10, s4\n"
                     "v_writelane_b32 v11, s5, 7\n"
                     "v_writelane_b32 v11, -3, s4\n",
                     "gfx942");
  BareWave wave;
  SeededRandom random(405);
  wave.fill(10, 1, [&] { return random.bits(); });
  wave.state.sgpr[4] = 64 + 9;
  wave.state.sgpr[5] = 0xCAFE;
  wave.state.setExec(0xFF00000);
  wave.run(code);
  EXPECT_EQ(wave.state.sgpr[20], wave.v(10, 20));
  EXPECT_EQ(wave.state.sgpr[21], wave.v(10, 63));
  EXPECT_EQ(wave.state.sgpr[22], wave.v(10, 9));
  for (unsigned lane = 0; lane != 64; ++lane)
    EXPECT_EQ(wave.v(11, lane), lane == 7 ? 0xCAFEu : lane == 9 ? U32(-3) : 0);
  wave.state.setExec(0);
  wave.run(code[0], code.chip());
  EXPECT_EQ(wave.state.sgpr[20], wave.v(10, 0));
}

TEST(ValuLane, SwapsRegistersAndRows) {
  AssembledCode code("v_swap_b32 v10, v11\n"
                     "v_permlane32_swap_b32_e32 v12, v13\n"
                     "v_permlane16_swap_b32_e32 v14, v15\n",
                     "gfx950");
  BareWave wave;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned reg = 10; reg != 16; ++reg)
      wave.v(reg, lane) = 1000 * reg + lane;
  wave.run(code);
  for (unsigned lane = 0; lane != 64; ++lane) {
    EXPECT_EQ(wave.v(10, lane), 11000 + lane);
    EXPECT_EQ(wave.v(11, lane), 10000 + lane);
    // Upper half of the first against lower half of the second.
    EXPECT_EQ(wave.v(12, lane), lane < 32 ? 12000 + lane : 13000 + lane - 32);
    EXPECT_EQ(wave.v(13, lane), lane < 32 ? 12000 + lane + 32 : 13000 + lane);
    // Odd rows of the first against even rows of the second.
    bool odd = lane / 16 % 2;
    EXPECT_EQ(wave.v(14, lane), odd ? 15000 + lane - 16 : 14000 + lane);
    EXPECT_EQ(wave.v(15, lane), odd ? 15000 + lane : 14000 + lane + 16);
  }
}

TEST(ValuLane, HandlesOverlapOfSourceAndResult) {
  AssembledCode code(
      "v_mov_b32_dpp v10, v10 wave_ror:1 row_mask:0xf bank_mask:0xf\n"
      "v_lshl_add_u64 v[12:13], v[12:13], 1, v[12:13]\n",
      "gfx942");
  ASSERT_EQ(code.size(), 2u);
  BareWave wave;
  SeededRandom random(406);
  wave.fill(10, 4, [&] { return random.bits(); });
  std::vector<U32> rotated;
  std::vector<U64> sums;
  for (unsigned lane = 0; lane != 64; ++lane) {
    rotated.push_back(wave.v(10, (lane + 63) % 64));
    sums.push_back(wave.v64(12, lane) * 3);
  }
  wave.run(code[0], code.chip());
  for (unsigned lane = 0; lane != 64; ++lane)
    EXPECT_EQ(wave.v(10, lane), rotated[lane]);
  wave.run(code[1], code.chip());
  for (unsigned lane = 0; lane != 64; ++lane)
    EXPECT_EQ(wave.v64(12, lane), sums[lane]);
}

TEST(ValuLane, RefusesWhatItDoesNotKnow) {
  AssembledCode code("v_cvt_pkaccum_u8_f32 v20, v10, v12\n"
                     "v_alignbit_b32 v20, v10, v12, v14 op_sel:[0,0,1,0]\n",
                     "gfx942");
  ASSERT_EQ(code.size(), 2u);
  for (size_t i = 0; i != 2; ++i)
    EXPECT_EQ(sim::lookupValu(code[i], code.chip()), nullptr)
        << code[i].text.str();
}

} // namespace
