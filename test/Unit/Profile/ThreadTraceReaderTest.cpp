//===- ThreadTraceReaderTest.cpp - Directories of thread traces -----------===//
#include "fly/Profile/ThreadTraceReader.h"

#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

static constexpr char codeText[] = R"json({"code":[
["; _Z4gemmPf",0,1,"gemm(float*)",2,4096,0,0,0,0],
["s_load_dwordx2 s[0:1], s[4:5], 0x0",0,2,"g.cpp:3 -> g.cpp:9",2,4096,8,32,0,4],
["s_waitcnt lgkmcnt(0)",0,3,"",2,4104,8,800,768,0]],
"version":"3.0.0","header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
})json";

/// The error of a trace whose code.json holds `code`.
static std::string errorOf(StringRef code) {
  ScratchFolder scratch;
  scratch.write("code.json", code);
  return message(readThreadTrace(scratch.path()).takeError());
}

TEST(ThreadTraceReader, ReadsTheRowsOfTheCode) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  llvm::Expected<ThreadTrace> trace = readThreadTrace(scratch.path());
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  EXPECT_EQ(trace->writer, "rocprofv3 3.0.0");
  EXPECT_EQ(trace->kernels, std::vector<std::string>{"_Z4gemmPf"});
  ASSERT_EQ(trace->instructions.size(), 3u);
  const TracedInstruction &wait = trace->instructions[2];
  EXPECT_EQ(wait.text, "s_waitcnt lgkmcnt(0)");
  EXPECT_EQ(wait.line, 3u);
  EXPECT_EQ(wait.codeObject, 2u);
  EXPECT_EQ(wait.address, 4104u);
  EXPECT_EQ(wait.hits, 8u);
  EXPECT_EQ(wait.latency, 800u);
  EXPECT_EQ(wait.stall, 768u);
  EXPECT_EQ(trace->instructions[1].source, "g.cpp:3 -> g.cpp:9");
  EXPECT_EQ(trace->instructions[1].idle, 4u);
  EXPECT_TRUE(trace->instructions[0].isComment());
}

TEST(ThreadTraceReader, SaysWhyATraceIsEmpty) {
  EXPECT_TRUE(contains(errorOf(R"({"code":null})"),
                       "code.json': code: is null, so the trace has no "
                       "instructions: no wave of the kernel ran on the traced "
                       "unit"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[]})"), "att_target_cu"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[["; k",0,0,"k",1,0,0,0,0,0]]})"),
                       "'code' holds no instruction"));
  EXPECT_TRUE(contains(errorOf(R"({"version":"3.0.0"})"),
                       "no 'code'; found: 'version'"));
  ScratchFolder scratch;
  EXPECT_TRUE(contains(message(readThreadTrace(scratch.path()).takeError()),
                       "holds no code.json"));
  EXPECT_TRUE(contains(message(readThreadTrace(scratch.path("x")).takeError()),
                       "does not exist"));
}

TEST(ThreadTraceReader, NamesTheCellThatIsWrong) {
  EXPECT_TRUE(
      contains(errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,"8",0,0,0]]})"),
               "code[0][6]: expected Hit, a whole number from 0 to "
               "18446744073709551615, found the string '8' (byte "));
  EXPECT_TRUE(
      contains(errorOf(R"({"code":[["s_nop 0",0,1,null,1,0,8,0,0,0]]})"),
               "code[0][3]: expected Source, a string, found null"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,-8,0,0,0]]})"),
                       "found -8"));
  EXPECT_TRUE(contains(
      errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,8.5,0,0,0]]})"), "found 8.5"));
  EXPECT_TRUE(
      contains(errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,1e30,0,0,0]]})"),
               "expected Hit, a whole number"));
  EXPECT_TRUE(
      contains(errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,[8],0,0,0]]})"),
               "expected Hit, found a list"));
  EXPECT_TRUE(
      contains(errorOf(R"({"code":[["s_nop 0",0,4294967296,"",1,0,8,0,0,0]]})"),
               "expected LineNumber, a whole number from 0 to "
               "4294967295"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[["s_nop 0",0,1,"",1,0,8,0]]})"),
                       "code[0]: has 8 columns, expected 10; without Stall, "
                       "Idle"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[7]})"), "expected a row, found 7"));
  EXPECT_TRUE(contains(errorOf(R"({"code":{}})"),
                       "expected a list of rows, found an object"));
  EXPECT_TRUE(contains(errorOf("[]"), "expected an object with 'code'"));
  EXPECT_TRUE(contains(errorOf(R"({"code":[],"code":[]})"), "stands twice"));
  EXPECT_TRUE(contains(
      errorOf(R"({"code":[],"header":"ISA, _, LineNumber, Source, Hit"})"),
      "header: expected the column 'Codeobj' at position 4, found "
      "'Hit'"));
}

TEST(ThreadTraceReader, TakesWhatPcSamplingAdds) {
  ScratchFolder scratch;
  scratch.write("code.json",
                R"({"code":[["s_nop 0",0,1,"",1,0,8,32,4,0,3,2,[0,1,2]]]})");
  llvm::Expected<ThreadTrace> trace = readThreadTrace(scratch.path());
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  EXPECT_EQ(trace->instructions.front().stall, 4u);
}

TEST(ThreadTraceReader, RefusesNumbersWhoseSumNobodyKnows) {
  std::string row = R"(["s_nop 0",0,1,"",1,0,1,0,18446744073709551615,0])";
  EXPECT_TRUE(contains(errorOf("{\"code\":[" + row + "," + row + "]}"),
                       "code[1]: the sum of stall over the rows exceeds"));
}

TEST(ThreadTraceReader, RefusesWhatIsNoJson) {
  StringRef whole = codeText;
  EXPECT_TRUE(contains(errorOf(whole.take_front(whole.size() - 30)),
                       "the file ends too early, is it cut? (byte "));
  EXPECT_TRUE(contains(errorOf(""), "is empty"));
  EXPECT_TRUE(contains(errorOf("{\"code\":[}"), "is no JSON"));
  EXPECT_TRUE(contains(errorOf("\"\xff\""), "encoding"));
  EXPECT_TRUE(
      contains(errorOf(StringRef("{\"code\":[]}\0", 12)), "is no JSON"));
  EXPECT_TRUE(
      contains(errorOf(std::string(100000, '[')), "expected an object"));
  EXPECT_TRUE(contains(errorOf("{\"x\":" + std::string(100000, '[')),
                       "more than 64 levels"));
  EXPECT_TRUE(contains(errorOf("{\"x\":1e99999999999}"), "too big"));
  // As long as its memory must not be.
  EXPECT_TRUE(contains(errorOf("{\"x\":\"" + std::string(5 << 20, 'x') + "\"}"),
                       "of more than 4194304 bytes"));
}

TEST(ThreadTraceReader, TakesTheAgentFromTheName) {
  ScratchFolder scratch;
  std::string folder = scratch.path("ui_output_agent_7_dispatch_12");
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder));
  scratch.write("ui_output_agent_7_dispatch_12/code.json", codeText);
  llvm::Expected<ThreadTrace> trace = readThreadTrace(folder + "/");
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  EXPECT_EQ(trace->agent, "7");
  EXPECT_EQ(trace->dispatch, "12");
}

//===----------------------------------------------------------------------===//
// Waves and what else lies beside the code
//===----------------------------------------------------------------------===//

static constexpr char waveText[] = R"({"name":"SE3","duration":100,"wave":{
"cu":1,"id":5,"simd":2,"slot":4,"begin":1000,"end":1100,
"instructions":[[1000,1,0,4,2],[1004,9,64,68,3]],
"timeline":[[2,4],[3,64],[2,32]],"waitcnt":[[3,[[2,0]]]]}})";

static llvm::Expected<ThreadTrace> readWaves(const ScratchFolder &scratch) {
  ThreadTraceOptions options;
  options.waves = options.occupancy = options.sources = true;
  return readThreadTrace(scratch.path(), options);
}

TEST(ThreadTraceReader, ReadsWavesThatItFinds) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  scratch.write("se3_sm2_sl4_wv5.json", waveText);
  scratch.write("se3_perfcounter.json", "no wave");
  llvm::Expected<ThreadTrace> trace = readWaves(scratch);
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  ASSERT_EQ(trace->waves.size(), 1u);
  const TracedWave &wave = trace->waves.front();
  EXPECT_EQ(wave.shaderEngine, 3u);
  EXPECT_EQ(wave.simd, 2u);
  EXPECT_EQ(wave.begin, 1000u);
  ASSERT_EQ(wave.events.size(), 2u);
  EXPECT_EQ(wave.events[1].category, Category::Immediate);
  EXPECT_EQ(wave.events[1].stall, 64u);
  EXPECT_EQ(wave.events[1].line, 3u);
  ASSERT_EQ(wave.timeline.size(), 3u);
  EXPECT_EQ(wave.timeline[1].state, WaveState::Waits);
  ASSERT_EQ(wave.waits.size(), 1u);
  EXPECT_EQ(wave.waits[0].wait, 3u);
  EXPECT_EQ(wave.waits[0].sources, std::vector<uint32_t>{2});
}

TEST(ThreadTraceReader, ReadsWavesThatTheListNames) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  scratch.write("filenames.json",
                R"({"wave_filenames":{"3":{"2":{"4":{"5":["w.json",0,9]}}}}})");
  EXPECT_TRUE(contains(message(readWaves(scratch).takeError()),
                       "filenames.json': names 'w.json', which is not beside "
                       "it"));
  scratch.write("w.json", waveText);
  EXPECT_TRUE(bool(readWaves(scratch)));
  scratch.write("filenames.json",
                R"({"wave_filenames":{"3":{"2":{"4":{"5":["../w"]}}}}})");
  EXPECT_TRUE(contains(message(readWaves(scratch).takeError()),
                       "wave_filenames.3.2.4.5[0]: expected the name of a "
                       "file beside the trace, found the string '../w'"));
}

TEST(ThreadTraceReader, NamesWhatAWaveLacks) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  auto errorOfWave = [&](StringRef text) {
    scratch.write("se0_sm0_sl0_wv0.json", text);
    return message(readWaves(scratch).takeError());
  };
  EXPECT_TRUE(contains(errorOfWave(R"({"wave":{"begin":1,"end":2}})"),
                       "no 'wave.instructions'"));
  EXPECT_TRUE(contains(errorOfWave("{}"),
                       "no 'wave.instructions', 'wave.begin', 'wave.end'"));
  EXPECT_TRUE(
      contains(errorOfWave(R"({"wave":{"begin":3,"end":2,"instructions":[]}})"),
               "the wave ends at 2, before it begins at 3"));
  EXPECT_TRUE(
      contains(errorOfWave(R"({"wave":{"instructions":[[1,13,0,0,1]]}})"),
               "wave.instructions[0][1]: expected category, a whole "
               "number from 0 to 12, found 13"));
  EXPECT_TRUE(contains(errorOfWave(R"({"wave":{"instructions":[[1,2]]}})"),
                       "wave.instructions[0]: has 2 columns"));
  EXPECT_TRUE(contains(errorOfWave(R"({"wave":{"instructions":null}})"),
                       "wave.instructions: expected a list, found null"));
  EXPECT_TRUE(contains(errorOfWave(R"({"wave":{"timeline":[[5,1]]}})"),
                       "expected a wave state, a whole number from 0 to 4"));
  EXPECT_TRUE(contains(errorOfWave(R"({"wave":{"waitcnt":[[3,[["x",0]]]]}})"),
                       "wave.waitcnt[0][1][0][0]: expected a line"));
}

TEST(ThreadTraceReader, HandsEventsOnWithoutKeepingThem) {
  ScratchFolder scratch;
  std::string path = scratch.write("w.json", waveText);
  TracedWave wave;
  uint64_t stall = 0;
  EXPECT_EQ(message(readWaveFile(path, wave,
                                 [&](const WaveEvent &event) {
                                   stall += event.stall;
                                   return llvm::Error::success();
                                 })),
            "");
  EXPECT_EQ(stall, 64u);
  EXPECT_TRUE(wave.events.empty());
}

TEST(ThreadTraceReader, ReadsOccupancyAndSources) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  scratch.write("occupancy.json",
                R"({"0":[[10,1,2,3,1,18446744],[90,1,2,3,0,18446744,0,0]],
                    "dispatches":{"18446744":"gemm"},"version":"3.0.0"})");
  scratch.write("snapshots.json",
                R"({"/":{"home":{"k.mlir":"source_0_k.mlir"}}})");
  EXPECT_TRUE(contains(message(readWaves(scratch).takeError()),
                       "names 'source_0_k.mlir', which is not beside it"));
  scratch.write("source_0_k.mlir", "line one\n");
  llvm::Expected<ThreadTrace> trace = readWaves(scratch);
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  EXPECT_EQ(trace->kernels, std::vector<std::string>{"gemm"});
  ASSERT_EQ(trace->occupancy.size(), 2u);
  EXPECT_TRUE(trace->occupancy[0].starts);
  EXPECT_EQ(trace->occupancy[1].time, 90u);
  EXPECT_EQ(trace->occupancy[1].kernel, 0u);
  ASSERT_EQ(trace->sources.size(), 1u);
  EXPECT_EQ(trace->sources[0].name, "/home/k.mlir");
  EXPECT_EQ(trace->sources[0].text, "line one\n");

  scratch.write("occupancy.json", R"({"0":[[10,1,2,3,2,0]]})");
  EXPECT_TRUE(contains(message(readWaves(scratch).takeError()),
                       "0[0][4]: expected start, a whole number from 0 to 1"));
  scratch.write("occupancy.json", R"({"0":[[10,1,2,3]]})");
  EXPECT_TRUE(
      contains(message(readWaves(scratch).takeError()), "has 4 columns"));
}

TEST(ThreadTraceReader, KeepsNoMoreThanItMay) {
  ScratchFolder scratch;
  scratch.write("code.json", codeText);
  scratch.write("se3_sm2_sl4_wv5.json", waveText);
  ThreadTraceOptions options;
  options.waves = true;
  options.maxEvents = 1;
  EXPECT_TRUE(
      contains(message(readThreadTrace(scratch.path(), options).takeError()),
               "more than 1 events of waves"));
  options.maxInstructions = 2;
  EXPECT_TRUE(
      contains(message(readThreadTrace(scratch.path(), options).takeError()),
               "code[2]: more than 2 instructions"));
}
