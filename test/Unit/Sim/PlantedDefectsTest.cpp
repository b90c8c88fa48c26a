//===- PlantedDefectsTest.cpp - further kinds of mistakes -----------------===//
//
// Each kernel is right as it stands; each mark plants one defect, which the
// named check has to find (see Mutants.h).
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

KernelShape withLds(unsigned bytes) {
  KernelShape shape;
  shape.ldsBytes = bytes;
  return shape;
}

/// Two rows of 64 numbers, added into a third; `threads` work-items.
MutantKernel::Setup twoRows(unsigned threads, uint32_t factor) {
  return [=](KernelRun &run) -> std::function<void()> {
    std::vector<uint32_t> rows(2 * threads);
    for (unsigned i = 0; i != 2 * threads; ++i)
      rows[i] = i;
    uint64_t out = run.buffer(threads * 4, "out");
    run.setArguments({out, run.bufferOf(rows, "rows"), 12});
    run.params.workgroupSize = {threads, 1, 1};
    return [&run, out, threads, factor] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, threads);
      for (unsigned i = 0; i != threads; ++i)
        ASSERT_EQ(values[i], factor * (2 * i + threads)) << i;
    };
  };
}

// A copy to LDS that goes to the other row's place, one that the wait does not
// cover, and an address beyond the buffer.
TEST(PlantedDefects, CopiesToLds) {
  MutantKernel kernel(std::string(prologue) + R"(
  s_mov_b32 m0, 0
  s_nop 0
  global_load_lds_dword v1, s[6:7]
  s_mov_b32 m0, 0x100             ;! init = s_mov_b32 m0, 0x200 ;! init = s_mov_b32 m0, 0xfc
  v_add_u32 v2, 0x100, v1         ;! fault = v_add_u32 v2, 0x204, v1
  global_load_lds_dword v2, s[6:7] ;! init
  s_waitcnt vmcnt(0)              ;! races ;! races = s_waitcnt vmcnt(1)
  ds_read_b32 v3, v1
  ds_read_b32 v4, v1 offset:256   ;! bounds = ds_read_b32 v4, v1 offset:772
  s_waitcnt lgkmcnt(0)
  v_add_u32 v3, v3, v4
  global_store_dword v1, v3, s[4:5] ;! fault = global_store_dword v1, v3, s[4:5] offset:4
)",
                      "gfx942", withLds(1024));
  EXPECT_EQ(kernel.runAll(twoRows(64, 1)), 8u);
}

// Scalar loads come back in any order; a scalar that nobody has set offsets an
// access; a register is given back to a load too early.
TEST(PlantedDefects, Scalars) {
  MutantKernel kernel(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  v_lshlrev_b32 v1, 2, v0
  s_mov_b32 s10, 0x100            ;! init
  v_add_u32 v2, s10, v1           ;! init = v_add_u32 v2, s20, v1
  s_waitcnt lgkmcnt(0)            ;! delivery = s_waitcnt lgkmcnt(1)
  global_load_dword v3, v1, s[6:7]
  global_load_dword v4, v2, s[6:7]
  s_waitcnt vmcnt(0)
  v_add_u32 v3, v3, v4
  global_load_dword v4, v1, s[6:7] ;! delivery = global_load_dword v3, v1, s[6:7]
  global_store_dword v1, v3, s[4:5]
)",
                      "gfx942", KernelShape());
  EXPECT_EQ(kernel.runAll(twoRows(64, 1)), 4u);
}

// The result of a matrix instruction in accumulation registers: read by moves
// and stores, its addend overwritten.
TEST(PlantedDefects, Accumulators) {
  KernelShape shape;
  shape.vgprs = 96;
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v2, 0
  v_mov_b32 v3, 0
  v_accvgpr_write_b32 a0, v0      ;! init
  v_accvgpr_write_b32 a1, v0
  v_accvgpr_write_b32 a2, v0
  v_accvgpr_write_b32 a3, v0
  s_nop 1                         ;! hazards
  v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[2:3], a[0:3]
  s_nop 6                         ;! hazards ;! hazards = s_nop 5
  v_accvgpr_read_b32 v5, a0
  v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[2:3], a[0:3]
  s_nop 6                         ;! hazards ;! hazards = s_nop 5
  global_store_dword v1, a0, s[4:5]
  v_mfma_f32_16x16x16_f16 a[4:7], v[2:3], v[2:3], a[0:3]
  s_nop 2                         ;! hazards ;! hazards = s_nop 1
  v_accvgpr_write_b32 a0, v0
  global_load_dword v6, v1, s[6:7]
  global_load_dword v7, v1, s[6:7] offset:256
  s_waitcnt vmcnt(0)
  v_add_u32 v6, v6, v7
  global_store_dword v1, v6, s[4:5]
)",
                      "gfx942", shape);
  EXPECT_EQ(kernel.runAll(twoRows(64, 1)), 8u);
}

// A wave that leaves before its barrier, trip counts that differ between
// waves, an EXEC that lacks lanes at the barrier.
TEST(PlantedDefects, Barriers) {
  MutantKernel kernel(std::string(prologue) + R"(
  global_load_dword v2, v1, s[6:7]
  global_load_dword v3, v1, s[6:7] offset:512
  v_readfirstlane_b32 s12, v0
  s_lshr_b32 s12, s12, 6
  s_mov_b32 s13, 2                ;! barriers = s_add_u32 s13, 1, s12
  s_cmp_gt_u32 s12, 1             ;! barriers = s_cmp_gt_u32 s12, 0
  s_cbranch_scc1 3f
  v_xor_b32 v6, 0x100, v1
1:
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_barrier                       ;! races
  v_add_u32 v5, s13, v3
  ds_write_b32 v1, v5
  s_waitcnt lgkmcnt(0)            ;! races
  s_barrier                       ;! races
  ds_read_b32 v4, v6
  s_sub_u32 s13, s13, 1
  s_cmp_lg_u32 s13, 0
  s_cbranch_scc1 1b
  s_waitcnt lgkmcnt(0)            ;! delivery
  ds_write_b32 v6, v4
  s_waitcnt lgkmcnt(0)            ;! races
  s_barrier                       ;! races
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v6, v4
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v4, v6
  s_waitcnt lgkmcnt(0)
  v_add_u32 v2, v2, v3
  global_store_dword v1, v2, s[4:5]
3:
)",
                      "gfx942", withLds(512));
  EXPECT_EQ(kernel.runAll(twoRows(128, 1)), 8u);
}

// Scratch: a slot behind the lane's bytes, a result
// that has not arrived.
TEST(PlantedDefects, Scratch) {
  KernelShape shape;
  shape.scratchBytes = 16;
  MutantKernel kernel(std::string(prologue) + R"(
  global_load_dword v2, v1, s[6:7]
  global_load_dword v3, v1, s[6:7] offset:256
  s_waitcnt vmcnt(0)
  scratch_store_dword off, v2, off
  scratch_store_dword off, v3, off offset:8 ;! fault = scratch_store_dword off, v3, off offset:16
  v_mov_b32 v3, 0
  scratch_load_dword v4, off, off
  scratch_load_dword v3, off, off offset:8 ;! fault = scratch_load_dword v3, off, off offset:20
  s_waitcnt vmcnt(0)              ;! delivery ;! delivery = s_waitcnt vmcnt(1)
  v_add_u32 v2, v4, v3
  global_store_dword v1, v2, s[4:5]
)",
                      "gfx942", shape);
  EXPECT_EQ(kernel.runAll(twoRows(64, 1)), 4u);
}

} // namespace
