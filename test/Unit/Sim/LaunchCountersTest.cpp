//===- LaunchCountersTest.cpp - counters and bytes of whole launches ------===//
//
// Kernels whose traffic is known in closed form: each workgroup reads its own
// part of A, all of B, and writes its own part of C. What the launch counts
// must be that of all its workgroups, of which a few are in detail, in any
// number of rounds.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"

#include <map>

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

constexpr unsigned units = 304, xcds = 8, partBytes = 1024, sharedBytes = 8192;

/// v1: the lane's 16 bytes of the workgroup's part; v2: of a kilobyte.
const char *const head = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v2, 4, v0
  s_lshl_b32 s10, s2, 10
  v_add_u32 v1, s10, v2
  s_waitcnt lgkmcnt(0)
)";
const char *const copy = R"(
  global_load_dwordx4 v[4:7], v1, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v1, v[4:7], s[8:9]
)";
const char *const readShared = R"(
  s_movk_i32 s11, 0x0
loop:
  global_load_dwordx4 v[8:11], v2, s[6:7]
  v_add_u32 v2, 0x400, v2
  s_add_u32 s11, s11, 1
  s_cmp_lg_u32 s11, 8
  s_cbranch_scc1 loop
  s_waitcnt vmcnt(0)
)";

struct Launch {
  Launch(llvm::StringRef body, unsigned workgroups, unsigned ldsBytes = 65536,
         bool isWarm = false, unsigned items = 64)
      : run(KernelRun::ofBody((head + body).str(), "gfx942", shape(ldsBytes))) {
    uint64_t a = run.buffer(size_t(workgroups) * partBytes);
    uint64_t b = run.buffer(sharedBytes);
    uint64_t c = run.buffer(size_t(workgroups) * partBytes);
    run.setArguments({a, b, c});
    run.params.workgroups = {workgroups, 1, 1};
    run.params.workgroupSize = {items, 1, 1};
    run.params.options.checks = CheckSet();
    run.params.options.timing.enabled = true;
    run.params.options.timing.isWarm = isWarm;
    auto result = run.launch();
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    if (!result)
      return;
    timing = result->timing;
    forEachCounter(timing->launchCounters,
                   [&](llvm::StringRef name, uint64_t value) {
                     counters[name.str()] = value;
                   });
  }
  static KernelShape shape(unsigned ldsBytes) {
    KernelShape shape;
    shape.ldsBytes = ldsBytes;
    return shape;
  }
  KernelRun run;
  std::shared_ptr<const TimingResult> timing;
  std::map<std::string, uint64_t> counters;
};

} // namespace

// One unit of each XCD is in detail; the third round and what is left of the
// fourth are extrapolated.
TEST(LaunchCounters, CopiesMoveTheirBytes) {
  for (unsigned workgroups : {1u, 8u, 200u, 2 * units, 1000u}) {
    Launch launch(copy, workgroups);
    ASSERT_TRUE(launch.timing);
    uint64_t bytes = uint64_t(workgroups) * partBytes;
    EXPECT_EQ(launch.timing->launchTraffic.loadedBytes(), bytes) << workgroups;
    EXPECT_EQ(launch.timing->launchTraffic.storedBytes(), bytes) << workgroups;
    EXPECT_EQ(launch.counters["SQ_WAVES"], workgroups);
    EXPECT_EQ(launch.counters["SQ_INSTS_VMEM"], 2 * workgroups);
    EXPECT_EQ(launch.counters["TCC_REQ_sum"], 2 * bytes / 64);
    EXPECT_EQ(launch.counters["TCC_MISS_sum"], 2 * bytes / 64);
    EXPECT_EQ(launch.counters["TCC_HIT_sum"], 0u);
    EXPECT_EQ(launch.counters["TCC_EA0_RDREQ_sum"], bytes / 64);
    EXPECT_EQ(launch.counters["TCC_EA0_RDREQ_DRAM_sum"], bytes / 64);
    EXPECT_EQ(launch.counters["TCC_EA0_RDREQ_32B_sum"], 0u);
    EXPECT_EQ(launch.counters["TCC_EA0_WRREQ_sum"], bytes / 64);
    EXPECT_EQ(launch.counters["GRBM_GUI_ACTIVE"], launch.timing->cycles);
  }
}

// A + B + C of memory, however many rounds; each L2 reads B for itself, and the
// L2 cannot see that the memory-side cache has it.
TEST(LaunchCounters, WhatIsSharedIsReadOnce) {
  for (unsigned workgroups : {units, 1000u, 5 * units}) {
    Launch launch(std::string(readShared) + copy, workgroups);
    ASSERT_TRUE(launch.timing);
    uint64_t bytes = uint64_t(workgroups) * partBytes;
    const CacheTraffic &traffic = launch.timing->launchTraffic;
    EXPECT_EQ(traffic.loadedBytes(), bytes + sharedBytes) << workgroups;
    EXPECT_EQ(traffic.mallBytes(), uint64_t(xcds - 1) * sharedBytes);
    EXPECT_EQ(traffic.storedBytes(), bytes);
    EXPECT_EQ(launch.counters["TCC_EA0_RDREQ_DRAM_sum"],
              (bytes + xcds * sharedBytes) / 64);
  }
}

// Halves of blocks: every other 32 bytes of A, then the rest; C by halves.
TEST(LaunchCounters, HalvesCountOnce) {
  const char *const body = R"(
  v_lshlrev_b32 v3, 6, v0
  v_and_b32 v3, 0x3ff, v3
  v_add_u32 v3, s10, v3
  global_load_dwordx4 v[4:7], v3, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v3, v[4:7], s[8:9]
  global_store_dwordx4 v3, v[4:7], s[8:9]
)";
  const char *const others = R"(
  global_load_dwordx4 v[4:7], v3, s[4:5] offset:32
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v3, v[4:7], s[8:9] offset:32
)";
  constexpr uint64_t blocks = partBytes / 64;
  Launch half(body, 8);
  ASSERT_TRUE(half.timing);
  EXPECT_EQ(half.timing->launchTraffic.loadedBytes(), 8 * blocks * 32);
  EXPECT_EQ(half.timing->launchTraffic.storedBytes(), 8 * blocks * 32);
  EXPECT_EQ(half.counters["TCC_EA0_RDREQ_32B_sum"], 8 * blocks);
  Launch both(std::string(body) + others, 8);
  ASSERT_TRUE(both.timing);
  EXPECT_EQ(both.timing->launchTraffic.loadedBytes(), 8 * blocks * 64);
  EXPECT_EQ(both.timing->launchTraffic.storedBytes(), 8 * blocks * 64);
  EXPECT_EQ(both.counters["TCC_EA0_WRREQ_sum"], 8 * blocks);
}

// C that a warm L2 holds is written back all the same, and takes its time.
TEST(LaunchCounters, WarmResultsAreWrittenBack) {
  Launch warm(copy, 64, 65536, /*isWarm=*/true);
  ASSERT_TRUE(warm.timing);
  EXPECT_EQ(warm.timing->launchTraffic.loadedBytes(), 0u);
  EXPECT_EQ(warm.timing->launchTraffic.storedBytes(), 64u * partBytes);
  EXPECT_EQ(warm.counters["TCC_EA0_WRREQ_sum"], 64u * partBytes / 64);
  EXPECT_EQ(warm.counters["TCC_MISS_sum"], 0u);
  EXPECT_EQ(warm.timing->counters.memoryWrites,
            warm.timing->detailWorkgroups * partBytes / 64);
}

// Four workgroups are four of 304 compute units; a unit has four SIMDs.
TEST(LaunchCounters, MfmaUtilIsOfTheMachine) {
  const char *const products = R"(
  .rept 32
  v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]
  .endr
)";
  for (unsigned workgroups : {4u, 3 * units + 8}) {
    Launch launch(products, workgroups, 65536, false, 256);
    ASSERT_TRUE(launch.timing);
    // Four passes of four cycles, of four waves.
    uint64_t busy = uint64_t(workgroups) * 4 * 32 * 16;
    EXPECT_EQ(launch.counters["SQ_VALU_MFMA_BUSY_CYCLES"], busy);
    EXPECT_DOUBLE_EQ(launch.timing->mfmaUtil(),
                     100.0 * double(busy) /
                         (double(launch.timing->cycles) * 4 * units));
  }
}

// Once for each shader engine that has work: four an XCD.
TEST(LaunchCounters, BusyCyclesAreOfShaderEngines) {
  for (auto [workgroups, engines] :
       {std::pair(4u, 4u), std::pair(20u, 20u), std::pair(units, 32u)}) {
    Launch launch(copy, workgroups);
    ASSERT_TRUE(launch.timing);
    uint64_t busy = launch.counters["SQ_BUSY_CYCLES"];
    EXPECT_LE(busy, engines * launch.timing->cycles);
    EXPECT_GE(busy, engines * launch.timing->cycles * 9 / 10);
  }
}

// Two workgroups that share a compute unit share its L1.
TEST(LaunchCounters, ResidentWorkgroupsShareTheL1) {
  Launch launch(readShared, 2 * units, 32768);
  ASSERT_TRUE(launch.timing);
  ASSERT_EQ(launch.timing->workgroupsPerCu, 2u);
  // Arguments are scalar, two a workgroup, in one block.
  EXPECT_EQ(launch.timing->traffic.requests,
            uint64_t(units) * (sharedBytes / 64 + 1));
}

// Five workgroups on a unit that holds two: the last one has the unit for
// itself, and takes as long as ever where it only waits.
TEST(LaunchCounters, LastRoundThatIsHalfFull) {
  auto cyclesOf = [](unsigned perUnit) {
    Launch launch(std::string(readShared) + copy, perUnit * units, 32768);
    return launch.timing ? launch.timing->cycles : 0;
  };
  uint64_t four = cyclesOf(4), five = cyclesOf(5), six = cyclesOf(6);
  ASSERT_GT(six, four);
  EXPECT_GT(five - four, (six - four) * 3 / 4);
  EXPECT_LE(five, six);
}

// Atomics of 64 lanes on one address: 31 of each half wait, a cycle each. Reads
// of one address are a broadcast.
TEST(LaunchCounters, AtomicsOnOneAddressConflict) {
  const char *const body = R"(
  v_mov_b32 v3, 1
  v_mov_b32 v4, 0
  .rept 5
  ds_add_u32 v4, v3
  .endr
  ds_add_rtn_u32 v5, v4, v3
  ds_read_b32 v6, v4
  ds_write_b32 v2, v3
  s_waitcnt lgkmcnt(0)
)";
  Launch launch(body, 16);
  ASSERT_TRUE(launch.timing);
  EXPECT_EQ(launch.counters["SQ_LDS_ADDR_CONFLICT"], 16u * 6 * 62);
  EXPECT_TRUE(llvm::is_contained(launch.timing->assumptions,
                                 std::string("LDS-ADDRESS-CONFLICTS")));
  Launch without(readShared, 16);
  EXPECT_EQ(without.counters["SQ_LDS_ADDR_CONFLICT"], 0u);
}
