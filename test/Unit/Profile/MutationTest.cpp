//===- MutationTest.cpp - Files that something has happened to ------------===//
//
// Whole files of each format, cut, with bits flipped, pieces doubled, dropped
// or exchanged for other bytes. A reader gives an error with a message that
// names the file, or data; it does not crash or hang. Seeds are fixed.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/Support/MemoryBuffer.h"

#include <random>

#include "DatabaseText.h"
#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
constexpr unsigned mutationsEach = 40;

std::string mutate(StringRef whole, std::mt19937 &random) {
  std::string text = whole.str();
  auto upTo = [&](size_t most) { return random() % (most + 1); };
  for (unsigned changes = 1 + upTo(2); changes && !text.empty(); --changes) {
    size_t at = upTo(text.size() - 1);
    size_t length = 1 + upTo(std::min<size_t>(text.size() - at - 1, 40));
    static constexpr StringRef pieces[] = {
        "null", "-1", "1e999", "99999999999999999999", "\"", ",", "\n",
        "[",    "}",  "\xff",  StringRef("\0", 1),     "''", "#", "\r",
        ";"};
    switch (random() % 6) {
    case 0:
      text.resize(at);
      break;
    case 1:
      text[at] = char(text[at] ^ (1 << random() % 8));
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:
      text.replace(at, std::min<size_t>(length, 8),
                   pieces[random() % std::size(pieces)].str());
      break;
    case 5:
      text += text.substr(at, length);
      break;
    }
  }
  return text;
}

/// Writes mutants of `text` to a file and has `read` read the folder; gives
/// how many were refused. Each refusal must name a file of the folder.
unsigned
refuse(StringRef file, StringRef text,
       const std::function<llvm::Error(const ScratchFolder &)> &read,
       const std::vector<std::pair<StringRef, StringRef>> &others = {}) {
  ScratchFolder scratch;
  for (auto [name, content] : others)
    scratch.write(name, content);
  scratch.write(file, text);
  EXPECT_EQ(message(read(scratch)), "") << file.str();
  unsigned refused = 0;
  std::mt19937 random(7);
  for (unsigned i = 0; i < mutationsEach; ++i) {
    scratch.write(file, mutate(text, random));
    std::string error = message(read(scratch));
    if (error.empty())
      continue;
    ++refused;
    EXPECT_TRUE(contains(error, scratch.path()));
  }
  return refused;
}

constexpr char code[] =
    R"({"code":[["; k",0,0,"k",1,64,0,0,0,0],["s_nop 0",0,1,"a.c:3",1,64,8,32,4,0],["s_endpgm",0,2,"",1,68,8,32,0,0]],"version":"3.0.0"})";
constexpr char wave[] =
    R"({"name":"SE0","wave":{"cu":1,"id":0,"simd":2,"slot":3,"begin":10,"end":90,"instructions":[[10,9,0,4,1],[14,10,0,4,2]],"timeline":[[2,8],[1,72]],"waitcnt":[[2,[[1,0]]]]}})";
constexpr char occupancy[] =
    R"({"0":[[10,1,2,3,1,5],[90,1,2,3,0,5]],"dispatches":{"5":"k"},"version":"3.0.0"})";
constexpr char names[] =
    R"({"gfxip":9,"wave_filenames":{"0":{"2":{"3":{"0":["se0_sm2_sl3_wv0.json",10,90]}}}}})";
constexpr char snapshots[] = R"({"/":{"a.c":"source_0_a.c"}})";

llvm::Error readAll(const ScratchFolder &scratch) {
  ThreadTraceOptions options;
  options.waves = options.occupancy = options.sources = true;
  return readThreadTrace(scratch.path(), options).takeError();
}
} // namespace

TEST(Mutation, OfThreadTraces) {
  std::vector<std::pair<StringRef, StringRef>> files = {
      {"code.json", code},           {"se0_sm2_sl3_wv0.json", wave},
      {"occupancy.json", occupancy}, {"filenames.json", names},
      {"snapshots.json", snapshots}, {"source_0_a.c", "int x;\n"}};
  for (auto [name, text] : llvm::ArrayRef(files).drop_back())
    EXPECT_GT(refuse(name, text, readAll, files), mutationsEach / 3)
        << name.str();
}

TEST(Mutation, OfTables) {
  auto kernels = [](const ScratchFolder &scratch) {
    DispatchNeeds needs;
    needs.times = true;
    return readKernelTrace(scratch.path("t.csv"), needs, [](const Dispatch &) {
      return llvm::Error::success();
    });
  };
  EXPECT_GT(refuse("t.csv",
                   "Kernel_Name,Dispatch_Id,Start_Timestamp,End_Timestamp\n"
                   "\"a\",1,100,200\n\"b<int, 2>\",2,300,400\n",
                   kernels),
            mutationsEach / 3);
  auto counters = [](const ScratchFolder &scratch) {
    return readCounters(scratch.path("t.csv"),
                        [](const Dispatch &, const CounterValue &) {
                          return llvm::Error::success();
                        });
  };
  EXPECT_GT(refuse("t.csv",
                   "Kernel_Name,Dispatch_Id,Counter_Name,Counter_Value\n"
                   "\"a\",1,\"TCC_HIT_sum\",20.5\n\"a\",1,\"TCC_MISS_sum\",3\n",
                   counters),
            mutationsEach / 3);
  auto statistics = [](const ScratchFolder &scratch) {
    return readKernelStats(scratch.path("t.csv"), [](const KernelTotals &) {
      return llvm::Error::success();
    });
  };
  EXPECT_GT(refuse("t.csv",
                   "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n"
                   "\"a\",3,300,100.0\n",
                   statistics),
            mutationsEach / 3);
  auto trace = [](const ScratchFolder &scratch) {
    return readThreadTraceStats(scratch.path("t.csv")).takeError();
  };
  EXPECT_GT(refuse("t.csv",
                   "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,"
                   "Source\n1,64,\"s_nop 0\",8,32,4,0,\"a.c:3\"\n",
                   trace),
            mutationsEach / 3);
}

TEST(Mutation, OfDatabases) {
  ScratchFolder scratch;
  auto file =
      llvm::MemoryBuffer::getFile(makeDatabase(scratch, databaseText("_0a")));
  ASSERT_TRUE(bool(file));
  // Most bytes of a database are unused, and most flipped bits of the others
  // are values that may be.
  refuse("r.db", (*file)->getBuffer(), [](const ScratchFolder &scratch) {
    auto ignore = [](const auto &...) { return llvm::Error::success(); };
    if (llvm::Error error =
            readDatabaseDispatches(scratch.path("r.db"), {}, ignore))
      return error;
    return readDatabaseCounters(scratch.path("r.db"), ignore);
  });
}
