//===- CheckVisibilityTest.cpp - stores between workgroups ----------------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Each workgroup stores a row of 64 numbers and counts itself; the last one
/// adds the rows, as split-K does. s2 is the workgroup.
const char *const lastAdds = R"(
  s_lshl_b32 s14, s2, 8
  v_add_u32 v10, s14, v1
  v_mov_b32 v2, s2
  v_add_u32 v2, v2, v0
  global_store_dword v10, v2, s[6:7]     ;! fine = global_store_dword v10, v2, s[6:7] sc1
  buffer_wbl2 sc1                        ;! visibility
  s_waitcnt vmcnt(0)                     ;! visibility
  v_mov_b32 v3, 0
  v_mov_b32 v4, 1
  s_mov_b64 s[10:11], exec
  s_mov_b64 exec, 1
  global_atomic_add v5, v3, v4, s[8:9] sc0
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s12, v5
  s_mov_b64 exec, s[10:11]
  s_cmp_lg_u32 s12, 3
  s_cbranch_scc1 1f
  buffer_inv sc1                         ;! visibility ;! visibility = buffer_inv sc0
  global_load_dword v6, v1, s[6:7]
  global_load_dword v7, v1, s[6:7] offset:256
  global_load_dword v8, v1, s[6:7] offset:512
  global_load_dword v9, v1, s[6:7] offset:768
  s_waitcnt vmcnt(0)
  v_add_u32 v6, v6, v7
  v_add3_u32 v6, v6, v8, v9
  global_store_dword v1, v6, s[4:5]
1:
)";

static MutantKernel::Setup fourWorkgroups(uint32_t seed) {
  return [seed](KernelRun &run) -> std::function<void()> {
    uint64_t out = run.buffer(256, "out"), rows = run.buffer(1024, "rows"),
             count = run.buffer(4, "count");
    run.setArguments({out, rows, count});
    run.params.workgroups = {4, 1, 1};
    run.params.options.interleaveSeed = seed;
    return [&run, out] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
      for (unsigned i = 0; i != 64; ++i)
        ASSERT_EQ(values[i], 6 + 4 * i);
    };
  };
}

/// The text without marks of the given word.
static std::string without(llvm::StringRef text, llvm::StringRef word) {
  std::string result;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    result += (line.split((";! " + word).str()).first + "\n").str();
  return result;
}

TEST(CheckVisibility, ReleaseAndAcquireAtAgentScope) {
  MutantKernel kernel(std::string(prologue) + without(lastAdds, "fine"),
                      "gfx942", KernelShape());
  EXPECT_EQ(kernel.runAll(fourWorkgroups(0)), 4u);
}

/// Whichever workgroup comes last by the seed.
TEST(CheckVisibility, InterleavedWorkgroups) {
  for (uint32_t seed : {1u, 2u, 3u}) {
    KernelRun run =
        KernelRun::ofBody(std::string(prologue) + without(lastAdds, "fine"));
    auto compare = fourWorkgroups(seed)(run);
    EXPECT_EQ(run.launchError(), "");
    compare();
  }
}

/// Two waves store; the second, or the first, releases for both behind a
/// barrier. s13 is the wave that releases.
const char *const oneWaveReleases = R"(
  v_readfirstlane_b32 s12, v0
  s_lshr_b32 s12, s12, 6
  s_lshl_b32 s14, s2, 9
  v_add_u32 v10, s14, v1
  global_store_dword v10, v0, s[6:7]
  s_barrier                              ;! visibility
  s_cmp_lg_u32 s12, s13
  s_cbranch_scc1 2f
  buffer_wbl2 sc1                        ;! visibility
  s_waitcnt vmcnt(0)                     ;! visibility
  v_mov_b32 v3, 0
  v_mov_b32 v4, 1
  s_mov_b64 exec, 1
  global_atomic_add v5, v3, v4, s[8:9] sc0
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s15, v5
  s_mov_b64 exec, -1
  s_cmp_lg_u32 s15, 1
  s_cbranch_scc1 2f
  buffer_inv sc1                         ;! visibility
  v_and_b32 v1, 0xfc, v1
  global_load_dword v6, v1, s[6:7]
  global_load_dword v7, v1, s[6:7] offset:256
  global_load_dword v8, v1, s[6:7] offset:512
  global_load_dword v9, v1, s[6:7] offset:768
  s_waitcnt vmcnt(0)
  v_add_u32 v6, v6, v7
  v_add3_u32 v6, v6, v8, v9
  global_store_dword v1, v6, s[4:5]
2:
)";

TEST(CheckVisibility, AWaveReleasesForOthersBehindABarrier) {
  for (const char *releaser :
       {"  s_mov_b32 s13, 0\n", "  s_mov_b32 s13, 1\n"}) {
    MutantKernel kernel(std::string(prologue) + releaser + oneWaveReleases,
                        "gfx942", KernelShape());
    EXPECT_EQ(kernel.runAll([](KernelRun &run) -> std::function<void()> {
      uint64_t out = run.buffer(256, "out");
      run.setArguments({out, run.buffer(1024, "rows"), run.buffer(4, "count")});
      run.params.workgroupSize = {128, 1, 1};
      run.params.workgroups = {2, 1, 1};
      return [&run, out] {
        std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
        for (unsigned i = 0; i != 64; ++i)
          ASSERT_EQ(values[i], 128 + 4 * i);
      };
    }),
              4u);
  }
}

/// Stores with sc1 need no write-back, loads with sc1 no invalidation.
TEST(CheckVisibility, WriteThroughAndBypass) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_cmp_lg_u32 s2, 0
  s_cbranch_scc1 1f
  global_store_dword v1, v0, s[6:7] sc1
  s_endpgm
1:
  global_load_dword v2, v1, s[6:7] sc1
  s_waitcnt vmcnt(0)
  global_store_dword v1, v2, s[4:5]
)");
  run.setArguments({run.buffer(256), run.buffer(256)});
  run.params.workgroups = {2, 1, 1};
  EXPECT_EQ(run.launchError(), "");
}

/// Halves of a dword that workgroups keep for themselves.
TEST(CheckVisibility, NeighboursInADword) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_lshl_b32 s14, s2, 1
  v_add_u32 v10, s14, v1
  global_store_short v10, v0, s[6:7]
  s_waitcnt vmcnt(0)
  global_load_ushort v2, v10, s[6:7]
  s_waitcnt vmcnt(0)
  global_store_short v10, v2, s[4:5]
)");
  run.setArguments({run.buffer(256), run.buffer(256)});
  run.params.workgroups = {2, 1, 1};
  EXPECT_EQ(run.launchError(), "");
}

} // namespace
