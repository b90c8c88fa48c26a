//===- WriteThreadTraceTest.cpp - Traces as viewers load them -------------===//
//
// A trace that is written by hand, and what the files must hold of it.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/WriteThreadTrace.h"

#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace fly::profile;
namespace fs = llvm::sys::fs;

namespace {

/// Two instructions; one wave that runs both, the second after a wait.
ThreadTrace smallTrace() {
  ThreadTrace trace;
  trace.writer = "fly";
  trace.agent = "1";
  trace.dispatch = "3";
  trace.kernels = {"add"};
  trace.clockMhz = 1000;
  TracedInstruction name;
  name.text = "; add";
  name.source = "add";
  name.codeObject = 1;
  TracedInstruction load = name, wait = name;
  load.text = "global_load_dword v1, v0, s[0:1]";
  load.source = "a \"b\".mlir:7";
  load.line = 1;
  load.address = 0x100;
  load.hits = 1;
  load.latency = 4;
  load.idle = 20;
  wait.text = "s_waitcnt vmcnt(0)";
  wait.source = "dir/c.mlir:8";
  wait.line = 2;
  wait.address = 0x108;
  wait.hits = 1;
  wait.latency = 84;
  wait.stall = 80;
  trace.instructions = {name, load, wait};
  TracedWave wave;
  wave.shaderEngine = 2;
  wave.simd = 1;
  wave.slot = 3;
  wave.begin = 100;
  wave.end = 208;
  wave.events = {{120, Category::VectorMemory, 0, 4, 1},
                 {124, Category::Immediate, 80, 84, 2}};
  wave.timeline = {{WaveState::Idle, 20},
                   {WaveState::Executes, 4},
                   {WaveState::Waits, 80},
                   {WaveState::Executes, 4}};
  wave.waits = {{2, {1}}};
  trace.waves = {wave};
  trace.occupancy = {{100, 2, 0, 1, 3, true, 0}, {208, 2, 0, 1, 3, false, 0}};
  trace.sources = {{"a \"b\".mlir", "text\n"}, {"dir/c.mlir", "more\n"}};
  return trace;
}

class WriteThreadTrace : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("fly-trace", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string place(llvm::StringRef file) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file);
    return path.str().str();
  }
  std::string ofTrace(llvm::StringRef file) const {
    return place(("ui_output_agent_1_dispatch_3/" + file).str());
  }
  static std::string text(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(bool(file)) << path;
    return file ? (*file)->getBuffer().str() : "";
  }
  /// The file without line break and key order: as it parses.
  static llvm::json::Value json(const std::string &path) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text(path));
    EXPECT_TRUE(bool(value)) << path;
    return value ? *value : llvm::json::Value(nullptr);
  }
  static llvm::json::Value parsed(llvm::StringRef text) {
    return llvm::cantFail(llvm::json::parse(text));
  }
  void put(const std::string &path, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    ASSERT_FALSE(code);
  }
  std::string failureOf(const ThreadTrace &trace) {
    return llvm::toString(writeThreadTrace(trace, folder));
  }

  llvm::SmallString<128> folder;
};

} // namespace

// Viewers keep 16 bits of a stall: 65535 + 65535 + 18930 are 150000 cycles.
TEST_F(WriteThreadTrace, LongStallsStandInPieces) {
  ThreadTrace trace = smallTrace();
  TracedWave &wave = trace.waves.front();
  wave.events[1].stall = 150000;
  wave.events[1].duration = 150004;
  wave.end = 150128;
  trace.instructions[2].stall = 150000;
  trace.instructions[2].latency = 150004;
  ASSERT_EQ(failureOf(trace), "");
  llvm::json::Value file = json(ofTrace("se2_sm1_sl3_wv0.json"));
  EXPECT_EQ(*file.getAsObject()->getObject("wave")->get("instructions"),
            parsed(R"json([[120, 3, 0, 4, 1], [124, 0, 65535, 65535, 2],
                [65659, 0, 65535, 65535, 2],
                [131194, 9, 18930, 18934, 2]])json"));
  ThreadTraceOptions options;
  options.waves = true;
  llvm::Expected<ThreadTrace> read =
      readThreadTrace(place("ui_output_agent_1_dispatch_3"), options);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  ASSERT_EQ(read->waves.size(), 1u);
  ASSERT_EQ(read->waves[0].events.size(), 2u);
  EXPECT_EQ(read->waves[0].events[1].time, 124u);
  EXPECT_EQ(read->waves[0].events[1].stall, 150000u);
  EXPECT_EQ(read->waves[0].events[1].duration, 150004u);
  EXPECT_EQ(read->waves[0].events[1].category, Category::Immediate);
}

TEST_F(WriteThreadTrace, WritesTheFilesOfTheFormat) {
  ASSERT_EQ(failureOf(smallTrace()), "");
  EXPECT_EQ(json(ofTrace("code.json")), parsed(R"json({"code": [
        ["; add", 0, 0, "add", 1, 0, 0, 0, 0, 0],
        ["global_load_dword v1, v0, s[0:1]", 0, 1, "a \"b\".mlir:7", 1, 256,
         1, 4, 0, 20],
        ["s_waitcnt vmcnt(0)", 0, 2, "dir/c.mlir:8", 1, 264, 1, 84, 80, 0]],
        "version": "3.0.0", "writer": "fly",
        "header": "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
})json"));
  EXPECT_EQ(json(ofTrace("filenames.json")),
            parsed(R"json({"global_begin_time": 0, "gfxv": "vega", "gfxip": 9,
        "version": "3.0.0", "counter_names": [], "thread_trace": true,
        "pc_sampling": false, "writer": "fly",
        "wave_filenames": {"2": {"1": {"3": {"0":
          ["se2_sm1_sl3_wv0.json", 100, 208]}}}}})json"));
  EXPECT_EQ(json(ofTrace("se2_sm1_sl3_wv0.json")),
            parsed(R"json({"name": "SE2", "duration": 108, "num_insts": 2,
        "num_stitched": 2, "wave": {"cu": 0, "id": 0, "simd": 1, "slot": 3,
        "begin": 100, "end": 208,
        "instructions": [[120, 3, 0, 4, 1], [124, 9, 80, 84, 2]],
        "timeline": [[1, 20], [2, 4], [3, 80], [2, 4]],
        "waitcnt": [[2, [[1, 0]]]]}})json"));
  EXPECT_EQ(json(ofTrace("occupancy.json")),
            parsed(R"json({"2": [[100, 0, 1, 3, 1, 1], [208, 0, 1, 3, 0, 1]],
        "dispatches": {"1": "add"}, "version": "3.0.0"})json"));
  EXPECT_EQ(json(ofTrace("wstates2.json")),
            parsed(R"json({"name": "EXEC", "time": [120, 124, 204, 208],
        "state": [1, 0, 1, 0]})json"));
  EXPECT_EQ(json(ofTrace("wstates4.json")),
            parsed(R"json({"name": "STALL", "time": [], "state": []})json"));
  EXPECT_EQ(json(ofTrace("realtime.json")),
            parsed(R"json({"SE2": [[0, 0], [208, 208]],
        "metadata": {"frequency": 1000000000}})json"));
}

TEST_F(WriteThreadTrace, CopiesSourcesAndSaysWhereTheyWere) {
  ASSERT_EQ(failureOf(smallTrace()), "");
  EXPECT_EQ(json(ofTrace("snapshots.json")),
            parsed(R"json({"a \"b\".mlir": "source_0_a \"b\".mlir",
        "dir": {"c.mlir": "source_1_c.mlir"}})json"));
  EXPECT_EQ(text(ofTrace("source_0_a \"b\".mlir")), "text\n");
  EXPECT_EQ(text(ofTrace("source_1_c.mlir")), "more\n");
}

TEST_F(WriteThreadTrace, WritesTheStatisticsBesideTheDirectory) {
  ASSERT_EQ(failureOf(smallTrace()), "");
  EXPECT_EQ(text(place("stats_ui_output_agent_1_dispatch_3.csv")),
            "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\","
            "\"Stall\",\"Idle\",\"Source\"\n"
            "1,0,\"; add\",0,0,0,0,\"add\"\n"
            "1,256,\"global_load_dword v1, v0, s[0:1]\",1,4,0,20,\"a "
            "\"\"b\"\".mlir:7\"\n"
            "1,264,\"s_waitcnt vmcnt(0)\",1,84,80,0,\"dir/c.mlir:8\"\n");
}

TEST_F(WriteThreadTrace, WritesWhatTheReaderReads) {
  ThreadTrace trace = smallTrace();
  ASSERT_EQ(failureOf(trace), "");
  ThreadTraceOptions options;
  options.waves = options.occupancy = options.sources = true;
  llvm::Expected<ThreadTrace> read = readThreadTrace(ofTrace(""), options);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->kernels, trace.kernels);
  ASSERT_EQ(read->instructions.size(), trace.instructions.size());
  for (auto [a, b] : llvm::zip(read->instructions, trace.instructions)) {
    EXPECT_EQ(std::tie(a.text, a.source, a.line, a.codeObject, a.address),
              std::tie(b.text, b.source, b.line, b.codeObject, b.address));
    EXPECT_EQ(std::tie(a.hits, a.latency, a.stall, a.idle),
              std::tie(b.hits, b.latency, b.stall, b.idle));
  }
  ASSERT_EQ(read->waves.size(), 1u);
  const TracedWave &a = read->waves[0], &b = trace.waves[0];
  EXPECT_EQ(std::tie(a.shaderEngine, a.simd, a.slot, a.begin, a.end),
            std::tie(b.shaderEngine, b.simd, b.slot, b.begin, b.end));
  ASSERT_EQ(a.events.size(), b.events.size());
  for (auto [got, written] : llvm::zip(a.events, b.events))
    EXPECT_EQ(
        std::tie(got.time, got.category, got.stall, got.duration, got.line),
        std::tie(written.time, written.category, written.stall,
                 written.duration, written.line));
  ASSERT_EQ(a.waits.size(), 1u);
  EXPECT_EQ(a.waits[0].sources, b.waits[0].sources);
  EXPECT_EQ(a.timeline.size(), b.timeline.size());
  EXPECT_EQ(read->occupancy.size(), trace.occupancy.size());
  ASSERT_EQ(read->sources.size(), 2u);
  EXPECT_EQ(read->sources[1].text, "more\n");
}

TEST_F(WriteThreadTrace, ReplacesAnOlderTraceWhole) {
  ThreadTrace trace = smallTrace();
  ASSERT_EQ(failureOf(trace), "");
  trace.waves[0].slot = 0;
  trace.sources.clear();
  ASSERT_EQ(failureOf(trace), "");
  EXPECT_TRUE(fs::exists(ofTrace("se2_sm1_sl0_wv0.json")));
  EXPECT_FALSE(fs::exists(ofTrace("se2_sm1_sl3_wv0.json")));
  EXPECT_FALSE(fs::exists(ofTrace("snapshots.json")));
}

TEST_F(WriteThreadTrace, LeavesWhatOthersWroteAlone) {
  // A trace of the profiler.
  ASSERT_FALSE(fs::create_directory(ofTrace("")));
  put(ofTrace("filenames.json"), R"({"gfxv": "vega"})");
  EXPECT_NE(failureOf(smallTrace()).find("was not written by fly"),
            std::string::npos);
  EXPECT_EQ(text(ofTrace("filenames.json")), R"({"gfxv": "vega"})");
  EXPECT_FALSE(fs::exists(ofTrace("code.json")));
}

TEST_F(WriteThreadTrace, LeavesNotesInItsOwnDirectoryAlone) {
  ASSERT_EQ(failureOf(smallTrace()), "");
  put(ofTrace("notes.txt"), "mine");
  EXPECT_NE(failureOf(smallTrace()).find("holds 'notes.txt'"),
            std::string::npos);
  EXPECT_EQ(text(ofTrace("notes.txt")), "mine");
}

TEST_F(WriteThreadTrace, LeavesStatisticsOfOthersAlone) {
  put(place("stats_ui_output_agent_1_dispatch_3.csv"), "theirs");
  EXPECT_NE(failureOf(smallTrace()).find("was not written by fly"),
            std::string::npos);
  EXPECT_EQ(text(place("stats_ui_output_agent_1_dispatch_3.csv")), "theirs");
}

TEST_F(WriteThreadTrace, LeavesNothingWhereTheFolderIsAFile) {
  put(place("file"), "");
  std::string error =
      llvm::toString(writeThreadTrace(smallTrace(), place("file")));
  EXPECT_NE(error, "");
  EXPECT_EQ(text(place("file")), "");
}

TEST(Perfetto, HasASliceForEachWaitAndIssue) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ThreadTrace trace = smallTrace();
  writePerfetto(stream, {trace, trace});
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
  unsigned slices = 0;
  double waits = 0, lastWave = 0;
  for (const llvm::json::Value &each :
       *value.getAsObject()->getArray("traceEvents")) {
    const llvm::json::Object &event = *each.getAsObject();
    if (event.getString("ph") != "X")
      continue;
    ++slices;
    if (event.getString("cat") == "stall")
      waits += *event.getNumber("dur");
    if (event.getString("cat") == "wave")
      lastWave = *event.getNumber("ts");
  }
  // A wave, two issues and one wait, twice; 1000 MHz: 80 cycles are 0.08 us.
  EXPECT_EQ(slices, 8u);
  EXPECT_DOUBLE_EQ(waits, 0.16);
  // The second dispatch begins where the first one ended.
  EXPECT_DOUBLE_EQ(lastWave, 0.208 + 0.1);
}
