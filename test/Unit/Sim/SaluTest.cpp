//===- SaluTest.cpp - scalar arithmetic -----------------------------------===//
//
// Executors are called on decoded instructions directly: sources in s4..s7,
// result in s8 (and s9), SCC beside it.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"
#include "fly/Sim/Executors.h"

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

struct Case {
  const char *text;
  uint64_t a, b;
  uint64_t result;
  unsigned sccBefore, sccAfter;
};

TEST(Salu, ComputesResultAndScc) {
  const Case cases[] = {
      {"s_add_u32 s8, s4, s6", 0xffffffff, 2, 1, 0, 1},
      {"s_addc_u32 s8, s4, s6", 0xffffffff, 0, 0, 1, 1},
      {"s_addc_u32 s8, s4, s6", 7, 8, 16, 1, 0},
      {"s_sub_u32 s8, s4, s6", 1, 2, 0xffffffff, 0, 1},
      {"s_subb_u32 s8, s4, s6", 5, 5, 0xffffffff, 1, 1},
      {"s_add_i32 s8, s4, s6", 0x7fffffff, 1, 0x80000000, 0, 1},
      {"s_sub_i32 s8, s4, s6", 0x80000000, 1, 0x7fffffff, 0, 1},
      {"s_absdiff_i32 s8, s4, s6", 3, 10, 7, 0, 1},
      {"s_min_i32 s8, s4, s6", 0xfffffffe, 1, 0xfffffffe, 0, 1},
      {"s_max_u32 s8, s4, s6", 3, 9, 9, 1, 0},
      {"s_cselect_b32 s8, s4, s6", 3, 9, 9, 0, 0},
      {"s_cselect_b64 s[8:9], s[4:5], s[6:7]", 0x300000003, 9, 0x300000003, 1,
       1},
      {"s_and_b64 s[8:9], s[4:5], s[6:7]", 0xf0f0f0f0f0, 0xff0000000f,
       0xf000000000, 0, 1},
      {"s_andn2_b64 s[8:9], s[4:5], s[6:7]", 0xff, 0xff, 0, 1, 0},
      {"s_xor_b32 s8, s4, s6", 5, 5, 0, 1, 0},
      {"s_nor_b32 s8, s4, s6", 0xf0, 0x0f, 0xffffff00, 0, 1},
      {"s_lshl_b64 s[8:9], s[4:5], s6", 3, 33, 0x600000000, 0, 1},
      {"s_lshr_b32 s8, s4, s6", 0x80000000, 36, 0x08000000, 0, 1},
      {"s_ashr_i32 s8, s4, s6", 0x80000000, 4, 0xf8000000, 0, 1},
      {"s_ashr_i64 s[8:9], s[4:5], s6", 0x8000000000000000, 60,
       0xfffffffffffffff8, 0, 1},
      {"s_bfe_u32 s8, s4, s6", 0xabcd1234, 0x80008, 0x12, 0, 1},
      {"s_bfe_i32 s8, s4, s6", 0xabcd1234, 0x8001c, 0xfffffffa, 0, 1},
      {"s_bfe_i32 s8, s4, s6", 0x0000f000, 0x40000 + 12, 0xffffffff, 0, 1},
      {"s_bfe_u64 s[8:9], s[4:5], s6", 0x123456789abcdef0, 0x200010, 0x56789abc,
       0, 1},
      {"s_bfm_b32 s8, s4, s6", 4, 8, 0xf00, 0, 0},
      {"s_mul_i32 s8, s4, s6", 0xffffffff, 5, 0xfffffffb, 1, 1},
      {"s_mul_hi_u32 s8, s4, s6", 0xffffffff, 0xffffffff, 0xfffffffe, 0, 0},
      {"s_mul_hi_i32 s8, s4, s6", 0xffffffff, 5, 0xffffffff, 0, 0},
      {"s_lshl2_add_u32 s8, s4, s6", 0x40000000, 3, 3, 0, 1},
      {"s_pack_lh_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x33332222, 0,
       0},
      {"s_not_b64 s[8:9], s[4:5]", 0xff, 0, ~uint64_t(0xff), 0, 1},
      {"s_brev_b32 s8, s4", 1, 0, 0x80000000, 0, 0},
      {"s_bcnt1_i32_b64 s8, s[4:5]", 0xf0000000f, 0, 8, 0, 1},
      {"s_ff1_i32_b32 s8, s4", 0x100, 0, 8, 0, 0},
      {"s_ff1_i32_b64 s8, s[4:5]", 0, 0, 0xffffffff, 0, 0},
      {"s_flbit_i32_b32 s8, s4", 0x100, 0, 23, 0, 0},
      {"s_flbit_i32 s8, s4", 0xffffff00, 0, 24, 0, 0},
      {"s_flbit_i32 s8, s4", 0xffffffff, 0, 0xffffffff, 0, 0},
      {"s_sext_i32_i8 s8, s4", 0x80, 0, 0xffffff80, 0, 0},
      {"s_sext_i32_i16 s8, s4", 0x8000, 0, 0xffff8000, 0, 0},
      {"s_abs_i32 s8, s4", 0xfffffff6, 0, 10, 0, 1},
      {"s_mov_b64 s[8:9], -16", 0, 0, ~uint64_t(15), 0, 0},
      {"s_mov_b64 s[8:9], 0xfffffff0", 0, 0, 0xfffffff0, 0, 0},
      {"s_cmov_b32 s8, s4", 5, 0, 0x77, 0, 0},
      {"s_cmp_lt_i32 s4, s6", 0xffffffff, 0, 0x77, 0, 1},
      {"s_cmp_lt_u32 s4, s6", 0xffffffff, 0, 0x77, 1, 0},
      {"s_cmp_eq_u64 s[4:5], s[6:7]", 1ull << 40, 1ull << 40, 0x77, 0, 1},
      {"s_bitcmp1_b32 s4, s6", 8, 3, 0x77, 0, 1},
      {"s_cmpk_lt_i32 s4, -3", 0xfffffffc, 0, 0x77, 0, 1},
      {"s_cmpk_gt_u32 s4, 0xfffd", 0xffff, 0, 0x77, 0, 1},
      {"s_movk_i32 s8, -2", 0, 0, 0xfffffffe, 0, 0},
      {"s_addk_i32 s8, -2", 0, 0, 0x75, 0, 0},
      {"s_mulk_i32 s8, 3", 0, 0, 0x165, 0, 0},
      {"s_bitset1_b32 s8, s4", 3, 0, 0x7f, 0, 0},
  };
  std::string body;
  for (const Case &entry : cases)
    body += std::string("  ") + entry.text + "\n";
  std::string message;
  std::string bytes =
      test::assembleText(test::wrapKernel(body, "gfx942"), "gfx942", message);
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError()) << message;
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  size_t index = 0;
  for (const Case &entry : cases) {
    const isa::Instruction &inst = (*program)->instructions()[index++];
    sim::ExecFn execute = sim::lookupSalu(inst, sim::ChipKind::Gfx942);
    ASSERT_NE(execute, nullptr) << entry.text;
    sim::WaveState wave;
    wave.setSgpr64(4, entry.a);
    wave.setSgpr64(6, entry.b);
    wave.setSgpr64(8, 0x77);
    wave.scc = entry.sccBefore;
    execute(inst, wave);
    bool isWide = inst.numDst && inst.dst[0].dwords == 2;
    EXPECT_EQ(isWide ? wave.sgpr64(8) : wave.sgpr[8], entry.result)
        << entry.text;
    EXPECT_EQ(wave.scc, entry.sccAfter) << entry.text;
  }
}

TEST(Salu, SavesExec) {
  std::string message;
  std::string body = "  s_and_saveexec_b64 s[8:9], s[4:5]\n"
                     "  s_xor_b64 exec, exec, s[8:9]\n"
                     "  s_andn1_wrexec_b64 s[8:9], s[4:5]\n";
  std::string bytes =
      test::assembleText(test::wrapKernel(body, "gfx942"), "gfx942", message);
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError()) << message;
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const auto &code = (*program)->instructions();
  auto step = [&](size_t i, sim::WaveState &wave) {
    sim::lookupSalu(code[i], sim::ChipKind::Gfx942)(code[i], wave);
  };
  sim::WaveState wave;
  wave.setExec(0xff);
  wave.setSgpr64(4, 0xf0f);
  step(0, wave);
  EXPECT_EQ(wave.sgpr64(8), 0xffu);
  EXPECT_EQ(wave.exec(), 0x0fu);
  EXPECT_EQ(wave.scc, 1u);
  step(1, wave);
  EXPECT_EQ(wave.exec(), 0xf0u);
  step(2, wave);
  EXPECT_EQ(wave.exec(), 0xf0u);
  EXPECT_EQ(wave.sgpr64(8), 0xf0u);
}

} // namespace
