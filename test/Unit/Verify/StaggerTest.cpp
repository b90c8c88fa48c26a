//===- StaggerTest.cpp - Waves that are a barrier apart -------------------===//
//
// Hand-written kernels of 8 waves. The waves from number 4 on pass one barrier
// more before what is judged, the others one more behind it. v0 is the
// work-item id.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Error.h"

#include "MarkedKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

/// In front of each body: v1 the work item's own dword, v2 that of the same
/// lane 4 waves farther, v5 that of the next wave of the same four; s8 the
/// wave. Then the late waves wait.
static constexpr const char *preamble = R"(
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x400, v1
  v_xor_b32_e32 v5, 0x100, v1
  v_lshrrev_b32_e32 v4, 6, v0
  s_nop 0
  v_readfirstlane_b32 s8, v4
)";
static constexpr const char *part = R"(
  s_cmp_lt_u32 s8, 4
  s_cbranch_scc1 8f
  s_barrier
8:
)";
static constexpr const char *join = R"(
  s_cmp_gt_u32 s8, 3
  s_cbranch_scc1 9f
  s_barrier
9:
)";

/// A body between the two, and whether its bad lines are marked.
static void expectStaggered(const std::vector<MarkedKernel> &kernels) {
  std::vector<std::string> bodies;
  std::vector<MarkedKernel> whole;
  for (const MarkedKernel &kernel : kernels)
    bodies.push_back(std::string(preamble) + part + kernel.body + join);
  for (size_t i = 0; i != kernels.size(); ++i)
    whole.push_back({kernels[i].name, bodies[i].c_str()});
  MarkedLaunch launch;
  launch.workgroupSize = 512;
  expectMarked(whole, "gfx942", verify::Rule::LdsOrder, launch);
}

static verify::KernelVerdict verdictOf(const std::string &body) {
  std::string message, whole = std::string(preamble) + body;
  MarkedLaunch launch;
  launch.workgroupSize = 512;
  std::string object =
      assembleKernels({{"k", whole.c_str()}}, "gfx942", message, launch);
  EXPECT_FALSE(object.empty()) << message;
  auto verdict = verify::verifyObject(object);
  if (!verdict) {
    ADD_FAILURE() << llvm::toString(verdict.takeError());
    return {};
  }
  return verdict->kernels.front();
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
      verdictOf(std::string(part) + "  s_barrier" + join + order);
  EXPECT_EQ(kernel.of(verify::Rule::LdsOrder), verify::Verdict::Proved);
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Proved);
}

TEST(Stagger, TwoBranchesToOneBarrier) {
  // As LLVM lays out a loop that may run not at all: both ways to the barrier
  // of the early waves have a branch of their own.
  verify::KernelVerdict kernel = verdictOf(std::string(part) + R"(
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
  verify::KernelVerdict kernel = verdictOf(std::string(part) + "  s_barrier");
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
