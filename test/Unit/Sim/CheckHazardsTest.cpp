//===- CheckHazardsTest.cpp - dependent instructions too near -------------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

static MutantKernel::Setup
expectLanes(std::function<uint32_t(unsigned)> expected) {
  return [=](KernelRun &run) -> std::function<void()> {
    uint64_t out = run.buffer(256, "out");
    run.setArguments({out});
    return [&run, out, expected] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
      for (unsigned i = 0; i != 64; ++i)
        ASSERT_EQ(values[i], expected(i)) << "lane " << i;
    };
  };
}

/// 2 wait states in front of a matrix instruction, 10 behind one of 8 passes on
/// f32 for its readers: what LLVM 22 inserts.
TEST(CheckHazards, MatrixResults) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v8, 1.0
  v_mov_b32 v9, 2.0
  s_nop 1                   ;! hazards
  v_mfma_f32_16x16x4_f32 v[12:15], v9, v8, 0
  s_nop 9                   ;! hazards ;! hazards = s_nop 8
  v_add_f32 v12, v12, v13
  v_mov_b32 v2, 1.0
  s_nop 1
  v_mfma_f32_16x16x4_f32 v[16:19], v2, v2, 0
  s_nop 9                   ;! hazards ;! hazards = s_nop 8
  global_store_dword v1, v16, s[4:5] offset:256
  global_store_dword v1, v12, s[4:5]
)",
                      "gfx942", KernelShape());
  EXPECT_EQ(kernel.runAll([](KernelRun &run) {
    uint64_t out = run.buffer(512, "out");
    run.setArguments({out});
    return [&run, out] {
      std::vector<float> values = run.read<float>(out, 128);
      for (unsigned i = 0; i != 64; ++i) {
        EXPECT_EQ(values[i], 16.0f);
        EXPECT_EQ(values[64 + i], 4.0f);
      }
    };
  }),
            5u);
}

/// Of two results in a register the second one counts: the
/// addend is the whole of it, which needs no wait state.
TEST(CheckHazards, OverwrittenMatrixResults) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v8, 0
  v_mov_b32 v9, 0
  s_nop 1
  v_mfma_f32_16x16x16_f16 v[14:17], v[8:9], v[8:9], 1.0
  v_mfma_f32_16x16x16_f16 v[12:15], v[8:9], v[8:9], 2.0
  v_mfma_f32_16x16x16_f16 v[12:15], v[8:9], v[8:9], v[12:15]
  s_nop 7                   ;! hazards
  v_cvt_u32_f32 v4, v15
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", KernelShape());
  EXPECT_EQ(kernel.runAll(expectLanes([](unsigned) { return 2; })), 1u);
}

TEST(CheckHazards, ScalarsAndLanes) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_readfirstlane_b32 s12, v0
  s_nop 4
  v_mov_b32 v2, s12
  v_mov_b32 v3, v1
  s_nop 1                   ;! hazards
  v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_add_u32 v4, v4, v2
  s_nop 0                   ;! hazards = v_mov_b32 v4, v4
  v_readfirstlane_b32 s13, v4
  v_cmp_eq_u32 s[14:15], 0, v0
  s_nop 1                   ;! hazards
  v_cndmask_b32 v5, 0, 1, s[14:15]
  v_add_u32 v4, v4, v5
  s_mov_b32 m0, 0
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx950", KernelShape());
  EXPECT_EQ(kernel.runAll(expectLanes(
                [](unsigned i) { return 4 * (i ^ 1) + (i == 0 ? 1 : 0); })),
            3u);
}

} // namespace
