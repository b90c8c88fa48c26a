//===- HotspotsTest.cpp - Types of stall, and what is not told ------------===//
#include "fly/Analysis/Hotspots.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::analysis;
using profile::ThreadTrace;
using profile::TracedInstruction;

static TracedInstruction row(std::string text, uint64_t hits, uint64_t latency,
                             uint64_t stall) {
  TracedInstruction result;
  result.text = std::move(text);
  result.hits = hits;
  result.latency = latency;
  result.stall = stall;
  return result;
}

/// The report on instructions in this order, lines from 1.
static llvm::Expected<HotspotReport>
reportOn(std::vector<TracedInstruction> rows, llvm::StringRef chip = "") {
  ThreadTrace trace;
  for (TracedInstruction &each : rows) {
    each.line = uint32_t(trace.instructions.size() + 1);
    trace.instructions.push_back(std::move(each));
  }
  HotspotOptions options;
  options.chip = chip.str();
  return findHotspots(std::move(trace), options);
}

TEST(Hotspots, BookWaitsByWhatTheyWaitFor) {
  auto report = reportOn({row("s_load_dwordx2 s[0:1], s[4:5], 0x0", 1, 4, 0),
                          row("s_waitcnt lgkmcnt(0)", 1, 14, 10),
                          row("ds_read_b128 v[0:3], v4", 1, 6, 2),
                          row("s_waitcnt lgkmcnt(0)", 1, 24, 20),
                          row("s_waitcnt vmcnt(1)", 1, 34, 30),
                          row("s_waitcnt vmcnt(0) lgkmcnt(0)", 1, 44, 40),
                          row("s_barrier", 1, 54, 50),
                          row("v_exp_f32_e32 v0, v1", 1, 64, 60)});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  auto stall = [&](StallType type) {
    return report->byType[unsigned(type)].stall;
  };
  EXPECT_EQ(stall(StallType::ScalarWait), 10u);
  EXPECT_EQ(stall(StallType::LdsIssue), 2u);
  EXPECT_EQ(stall(StallType::LdsWait), 20u);
  EXPECT_EQ(stall(StallType::GlobalWait), 30u);
  EXPECT_EQ(stall(StallType::MixedWait), 40u);
  EXPECT_EQ(stall(StallType::Barrier), 50u);
  EXPECT_EQ(stall(StallType::Valu), 60u);
  EXPECT_EQ(report->stall, 212u);
  EXPECT_EQ(report->ranked.front(), 7u);
}

TEST(Hotspots, TellTheMatrixUnitOnlyWhereChipsAgree) {
  // f64 takes twice the passes on gfx950; 8 and 16 of 4 cycles, of 128.
  std::vector<TracedInstruction> rows = {
      row("v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]", 2, 128, 0)};
  auto unknown = reportOn(rows), old = reportOn(rows, "gfx942"),
       next = reportOn(rows, "gfx950");
  ASSERT_TRUE(unknown && old && next);
  EXPECT_FALSE(unknown->matrix.shareOfWave);
  EXPECT_DOUBLE_EQ(*old->matrix.shareOfWave, 0.5);
  EXPECT_DOUBLE_EQ(*next->matrix.shareOfWave, 1.0);
  EXPECT_FALSE(old->matrix.busy);
}

TEST(Hotspots, TakeHalfThePassesOfNarrowOperands) {
  auto share = [](llvm::StringRef formats) {
    auto report = reportOn(
        {row(("v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[0:7], v[8:15], a[0:3]" +
              formats)
                 .str(),
             1, 64, 0)},
        "gfx950");
    return report ? report->matrix.shareOfWave.value_or(-1) : -1;
  };
  EXPECT_DOUBLE_EQ(share(""), 0.5);
  EXPECT_DOUBLE_EQ(share(" cbsz:4"), 0.5);
  EXPECT_DOUBLE_EQ(share(" cbsz:4 blgp:4"), 0.25);
}

TEST(Hotspots, ShowNopsBetweenMatrixInstructions) {
  const char *mfma = "v_mfma_f32_16x16x16_bf16 a[0:3], v[0:1], v[2:3], a[0:3]";
  auto report = reportOn({row(mfma, 1, 40, 0), row("s_nop 7", 1, 32, 0),
                          row(mfma, 1, 40, 0), row("s_nop 3", 1, 16, 0),
                          row("s_endpgm", 1, 4, 0)});
  ASSERT_TRUE(bool(report));
  ASSERT_EQ(report->symptoms.size(), 1u);
  EXPECT_EQ(report->symptoms[0].symptom, "s_nop between MFMAs");
  EXPECT_DOUBLE_EQ(report->symptoms[0].timeShare, 32.0 / 132);
  EXPECT_EQ(report->symptoms[0].share, 0);
}

TEST(Hotspots, ReadLongCodeInTheTimeOfItsLength) {
  std::vector<TracedInstruction> rows;
  for (unsigned i = 0; i < 100000; ++i)
    rows.push_back(row(i % 2 ? "s_nop 0" : "s_waitcnt lgkmcnt(0)", 1, 8, 4));
  auto report = reportOn(std::move(rows));
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(report->stall, 400000u);
}

TEST(Hotspots, RefuseWhatNeverRan) {
  auto report = reportOn({row("s_endpgm", 0, 0, 0)});
  ASSERT_FALSE(bool(report));
  EXPECT_EQ(llvm::toString(report.takeError()),
            "the trace has 1 instructions, none of which was executed while it "
            "was taken");
}
