//===- ThreadTraceTest.cpp - Names of categories and states ---------------===//
//
// Files and viewers number these; the names must be at their places.
//
//===----------------------------------------------------------------------===//

#include "fly/Profile/ThreadTrace.h"

#include "gtest/gtest.h"

using namespace fly::profile;

TEST(ThreadTrace, CategoriesAreNumberedAsTheFilesDo) {
  EXPECT_EQ(name(Category(1)), "SMEM");
  EXPECT_EQ(name(Category(5)), "LDS");
  EXPECT_EQ(name(Category(9)), "IMMED");
  EXPECT_EQ(name(Category(12)), "BVH");
  EXPECT_EQ(unsigned(Category::Valu), 6u);
}

TEST(ThreadTrace, StatesAreNumberedAsTheFilesDo) {
  EXPECT_EQ(name(WaveState(2)), "exec");
  EXPECT_EQ(unsigned(WaveState::Stalls), 4u);
}
