// Numbers get as small as a test lets them, one after the other.

#include "fly/Reduce/Shrink.h"

#include "gtest/gtest.h"

using namespace fly::reduce;

TEST(Shrink, FindsTheBorderOfEachNumber) {
  ShrinkingNumber numbers[] = {{4000}, {513}, {96}};
  unsigned tests = shrinkNumbers(
      numbers,
      [](llvm::ArrayRef<ShrinkingNumber> n) {
        return n[0].value > 129 && n[1].value >= 7 && n[2].value % 32 == 0;
      },
      1000);
  EXPECT_EQ(numbers[0].value, 130);
  EXPECT_EQ(numbers[1].value, 7);
  EXPECT_EQ(numbers[2].value, 32);
  EXPECT_LT(tests, 100u);
}

TEST(Shrink, OfASumNoneCanGetSmallerAlone) {
  ShrinkingNumber numbers[] = {{100}, {100}};
  shrinkNumbers(
      numbers,
      [](llvm::ArrayRef<ShrinkingNumber> n) {
        return n[0].value + n[1].value >= 90;
      },
      1000);
  EXPECT_EQ(numbers[0].value + numbers[1].value, 90);
}

TEST(Shrink, HalvesSizesOfTiles) {
  ShrinkingNumber numbers[] = {{256, 16, true}, {192, 1, true}};
  shrinkNumbers(
      numbers, [](llvm::ArrayRef<ShrinkingNumber>) { return true; }, 1000);
  EXPECT_EQ(numbers[0].value, 16);
  EXPECT_EQ(numbers[1].value, 3);
}

TEST(Shrink, AsksNoMoreThanItMay) {
  ShrinkingNumber numbers[] = {{1 << 20}};
  unsigned asked = 0;
  unsigned tests = shrinkNumbers(
      numbers,
      [&](llvm::ArrayRef<ShrinkingNumber>) {
        ++asked;
        return false;
      },
      5);
  EXPECT_EQ(tests, 5u);
  EXPECT_EQ(asked, 5u);
  EXPECT_EQ(numbers[0].value, 1 << 20);
}
