//===- TimingTest.cpp - invariants of the timing model --------------------===//
//
// Whatever the parameters are: issue and stalls of a wave add up to its life,
// the same launch takes the same time, each instruction of the waves in detail
// is counted, and what is free does not cost.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

/// Four waves that load, go through LDS with a barrier, multiply and store.
const char *const mixed = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 4, v0
  s_waitcnt lgkmcnt(0)
  s_movk_i32 s10, 0x0
loop:
  global_load_dwordx4 v[4:7], v1, s[4:5]
  s_waitcnt vmcnt(0)
  ds_write_b128 v1, v[4:7]
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_xor_b32 v2, 0x400, v1
  ds_read_b128 v[8:11], v2
  s_waitcnt lgkmcnt(0)
  s_nop 1
  v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]
  v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]
  s_barrier
  s_add_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 20
  s_cbranch_scc1 loop
  s_nop 7
  s_nop 7
  v_exp_f32 v12, v8
  global_store_dwordx4 v1, v[8:11], s[6:7]
)";

KernelRun mixedRun(unsigned workgroups, llvm::StringRef chip = "gfx942") {
  KernelShape shape;
  shape.ldsBytes = 4096;
  shape.accumOffset = 64;
  shape.vgprs = 72;
  KernelRun run = KernelRun::ofBody(mixed, chip, shape);
  run.params.workgroupSize = {256, 1, 1};
  run.params.workgroups = {workgroups, 1, 1};
  run.params.options.timing.enabled = true;
  run.params.options.timing.timeline = true;
  run.setArguments({run.buffer(4096), run.buffer(4096)});
  return run;
}

std::shared_ptr<const TimingResult> timed(KernelRun &run) {
  auto result = run.launch();
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? result->timing : nullptr;
}

} // namespace

TEST(Timing, IssueAndStallsAreTheLifeOfAWave) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    KernelRun run = mixedRun(40, chip);
    std::shared_ptr<const TimingResult> timing = timed(run);
    ASSERT_TRUE(timing) << run.message;
    ASSERT_FALSE(timing->waves.empty());
    uint64_t issue = 0, stall = 0;
    for (const WaveTiming &wave : timing->waves) {
      EXPECT_EQ(wave.issueCycles + totalStall(wave.stalls),
                wave.end - wave.begin);
      issue += wave.issueCycles;
      stall += totalStall(wave.stalls);
      // The timeline has every issue, without gaps.
      ASSERT_EQ(wave.events.size(), wave.instructions);
      uint64_t at = wave.begin;
      for (const IssueEvent &event : wave.events) {
        ASSERT_EQ(event.time, at);
        at += event.stall + event.issue;
      }
    }
    EXPECT_EQ(timing->issueCycles, issue);
    EXPECT_EQ(totalStall(timing->stalls), stall);
  }
}

TEST(Timing, CountsEachInstructionInDetail) {
  KernelRun run = mixedRun(8);
  std::shared_ptr<const TimingResult> timing = timed(run);
  ASSERT_TRUE(timing) << run.message;
  // One workgroup on each XCD: all are in detail.
  EXPECT_EQ(timing->detailWorkgroups, 8u);
  EXPECT_TRUE(timing->extrapolated.empty());
  EXPECT_EQ(timing->counters.waves, 32u);
  EXPECT_EQ(timing->counters.mfma, 32u * 40);
  EXPECT_EQ(timing->counters.lds, 32u * 40);
  EXPECT_EQ(timing->counters.vmem, 32u * 21);
  EXPECT_EQ(timing->counters.smem, 32u);
  EXPECT_EQ(timing->counters.branch, 32u * 20);
  // 16 cycles each.
  EXPECT_EQ(timing->counters.mfmaBusyCycles, 32u * 40 * 16);
}

TEST(Timing, IsTheSameOnAnyNumberOfThreads) {
  KernelRun one = mixedRun(40), many = mixedRun(40);
  many.params.options.threads = 3;
  std::shared_ptr<const TimingResult> a = timed(one), b = timed(many);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->cycles, b->cycles);
  EXPECT_EQ(a->stalls, b->stalls);
  ASSERT_EQ(a->waves.size(), b->waves.size());
  for (size_t i = 0; i != a->waves.size(); ++i)
    EXPECT_EQ(a->waves[i].end, b->waves[i].end);
}

TEST(Timing, DoesNotDependOnChecks) {
  KernelRun checked = mixedRun(8), plain = mixedRun(8);
  plain.params.options.checks = CheckSet();
  std::shared_ptr<const TimingResult> a = timed(checked), b = timed(plain);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->cycles, b->cycles);
}

TEST(Timing, WhatIsFreeDoesNotCost) {
  KernelRun run = mixedRun(8);
  run.params.options.timing.whatIf = true;
  std::shared_ptr<const TimingResult> timing = timed(run);
  ASSERT_TRUE(timing) << run.message;
  ASSERT_EQ(timing->whatIf.size(), freeResourceCount);
  for (const WhatIf &entry : timing->whatIf)
    EXPECT_LE(entry.cycles, timing->cycles)
        << freeResourceName(entry.resource).str();
  // v_lshlrev and v_xor make addresses, the counter of the loop does not.
  EXPECT_LT(timing->whatIf[unsigned(FreeResource::Addresses)].cycles,
            timing->cycles);
  // The loop waits for loads and at barriers.
  EXPECT_LT(timing->whatIf[unsigned(FreeResource::Waits)].cycles,
            timing->cycles);
}
