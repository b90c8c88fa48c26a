//===- WarmCachesTest.cpp - what the second run of a launch finds ---------===//
//
// Each workgroup, one a compute unit, reads 8 KB of its own. A launch that is
// recorded whole finds all of that in the L2s; a longer one finds it in the
// memory-side cache, or nowhere where the device's memory does not fit there.
// Expected counts are those of the program: requests of 64 bytes, and what
// nobody has asked for before.
//
// Rests on the assumption WARM-CACHES.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

constexpr unsigned units = 304, xcds = 8, panelBytes = 8192;
constexpr unsigned panelBlocks = panelBytes / 64;
/// Rounds of workgroups that are recorded.
constexpr unsigned rounds = 2;

const char *const readPanel = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 4, v0
  s_mul_i32 s10, s2, 0x2000
  s_movk_i32 s11, 0x0
  s_waitcnt lgkmcnt(0)
  s_add_u32 s4, s4, s10
  s_addc_u32 s5, s5, 0
loop:
  global_load_dwordx4 v[4:7], v1, s[4:5]
  v_add_u32 v1, 0x400, v1
  s_add_u32 s11, s11, 1
  s_cmp_lg_u32 s11, 8
  s_cbranch_scc1 loop
  s_waitcnt vmcnt(0)
)";

/// Of a launch of so many workgroups, on a device with `extra` bytes of other
/// memory.
std::shared_ptr<const TimingResult> timePanels(unsigned workgroups, bool isWarm,
                                               size_t extra = 0) {
  KernelShape shape;
  shape.ldsBytes = 65536; // All of a compute unit's.
  KernelRun run = KernelRun::ofBody(readPanel, "gfx942", shape);
  uint64_t panels = run.buffer(size_t(workgroups) * panelBytes);
  if (extra)
    run.buffer(extra, "others");
  run.setArguments({panels});
  run.params.workgroups = {workgroups, 1, 1};
  run.params.options.checks = CheckSet();
  run.params.options.timing.enabled = true;
  run.params.options.timing.recordedOnly = true;
  run.params.options.timing.isWarm = isWarm;
  run.params.options.timing.rounds = rounds;
  auto result = run.launch();
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? result->timing : nullptr;
}

/// Blocks of panels that are recorded.
uint64_t blocksOf(unsigned workgroups) {
  return uint64_t(std::min(workgroups, rounds * units)) * panelBlocks;
}

bool restsOnWarmCaches(const TimingResult &timing) {
  return std::find(timing.assumptions.begin(), timing.assumptions.end(),
                   "WARM-CACHES") != timing.assumptions.end();
}

} // namespace

// The arguments are one block, which each XCD fetches.
TEST(WarmCaches, AColdLaunchFetchesAllOnce) {
  for (unsigned workgroups : {units, 4 * units}) {
    auto timing = timePanels(workgroups, /*isWarm=*/false);
    ASSERT_TRUE(timing);
    const CacheTraffic &traffic = timing->traffic;
    EXPECT_EQ(traffic.requests - traffic.l2Hits, blocksOf(workgroups) + xcds);
    EXPECT_LT(traffic.mallHits, xcds);
    EXPECT_FALSE(restsOnWarmCaches(*timing));
  }
}

TEST(WarmCaches, ALaunchRecordedWholeHitsTheL2s) {
  auto timing = timePanels(units, /*isWarm=*/true);
  ASSERT_TRUE(timing);
  EXPECT_GT(timing->traffic.requests, blocksOf(units));
  EXPECT_EQ(timing->traffic.l2Hits, timing->traffic.requests);
  EXPECT_TRUE(timing->extrapolated.empty() ||
              timing->extrapolated.front().find("at the start") ==
                  std::string::npos);
  EXPECT_TRUE(restsOnWarmCaches(*timing));
}

TEST(WarmCaches, LaterWorkgroupsPushTheFirstOutOfTheL2s) {
  auto timing = timePanels(4 * units, /*isWarm=*/true);
  ASSERT_TRUE(timing);
  const CacheTraffic &traffic = timing->traffic;
  EXPECT_EQ(traffic.requests - traffic.l2Hits, blocksOf(4 * units) + xcds);
  EXPECT_EQ(traffic.mallHits, blocksOf(4 * units) + xcds);
}

TEST(WarmCaches, WhatExceedsTheMemorySideCacheIsNotInIt) {
  auto timing = timePanels(4 * units, /*isWarm=*/true, size_t(300) << 20);
  ASSERT_TRUE(timing);
  const CacheTraffic &traffic = timing->traffic;
  EXPECT_EQ(traffic.requests - traffic.l2Hits, blocksOf(4 * units) + xcds);
  EXPECT_LT(traffic.mallHits, xcds);
  auto cold = timePanels(4 * units, /*isWarm=*/false);
  ASSERT_TRUE(cold);
  EXPECT_EQ(traffic.l2Hits, cold->traffic.l2Hits);
}
