//===- WaitsTest.cpp - results of memory are waited for -------------------===//
//
// Hand-written sequences: the expectation is what the counters of the ISA
// document say, written down as a mark, not what the checker computes.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Error.h"

#include "MarkedKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using fly::verify::Rule;

static void expectWaits(const std::vector<MarkedKernel> &kernels) {
  for (const char *chip : {"gfx942", "gfx950"})
    expectMarked(kernels, chip, Rule::Waits);
}

TEST(Waits, VectorLoads) {
  expectWaits({
      {"waited", R"(
  global_load_dword v1, v0, s[2:3]
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v2, v1)"},
      {"read", R"(
  global_load_dword v1, v0, s[2:3]
  v_mov_b32_e32 v2, v1 // BAD)"},
      {"read_second_dword", R"(
  global_load_dwordx4 v[4:7], v0, s[2:3]
  v_mov_b32_e32 v2, v7 // BAD
  v_mov_b32_e32 v2, v8)"},
      {"overwritten", R"(
  global_load_dword v1, v0, s[2:3]
  v_mov_b32_e32 v1, 0 // BAD)"},
      {"wrong_counter", R"(
  global_load_dword v1, v0, s[2:3]
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v2, v1 // BAD)"},
      {"in_order", R"(
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[2:3] offset:4
  global_load_dword v3, v0, s[2:3] offset:8
  s_waitcnt vmcnt(2)
  v_mov_b32_e32 v4, v1
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v2
  v_mov_b32_e32 v4, v3 // BAD)"},
      {"one_too_many", R"(
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[2:3] offset:4
  global_load_dword v3, v0, s[2:3] offset:8
  s_waitcnt vmcnt(2)
  v_mov_b32_e32 v4, v2 // BAD)"},
      {"stores_count", R"(
  global_load_dword v1, v0, s[2:3]
  global_store_dword v0, v5, s[2:3]
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v1)"},
      {"store_of_a_load", R"(
  global_load_dword v1, v0, s[2:3]
  global_store_dword v0, v1, s[2:3] // BAD)"},
      {"address_of_a_load", R"(
  buffer_load_dword v1, off, s[4:7], 0
  buffer_load_dword v2, v1, s[4:7], 0 offen // BAD)"},
      {"same_order_overwrites", R"(
  buffer_load_dword v1, off, s[4:7], 0
  buffer_load_dword v1, off, s[4:7], 0 offset:4
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v4, v1)"},
      {"halves_of_a_register", R"(
  buffer_load_short_d16 v1, off, s[4:7], 0
  buffer_load_short_d16_hi v1, off, s[4:7], 0 offset:2
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v4, v1)"},
      {"atomic_result", R"(
  global_atomic_add v1, v0, v2, s[2:3] sc0
  v_mov_b32_e32 v4, v1 // BAD)"},
      {"accumulators", R"(
  buffer_load_dwordx4 a[0:3], off, s[4:7], 0
  v_mfma_f32_4x4x4_16b_f16 a[0:3], v[4:5], v[6:7], a[0:3] // BAD)"},
      {"invalidate_does_not_count", R"(
  global_load_dword v1, v0, s[2:3]
  buffer_inv sc1
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v1 // BAD)"},
  });
}

TEST(Waits, LdsAndScalarLoads) {
  expectWaits({
      {"lds_in_order", R"(
  ds_read_b32 v1, v0
  ds_read_b32 v2, v0 offset:4
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v4, v1
  v_mov_b32_e32 v4, v2 // BAD)"},
      {"lds_write_counts", R"(
  ds_read_b32 v1, v0
  ds_write_b32 v0, v5
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v4, v1)"},
      {"scalar", R"(
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_add_u32 s10, s9, 1 // BAD)"},
      {"scalar_waited", R"(
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_add_u32 s10, s9, 1)"},
      {"scalar_out_of_order", R"(
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_load_dwordx2 s[10:11], s[0:1], 0x8
  s_waitcnt lgkmcnt(1)
  s_add_u32 s12, s9, 1 // BAD)"},
      {"scalar_overwrites_scalar", R"(
  s_load_dword s8, s[0:1], 0x0
  s_load_dword s8, s[0:1], 0x8 // BAD)"},
      {"scalar_in_a_resource", R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  buffer_load_dword v1, off, s[4:7], 0 // BAD)"},
      {"scalar_to_vcc", R"(
  s_load_dwordx2 vcc, s[0:1], 0x0
  s_cbranch_vccz 0 // BAD)"},
      {"lds_beside_scalar", R"(
  ds_read_b32 v1, v0
  s_load_dword s8, s[0:1], 0x0
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v4, v1 // BAD)"},
      {"lds_before_two_lds_and_scalar", R"(
  ds_read_b32 v1, v0
  ds_read_b32 v2, v0 offset:4
  s_load_dword s8, s[0:1], 0x0
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v4, v1
  v_mov_b32_e32 v4, v2 // BAD)"},
      {"lds_over_vector_load", R"(
  global_load_dword v1, v0, s[2:3]
  ds_read_b32 v1, v0 // BAD)"},
      {"flat_needs_both", R"(
  flat_load_dword v1, v[2:3]
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v4, v1 // BAD)"},
      {"flat_waited", R"(
  flat_load_dword v1, v[2:3]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v4, v1)"},
      {"flat_is_no_order", R"(
  global_load_dword v1, v0, s[2:3]
  flat_load_dword v5, v[2:3]
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v1 // BAD)"},
      {"clock", R"(
  s_memtime s[8:9]
  s_add_u32 s10, s9, 1 // BAD)"},
      {"permutation", R"(
  ds_bpermute_b32 v1, v2, v3
  v_mov_b32_e32 v4, v1 // BAD)"},
  });
}

TEST(Waits, AllPaths) {
  expectWaits({
      {"one_path_waits", R"(
  global_load_dword v1, v0, s[2:3]
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc1 1f
  s_waitcnt vmcnt(0)
1:
  v_mov_b32_e32 v4, v1 // BAD)"},
      {"both_paths_wait", R"(
  global_load_dword v1, v0, s[2:3]
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc1 1f
  s_waitcnt vmcnt(0)
  s_branch 2f
1:
  s_waitcnt vmcnt(0)
2:
  v_mov_b32_e32 v4, v1)"},
      {"fewer_loads_on_one_path", R"(
  global_load_dword v1, v0, s[2:3]
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc1 1f
  global_load_dword v2, v0, s[2:3]
1:
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v1 // BAD)"},
      // The load at the end of an iteration is read in the next one.
      {"loop_carried", R"(
1:
  v_mov_b32_e32 v4, v1 // BAD
  global_load_dword v1, v0, s[2:3]
  s_sub_u32 s4, s4, 1
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
      {"loop_carried_counted", R"(
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[2:3]
1:
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v1
  global_load_dword v1, v0, s[2:3]
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v4, v2
  global_load_dword v2, v0, s[2:3]
  s_sub_u32 s4, s4, 1
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)"},
      {"not_reached", R"(
  global_load_dword v1, v0, s[2:3]
  s_branch 1f
  v_mov_b32_e32 v4, v1
1:
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v5, v1)"},
      // 63 younger operations cannot be outstanding beside the first.
      {"limit_of_the_counter", R"(
  global_load_dword v1, v0, s[2:3]
  .rept 62
  global_load_dword v2, v0, s[2:3]
  .endr
  v_mov_b32_e32 v4, v1 // BAD
  global_load_dword v3, v0, s[2:3]
  .rept 63
  global_load_dword v2, v0, s[2:3]
  .endr
  v_mov_b32_e32 v4, v3)"},
  });
}

TEST(Waits, NamesProducerAndCounts) {
  std::string message;
  std::string object = assembleKernels({{"k", R"(
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[2:3] offset:4
  global_load_dword v3, v0, s[2:3] offset:8
  s_waitcnt vmcnt(2)
  v_add_u32_e32 v4, v2, v4)"}},
                                       "gfx942", message);
  ASSERT_FALSE(object.empty()) << message;
  auto verdict = fly::verify::verifyObject(object);
  ASSERT_TRUE(bool(verdict)) << llvm::toString(verdict.takeError());
  const fly::verify::KernelVerdict &kernel = verdict->kernels.front();
  EXPECT_EQ(kernel.of(Rule::Waits), fly::verify::Verdict::Violated);
  ASSERT_EQ(kernel.findings.size(), 1u);
  const fly::verify::Finding &finding = kernel.findings.front();
  ASSERT_TRUE(finding.producer.has_value());
  EXPECT_EQ(finding.producer->text,
            "global_load_dword v2, v0, s[2:3] offset:4");
  EXPECT_EQ(finding.what, "reads v2 before its data has come");
  EXPECT_EQ(finding.expected, "a wait for vmcnt(1) in between");
  EXPECT_EQ(finding.actual.substr(0, 11), "vmcnt(2) at");
}

TEST(Waits, SaysWhatItDoesNotFollow) {
  std::string message;
  std::string object = assembleKernels({{"call", "  s_swappc_b64 s[4:5], "
                                                 "s[2:3]"},
                                        {"jump", "  s_setpc_b64 s[2:3]"}},
                                       "gfx950", message);
  ASSERT_FALSE(object.empty()) << message;
  auto verdict = fly::verify::verifyObject(object);
  ASSERT_TRUE(bool(verdict)) << llvm::toString(verdict.takeError());
  for (const fly::verify::KernelVerdict &kernel : verdict->kernels) {
    EXPECT_EQ(kernel.of(Rule::Waits), fly::verify::Verdict::NotProved);
    EXPECT_TRUE(kernel.findings.empty());
    ASSERT_FALSE(kernel.notes.empty());
    EXPECT_EQ(kernel.notes.front().what,
              "leaves the kernel's code, where nothing is proved");
  }
}
