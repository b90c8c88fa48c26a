//===- MatrixCountersTest.cpp - counters of matrix instructions by type ---===//
//
// One wave executes known numbers of matrix instructions of several types; the
// counters have the profilers' names and units.
//
//===----------------------------------------------------------------------===//

#include <map>

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

TEST(MatrixCounters, CountInstructionsAndOperationsByType) {
  KernelShape shape;
  shape.vgprs = 72;
  KernelRun run = KernelRun::ofBody(R"(
  .rept 3
  v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]
  .endr
  .rept 5
  v_mfma_i32_32x32x16_i8 v[16:31], v[4:5], v[6:7], v[16:31]
  .endr
  .rept 2
  v_mfma_f32_16x16x32_fp8_bf8 v[8:11], v[4:5], v[6:7], v[8:11]
  .endr
  v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[4:5], v[6:7], v[8:11]
  v_mfma_f64_16x16x4_f64 v[32:39], v[4:5], v[6:7], v[32:39]
)",
                                    "gfx942", shape);
  run.setArguments({});
  run.params.options.timing.enabled = true;
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  const TimingResult &timing = *result->timing;
  std::map<std::string, uint64_t> counters;
  forEachCounter(timing.counters, [&](llvm::StringRef name, uint64_t value) {
    counters[name.str()] = value;
  });
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F16"], 3u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_I8"], 5u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F8"], 2u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_BF16"], 1u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F64"], 1u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F32"], 0u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_XF32"], 0u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F6F4"], 0u);
  EXPECT_EQ(counters["SQ_INSTS_MFMA"], 12u);
  // Operations in units of 512.
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F16"], 3u * 16);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_I8"], 5u * 64);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F8"], 2u * 32);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_BF16"], 4u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F64"], 4u);
  // Four SIMDs: passes of 4 cycles each.
  uint64_t busy = 4 * (3 * 4 + 5 * 8 + 2 * 4 + 2 + 8);
  EXPECT_EQ(counters["SQ_VALU_MFMA_BUSY_CYCLES"], busy);
  EXPECT_EQ(counters["GRBM_GUI_ACTIVE"], timing.detailCycles);
  // Of all 304 units, whoever works.
  EXPECT_DOUBLE_EQ(timing.mfmaUtil(),
                   100.0 * double(busy) / (double(timing.cycles) * 4 * 304));
  EXPECT_DOUBLE_EQ(timing.mfmaBusyShare,
                   double(busy) / (double(timing.detailCycles) * 4));
}

// The forms of gfx950 that take several types, scaled or not, by what they are
// set to (cbsz, blgp: 0 fp8, 2 fp6, 4 fp4); f32 and sparse ones.
TEST(MatrixCounters, CountNarrowScaledAndSparseForms) {
  KernelShape shape;
  shape.vgprs = 72;
  KernelRun run = KernelRun::ofBody(R"(
  v_mfma_f32_16x16x128_f8f6f4 v[40:43], v[4:11], v[12:19], v[40:43]
  .rept 2
  v_mfma_f32_16x16x128_f8f6f4 v[40:43], v[4:7], v[12:15], v[40:43] cbsz:4 blgp:4
  .endr
  .rept 3
  v_mfma_f32_16x16x128_f8f6f4 v[40:43], v[4:9], v[12:15], v[40:43] cbsz:2 blgp:4
  .endr
  .rept 4
  v_mfma_f32_16x16x128_f8f6f4 v[40:43], v[4:7], v[12:19], v[40:43] cbsz:4
  .endr
  .rept 5
  v_mfma_scale_f32_16x16x128_f8f6f4 v[40:43], v[4:7], v[12:15], v[40:43], v2, v3 op_sel_hi:[0,0,0] cbsz:4 blgp:4
  .endr
  .rept 6
  v_smfmac_f32_16x16x64_f16 v[40:43], v[4:7], v[8:15], v2
  .endr
  .rept 7
  v_mfma_f32_16x16x4_f32 v[40:43], v4, v5, v[40:43]
  .endr
)",
                                    "gfx950", shape);
  ASSERT_FALSE(run.failed()) << run.message;
  run.setArguments({});
  run.params.options.checks = CheckSet();
  run.params.options.timing.enabled = true;
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  std::map<std::string, uint64_t> counters;
  forEachCounter(result->timing->counters,
                 [&](llvm::StringRef name, uint64_t value) {
                   counters[name.str()] = value;
                 });
  // An operand of 8 bits makes it a product of 8 bits.
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F8"], 1u + 4);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F6F4"], 2u + 3 + 5);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F16"], 6u);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_F32"], 7u);
  EXPECT_EQ(counters["SQ_INSTS_MFMA"], 28u);
  // 2 * 16 * 16 * 128, 64 and 4 operations, in units of 512.
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F8"], 5u * 128);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F6F4"], 10u * 128);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F16"], 6u * 64);
  EXPECT_EQ(counters["SQ_INSTS_VALU_MFMA_MOPS_F32"], 7u * 4);
}
