//===- OddFilesTest.cpp - Kinds of odd files, reader by reader ------------===//
//
// Each kind of thing that happens to files is done to a whole file of each
// format: an error that names the file, or the data of the whole file; never
// other data. JSON keys that stand twice, waits that are executed often.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/JsonStream.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/Support/FormatVariadic.h"

#include <functional>

#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
/// A format: a whole file, and what a reader makes of it as text.
struct Format {
  const char *name;
  std::string whole;
  std::function<llvm::Expected<std::string>(StringRef path)> read;
};

llvm::Expected<std::string> readDispatches(StringRef path) {
  std::string text;
  DispatchNeeds needs;
  needs.times = true;
  if (llvm::Error error = readKernelTrace(
          path, needs, [&](const Dispatch &dispatch) -> llvm::Error {
            text += llvm::formatv("{0} {1} {2}\n", dispatch.kernel,
                                  *dispatch.startNs, *dispatch.endNs);
            return llvm::Error::success();
          }))
    return std::move(error);
  return text;
}

llvm::Expected<std::string> readCounterRows(StringRef path) {
  std::string text;
  if (llvm::Error error = readCounters(
          path,
          [&](const Dispatch &dispatch,
              const CounterValue &counter) -> llvm::Error {
            text += llvm::formatv("{0} {1} {2} {3:f3}\n", dispatch.kernel,
                                  *dispatch.id, counter.counter, counter.value);
            return llvm::Error::success();
          }))
    return std::move(error);
  return text;
}

llvm::Expected<std::string> readInstructions(StringRef path) {
  auto trace = readThreadTrace(llvm::sys::path::parent_path(path));
  if (!trace)
    return trace.takeError();
  std::string text;
  for (const TracedInstruction &row : trace->instructions)
    text += llvm::formatv("{0} {1} {2} {3} {4}\n", row.text, row.address,
                          row.hits, row.latency, row.stall);
  return text;
}

std::vector<Format> formats() {
  return {{"t.csv",
           "\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"
           "\"a<int, 2>\",100,200\n\"b\",300,450\n",
           readDispatches},
          {"c.csv",
           "\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\","
           "\"Counter_Value\"\n1,\"a\",\"TCC_HIT_sum\",20.500000\n"
           "1,\"a\",\"TCC_MISS_sum\",3.000000\n",
           readCounterRows},
          {"code.json",
           "{\"code\": [[\"; k\", 0, 0, \"k\", 1, 64, 0, 0, 0, 0],\n"
           "[\"s_nop 0\", 0, 1, \"a.c:3\", 1, 64, 8, 32, 4, 0],\n"
           "[\"s_endpgm\", 0, 2, \"\", 1, 68, 8, 32, 0, 0]],\n"
           "\"version\": \"3.0.0\"}\n",
           readInstructions}};
}

std::string replaceAll(std::string text, StringRef from, StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}
} // namespace

TEST(OddFiles, CutAnywhere) {
  for (const Format &format : formats())
    // Blanks at the end are no part of JSON.
    for (size_t size = 0, end = StringRef(format.whole).rtrim().size();
         size < end; ++size) {
      ScratchFolder scratch;
      std::string path =
          scratch.write(format.name, StringRef(format.whole).take_front(size));
      auto text = format.read(path);
      // A row that ends with the file is whole only if the next one is missed.
      if (text) {
        std::string whole =
            *format.read(scratch.write(format.name, format.whole));
        EXPECT_TRUE(StringRef(whole).starts_with(*text)) << size;
        EXPECT_EQ(format.whole[size - 1], '\n') << format.name << size;
        continue;
      }
      EXPECT_TRUE(contains(message(text.takeError()), scratch.path()));
    }
}

TEST(OddFiles, LineEndsAndMarks) {
  for (const Format &format : formats()) {
    ScratchFolder scratch;
    std::string whole = *format.read(scratch.write(format.name, format.whole));
    for (const std::string &same :
         {replaceAll(format.whole, "\n", "\r\n"), "\xef\xbb\xbf" + format.whole,
          "\xef\xbb\xbf" + replaceAll(format.whole, "\n", "\r\n")}) {
      auto text = format.read(scratch.write(format.name, same));
      EXPECT_TRUE(bool(text)) << format.name << message(text.takeError());
      if (text)
        EXPECT_EQ(*text, whole) << format.name;
    }
  }
}

TEST(OddFiles, NumbersThatAreNone) {
  static constexpr StringRef odd[] = {
      "null", "\"x\"", "true", "1e400", "-1",          "18446744073709551616",
      "nan",  "inf",   "0x10", "1.5e",  "[]",          "{}",
      "-",    "--1",   "1 2",  "\"\"",  "1e3000000000"};
  for (const Format &format : formats())
    for (StringRef number : {StringRef("200"), StringRef("300"),
                             StringRef("20.500000"), StringRef("32, 4")})
      for (StringRef wrong : odd) {
        size_t at = format.whole.find(number.str());
        if (at == std::string::npos)
          continue;
        std::string text = format.whole;
        text.replace(at, number.size(),
                     (wrong + (number == "32, 4" ? ", 4" : "")).str());
        ScratchFolder scratch;
        auto result = format.read(scratch.write(format.name, text));
        // Counters may be negative, which the report flags, and large.
        bool isCounter = number == "20.500000" &&
                         (wrong == "-1" || wrong == "18446744073709551616");
        if (isCounter) {
          EXPECT_TRUE(bool(result));
          continue;
        }
        EXPECT_FALSE(bool(result)) << format.name << " " << wrong.str();
        if (!result)
          EXPECT_TRUE(contains(message(result.takeError()), scratch.path()));
      }
}

TEST(OddFiles, ControlCharactersInNamesStayOut) {
  ScratchFolder scratch;
  std::string path = scratch.write(
      "t.csv",
      "Kernel_Name,Start_Timestamp,End_Timestamp\n\"a\x1b[2Jb\",x,2\n");
  auto text = readDispatches(path);
  ASSERT_FALSE(bool(text));
  EXPECT_EQ(message(text.takeError()).find('\x1b'), std::string::npos);
}

TEST(OddFiles, KeysThatStandTwice) {
  class Ignore : public JsonVisitor {
    llvm::Error enter(const JsonPath &, bool) override {
      return llvm::Error::success();
    }
    llvm::Error value(const JsonPath &, const JsonScalar &) override {
      return llvm::Error::success();
    }
  };
  ScratchFolder scratch;
  auto read = [&](StringRef text) {
    Ignore visitor;
    return message(readJson(scratch.write("a.json", text), visitor));
  };
  EXPECT_TRUE(contains(read(R"({"a": 1, "b": {"c": 1, "a": 2, "c": 3}})"),
                       "a.json': b.c: stands twice in the file (byte"));
  EXPECT_TRUE(contains(read(R"([{"": 1, "": 2}])"), "stands twice"));
  EXPECT_TRUE(contains(read("{\"a\": 1, \"\\u0061\": 2}"), "stands twice"));
  EXPECT_EQ(read(R"([{"a": {"a": 1}}, {"a": 2}, {"b": {}, "a": {"b": 1}}])"),
            "");
  std::string many = "{";
  for (unsigned i = 0; i < 5000; ++i)
    many += llvm::formatv("\"{0}\":{0},", i).str();
  EXPECT_EQ(read(many + "\"x\":0}"), "");
  EXPECT_TRUE(contains(read(many + "\"17\":0}"), "17: stands twice"));
}

TEST(OddFiles, WaitsAreKeptOnce) {
  ScratchFolder scratch;
  std::string path = scratch.path("se0_sm0_sl0_wv0.json");
  {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os << R"({"wave":{"begin":0,"end":9,"instructions":[],"waitcnt":[[7,[]])";
    for (unsigned i = 0; i < 100000; ++i)
      os << ",[5,[[" << 3 - i % 2 << ",0],[1,0]]]";
    os << "]}}";
  }
  auto ignore = [](const WaveEvent &) { return llvm::Error::success(); };
  TracedWave wave;
  EXPECT_EQ(message(readWaveFile(path, wave, ignore)), "");
  ASSERT_EQ(wave.waits.size(), 2u);
  EXPECT_EQ(wave.waits[0].wait, 5u);
  EXPECT_EQ(wave.waits[0].sources, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_TRUE(wave.waits[1].sources.empty());
  ThreadTraceOptions options;
  options.maxWaitPairs = 4;
  TracedWave few;
  EXPECT_TRUE(contains(message(readWaveFile(path, few, ignore, options)),
                       "more than 4 different waits and accesses"));
  options.waits = false;
  TracedWave none;
  EXPECT_EQ(message(readWaveFile(path, none, ignore, options)), "");
  EXPECT_TRUE(none.waits.empty());
}
