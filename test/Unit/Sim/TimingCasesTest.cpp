//===- TimingCasesTest.cpp - cases that are easily timed wrong ------------===//
//
// Offsets behind 2^31, accesses that are out of range, a swizzle, and barriers
// that waves miss or reach staggered: what the values' tests have, timed.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

/// The number of the wave in s20.
const char *const waveNumber = R"(
  v_readfirstlane_b32 s20, v0
  s_lshr_b32 s20, s20, 6
)";

std::shared_ptr<const TimingResult> time(KernelRun &run) {
  run.params.options.checks = CheckSet();
  run.params.options.timing.enabled = true;
  auto result = run.launch();
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? result->timing : nullptr;
}

uint64_t stalled(const WaveTiming &wave, StallReason reason) {
  return wave.stalls[unsigned(reason)];
}

} // namespace

/// A load at 2^31 + 4 touches one block. What is out of range touches none.
TEST(TimingCases, OffsetsBehindTwoGigabytesTouchTheirBlock) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_mov_b32 s12, s6
  s_and_b32 s13, s7, 0xffff
  s_mov_b32 s14, s8
  s_mov_b32 s15, 0x00027000
  v_mov_b32 v20, 0x80000004
  v_mov_b32 v21, 0xc0000000
  buffer_load_dword v4, v20, s[12:15], 0 offen
  buffer_load_dword v5, v21, s[12:15], 0 offen
  s_mov_b64 exec, 1
  buffer_store_dword v20, v21, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
  v_mov_b32 v6, 0
  global_store_dwordx2 v6, v[4:5], s[4:5]
)");
  uint64_t bytes = 0xc0000000;
  auto sparse = run.simulator->memory().allocate(bytes, "sparse");
  ASSERT_TRUE(bool(sparse)) << llvm::toString(sparse.takeError());
  run.setArguments({run.buffer(8), *sparse, bytes});
  std::shared_ptr<const TimingResult> timing = time(run);
  ASSERT_TRUE(timing) << run.message;
  EXPECT_EQ(timing->counters.vmem, 4u);
  EXPECT_EQ(timing->counters.l1Requests, 1u);
  EXPECT_EQ(timing->counters.l2WriteRequests, 1u);
}

/// 32 rows of 128 bytes, each lane 16 bytes of a row. Without a swizzle the 8
/// lanes of each of 8 phases meet in four banks; with rows exclusive-ored into
/// the chunk they have all 32.
TEST(TimingCases, SwizzledRowsDoNotConflict) {
  auto conflicts = [](const char *swizzle) {
    KernelShape shape;
    shape.ldsBytes = 4096;
    KernelRun run = KernelRun::ofBody(std::string(R"(
  v_and_b32 v2, 31, v0
  v_lshrrev_b32 v3, 5, v0
)") + swizzle + R"(
  v_lshlrev_b32 v2, 7, v2
  v_lshl_add_u32 v2, v3, 4, v2
  ds_read_b128 v[8:11], v2
  s_waitcnt lgkmcnt(0)
)",
                                      "gfx942", shape);
    run.setArguments({});
    std::shared_ptr<const TimingResult> timing = time(run);
    return timing ? timing->counters.ldsBankConflict : ~uint64_t(0);
  };
  EXPECT_EQ(conflicts(""), 8u * 7);
  EXPECT_EQ(conflicts("v_and_b32 v4, 7, v2\n  v_xor_b32 v3, v3, v4"), 0u);
}

/// A wave at a barrier goes on when the other one, which never comes, has
/// ended: after the 6400 cycles that it sleeps.
TEST(TimingCases, ABarrierWaitsForAWaveThatEnds) {
  KernelRun run = KernelRun::ofBody(std::string(waveNumber) + R"(
  s_cmp_eq_u32 s20, 0
  s_cbranch_scc0 .Lother
  s_barrier
  s_endpgm
.Lother:
  s_sleep 100
)");
  run.setArguments({});
  run.params.workgroupSize = {128, 1, 1};
  std::shared_ptr<const TimingResult> timing = time(run);
  ASSERT_TRUE(timing) << run.message;
  ASSERT_EQ(timing->waves.size(), 2u);
  for (const WaveTiming &wave : timing->waves) {
    EXPECT_EQ(wave.issueCycles + totalStall(wave.stalls),
              wave.end - wave.begin);
    if (wave.wave == 0)
      EXPECT_GE(stalled(wave, StallReason::Barrier), 6000u);
    else
      EXPECT_EQ(stalled(wave, StallReason::Barrier), 0u);
  }
}

/// Waves 2 and 3 meet a barrier before the loop, waves 0 and 1 one behind it:
/// six each. Nobody waits for long, since each turn takes as long.
TEST(TimingCases, StaggeredGroupsMeet) {
  KernelRun run = KernelRun::ofBody(std::string(waveNumber) + R"(
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
  std::shared_ptr<const TimingResult> timing = time(run);
  ASSERT_TRUE(timing) << run.message;
  uint64_t barriers = 0;
  for (const InstructionTiming &row : timing->instructions)
    if (row.text == "s_barrier")
      barriers += row.hits;
  EXPECT_EQ(barriers, 4u * 6);
  for (const WaveTiming &wave : timing->waves)
    EXPECT_LT(stalled(wave, StallReason::Barrier), 500u);
}
