//===- CheckInitTest.cpp - values that nothing has written ----------------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

static KernelShape withLds(unsigned bytes) {
  KernelShape shape;
  shape.ldsBytes = bytes;
  return shape;
}

static MutantKernel::Setup
expectLanes(std::function<uint32_t(unsigned)> expected) {
  return [=](KernelRun &run) -> std::function<void()> {
    uint64_t out = run.buffer(256, "out");
    run.setArguments({out, run.bufferOf(std::vector<uint32_t>(64, 5), "in")});
    return [&run, out, expected] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
      for (unsigned i = 0; i != 64; ++i)
        ASSERT_EQ(values[i], expected(i)) << "lane " << i;
    };
  };
}

/// Values, addresses, branches and EXEC, each from a register that a mutant
/// does not write.
TEST(CheckInit, Registers) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v2, 0           ;! init
  s_movk_i32 s12, 3         ;! init
  v_mov_b32 v6, 4           ;! init
1:
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(0)
  v_add_u32 v2, v2, v3
  s_sub_u32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 1b
  v_cmp_gt_u32 vcc, 32, v0  ;! init
  s_and_saveexec_b64 s[10:11], vcc
  v_add_u32 v2, v2, v6
  s_mov_b64 exec, s[10:11]
  v_mov_b32 v7, v1          ;! init
  global_store_dword v7, v2, s[4:5]
)",
                      "gfx942", KernelShape());
  EXPECT_EQ(
      kernel.runAll(expectLanes([](unsigned i) { return i < 32 ? 19 : 15; })),
      5u);
}

TEST(CheckInit, BytesOfLds) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v2, v0
  ds_write_b32 v1, v2       ;! init
  s_waitcnt lgkmcnt(0)
  v_xor_b32 v3, 0xfc, v1
  ds_read_b32 v4, v3        ;! init = ds_read_b32 v4, v3 offset:4
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", withLds(512));
  EXPECT_EQ(kernel.runAll(expectLanes([](unsigned i) { return 63 - i; })), 2u);
}

/// Undefined values that nobody looks at are no mistake.
TEST(CheckInit, SelectedAwayAndMaskedAway) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_cmp_gt_u32 vcc, 32, v0
  s_mov_b64 s[12:13], vcc
  s_and_saveexec_b64 s[10:11], vcc
  v_mov_b32 v2, 1
  s_mov_b64 exec, s[10:11]
  v_cndmask_b32 v3, 0, v2, vcc
  v_cmp_eq_u32 s[14:15], 1, v2
  s_and_b64 s[14:15], s[14:15], s[12:13]
  s_nop 0
  v_cndmask_b32 v4, 0, 1, s[14:15]
  v_add_u32 v3, v3, v4
  v_add_u32 v20, v21, v22
  ds_write_b32 v1, v20
  ds_read_b32 v20, v1
  s_waitcnt lgkmcnt(0)
  v_accvgpr_write_b32 a0, v20
  global_store_dword v1, v3, s[4:5]
)",
                                    "gfx942", withLds(512));
  auto compare = expectLanes([](unsigned i) { return i < 32 ? 2 : 0; })(run);
  EXPECT_EQ(run.launchError(), "");
  compare();
}

/// An undefined row of A spoils its row of D and no other.
TEST(CheckInit, RowsOfMatrices) {
  std::string text = std::string(prologue) + R"(
  v_mov_b32 v8, 1.0
  s_mov_b64 s[12:13], exec
  s_mov_b32 exec_lo, 0xfffefffe
  s_mov_b32 exec_hi, 0xfffefffe
  v_mov_b32 v9, 1.0
  s_mov_b64 exec, s[12:13]
  s_nop 1
  v_mfma_f32_16x16x4_f32 v[12:15], v9, v8, 0
  s_nop 15
  global_store_dword v1, v%d, s[4:5]
)";
  for (unsigned reg : {12, 13}) {
    std::string body = text;
    body.replace(body.find("%d"), 2, std::to_string(reg));
    KernelRun run = KernelRun::ofBody(body);
    run.setArguments({run.buffer(256), run.buffer(256)});
    std::string found = run.launchError();
    // Row 0 is in register 0 of lanes 0 to 15.
    EXPECT_EQ(found.find("init: workgroup (0, 0, 0), wave 0, lane 0") !=
                  std::string::npos,
              reg == 12)
        << found;
    EXPECT_EQ(found.empty(), reg == 13) << found;
  }
}

} // namespace
