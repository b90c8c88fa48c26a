//===- CheckDeliveryTest.cpp - results before waits force them ------------===//

#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Four rows of 64 numbers, added with counted waits.
const char *const countedWaits = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)              ;! delivery ;! delivery = s_waitcnt lgkmcnt(1) ;! delivery = s_waitcnt vmcnt(0)
  global_load_dword v2, v1, s[6:7]
  global_load_dword v3, v1, s[6:7] offset:256
  global_load_dword v4, v1, s[6:7] offset:512
  global_load_dword v5, v1, s[6:7] offset:768
  s_waitcnt vmcnt(2)                ;! delivery ;! delivery = s_waitcnt vmcnt(3)
  v_add_u32 v2, v2, v3
  s_waitcnt vmcnt(1)                ;! delivery ;! delivery = s_waitcnt vmcnt(2)
  v_add_u32 v2, v2, v4
  s_waitcnt vmcnt(0)                ;! delivery ;! delivery = s_waitcnt vmcnt(1)
  v_add_u32 v2, v2, v5
  global_store_dword v1, v2, s[4:5]
)";

static std::function<void()> sumOfRows(KernelRun &run) {
  std::vector<uint32_t> rows(256);
  for (unsigned i = 0; i != 256; ++i)
    rows[i] = 1000 * (i / 64) + i % 64;
  uint64_t out = run.buffer(256, "out");
  run.setArguments({out, run.bufferOf(rows, "rows")});
  return [&run, out] {
    std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
    for (unsigned i = 0; i != 64; ++i)
      EXPECT_EQ(values[i], 6000 + 4 * i);
  };
}

TEST(CheckDelivery, CountedWaitsOneTooHigh) {
  MutantKernel kernel(countedWaits, "gfx942", KernelShape());
  EXPECT_EQ(kernel.runAll(sumOfRows), 9u);
}

/// The values of a wrong kernel are those of late results, not of luck.
TEST(CheckDelivery, ValuesArriveLate) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_mov_b32 v2, 7
  global_load_dword v2, v1, s[6:7]
  v_add_u32 v3, 1, v2
  s_waitcnt vmcnt(0)
  v_add_u32 v4, 1, v2
  global_store_dword v1, v3, s[4:5]
  global_store_dword v1, v4, s[4:5] offset:256
)");
  uint64_t out = run.buffer(512);
  run.setArguments({out, run.bufferOf(std::vector<uint32_t>(64, 41))});
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->findings.size(), 1u);
  const sim::Finding &finding = result->findings.front();
  EXPECT_EQ(finding.check, sim::Check::Delivery);
  EXPECT_EQ(finding.lane, 0);
  EXPECT_EQ(finding.instruction, "v_add_u32_e32 v3, 1, v2");
  EXPECT_EQ(finding.otherInstruction, "global_load_dword v2, v1, s[6:7]");
  EXPECT_EQ(*finding.otherPc + 8, finding.pc);
  EXPECT_NE(finding.message.find("v2 is read before its value is sure to have "
                                 "arrived, s_waitcnt vmcnt(0) is missing"),
            std::string::npos)
      << finding.message;
  EXPECT_EQ(run.read<uint32_t>(out, 128)[0], 8u);
  EXPECT_EQ(run.read<uint32_t>(out, 128)[64], 42u);
}

/// Findings name lines of the source, where the object has them.
TEST(CheckDelivery, SourceLines) {
  KernelRun run = KernelRun::ofBody(R"(
  .file 1 "/src" "rows.mlir"
  .loc 1 7 0
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  .loc 1 9 3
  s_add_u32 s4, s4, 4
)");
  run.setArguments({run.buffer(64)});
  std::string found = run.launchError();
  EXPECT_NE(found.find("at: s_add_u32 s4, s4, 4 (rows.mlir:9)"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("s[4:5], s[0:1], 0x0 (rows.mlir:7)"), std::string::npos);
}

/// LDS comes back in order, scalar memory does not: only lgkmcnt(0) is sure.
TEST(CheckDelivery, LdsInOrderScalarNot) {
  KernelShape shape;
  shape.ldsBytes = 1024;
  MutantKernel kernel(R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  ds_write_b32 v1, v0
  ds_write_b32 v1, v0 offset:256
  ds_read_b32 v2, v1
  ds_read_b32 v3, v1 offset:256
  s_waitcnt lgkmcnt(0)            ;! delivery = s_waitcnt lgkmcnt(1)
  s_load_dword s8, s[6:7], 0x0
  ds_read_b32 v4, v1
  ds_read_b32 v5, v1 offset:256
  v_add_u32 v2, v2, v3
  s_waitcnt lgkmcnt(1)            ;! delivery ;! delivery = s_waitcnt lgkmcnt(2)
  v_add_u32 v2, v2, v4
  s_waitcnt lgkmcnt(0)            ;! delivery ;! delivery = s_waitcnt lgkmcnt(1)
  v_add_u32 v2, v2, v5
  v_add_u32 v2, s8, v2
  global_store_dword v1, v2, s[4:5]
)",
                      "gfx942", shape);
  EXPECT_EQ(kernel.runAll([](KernelRun &run) {
    uint64_t out = run.buffer(256);
    run.setArguments({out, run.bufferOf(std::vector<uint32_t>(1, 500))});
    return [&run, out] {
      std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
      for (unsigned i = 0; i != 64; ++i)
        EXPECT_EQ(values[i], 500 + 4 * i);
    };
  }),
            5u);
}

/// A result that arrives later than another value for its register wins.
TEST(CheckDelivery, OverwrittenTooEarly) {
  MutantKernel kernel(std::string(prologue) + R"(
  global_load_dword v2, v1, s[6:7]
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(0)               ;! delivery ;! delivery = s_waitcnt vmcnt(1)
  v_mov_b32 v3, 5
  v_mov_b32 v2, v3
  global_store_dword v1, v2, s[4:5]
)",
                      "gfx950", KernelShape());
  EXPECT_EQ(kernel.runAll([](KernelRun &run) {
    uint64_t out = run.buffer(256);
    run.setArguments({out, run.bufferOf(std::vector<uint32_t>(64, 1))});
    return [&run, out] { EXPECT_EQ(run.read<uint32_t>(out, 1)[0], 5u); };
  }),
            2u);
}

/// Halves of a register that two loads fill need no wait between them, and
/// lanes that no load of the wave touches none at all.
TEST(CheckDelivery, InOrderHalvesAndOtherLanesAreNoMistakes) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_mov_b32 v2, 0
  global_load_short_d16 v2, v1, s[6:7]
  global_load_short_d16_hi v2, v1, s[6:7] offset:2
  v_mov_b32 v3, 3
  s_mov_b64 s[10:11], exec
  s_mov_b64 exec, 1
  global_load_dword v3, v1, s[6:7]
  s_not_b64 exec, exec
  v_add_u32 v4, 1, v3
  s_mov_b64 exec, s[10:11]
  s_waitcnt vmcnt(0)
  v_cndmask_b32 v4, v4, v3, vcc
  global_store_dword v1, v2, s[4:5]
  global_store_dword v1, v4, s[4:5] offset:256
)");
  uint64_t out = run.buffer(512);
  run.setArguments({out, run.bufferOf(std::vector<uint32_t>(64, 0x00020001u))});
  run.params.options.checks = sim::CheckSet().add(sim::Check::Delivery);
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 64)[5], 0x00020001u);
  EXPECT_EQ(run.read<uint32_t>(out, 128)[64 + 5], 4u);
}

/// With a seed results arrive early or late; the findings are the same.
TEST(CheckDelivery, SeedsChangeNoFinding) {
  std::string message;
  for (uint32_t seed : {0u, 1u, 2u, 3u}) {
    KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  global_load_dword v2, v1, s[6:7]
  global_load_dword v3, v1, s[6:7]
  global_load_dword v4, v1, s[6:7]
  v_add_u32 v3, v3, v2
  s_waitcnt vmcnt(0)
)");
    run.setArguments({run.buffer(256), run.buffer(256)});
    run.params.options.deliverySeed = seed;
    std::string found = run.launchError();
    EXPECT_NE(found.find("s_waitcnt vmcnt(2) is missing"), std::string::npos);
    EXPECT_TRUE(seed == 0 || found == message) << found << message;
    message = found;
  }
}

} // namespace
