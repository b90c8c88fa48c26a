//===- SwizzleTest.cpp - The permutation of LDS addresses -----------------===//
#include "LayoutFixture.h"

using namespace fly;

namespace {

TEST_F(LayoutTest, SwizzleIsItsOwnInverseAndKeepsThePack) {
  for (unsigned bits : {0, 1, 2, 3, 4, 5})
    for (unsigned base : {2, 3, 4})
      for (unsigned shift = bits; shift <= 8; ++shift) {
        auto swizzle = SwizzleAttr::get(&context, bits, base, shift);
        // A buffer of three periods: the permutation stays in each.
        uint64_t period = uint64_t(1) << (bits + base + shift);
        std::vector<bool> hit(3 * period);
        for (uint64_t x = 0; x < 3 * period; ++x) {
          uint64_t y = swizzle.apply(x);
          ASSERT_LT(y, 3 * period);
          ASSERT_FALSE(hit[y]) << "two addresses meet at " << y;
          hit[y] = true;
          ASSERT_EQ(swizzle.apply(y), x);
          // The lowest bits stay, so packs of 1 << base bytes stay whole.
          ASSERT_EQ(y & ((1u << base) - 1), x & ((1u << base) - 1));
          ASSERT_EQ(y / period, x / period);
        }
      }
}

// Chunks of 16 bytes in rows of 128: chunk ^= row & 7.
TEST_F(LayoutTest, SwizzleOfChunksInRows) {
  auto swizzle = SwizzleAttr::get(&context, 3, 4, 3);
  for (uint64_t row = 0; row < 32; ++row)
    for (uint64_t byte = 0; byte < 128; ++byte) {
      uint64_t chunk = (byte / 16) ^ (row & 7);
      EXPECT_EQ(swizzle.apply(row * 128 + byte),
                row * 128 + chunk * 16 + byte % 16);
    }
  // What a reader that alone swizzles would take.
  EXPECT_EQ(swizzle.apply(1 * 128 + 0), 1u * 128 + 16);
  EXPECT_EQ(swizzle.apply(5 * 128 + 32), 5u * 128 + 112);
}

// Addends that are multiples of the period peel off the XOR (passes fold them
// into immediate offsets).
TEST_F(LayoutTest, SwizzlePeelsMultiplesOfItsPeriod) {
  auto swizzle = SwizzleAttr::get(&context, 3, 4, 3);
  for (uint64_t x = 0; x < 1024; ++x)
    for (uint64_t rounds : {1, 5, 60})
      EXPECT_EQ(swizzle.apply(x + 1024 * rounds),
                swizzle.apply(x) + 1024 * rounds);
}

} // namespace
