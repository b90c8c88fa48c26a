//===- CheckBarriersTest.cpp - barriers that not all reach, bounds --------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// A tile of 4 x 64 dwords that is written by rows and read by another wave,
/// with the row's number in the address bits on both sides. LDS is declared to
/// the byte, far below the granule of allocations.
const char *const swizzled = R"(
  v_lshrrev_b32 v2, 6, v0
  v_lshlrev_b32 v2, 4, v2
  v_xor_b32 v3, v2, v1        ;! values = v_or_b32 v3, v1, v1
  ds_write_b32 v3, v0         ;! bounds = ds_write_b32 v3, v0 offset:4
  v_cmp_gt_u32 vcc, 32, v0
  s_and_saveexec_b64 s[10:11], vcc
  v_mov_b32 v9, 1
  s_mov_b64 exec, s[10:11]    ;! barriers
  s_waitcnt lgkmcnt(0)
  s_barrier                   ;! races
  v_xor_b32 v4, 0x300, v1
  v_xor_b32 v5, 0x30, v2
  v_xor_b32 v4, v5, v4        ;! values = v_or_b32 v4, v4, v4
  ds_read_b32 v6, v4          ;! bounds = ds_read_b32 v6, v4 offset:16
  s_waitcnt lgkmcnt(0)
  v_readfirstlane_b32 s12, v0
  s_cmp_lt_u32 s12, 256       ;! barriers = s_cmp_lt_u32 s12, 128 ;! barriers = s_cmp_lt_u32 s12, 192 ;! barriers = s_cmp_gt_u32 s12, 63
  s_cbranch_scc0 1f
  s_barrier
1:
  global_store_dword v1, v6, s[4:5]
)";

static std::vector<uint32_t> runTile(KernelRun &run) {
  uint64_t out = run.buffer(1024, "out");
  run.setArguments({out});
  run.params.workgroupSize = {256, 1, 1};
  EXPECT_EQ(run.launchError(), "");
  return run.read<uint32_t>(out, 256);
}

static std::string withoutMarks(llvm::StringRef text, llvm::StringRef word) {
  std::string result;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    result += (line.split((";! " + word).str()).first + "\n").str();
  return result;
}

static KernelShape tileShape() {
  KernelShape shape;
  shape.ldsBytes = 1024;
  return shape;
}

TEST(CheckBarriers, MutantsOfASwizzledTile) {
  MutantKernel kernel(std::string(prologue) + withoutMarks(swizzled, "values"),
                      "gfx950", tileShape());
  EXPECT_EQ(kernel.runAll([](KernelRun &run) {
    uint64_t out = run.buffer(1024, "out");
    run.setArguments({out});
    run.params.workgroupSize = {256, 1, 1};
    return [&run, out] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, 256);
      for (unsigned i = 0; i != 256; ++i)
        EXPECT_EQ(values[i], i ^ 0xc0);
    };
  }),
            7u);
}

/// A swizzle on one side only breaks no rule: it shows as wrong values.
TEST(CheckBarriers, OneSidedSwizzleGivesWrongValues) {
  for (llvm::StringRef side :
       {"v_xor_b32 v3, v2, v1 ", "v_xor_b32 v4, v5, v4 "}) {
    std::string body = std::string(prologue) + swizzled;
    size_t at = body.find(side.str());
    ASSERT_NE(at, std::string::npos);
    std::string plain = side.starts_with("v_xor_b32 v3")
                            ? "v_or_b32 v3, v1, v1   "
                            : "v_or_b32 v4, v4, v4   ";
    body.replace(at, side.size(), plain);
    KernelRun run = KernelRun::ofBody(body, "gfx950", tileShape());
    std::vector<uint32_t> values = runTile(run);
    // Row 0 has no swizzle, row 3 moves by 48 bytes.
    EXPECT_EQ(values[192], 0u);
    EXPECT_EQ(values[0], 192u + 12u);
  }
}

TEST(CheckBarriers, NamesLaneAndPlace) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_mov_b64 exec, 0xffff
  s_barrier
)");
  run.setArguments({});
  auto result = run.launch();
  ASSERT_FALSE(bool(result));
  llvm::handleAllErrors(result.takeError(), [](const sim::FaultError &error) {
    EXPECT_EQ(error.fault.kind, sim::FaultKind::Barrier);
    EXPECT_EQ(error.fault.lane, 16);
    EXPECT_NE(error.message.find("this lane is disabled at a barrier"),
              std::string::npos)
        << error.message;
  });
  run.params.options.checks = sim::CheckSet();
  EXPECT_EQ(run.launchError(), "");
}

/// Waves that wait for what never comes end by the budget, and say who waits.
TEST(CheckBarriers, NoProgressEnds) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_readfirstlane_b32 s12, v0
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 2f
1:
  s_branch 1b
2:
  s_barrier
)");
  run.setArguments({});
  run.params.workgroupSize = {256, 1, 1};
  run.params.options.maxInstructionsPerWave = 1 << 18;
  std::string text = run.launchError();
  EXPECT_NE(text.find("no end after 262144 instructions of one wave; 3 of 4 "
                      "waves wait at a barrier"),
            std::string::npos)
      << text;
}

} // namespace
