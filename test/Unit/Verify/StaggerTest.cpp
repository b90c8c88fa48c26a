//===- StaggerTest.cpp - Waves that are a barrier apart -------------------===//
//
// The waves from number 4 on pass one barrier more before what is judged, the
// others one more behind it.
//
//===----------------------------------------------------------------------===//

#include "StaggeredKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

static verify::KernelVerdict verdictOf(const std::string &body) {
  return verdictsOfStaggered({body}).front();
}

TEST(Stagger, TwoBarriersOrderWhatOneDoesNot) {
  expectStaggered({
      // Wave 4 writes while wave 0 has passed the barrier already.
      {"one_barrier", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      {"two_barriers", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  ds_read_b32 v11, v2)"},
      {"finished_before_the_second_one", R"(
  ds_write_b32 v1, v10
  s_barrier
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      {"read_then_overwritten", R"(
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v1, v10 // BAD)"},
      // Waves of one group are in step.
      {"within_a_group", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v5)"},
      {"within_a_group_without", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v11, v5 // BAD)"},
  });
}

TEST(Stagger, OfCopies) {
  expectStaggered({
      {"two_barriers", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt vmcnt(0)
  s_barrier
  s_barrier
  ds_read_b32 v11, v2)"},
      {"one_barrier", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt vmcnt(0)
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      {"wait_behind_the_first_barrier", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_barrier
  s_waitcnt vmcnt(0)
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      {"another_counter", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      // The second copy goes on over the wait.
      {"counted", R"(
  buffer_load_dword off, s[4:7], 0 lds
  buffer_load_dword off, s[4:7], 0 offset:2048 lds
  s_waitcnt vmcnt(1)
  s_barrier
  s_barrier
  ds_read_b32 v11, v2
  ds_read_b32 v11, v2 offset:2048 // BAD)"},
      // Its own wave needs the wait alone.
      {"its_own_wave", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt vmcnt(0)
  ds_read_b32 v11, v1)"},
      // Over what is read: two barriers behind it.
      {"over_what_was_read", R"(
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  buffer_load_dword off, s[4:7], 0 lds // BAD)"},
      {"two_behind_what_was_read", R"(
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  buffer_load_dword off, s[4:7], 0 lds)"},
  });
}

TEST(Stagger, OfLoops) {
  expectStaggered({
      {"turns", R"(
1:
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
      {"a_barrier_too_few", R"(
1:
  ds_read_b32 v11, v2 // BAD
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
  });
}

TEST(Stagger, WavesMeetAgain) {
  // Behind the join one barrier orders all waves, as before.
  std::string order = R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2)";
  verify::KernelVerdict kernel =
      verdictOf(std::string(partWaves) + "  s_barrier" + joinWaves + order);
  EXPECT_EQ(kernel.of(verify::Rule::LdsOrder), verify::Verdict::Proved);
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Proved);
}

TEST(Stagger, TwoBranchesToOneBarrier) {
  // As LLVM lays out a loop that may run not at all: both ways to the barrier
  // of the early waves have a branch of their own.
  verify::KernelVerdict kernel = verdictOf(std::string(partWaves) + R"(
  s_load_dword s4, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc1 3f
  s_barrier
  s_cmp_gt_u32 s8, 3
  s_cbranch_scc1 2f
1:
  s_barrier
2:
  s_branch 4f
3:
  s_cmp_gt_u32 s8, 3
  s_cbranch_scc0 1b
  s_branch 2b
4:
  v_mov_b32_e32 v9, 0)");
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Proved);
}

TEST(Stagger, OneSideIsMissing) {
  verify::KernelVerdict kernel =
      verdictOf(std::string(partWaves) + "  s_barrier");
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Violated);
  ASSERT_EQ(kernel.findings.size(), 1u);
  EXPECT_EQ(kernel.findings.front().what,
            "is reached by waves that have not passed the same number of "
            "barriers");
  EXPECT_EQ(kernel.findings.front().actual,
            "1 more by wave 4, 1 more by wave 5, 1 more by wave 6, 1 more by "
            "wave 7");
}

TEST(Stagger, UnknownConditionsAreNotCounted) {
  // Waves that differ by what they loaded.
  verify::KernelVerdict kernel = verdictOf(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  global_load_dword v6, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v6
  s_cmp_lt_u32 s9, 4
  s_cbranch_scc1 1f
  s_barrier
1:
  v_mov_b32_e32 v9, 0)");
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::NotProved);
}
