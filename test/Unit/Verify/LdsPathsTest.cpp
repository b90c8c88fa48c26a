//===- LdsPathsTest.cpp - Paths that no wave need take --------------------===//
//
// Control flow has paths on which registers hold what no wave has. What seems a
// race there is none that is proved: the order is left open.
//
//===----------------------------------------------------------------------===//

#include "StaggeredKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

TEST(LdsPaths, OverGuards) {
  // Half of the waves set the address on one side of a branch, half on the
  // other: each lane reads its own dword. On the ways that jump over a side it
  // would be that of another wave.
  constexpr const char *guards = R"(
  ds_write_b32 v1, v10
  v_mov_b32_e32 v5, v2
  v_cmp_gt_u32_e32 vcc, 0x100, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_xor_b64 s[10:11], exec, s[10:11]
  s_cbranch_execz 1f
  v_mov_b32_e32 v5, v1
1:
  s_andn2_saveexec_b64 s[10:11], s[10:11]
  s_cbranch_execz 2f
  v_mov_b32_e32 v5, v1
2:
  s_or_b64 exec, exec, s[10:11]
  ds_read_b32 v11, v5)";
  // A guard that leaves the address alone: it is that of another wave.
  constexpr const char *race = R"(
  ds_write_b32 v1, v10
  v_mov_b32_e32 v5, v2
  v_cmp_gt_u32_e32 vcc, 0x100, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz 1f
  v_mov_b32_e32 v6, v1
1:
  s_or_b64 exec, exec, s[10:11]
  ds_read_b32 v11, v5)";
  auto kernels = verdictsOfStaggered({guards, race});
  EXPECT_TRUE(kernels[0].findings.empty());
  EXPECT_EQ(kernels[0].of(verify::Rule::LdsOrder), verify::Verdict::NotProved);
  EXPECT_EQ(kernels[1].of(verify::Rule::LdsOrder), verify::Verdict::Violated);
}

TEST(LdsPaths, BarriersThatAreNotCounted) {
  // Waves part by what they loaded, and those that pass no barrier on one side
  // pass it on the other.
  verify::KernelVerdict kernel = verdictsOfStaggered({R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  global_load_dword v6, v1, s[4:5]
  ds_write_b32 v1, v10
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_readfirstlane_b32 s9, v6
  s_cmp_lt_u32 s9, 4
  s_cbranch_scc1 1f
  s_barrier
1:
  s_cmp_ge_u32 s9, 4
  s_cbranch_scc1 2f
  s_barrier
2:
  ds_read_b32 v11, v2)"})
                                     .front();
  EXPECT_TRUE(kernel.findings.empty());
  EXPECT_EQ(kernel.of(verify::Rule::LdsOrder), verify::Verdict::NotProved);
  bool isTold = false;
  for (const verify::Finding &note : kernel.notes)
    isTold |= note.what == "reads bytes of LDS that another wave writes if all "
                           "waves come that way";
  EXPECT_TRUE(isTold);
}
