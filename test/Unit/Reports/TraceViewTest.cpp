//===- TraceViewTest.cpp - Timed launches as profilers tell them ----------===//
//
// A kernel whose instructions, loops and waits can be told by hand, timed on
// the simulator: what the trace, the counters and the page must say of it.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/CodeObject.h"
#include "fly/Profile/WriteThreadTrace.h"
#include "fly/Reports/Timing/HtmlReport.h"

#include "llvm/Support/JSON.h"

#include <map>

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::reports;
using namespace fly::test;
using profile::Category;

namespace {

/// Comments: the line of the trace. The kernel's name stands on line 0.
constexpr const char *body = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0          // 1
  v_lshlrev_b32 v1, 2, v0                     // 2
  s_waitcnt lgkmcnt(0)                        // 3
  s_mov_b32 s6, 2                             // 4
again:
  global_load_dword v2, v1, s[4:5]            // 5
  global_load_dword v3, v1, s[4:5] offset:4   // 6
  s_waitcnt vmcnt(1)                          // 7
  s_sub_u32 s6, s6, 1                         // 8
  s_cmp_lg_u32 s6, 0                          // 9
  s_cbranch_scc1 again                        // 10
  ds_write_b32 v1, v2                         // 11
  v_mfma_f32_16x16x16_bf16 a[0:3], v[4:5], v[6:7], 0   // 12
  v_pk_fma_f32 v[8:9], v[8:9], v[8:9], v[8:9] // 13
  v_add_f32 v10, v10, v10                     // 14
  s_waitcnt vmcnt(0) lgkmcnt(0)               // 15
)";
constexpr unsigned lastLine = 16; // s_endpgm

struct Timed {
  explicit Timed(unsigned workgroups, unsigned ldsBytes = 1024,
                 unsigned timelineUnits = ~0u, const char *text = body) {
    KernelShape shape;
    shape.ldsBytes = ldsBytes;
    shape.accumOffset = 32;
    shape.vgprs = 40;
    run = KernelRun::ofBody(text, "gfx942", shape);
    run.params.workgroups = {workgroups, 1, 1};
    run.params.workgroupSize = {128, 1, 1};
    run.params.options.checks = sim::CheckSet();
    run.params.options.timing.enabled = true;
    run.params.options.timing.whatIf = true;
    run.params.options.timing.timeline = true;
    run.params.options.timing.timelineUnits = timelineUnits;
    run.params.options.timing.ldsBanks = true;
    run.setArguments({run.buffer(4096)});
    auto result = run.launch();
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    if (!result)
      return;
    timing = result->timing;
    dispatch.timing = timing.get();
    dispatch.program = &run.params.program->program();
    dispatch.kernel = &run.params.program->object().kernels().front();
    dispatch.workgroups = run.params.workgroups;
    dispatch.workgroupSize = run.params.workgroupSize;
    dispatch.id = 3;
    dispatch.startNs = 100;
  }
  KernelRun run = KernelRun::ofBytes("");
  std::shared_ptr<const sim::TimingResult> timing;
  TimedDispatch dispatch;
};

const profile::TracedInstruction &lineOf(const profile::ThreadTrace &trace,
                                         unsigned line) {
  for (const profile::TracedInstruction &row : trace.instructions)
    if (row.line == line)
      return row;
  ADD_FAILURE() << "there is no line " << line;
  return trace.instructions.front();
}

} // namespace

TEST(TraceView, RowsAreTheKernelsInstructions) {
  Timed timed(2);
  ASSERT_TRUE(timed.timing);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  ASSERT_EQ(trace.instructions.size(), lastLine + 1);
  EXPECT_EQ(trace.instructions[0].text, "; k");
  EXPECT_EQ(profile::directoryName(trace), "ui_output_agent_1_dispatch_3");
  // Two workgroups of two waves; the loop runs twice.
  for (unsigned line = 1; line <= lastLine; ++line) {
    EXPECT_EQ(trace.instructions[line].line, line);
    EXPECT_EQ(trace.instructions[line].hits, line >= 5 && line <= 10 ? 8u : 4u);
  }
  EXPECT_TRUE(llvm::StringRef(lineOf(trace, 12).text).starts_with("v_mfma"));
}

TEST(TraceView, WavesDoWhatTheKernelSays) {
  Timed timed(2);
  ASSERT_TRUE(timed.timing);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  ASSERT_EQ(trace.waves.size(), 4u);
  const std::vector<unsigned> lines = {1, 2, 3, 4, 5,  6,  7,  8,  9,  10, 5,
                                       6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  using C = Category;
  const std::map<unsigned, Category> kinds = {
      {1, C::ScalarMemory}, {2, C::Valu},         {3, C::Immediate},
      {4, C::Scalar},       {5, C::VectorMemory}, {7, C::Immediate},
      {11, C::Lds},         {12, C::Valu},        {16, C::Immediate}};
  for (const profile::TracedWave &wave : trace.waves) {
    ASSERT_EQ(wave.events.size(), lines.size());
    uint64_t at = wave.begin, timeline = 0;
    std::vector<Category> branches;
    for (auto [event, line] : llvm::zip(wave.events, lines)) {
      EXPECT_EQ(event.line, line);
      if (auto it = kinds.find(line); it != kinds.end())
        EXPECT_EQ(event.category, it->second) << line;
      if (line == 10)
        branches.push_back(event.category);
      EXPECT_GE(event.time, at);
      at = event.time + event.duration;
    }
    EXPECT_LE(at, wave.end);
    EXPECT_EQ(branches, (std::vector{Category::Jump, Category::Next}));
    for (const profile::WaveStretch &stretch : wave.timeline)
      timeline += stretch.duration;
    EXPECT_EQ(timeline, wave.end - wave.begin);
  }
}

TEST(TraceView, WaitsAreLinkedToWhatTheyEnd) {
  Timed timed(1);
  ASSERT_TRUE(timed.timing);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  for (const profile::TracedWave &wave : trace.waves) {
    ASSERT_EQ(wave.waits.size(), 3u);
    EXPECT_EQ(wave.waits[0].wait, 3u);
    EXPECT_EQ(wave.waits[0].sources, (std::vector<uint32_t>{1}));
    // vmcnt(1) leaves the second load to the next round's wait.
    EXPECT_EQ(wave.waits[1].wait, 7u);
    EXPECT_EQ(wave.waits[1].sources, (std::vector<uint32_t>{5, 6}));
    EXPECT_EQ(wave.waits[2].wait, 15u);
    EXPECT_EQ(wave.waits[2].sources, (std::vector<uint32_t>{6, 11}));
  }
}

TEST(TraceView, SumsAreThoseOfTheWaves) {
  Timed timed(20);
  ASSERT_TRUE(timed.timing);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  // As the profiler sums waves up.
  struct Sums {
    uint64_t latency = 0, stall = 0, idle = 0;
  };
  std::map<uint32_t, Sums> sums;
  uint64_t lives = 0, told = 0;
  for (const profile::TracedWave &wave : trace.waves) {
    uint64_t at = wave.begin;
    lives += wave.end - wave.begin;
    for (const profile::WaveEvent &event : wave.events) {
      Sums &sum = sums[event.line];
      sum.latency += event.duration;
      sum.stall += event.stall;
      sum.idle += event.time - at;
      at = event.time + event.duration;
    }
    // Until the wave is gone: no instruction's.
    told += wave.end - at;
  }
  for (const profile::TracedInstruction &row : trace.instructions) {
    if (row.isComment())
      continue;
    EXPECT_EQ(row.latency, sums[row.line].latency) << row.text;
    EXPECT_EQ(row.stall, sums[row.line].stall) << row.text;
    EXPECT_EQ(row.idle, sums[row.line].idle) << row.text;
    told += row.latency + row.idle;
  }
  EXPECT_EQ(told, lives);
}

// Of eight units in detail one is traced: rows, waves and occupancy are its.
TEST(TraceView, SumsAreOfTheWavesThatAreTraced) {
  Timed timed(20, 1024, /*timelineUnits=*/1);
  ASSERT_TRUE(timed.timing);
  EXPECT_EQ(timed.timing->detailCus, 8u);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  // Workgroups 0, 8 and 16 are of the first XCD, each on a unit of its own.
  ASSERT_EQ(trace.waves.size(), 2u);
  EXPECT_EQ(lineOf(trace, 1).hits, 2u);
  EXPECT_EQ(lineOf(trace, 5).hits, 4u);
  EXPECT_EQ(trace.occupancy.size(), 4u);
  uint64_t latency = 0, durations = 0;
  for (const profile::TracedInstruction &row : trace.instructions)
    latency += row.latency;
  for (const profile::TracedWave &wave : trace.waves)
    for (const profile::WaveEvent &event : wave.events)
      durations += event.duration;
  EXPECT_EQ(latency, durations);
  EXPECT_EQ(lineOf(trace, lastLine).idle, 0u);
}

TEST(TraceView, OccupancyNeverHasOneWaveTooMany) {
  // Four workgroups a compute unit: some begin where others have ended.
  Timed timed(2000, 16384);
  ASSERT_TRUE(timed.timing);
  profile::ThreadTrace trace = toThreadTrace(timed.dispatch);
  ASSERT_EQ(trace.occupancy.size(), 2 * timed.timing->waves.size());
  ASSERT_EQ(trace.waves.size(), timed.timing->waves.size());
  std::map<std::tuple<unsigned, unsigned, unsigned>, bool> taken;
  uint64_t time = 0;
  for (const profile::OccupancyEvent &event : trace.occupancy) {
    bool &slot = taken[{event.shaderEngine, event.simd, event.slot}];
    EXPECT_NE(slot, event.starts);
    slot = event.starts;
    EXPECT_GE(event.time, time);
    time = event.time;
  }
}

TEST(TraceView, CountersAreThoseOfTheWholeLaunch) {
  Timed timed(3000);
  ASSERT_TRUE(timed.timing);
  ASSERT_LT(timed.timing->detailWorkgroups, 3000u);
  profile::CountedDispatch counted = toCountedDispatch(timed.dispatch);
  std::map<std::string, double> values;
  for (const profile::CounterValue &counter : counted.counters)
    values[counter.counter] = counter.value;
  EXPECT_DOUBLE_EQ(values["SQ_WAVES"], 6000);
  EXPECT_DOUBLE_EQ(values["SQ_INSTS_VALU"], 6000 * 4);
  EXPECT_DOUBLE_EQ(values["SQ_INSTS_MFMA"], 6000);
  EXPECT_DOUBLE_EQ(values["SQ_INSTS_VMEM"], 6000 * 4);
  EXPECT_DOUBLE_EQ(values["GRBM_GUI_ACTIVE"], double(timed.timing->cycles));
  const profile::DispatchResources &resources = counted.dispatch.resources;
  EXPECT_EQ(*resources.grid, (std::array<uint64_t, 3>{3000 * 128, 1, 1}));
  EXPECT_EQ(*resources.workgroup, (std::array<uint64_t, 3>{128, 1, 1}));
  EXPECT_EQ(resources.archVgprs, 32u);
  EXPECT_EQ(resources.accumVgprs, 8u);
  EXPECT_EQ(resources.ldsBytes, 1024u);
  EXPECT_EQ(counted.dispatch.startNs, 100u);
  EXPECT_NEAR(double(*counted.dispatch.endNs) - 100,
              timed.timing->microseconds() * 1000, 0.51);
}

TEST(HtmlReport, HoldsTheFiguresAndNoTextAsMarkup) {
  Timed timed(2);
  ASSERT_TRUE(timed.timing);
  std::string page;
  llvm::raw_string_ostream stream(page);
  HtmlLaunch launch;
  launch.dispatch = timed.dispatch;
  launch.sources = {{"k.s", "</script><script>alert('no')</script>\n\xff"}};
  writeHtml(stream, launch);
  EXPECT_EQ(page.find("alert('no')</script>"), std::string::npos);
  llvm::StringRef data = page;
  data = data.split("id=\"data\">").second.split("</script>").first;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(data);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &shown =
      *(*json->getAsObject()->getArray("launches"))[0].getAsObject();
  const llvm::json::Object &roofline = *shown.getObject("roofline");
  // Four waves: a product of 16 x 16 x 16, a packed multiply-add and an add in
  // 64 lanes each.
  double matrix = 4 * 2.0 * 16 * 16 * 16, vector = 4 * 64 * (2 * 2 + 1);
  EXPECT_DOUBLE_EQ(*roofline.getNumber("matrix_operations"), matrix);
  EXPECT_DOUBLE_EQ(*roofline.getNumber("operations"), matrix + vector);
  // Two workgroups leave 302 compute units idle.
  EXPECT_EQ(roofline.getString("regime"), "idle");
  EXPECT_EQ(*shown.getObject("timing")->getInteger("cycles"),
            int64_t(timed.timing->cycles));
  EXPECT_EQ(shown.getArray("waves")->size(), 4u);
  EXPECT_EQ(shown.getArray("code")->size(), size_t(lastLine));
  EXPECT_EQ(shown.getArray("banks")->size(), 1u);
  EXPECT_EQ(
      (*(*shown.getArray("sources"))[0].getAsObject()->getArray("lines"))[0],
      llvm::json::Value("</script><script>alert('no')</script>"));
}

// A sparse product multiplies half of 16 x 16 x 32; the types have one roof.
TEST(HtmlReport, RooflineCountsSparseProducts) {
  Timed timed(2, 1024, ~0u, R"(
  v_smfmac_f32_16x16x32_f16 v[8:11], v[4:5], v[12:15], v2
)");
  ASSERT_TRUE(timed.timing);
  std::string page;
  llvm::raw_string_ostream stream(page);
  HtmlLaunch launch;
  launch.dispatch = timed.dispatch;
  writeHtml(stream, launch);
  llvm::StringRef data = page;
  data = data.split("id=\"data\">").second.split("</script>").first;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(data);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &roofline =
      *(*json->getAsObject()->getArray("launches"))[0].getAsObject()->getObject(
          "roofline");
  EXPECT_DOUBLE_EQ(*roofline.getNumber("matrix_operations"),
                   4 * 2.0 * 16 * 16 * 32 / 2);
}
