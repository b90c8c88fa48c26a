//===- CheckRacesTest.cpp - accesses to LDS without an order --------------===//

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

/// `count` dwords of the first argument after a launch of 256 work items, each
/// compared with `expected(i)`.
static MutantKernel::Setup
expectDwords(unsigned count, std::function<uint32_t(unsigned)> expected,
             std::function<std::vector<uint32_t>()> input = {}) {
  return [=](KernelRun &run) -> std::function<void()> {
    uint64_t out = run.buffer(count * 4, "out");
    uint64_t in =
        run.bufferOf(input ? input() : std::vector<uint32_t>(1), "in");
    run.setArguments({out, in});
    run.params.workgroupSize = {256, 1, 1};
    return [&run, out, count, expected] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, count);
      for (unsigned i = 0; i != count; ++i)
        ASSERT_EQ(values[i], expected(i)) << "element " << i;
    };
  };
}

/// Three rounds through one buffer: write, read of another wave's, next write.
TEST(CheckRaces, BarriersAroundOneBuffer) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_xor_b32 v3, 0x3fc, v1
  v_mov_b32 v4, v0
  s_movk_i32 s12, 3
1:
  ds_write_b32 v1, v4
  s_waitcnt lgkmcnt(0)      ;! races
  s_barrier                 ;! races
  ds_read_b32 v2, v3
  s_waitcnt lgkmcnt(0)      ;! delivery
  v_add_u32 v4, 1, v2
  s_barrier                 ;! races
  s_sub_u32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 1b
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", withLds(1024));
  EXPECT_EQ(
      kernel.runAll(expectDwords(256, [](unsigned i) { return 255 - i + 3; })),
      4u);
}

/// Two buffers in turn need one barrier a round.
TEST(CheckRaces, TwoBuffersOneBarrier) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_xor_b32 v3, 0x3fc, v1
  v_mov_b32 v4, v0
  s_movk_i32 s12, 4
1:
  ds_write_b32 v1, v4
  s_waitcnt lgkmcnt(0)      ;! races
  s_barrier                 ;! races
  ds_read_b32 v2, v3        ;! races = ds_read_b32 v2, v3 offset:1024
  s_waitcnt lgkmcnt(0)      ;! delivery
  v_add_u32 v4, 1, v2
  ds_write_b32 v1, v4 offset:1024
  s_waitcnt lgkmcnt(0)      ;! races
  s_barrier                 ;! races
  ds_read_b32 v2, v3 offset:1024
  s_waitcnt lgkmcnt(0)
  v_add_u32 v4, 1, v2
  s_sub_u32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 1b
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", withLds(2048));
  EXPECT_EQ(kernel.runAll(expectDwords(256, [](unsigned i) { return i + 8; })),
            6u);
}

/// A read that is still on its way when the next writer may start.
TEST(CheckRaces, ReadOutstandingAtABarrier) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_xor_b32 v3, 0x3fc, v1
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v2, v3
  s_waitcnt lgkmcnt(0)      ;! races
  s_barrier
  ds_write_b32 v1, v1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
)",
                      "gfx942", withLds(1024));
  EXPECT_EQ(
      kernel.runAll(expectDwords(256, [](unsigned i) { return 255 - i; })), 1u);
}

/// Copies to LDS, three stages, counted waits: stage t is read while the copies
/// of t + 1 and t + 2 are outstanding.
const char *const asyncPipeline = R"(
  v_readfirstlane_b32 s20, v0
  s_lshr_b32 s20, s20, 6
  s_lshl_b32 s20, s20, 8
  v_xor_b32 v3, 0x3fc, v1
  v_mov_b32 v4, 0
  s_mov_b32 m0, s20
  s_nop 0
  global_load_lds_dword v1, s[6:7]
  global_load_lds_dword v1, s[6:7] offset:1024
  s_movk_i32 s12, 6
  s_mov_b32 s13, 0
  s_movk_i32 s14, 2048
  v_add_u32 v5, 0x800, v1
1:
  s_waitcnt vmcnt(1)        ;! races ;! races = s_waitcnt vmcnt(2)
  s_barrier                 ;! races
  s_add_u32 m0, s20, s14
  s_nop 0
  global_load_lds_dword v5, s[6:7]
  v_add_u32 v6, s13, v3
  ds_read_b32 v2, v6        ;! races = ds_read_b32 v2, v6 offset:1024
  v_add_u32 v5, 0x400, v5
  s_add_u32 s13, s13, 1024
  s_cmp_eq_u32 s13, 3072
  s_cselect_b32 s13, 0, s13
  s_add_u32 s14, s14, 1024
  s_cmp_eq_u32 s14, 3072
  s_cselect_b32 s14, 0, s14
  s_waitcnt lgkmcnt(0)      ;! delivery
  v_add_u32 v4, v4, v2
  s_sub_u32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 1b
  s_waitcnt vmcnt(0)
  global_store_dword v1, v4, s[4:5]
)";

TEST(CheckRaces, CopiesToLdsWithCountedWaits) {
  MutantKernel kernel(std::string(prologue) + asyncPipeline, "gfx942",
                      withLds(3072));
  auto input = [] {
    std::vector<uint32_t> values(8 * 256);
    for (unsigned i = 0; i != values.size(); ++i)
      values[i] = (i / 256) * 1000 + i % 256;
    return values;
  };
  EXPECT_EQ(kernel.runAll(expectDwords(
                256, [](unsigned i) { return 15000 + 6 * (255 - i); }, input)),
            5u);
}

/// Bytes of one dword by different waves are no race.
TEST(CheckRaces, NeighbouringBytes) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_lshrrev_b32 v2, 6, v0
  v_and_b32 v3, 63, v0
  v_lshl_add_u32 v3, v3, 2, v2
  ds_write_b8 v3, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_and_b32 v3, 0xfc, v1
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                                    "gfx942", withLds(256));
  auto compare = expectDwords(256, [](unsigned) { return 0x03020100u; })(run);
  EXPECT_EQ(run.launchError(), "");
  compare();
}

/// Waves that hold the same tile may all write it.
TEST(CheckRaces, EqualValues) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_and_b32 v2, 63, v0       ;! races = v_mov_b32 v2, v0
  v_lshlrev_b32 v3, 2, v2
  v_and_b32 v3, 0xfc, v3
  ds_write_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_xor_b32 v3, 0xfc, v3
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", withLds(256));
  EXPECT_EQ(
      kernel.runAll(expectDwords(256, [](unsigned i) { return 63 - i % 64; })),
      1u);
}

/// Atomics order what they are meant to order; plain accesses to the same
/// bytes are a race.
TEST(CheckRaces, Atomics) {
  MutantKernel kernel(std::string(prologue) + R"(
  v_mov_b32 v2, 0
  v_mov_b32 v3, 1
  v_cmp_eq_u32 vcc, 0, v0
  s_and_saveexec_b64 s[10:11], vcc
  ds_write_b32 v2, v2
  s_mov_b64 exec, s[10:11]
  s_waitcnt lgkmcnt(0)
  s_barrier                  ;! races
  ds_add_u32 v2, v3          ;! races = ds_write_b32 v2, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v4, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                      "gfx942", withLds(256));
  EXPECT_EQ(kernel.runAll(expectDwords(256, [](unsigned) { return 256; })), 2u);
}

/// 1500 barriers, with the second half of the waves one barrier ahead.
TEST(CheckRaces, LongAndStaggered) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_readfirstlane_b32 s20, v0
  v_xor_b32 v3, 0xfc, v1
  v_mov_b32 v4, v0
  s_movk_i32 s12, 750
  s_cmp_ge_u32 s20, 128
  s_cbranch_scc0 1f
  s_barrier
1:
  ds_write_b32 v1, v4
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_sub_u32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 1b
  s_cmp_lt_u32 s20, 128
  s_cbranch_scc0 2f
  s_barrier
2:
  global_store_dword v1, v4, s[4:5]
)",
                                    "gfx942", withLds(1024));
  auto compare = expectDwords(256, [](unsigned i) { return i; })(run);
  EXPECT_EQ(run.launchError(), "");
  compare();
}

} // namespace
