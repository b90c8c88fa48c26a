//===- ScalarCountersTest.cpp - counters of scalar loads ------------------===//
//
// A kernel whose scalar loads are counted by hand: lines of 64 bytes that the
// scalar cache lacks, has, or is waiting for.
//
//===----------------------------------------------------------------------===//

#include <map>

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

// A wave asks for the arguments, two lines, one of them again while it is under
// way, and for halves of both when they are there.
static const char *const body = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx16 s[16:31], s[4:5], 0x0
  s_load_dwordx16 s[32:47], s[4:5], 0x40
  s_load_dwordx4 s[8:11], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx16 s[16:31], s[4:5], 0x20
  s_waitcnt lgkmcnt(0)
)";

TEST(ScalarCounters, LinesAreMissedHitOrUnderWay) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    // One workgroup of one wave on each XCD.
    constexpr unsigned waves = 8;
    KernelRun run = KernelRun::ofBody(body, chip);
    run.setArguments({run.buffer(128)});
    run.params.workgroups = {waves, 1, 1};
    run.params.options.checks = CheckSet();
    run.params.options.timing.enabled = true;
    auto result = run.launch();
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    std::map<std::string, uint64_t> counters;
    forEachCounter(result->timing->launchCounters,
                   [&](llvm::StringRef name, uint64_t value) {
                     counters[name.str()] = value;
                   });
    EXPECT_EQ(counters["SQ_INSTS_SMEM"], waves * 5) << chip;
    EXPECT_EQ(counters["SQC_DCACHE_REQ"], waves * 6) << chip;
    EXPECT_EQ(counters["SQC_DCACHE_HITS"], waves * 2) << chip;
    EXPECT_EQ(counters["SQC_DCACHE_MISSES"], waves * 3) << chip;
    EXPECT_EQ(counters["SQC_DCACHE_MISSES_DUPLICATE"], waves) << chip;
    EXPECT_EQ(counters["TCP_TOTAL_CACHE_ACCESSES_sum"], 0u) << chip;
  }
}
