//===- FactsTest.cpp - spills, moves and widths, damaged code -------------===//

#include "llvm/Support/Error.h"

#include <random>

#include "Assemble.h"
#include "MarkedKernels.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

TEST(Facts, OfInnermostLoops) {
  std::string message;
  std::string object = assembleKernels({{"k", R"(
1:
  ds_read_b128 v[4:7], v1
2:
  ds_read_u8_d16 v8, v1
  v_accvgpr_write_b32 a0, v9
  v_mfma_f32_16x16x16_f16 a[4:7], v[10:11], v[12:13], a[4:7]
  s_waitcnt lgkmcnt(0)
  s_cbranch_scc0 2b
  global_load_dwordx2 v[14:15], v1, s[2:3]
  s_waitcnt vmcnt(0)
  s_cbranch_vccz 1b
3:
  global_load_dwordx4 v[16:19], v1, s[2:3]
  scratch_load_dword v20, off, off
  s_waitcnt vmcnt(0)
  s_cbranch_scc1 3b)"}},
                                       "gfx950", message);
  ASSERT_FALSE(object.empty()) << message;
  auto verdict = verify::verifyObject(object);
  ASSERT_TRUE(bool(verdict)) << llvm::toString(verdict.takeError());
  const verify::KernelFacts &facts = verdict->kernels.front().facts;
  EXPECT_EQ(facts.memoryResults, 5u);
  EXPECT_EQ(facts.waits, 3u);
  EXPECT_EQ(facts.scratchAccesses, 1u);
  ASSERT_EQ(facts.loops.size(), 2u);
  EXPECT_EQ(facts.loops[0].instructions, 5u);
  EXPECT_EQ(facts.loops[0].mfma, 1u);
  EXPECT_EQ(facts.loops[0].accumulatorMoves, 1u);
  EXPECT_EQ(facts.loops[0].narrowestAccessBytes, 1u);
  EXPECT_EQ(facts.loops[1].scratchAccesses, 1u);
  EXPECT_EQ(facts.loops[1].narrowestAccessBytes, 4u);
}

/// Whatever stands in the file, there is a verdict or an error, in bounded
/// time.
TEST(Facts, DamagedObjects) {
  std::string message;
  for (const char *name :
       {"gfx942_softmax_2048.s", "gfx950_gemm_fp8_128x256x128_w4_s2.s"}) {
    std::string object = assembleObject(name, message);
    ASSERT_FALSE(object.empty()) << message;
    std::mt19937 random(42);
    unsigned verdicts = 0;
    for (unsigned round = 0; round != 20; ++round) {
      std::string damaged = object;
      for (unsigned i = 0; i != 1 + round; ++i)
        damaged[random() % damaged.size()] = char(random());
      auto verdict = verify::verifyObject(damaged);
      if (verdict)
        ++verdicts;
      else
        llvm::consumeError(verdict.takeError());
    }
    EXPECT_GT(verdicts, 5u);
  }
}
