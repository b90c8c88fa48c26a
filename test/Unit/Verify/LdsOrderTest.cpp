//===- LdsOrderTest.cpp - LDS is written before it is read ----------------===//
//
// Hand-written exchanges between the four waves of a workgroup, or within one.
// v0 is the work-item id.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Error.h"

#include "MarkedKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

/// In front of each body: v1 the work item's own dword, v2 that of the same
/// lane in the next wave, v3 that of the neighbouring lane, m0 and s8 the first
/// byte of the wave's 256.
static constexpr const char *preamble = R"(
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_xor_b32_e32 v3, 4, v1
  v_lshrrev_b32_e32 v4, 6, v0
  s_nop 0
  v_readfirstlane_b32 s8, v4
  s_lshl_b32 s8, s8, 8
  s_mov_b32 m0, s8
)";

static void expectOrder(const std::vector<MarkedKernel> &kernels,
                        const MarkedLaunch &launch = {}) {
  std::vector<std::string> bodies;
  std::vector<MarkedKernel> whole;
  for (const MarkedKernel &kernel : kernels)
    bodies.push_back(std::string(preamble) + kernel.body);
  for (size_t i = 0; i != kernels.size(); ++i)
    whole.push_back({kernels[i].name, bodies[i].c_str()});
  for (const char *chip : {"gfx942", "gfx950"})
    expectMarked(whole, chip, verify::Rule::LdsOrder, launch);
}

TEST(LdsOrder, WritesAndReads) {
  expectOrder({
      {"ordered", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2)"},
      {"no_barrier", R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v11, v2 // BAD)"},
      {"no_wait", R"(
  ds_write_b32 v1, v10
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      {"wait_behind_the_barrier", R"(
  ds_write_b32 v1, v10
  s_barrier
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v11, v2 // BAD)"},
      {"within_a_wave", R"(
  ds_write_b32 v1, v10
  ds_read_b32 v11, v3)"},
      {"other_bytes", R"(
  ds_write_b32 v1, v10
  ds_read_b32 v11, v2 offset:1024)"},
      {"two_addresses", R"(
  ds_write2st64_b32 v1, v10, v11 offset0:8 offset1:12
  ds_read_b32 v12, v2 offset:2048 // BAD
  ds_read_b32 v12, v2 offset:1024)"},
      {"read_then_overwritten", R"(
  ds_read_b32 v11, v2
  s_barrier
  ds_write_b32 v1, v10 // BAD)"},
      {"read_finished_then_overwritten", R"(
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v1, v10)"},
      {"count_that_covers", R"(
  ds_write_b32 v1, v10
  ds_read_b32 v11, v3
  s_waitcnt lgkmcnt(1)
  s_barrier
  ds_read_b32 v11, v2)"},
      {"atomics_of_all", R"(
  v_mov_b32_e32 v5, 0
  ds_add_u32 v5, v10
  ds_add_u32 v5, v11)"},
      {"one_wave_writes", R"(
  v_cmp_gt_u32_e32 vcc, 64, v0
  s_and_saveexec_b64 s[10:11], vcc
  ds_write_b32 v1, v10
  s_or_b64 exec, exec, s[10:11]
  v_and_b32_e32 v5, 0xff, v1
  ds_read_b32 v11, v5 // BAD
  ds_read_b32 v11, v5 offset:256)"},
  });
}

TEST(LdsOrder, NextIterationOverwrites) {
  expectOrder({
      {"one_barrier", R"(
1:
  ds_write_b32 v1, v10 // BAD
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
      {"two_barriers", R"(
1:
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
      // The stage changes in each iteration, so one barrier does.
      {"two_stages", R"(
1:
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2
  v_xor_b32_e32 v1, 0x1000, v1
  v_xor_b32_e32 v2, 0x1000, v2
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
  });
}

TEST(LdsOrder, CopiesToLds) {
  expectOrder({
      {"own_wave_waits", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt vmcnt(0)
  ds_read_b32 v11, v3)"},
      {"own_wave_does_not", R"(
  buffer_load_dword off, s[4:7], 0 lds
  ds_read_b32 v11, v3 // BAD)"},
      {"others", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt vmcnt(0)
  s_barrier
  ds_read_b32 v11, v2)"},
      {"wait_behind_the_barrier", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_barrier
  s_waitcnt vmcnt(0)
  ds_read_b32 v11, v2 // BAD)"},
      {"wrong_counter", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v11, v2 // BAD)"},
      // A wait that leaves one copy outstanding, whose data is read.
      {"partial_wait", R"(
  buffer_load_dword off, s[4:7], 0 lds
  buffer_load_dword off, s[4:7], 0 offset:1024 lds
  s_waitcnt vmcnt(1)
  s_barrier
  ds_read_b32 v11, v2
  ds_read_b32 v11, v2 offset:1024 // BAD)"},
      {"read_then_copied_over", R"(
  ds_read_b32 v11, v2
  s_barrier
  buffer_load_dword off, s[4:7], 0 lds // BAD)"},
      // Three stages, each copied two iterations ahead: one copy may be
      // outstanding in front of the barrier behind which the oldest is read.
      {"three_stages", R"(
  s_mov_b32 s9, 0
  s_movk_i32 s12, 0x800
  buffer_load_dword off, s[4:7], 0 lds
  buffer_load_dword off, s[4:7], 0 offset:1024 lds
1:
  s_waitcnt vmcnt(1) lgkmcnt(0)
  s_barrier
  v_add_u32_e32 v5, s9, v2
  ds_read_b32 v11, v5
  s_add_u32 s13, s8, s12
  s_mov_b32 m0, s13
  s_nop 0
  buffer_load_dword off, s[4:7], 0 lds
  s_addk_i32 s9, 0x400
  s_cmp_eq_u32 s9, 0xc00
  s_cselect_b32 s9, 0, s9
  s_addk_i32 s12, 0x400
  s_cmp_eq_u32 s12, 0xc00
  s_cselect_b32 s12, 0, s12
  s_cbranch_vccz 1b)"},
      {"three_stages_one_too_many", R"(
  s_mov_b32 s9, 0
  s_movk_i32 s12, 0x800
  buffer_load_dword off, s[4:7], 0 lds
  buffer_load_dword off, s[4:7], 0 offset:1024 lds
1:
  s_waitcnt vmcnt(2) lgkmcnt(0)
  s_barrier
  v_add_u32_e32 v5, s9, v2
  ds_read_b32 v11, v5 // BAD
  s_add_u32 s13, s8, s12
  s_mov_b32 m0, s13
  s_nop 0
  buffer_load_dword off, s[4:7], 0 lds
  s_addk_i32 s9, 0x400
  s_cmp_eq_u32 s9, 0xc00
  s_cselect_b32 s9, 0, s9
  s_addk_i32 s12, 0x400
  s_cmp_eq_u32 s12, 0xc00
  s_cselect_b32 s12, 0, s12
  s_cbranch_vccz 1b)"},
  });
}

TEST(LdsOrder, OneWaveNeedsNoBarrier) {
  MarkedLaunch launch;
  launch.workgroupSize = 64;
  expectOrder({{"exchange", R"(
  ds_write_b32 v1, v10
  ds_read_b32 v11, v3
  ds_write_b32 v1, v11)"},
               {"copy", R"(
  buffer_load_dword off, s[4:7], 0 lds
  s_barrier
  ds_read_b32 v11, v3 // BAD)"}},
              launch);
}

static verify::KernelVerdict verdictOf(const char *body) {
  std::string message, whole = std::string(preamble) + body;
  std::string object =
      assembleKernels({{"k", whole.c_str()}}, "gfx942", message);
  EXPECT_FALSE(object.empty()) << message;
  auto verdict = verify::verifyObject(object);
  if (!verdict) {
    ADD_FAILURE() << llvm::toString(verdict.takeError());
    return {};
  }
  return verdict->kernels.front();
}

TEST(LdsOrder, UnknownAddressesAreNoFindings) {
  verify::KernelVerdict kernel = verdictOf(R"(
  ds_write_b32 v1, v10
  ds_read_b32 v11, v20
  ds_read_b32 v12, v21)");
  EXPECT_TRUE(kernel.findings.empty());
  EXPECT_EQ(kernel.of(verify::Rule::LdsOrder), verify::Verdict::NotProved);
  ASSERT_EQ(kernel.notes.size(), 1u);
  EXPECT_EQ(kernel.notes.front().what,
            "touches LDS at an address that is not known, as 1 more");
}

TEST(Barriers, UnderAllLanes) {
  EXPECT_EQ(verdictOf("  s_barrier").of(verify::Rule::Barriers),
            verify::Verdict::Proved);
  EXPECT_EQ(verdictOf(R"(
  v_cmp_gt_u32_e32 vcc, 70, v0
  s_and_saveexec_b64 s[10:11], vcc
  v_mov_b32_e32 v9, 0
  s_or_b64 exec, exec, s[10:11]
  s_barrier)")
                .of(verify::Rule::Barriers),
            verify::Verdict::Proved);
  // `if (id < 64) barrier`, as a compiler that sees no uniformity writes it.
  verify::KernelVerdict kernel = verdictOf(R"(
  v_cmp_gt_u32_e32 vcc, 64, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz 1f
  s_barrier
1:
  s_or_b64 exec, exec, s[10:11])");
  EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::NotProved);
  ASSERT_EQ(kernel.notes.size(), 2u);
  EXPECT_EQ(kernel.notes[0].what, "is behind a branch on which waves may "
                                  "differ, some of them may not pass it");
  EXPECT_EQ(kernel.notes[1].what, "is passed with fewer lanes than the wave "
                                  "has, without EXEC restored");
  EXPECT_EQ(kernel.notes[1].producer->text, "s_and_saveexec_b64 s[10:11], vcc");
}

TEST(Barriers, OfAllWaves) {
  EXPECT_EQ(verdictOf(R"(
  s_load_dword s4, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc1 1f
  s_barrier
1:)")
                .of(verify::Rule::Barriers),
            verify::Verdict::Proved);
  // Two groups of waves, one barrier apart to the end.
  EXPECT_EQ(verdictOf(R"(
  s_cmp_lt_u32 s8, 0x200
  s_cbranch_scc1 1f
  s_barrier
1:
  v_mov_b32_e32 v9, 0)")
                .of(verify::Rule::Barriers),
            verify::Verdict::Violated);
  // What a branch of the wave chose is a branch of the wave later on.
  EXPECT_EQ(verdictOf(R"(
  s_mov_b32 s9, 0
  s_cmp_lt_u32 s8, 0x200
  s_cbranch_scc1 1f
  s_mov_b32 s9, 1
1:
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 2f
  s_barrier
2:
  v_mov_b32_e32 v9, 0)")
                .of(verify::Rule::Barriers),
            verify::Verdict::NotProved);
}
