//===- MemoryTest.cpp - the device's address space ------------------------===//

#include "fly/Sim/Memory.h"

#include "gtest/gtest.h"

using fly::sim::DeviceMemory;

namespace {

TEST(DeviceMemory, SeparatesAllocations) {
  DeviceMemory memory;
  auto a = memory.allocate(100, "a"), b = memory.allocate(100, "b");
  ASSERT_TRUE(bool(a) && bool(b));
  EXPECT_EQ(*a % 4096, 0u);
  EXPECT_NE(memory.host(*a, 100), nullptr);
  EXPECT_EQ(memory.host(*a, 101), nullptr);
  EXPECT_EQ(memory.host(*a + 100, 1), nullptr);
  EXPECT_EQ(memory.host(*a - 1, 1), nullptr);
  EXPECT_EQ(memory.host(0, 1), nullptr);
  // An overrun of a does not reach b.
  EXPECT_GT(*b - *a, 65536u);
  EXPECT_EQ(memory.nearest(*a + 200)->name, "a");
  EXPECT_FALSE(bool(memory.free(*a)));
  EXPECT_EQ(memory.host(*a, 1), nullptr);
  llvm::Error again = memory.free(*a);
  EXPECT_TRUE(bool(again));
  llvm::consumeError(std::move(again));
}

TEST(DeviceMemory, SparseBuffersCostWhatIsTouched) {
  DeviceMemory memory;
  auto big = memory.allocate(uint64_t(64) << 30, "sparse");
  ASSERT_TRUE(bool(big)) << llvm::toString(big.takeError());
  uint8_t value = 7;
  uint64_t at = *big + (uint64_t(63) << 30);
  EXPECT_FALSE(bool(memory.write(at, value)));
  uint8_t back = 0;
  EXPECT_FALSE(bool(memory.read(at, back)));
  EXPECT_EQ(back, 7);
}

TEST(DeviceMemory, RefusesImpossibleSizes) {
  DeviceMemory memory;
  auto huge = memory.allocate(~uint64_t(0), "huge");
  ASSERT_FALSE(bool(huge));
  EXPECT_NE(llvm::toString(huge.takeError()).find("'huge'"), std::string::npos);
  uint8_t value = 0;
  llvm::Error error = memory.write(4096, value);
  EXPECT_EQ(llvm::toString(std::move(error)),
            "1 bytes at device address 0x1000 are not inside one allocation");
}

} // namespace
