//===- GpuLaunchTest.cpp - How a GPU is measured --------------------------===//
//
// Launches are tested with a runtime that is a file: Tools/fly-run-gpu.test.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/GpuLaunch.h"

#include "gtest/gtest.h"

using namespace fly::launch;

namespace {

TEST(GpuLaunch, TakesCopiesThatNoCacheHolds) {
  constexpr uint64_t MiB = uint64_t(1) << 20;
  GpuOptions options;
  options.coldBytes = 512 * MiB;
  // 32 copies of 16 MiB are 512 MiB, and one more is more.
  EXPECT_EQ(countCopies(options, 16 * MiB), 33u);
  EXPECT_EQ(countCopies(options, 512 * MiB), 2u);
  EXPECT_EQ(countCopies(options, 513 * MiB), 1u);
  // Small buffers would take a million.
  EXPECT_EQ(countCopies(options, 512), maxCopies);
  // No buffers, and a chip whose cache nobody knows.
  EXPECT_EQ(countCopies(options, 0), 1u);
  EXPECT_EQ(countCopies(GpuOptions(), 16 * MiB), 1u);
  options.rotate = 5;
  EXPECT_EQ(countCopies(options, 16 * MiB), 5u);
  EXPECT_EQ(countCopies(options, 0), 5u);
}

} // namespace
