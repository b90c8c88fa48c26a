//===- BoundedMemoryTest.cpp - Memory does not grow with the file ---------===//
//
// Files of 16 MiB; the process may grow by a fraction of one while it reads
// them. Under sanitizers memory is theirs, so only the reading is tested there.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/ThreadTraceReader.h"

#include <sys/resource.h>

#include "ScratchFolder.h"
#include "gtest/gtest.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLY_MEMORY_IS_SANITIZED
#endif
#endif

using namespace fly::profile;
using llvm::StringRef;

namespace {
constexpr size_t fileBytes = size_t(16) << 20, growth = size_t(4) << 20;

/// Writes `begin`, `row` until the file has its size, and `end`; gives the
/// number of rows.
size_t writeLong(const std::string &path, StringRef begin, StringRef row,
                 StringRef end) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  os << begin;
  size_t rows = fileBytes / row.size();
  for (size_t i = 0; i < rows; ++i)
    os << row;
  os << end;
  return rows;
}

/// The most memory that the process has held, in bytes.
size_t peakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return size_t(usage.ru_maxrss) * 1024;
}

void expectSmall(size_t before, size_t most = growth) {
#ifndef FLY_MEMORY_IS_SANITIZED
  EXPECT_LT(peakBytes(), before + most);
#else
  (void)before;
  (void)most;
#endif
}
} // namespace

TEST(BoundedMemory, OfTables) {
  ScratchFolder scratch;
  std::string path = scratch.path("t.csv");
  size_t rows =
      writeLong(path, "Kernel_Name,Start_Timestamp,End_Timestamp\n",
                "\"a kernel with a longer name<int, 2>\",17,42\n", "");
  size_t before = peakBytes(), seen = 0;
  EXPECT_EQ(message(readKernelTrace(path, {},
                                    [&](const Dispatch &) {
                                      ++seen;
                                      return llvm::Error::success();
                                    })),
            "");
  EXPECT_EQ(seen, rows);
  expectSmall(before);
}

TEST(BoundedMemory, OfWaves) {
  ScratchFolder scratch;
  std::string path = scratch.path("se0_sm0_sl0_wv0.json");
  size_t rows = writeLong(
      path, "{\"wave\":{\"begin\":0,\"end\":9,\"instructions\":[[0,1,2,3,4]",
      ",\n[1000000000,6,100,104,77]", "]}}");
  size_t before = peakBytes(), seen = 0;
  TracedWave wave;
  EXPECT_EQ(message(readWaveFile(path, wave,
                                 [&](const WaveEvent &) {
                                   ++seen;
                                   return llvm::Error::success();
                                 })),
            "");
  EXPECT_EQ(seen, rows + 1);
  expectSmall(before);
}

TEST(BoundedMemory, OfWhatNeverEnds) {
  ScratchFolder scratch;
  std::string path = scratch.path("code.json");
  size_t before = peakBytes();
  writeLong(path, "{\"code\":[[\"", "s_nop 0; ", "");
  EXPECT_TRUE(contains(message(readThreadTrace(scratch.path()).takeError()),
                       "of more than 4194304 bytes"));
  writeLong(path, "", " ", "{}");
  EXPECT_TRUE(contains(message(readThreadTrace(scratch.path()).takeError()),
                       "of more than 4194304 bytes"));
  std::string csv = scratch.path("t.csv");
  writeLong(csv, "Kernel_Name,B\n\"", "x\n", "");
  EXPECT_TRUE(contains(
      message(readKernelTrace(
          csv, {}, [](const Dispatch &) { return llvm::Error::success(); })),
      "line 2: the row has more than 4194304 bytes"));
  // Strings grow by doubling: what is refused at 4 MiB may hold some more.
  expectSmall(before, 3 * growth);
}
