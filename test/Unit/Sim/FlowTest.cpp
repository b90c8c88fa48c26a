//===- FlowTest.cpp - barriers, endless waves, calls, index mode ----------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::KernelRun;
using fly::test::KernelShape;
using fly::test::prologue;

namespace {

/// The wave's index, 0 or 1 for 128 work-items, in s20.
const char *const waveIndex = R"(
  v_readfirstlane_b32 s20, v0
  s_lshr_b32 s20, s20, 6
)";

static std::string divergentBarrier() {
  return std::string(waveIndex) + R"(
  s_cmp_eq_u32 s20, 0
  s_cbranch_scc0 .Lskip
  s_barrier
.Lskip:
)";
}

TEST(Flow, ReportsABarrierThatOneWaveMisses) {
  KernelRun run = KernelRun::ofBody(divergentBarrier());
  run.setArguments({});
  run.params.workgroupSize = {128, 1, 1};
  auto result = run.launch();
  ASSERT_FALSE(bool(result));
  llvm::handleAllErrors(result.takeError(), [&](const sim::FaultError &error) {
    EXPECT_EQ(error.fault.kind, sim::FaultKind::Barrier);
    EXPECT_NE(error.message.find("1 of 2 waves at barrier"), std::string::npos)
        << error.message;
    const auto &kernel = run.params.program->object().kernels()[0];
    // readfirstlane, lshr, cmp and branch stand before it.
    EXPECT_EQ(error.fault.pc, kernel.entry + 16);
    EXPECT_NE(error.instruction.find("s_barrier"), std::string::npos);
  });
}

TEST(Flow, EndedWavesLeaveTheCountWithoutTheCheck) {
  KernelRun run = KernelRun::ofBody(divergentBarrier());
  run.setArguments({});
  run.params.workgroupSize = {128, 1, 1};
  run.params.options.checks = sim::CheckSet();
  EXPECT_EQ(run.launchError(), "");
}

/// Two wave groups, staggered by one barrier before and one behind a loop.
TEST(Flow, StaggeredGroupsWithEqualCountsPass) {
  KernelRun run = KernelRun::ofBody(std::string(waveIndex) + R"(
  s_cmp_ge_u32 s20, 2
  s_cbranch_scc0 .Lfirst
  s_barrier
.Lfirst:
  s_movk_i32 s21, 5
.Lloop:
  s_barrier
  s_sub_u32 s21, s21, 1
  s_cmp_lg_u32 s21, 0
  s_cbranch_scc1 .Lloop
  s_cmp_lt_u32 s20, 2
  s_cbranch_scc0 .Lsecond
  s_barrier
.Lsecond:
)");
  run.setArguments({});
  run.params.workgroupSize = {256, 1, 1};
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->barriers, 6u);
}

TEST(Flow, BarrierOrdersLds) {
  KernelShape shape;
  shape.ldsBytes = 1024;
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_xor_b32 v3, 0x3fc, v1
  ds_read_b32 v2, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
)",
                                    "gfx942", shape);
  uint64_t out = run.buffer(1024);
  run.setArguments({out});
  run.params.workgroupSize = {256, 1, 1};
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 256);
  for (unsigned i = 0; i != 256; ++i)
    EXPECT_EQ(values[i], 255 - i);
}

TEST(Flow, EndlessLoopIsABudgetFault) {
  KernelRun run = KernelRun::ofBody(".Lself:\n  s_branch .Lself\n");
  run.setArguments({});
  run.params.options.maxInstructionsPerWave = 100000;
  std::string text = run.launchError();
  EXPECT_NE(text.find("no end after 100000 instructions"), std::string::npos)
      << text;
}

/// A wave that polls LDS gets the value although it never waits at a barrier,
/// which by the rules of the race check it should.
TEST(Flow, PollingWaveLetsTheWriterRun) {
  KernelShape shape;
  shape.ldsBytes = 64;
  KernelRun run = KernelRun::ofBody(std::string(waveIndex) + R"(
  v_mov_b32 v5, 0
  s_cmp_eq_u32 s20, 1
  s_cbranch_scc1 .Lwriter
.Lpoll:
  ds_read_b32 v6, v5
  s_waitcnt lgkmcnt(0)
  v_readfirstlane_b32 s21, v6
  s_cmp_lg_u32 s21, 42
  s_cbranch_scc1 .Lpoll
  s_endpgm
.Lwriter:
  v_mov_b32 v6, 42
  ds_write_b32 v5, v6
)",
                                    "gfx942", shape);
  run.setArguments({});
  run.params.workgroupSize = {128, 1, 1};
  // What it polls was not written at first.
  run.params.options.checks.remove(sim::Check::Init);
  EXPECT_NE(run.launchError().find("races: "), std::string::npos);
  run.params.options.checks.remove(sim::Check::Races).remove(sim::Check::Init);
  EXPECT_EQ(run.launchError(), "");
}

TEST(Flow, CallsAndReturns) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_mov_b32 v2, 1
  s_getpc_b64 s[10:11]
.Lhere:
  s_add_u32 s10, s10, .Lfunction-.Lhere
  s_addc_u32 s11, s11, 0
  s_swappc_b64 s[12:13], s[10:11]
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.Lfunction:
  v_add_u32 v2, 5, v2
  s_setpc_b64 s[12:13]
)");
  uint64_t out = run.buffer(256);
  run.setArguments({out});
  std::string text = run.launchError();
  ASSERT_EQ(text, "");
  EXPECT_EQ(run.read<uint32_t>(out, 1)[0], 6u);
}

TEST(Flow, JumpOutOfTheCodeFaults) {
  KernelRun run = KernelRun::ofBody(R"(
  s_mov_b64 s[4:5], 64
  s_setpc_b64 s[4:5]
)");
  run.setArguments({});
  EXPECT_NE(run.launchError().find("no instruction starts at this pc"),
            std::string::npos);
}

/// Dynamic vector extracts of LLVM use the register index mode.
TEST(Flow, RegisterIndexMode) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_mov_b32 v10, 100
  v_mov_b32 v11, 101
  v_mov_b32 v12, 102
  s_movk_i32 s20, 2
  s_set_gpr_idx_on s20, gpr_idx(SRC0)
  v_mov_b32 v2, v10
  s_set_gpr_idx_off
  s_set_gpr_idx_on s20, gpr_idx(DST)
  v_mov_b32 v3, v11
  s_set_gpr_idx_off
  v_add_u32 v2, v2, v5
  global_store_dword v1, v2, s[4:5]
)");
  uint64_t out = run.buffer(256);
  run.setArguments({out});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 1)[0], 203u);
}

} // namespace
