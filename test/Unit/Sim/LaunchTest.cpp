//===- LaunchTest.cpp - arguments, ids and limits of a launch -------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::KernelRun;
using fly::test::KernelShape;
using fly::test::prologue;

namespace {

/// Every lane stores v2 at out + 4 * its index in the workgroup.
static std::string storing(const std::string &body) {
  return prologue + body + "\n  global_store_dword v1, v2, s[4:5]\n";
}

TEST(Launch, PassesArgumentsByOffset) {
  KernelRun run = KernelRun::ofBody(storing("v_mov_b32 v2, s6"));
  uint64_t out = run.buffer(256);
  run.setArguments({out, 0x1234567890});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 64), std::vector<uint32_t>(64, 0x34567890));
  EXPECT_TRUE(run.guardsIntact());
}

TEST(Launch, NamesWrongArguments) {
  KernelRun run = KernelRun::ofBody(storing("v_mov_b32 v2, 0"));
  ASSERT_FALSE(run.failed()) << run.message;
  run.params.arguments = {sim::ArgumentValue::pointer(0)};
  EXPECT_EQ(run.launchError(), "kernel 'k' takes 8 arguments (a0, a1, a2, a3, "
                               "a4, a5, a6, a7), 1 given");
  run.setArguments({});
  run.params.arguments[2].bytes.resize(4);
  EXPECT_EQ(run.launchError(),
            "argument 2 ('a2') of kernel 'k' has 4 bytes, expected 8");
}

TEST(Launch, NumbersWorkItemsAndWorkgroups) {
  KernelShape shape;
  shape.idsYz = true;
  // s2, s3, s4 are the workgroup ids before the prologue overwrites s4.
  std::string body = R"(
  s_mul_i32 s10, s4, 3
  s_add_u32 s10, s10, s3
  s_mul_i32 s10, s10, 2
  s_add_u32 s10, s10, s2
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_and_b32 v1, 0x3ff, v0
  v_bfe_u32 v2, v0, 10, 10
  v_bfe_u32 v3, v0, 20, 10
  v_mad_u32_u24 v4, v3, 3, v2
  v_mad_u32_u24 v4, v4, 5, v1
  s_mul_i32 s11, s10, 30
  v_add_u32 v4, s11, v4
  v_lshlrev_b32 v4, 2, v4
  s_waitcnt lgkmcnt(0)
  global_store_dword v4, v0, s[4:5]
)";
  KernelRun run = KernelRun::ofBody(body, "gfx942", shape);
  uint64_t out = run.buffer(24 * 30 * 4);
  run.setArguments({out});
  run.params.workgroups = {2, 3, 4};
  run.params.workgroupSize = {5, 3, 2};
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 24 * 30);
  for (unsigned i = 0; i != values.size(); ++i) {
    unsigned item = i % 30;
    EXPECT_EQ(values[i], item % 5 | (item / 5 % 3) << 10 | (item / 15) << 20);
  }
  EXPECT_TRUE(run.guardsIntact());
}

TEST(Launch, DisablesLanesBehindTheWorkgroup) {
  KernelRun run = KernelRun::ofBody(storing("v_mov_b32 v2, v0"));
  uint64_t out = run.buffer(70 * 4);
  run.setArguments({out});
  run.params.workgroupSize = {70, 1, 1};
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 70)[69], 69u);
  EXPECT_TRUE(run.guardsIntact());
}

/// Hardware enters 256 bytes behind the entry with the arguments in SGPRs.
TEST(Launch, PreloadsArguments) {
  KernelShape shape;
  shape.preloadDwords = 4;
  std::string body = R"(
  s_trap 2
  .fill 63, 4, 0xbf800000
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, s4
  global_store_dword v1, v2, s[2:3]
)";
  KernelRun run = KernelRun::ofBody(body, "gfx950", shape);
  uint64_t out = run.buffer(256);
  run.setArguments({out, 77});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 64), std::vector<uint32_t>(64, 77));
}

TEST(Launch, BuildsHiddenArguments) {
  std::string text = test::wrapKernel(
      storing("s_load_dwordx4 s[12:15], s[0:1], 0x8\n"
              "s_load_dword s16, s[0:1], 0x18\n"
              "s_waitcnt lgkmcnt(0)\n"
              "v_mov_b32 v4, s12\n v_mov_b32 v5, s13\n v_mov_b32 v6, s14\n"
              "v_mov_b32 v7, s15\n v_mov_b32 v2, s16\n v_mov_b32 v8, 0\n"
              "global_store_dwordx4 v8, v[4:7], s[4:5] offset:1024\n"),
      "gfx942");
  size_t begin = text.find("      - .name: a1");
  size_t end = text.find("    .kernarg_segment_size");
  std::string hidden;
  struct {
    const char *kind;
    unsigned offset, size;
  } entries[] = {
      {"hidden_block_count_x", 8, 4}, {"hidden_block_count_y", 12, 4},
      {"hidden_group_size_x", 16, 2}, {"hidden_remainder_x", 18, 2},
      {"hidden_grid_dims", 20, 2},    {"hidden_dynamic_lds_size", 24, 4}};
  for (auto &entry : entries)
    hidden += "      - .offset: " + std::to_string(entry.offset) +
              "\n        .size: " + std::to_string(entry.size) +
              "\n        .value_kind: " + entry.kind + "\n";
  text.replace(begin, end - begin, hidden);
  KernelRun run = KernelRun::ofText(text, "gfx942");
  uint64_t out = run.buffer(2048);
  run.setArguments({out});
  run.params.workgroups = {7, 5, 1};
  run.params.workgroupSize = {128, 1, 1};
  run.params.dynamicLdsBytes = 4096;
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out + 1024, 4),
            (std::vector<uint32_t>{7, 5, 128, 2}));
  EXPECT_EQ(run.read<uint32_t>(out, 1)[0], 4096u);
}

TEST(Launch, RefusesTooMuchLds) {
  KernelShape shape;
  shape.ldsBytes = 1024;
  KernelRun run = KernelRun::ofBody("", "gfx942", shape);
  run.setArguments({});
  run.params.dynamicLdsBytes = 65536;
  EXPECT_EQ(run.launchError(), "kernel 'k' needs 66560 bytes of LDS (1024 "
                               "static, 65536 dynamic), gfx942 has 65536");
}

TEST(Launch, RefusesBadGeometry) {
  KernelRun run = KernelRun::ofBody("");
  run.setArguments({});
  run.params.workgroupSize = {0, 1, 1};
  EXPECT_EQ(run.launchError(), "workgroup size 0 of kernel 'k' in dimension 0 "
                               "is not in 1..1024");
  run.params.workgroupSize = {1024, 2, 1};
  EXPECT_EQ(run.launchError(),
            "workgroup of kernel 'k' has 2048 work-items, limit is 1024");
  run.params.workgroupSize = {64, 1, 1};
  run.params.kernel = "other";
  EXPECT_EQ(run.launchError(), "there is no kernel 'other', the object has: k");
}

TEST(Launch, AnEmptyGridDoesNothing) {
  KernelRun run = KernelRun::ofBody("  s_trap 2\n");
  run.setArguments({});
  run.params.workgroups = {0, 1, 1};
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->workgroups, 0u);
}

TEST(Launch, FaultsAreLocated) {
  KernelRun run = KernelRun::ofBody(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 3, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
)");
  uint64_t out = run.buffer(4, "small");
  run.setArguments({out});
  auto result = run.launch();
  ASSERT_FALSE(bool(result));
  llvm::handleAllErrors(result.takeError(), [&](const sim::FaultError &error) {
    EXPECT_EQ(error.fault.kind, sim::FaultKind::UnmappedAccess);
    EXPECT_EQ(error.fault.lane, 1);
    EXPECT_EQ(error.fault.address, out + 8);
    EXPECT_FALSE(error.fault.isWrite);
    EXPECT_NE(error.message.find("4 bytes behind the end of 'small', 4 bytes"),
              std::string::npos)
        << error.message;
    EXPECT_NE(error.message.find("global_load_dword v2, v1, s[4:5]"),
              std::string::npos);
  });
}

/// Unchecked, the bytes around a buffer are memory like any other: 256 of them
/// follow the 4, so lane 33 is the first outside.
TEST(Launch, GuardsAreMemoryWithoutTheCheckOfBounds) {
  KernelRun run = KernelRun::ofBody(R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 3, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
)");
  run.setArguments({run.buffer(4, "small")});
  run.params.options.checks.remove(sim::Check::Bounds);
  auto result = run.launch();
  ASSERT_FALSE(bool(result));
  llvm::handleAllErrors(result.takeError(), [&](const sim::FaultError &error) {
    EXPECT_EQ(error.fault.lane, 33);
  });
}

TEST(Launch, UnknownInstructionFaultsOnlyWhenExecuted) {
  const char *body = R"(
  s_branch .Lover
  .long 0xffffffff
.Lover:
)";
  KernelRun run = KernelRun::ofBody(body);
  run.setArguments({});
  EXPECT_EQ(run.launchError(), "");
  KernelRun bad = KernelRun::ofBody("  s_nop 0\n  .long 0xffffffff\n");
  bad.setArguments({});
  std::string text = bad.launchError();
  EXPECT_NE(text.find("unknown instruction"), std::string::npos) << text;
  EXPECT_NE(text.find("ff ff ff ff"), std::string::npos) << text;
}

TEST(Launch, ManySimulatorsInOneProcess) {
  for (unsigned i = 0; i != 20; ++i) {
    KernelRun run = KernelRun::ofBody(storing("v_mov_b32 v2, s6"));
    uint64_t out = run.buffer(256);
    run.setArguments({out, i});
    ASSERT_EQ(run.launchError(), "");
    EXPECT_EQ(run.read<uint32_t>(out, 1)[0], i);
  }
}

} // namespace
