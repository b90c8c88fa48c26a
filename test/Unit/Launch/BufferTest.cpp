//===- BufferTest.cpp - Guard bands and comparison ------------------------===//
#include "fly/Launch/Compare.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace fly;
using namespace fly::launch;

static Buffer makeBuffer(llvm::StringRef name, Shape shape,
                         llvm::StringRef type = "f32") {
  int64_t span = shape.span();
  return Buffer(name, llvm::cantFail(ElementType::parse(type)),
                std::move(shape), span);
}

static void setElement(Buffer &buffer, int64_t index, double value) {
  buffer.type().storeBits(buffer.data(), buffer.shape().locate(index),
                          buffer.type().encode(value));
}

TEST(Buffer, NamesTheGuardByteThatChanged) {
  Buffer buffer = makeBuffer("C", Shape::contiguous({2, 3}));
  EXPECT_EQ(buffer.bytes(), 24u);
  EXPECT_EQ(buffer.guarded().size(), 24u + 512u);
  EXPECT_FALSE(bool(buffer.checkGuards()));
  buffer.data()[24] = 7;
  EXPECT_EQ(llvm::toString(buffer.checkGuards()),
            "buffer 'C': guard byte at offset 24 was overwritten with 0x07 "
            "(the buffer has 24 bytes)");
  buffer.data()[24] = 0xA5;
  buffer.data()[-1] = 0;
  EXPECT_EQ(llvm::toString(buffer.checkGuards()),
            "buffer 'C': guard byte at offset -1 was overwritten with 0x00 "
            "(the buffer has 24 bytes)");
}

TEST(Buffer, LocatesElementsOfStridedShapes) {
  Shape shape;
  shape.extents = {3, 4};
  shape.strides = {10, 1};
  EXPECT_EQ(shape.span(), 24);
  EXPECT_EQ(shape.locate(5), 11);
  EXPECT_FALSE(shape.isContiguous());
  EXPECT_EQ(shape.str(), "3x4");
}

TEST(Compare, CountsAndNamesFirstAndWorst) {
  Buffer got = makeBuffer("C", Shape::contiguous({4, 8}));
  Buffer expected = makeBuffer("C", Shape::contiguous({4, 8}));
  setElement(got, 2 * 8 + 3, 1);
  setElement(got, 3 * 8 + 7, -5);
  Comparison result = llvm::cantFail(compare(got, expected));
  EXPECT_EQ(result.wrong, 2);
  EXPECT_FALSE(result.isRight());
  EXPECT_EQ(describe(result, "C"),
            "C: 2 of 32 wrong; first C[2,3] = 1, expected 0; worst C[3,7] = "
            "-5, expected 0; wrong are rows 2..3 of 4 and columns 3..7 step 4 "
            "of 8");
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  Buffer got = makeBuffer("C", Shape::contiguous({1}));
  Buffer expected = makeBuffer("C", Shape::contiguous({1}));
  setElement(expected, 0, 100);
  setElement(got, 0, 101.5);
  EXPECT_FALSE(llvm::cantFail(compare(got, expected)).isRight());
  EXPECT_TRUE(llvm::cantFail(compare(got, expected, {0.5, 0.01})).isRight());
  EXPECT_FALSE(llvm::cantFail(compare(got, expected, {0.4, 0.01})).isRight());
}

TEST(Compare, ElementsAgreeWithinTheirBounds) {
  Buffer got = makeBuffer("C", Shape::contiguous({3}));
  Buffer expected = makeBuffer("C", Shape::contiguous({3}));
  for (int i = 0; i < 3; ++i) {
    setElement(expected, i, 100);
    setElement(got, i, 100);
  }
  unsigned bits = expected.type().bits();
  expected.bounds().set(1, bits, 2);
  setElement(got, 1, 101.5);
  Comparison result = llvm::cantFail(compare(got, expected));
  EXPECT_TRUE(result.isRight());
  EXPECT_EQ(result.bounded, 1);
  EXPECT_NEAR(result.largestShare, 0.75, 1e-5);
  EXPECT_EQ(summarize(result),
            "3 of 3 within their error bounds, 75 % of a bound used at most");
  EXPECT_TRUE(describeWeakness(result, "C").empty());
  // The others are exact, and more than its bound is wrong.
  setElement(got, 1, 102.5);
  EXPECT_EQ(llvm::cantFail(compare(got, expected)).wrong, 1);
  setElement(got, 1, NAN);
  EXPECT_EQ(llvm::cantFail(compare(got, expected)).wrong, 1);
  setElement(got, 1, 100);
  setElement(got, 2, 100.5);
  EXPECT_EQ(llvm::cantFail(compare(got, expected)).wrong, 1);
}

TEST(Compare, TellsBoundsThatSayLittle) {
  Buffer got = makeBuffer("C", Shape::contiguous({4}));
  Buffer expected = makeBuffer("C", Shape::contiguous({4}));
  unsigned bits = expected.type().bits();
  for (int i = 0; i < 4; ++i) {
    setElement(expected, i, 10);
    setElement(got, i, 10);
    expected.bounds().set(i, bits, 1);
  }
  Comparison result = llvm::cantFail(compare(got, expected));
  EXPECT_NEAR(result.relativeWidth, 0.1, 1e-5);
  ASSERT_EQ(describeWeakness(result, "C").size(), 1u);
  EXPECT_EQ(describeWeakness(result, "C")[0],
            "C: error bounds are 10 % of the values, so that to be within them "
            "says little");
  expected.bounds().set(3, bits, INFINITY);
  setElement(got, 3, -1e30);
  result = llvm::cantFail(compare(got, expected));
  EXPECT_TRUE(result.isRight());
  EXPECT_EQ(result.unbounded, 1);
  EXPECT_EQ(result.judged(), 3);
  EXPECT_EQ(summarize(result), "3 of 4 within their error bounds, 0 % of a "
                               "bound used at most, 1 not judged");
  EXPECT_EQ(describeWeakness(result, "C")[0],
            "C: 1 of 4 elements have no error bound, so that they are not "
            "judged: anything would agree with them");
}

TEST(Compare, IsNotRightWhereNothingCanBeJudged) {
  Buffer got = makeBuffer("C", Shape::contiguous({2}));
  Buffer expected = makeBuffer("C", Shape::contiguous({2}));
  unsigned bits = expected.type().bits();
  expected.bounds().set(0, bits, INFINITY);
  Comparison result = llvm::cantFail(compare(got, expected));
  // The other one is exact.
  EXPECT_TRUE(result.isRight());
  EXPECT_EQ(summarize(result), "1 of 2 equal, 1 not judged");
  expected.bounds().set(1, bits, INFINITY);
  result = llvm::cantFail(compare(got, expected));
  EXPECT_EQ(result.wrong, 0);
  EXPECT_FALSE(result.isJudged());
  EXPECT_FALSE(result.isRight());
  EXPECT_EQ(describe(result, "C"),
            "C: not judged, none of 2 has an error bound");
  // Nothing to judge is nothing wrong.
  Buffer none = makeBuffer("C", Shape::contiguous({0}));
  EXPECT_TRUE(llvm::cantFail(compare(none, none)).isRight());
}

TEST(Compare, NanAgreesWithNanAlone) {
  Buffer got = makeBuffer("C", Shape::contiguous({2}));
  Buffer expected = makeBuffer("C", Shape::contiguous({2}));
  setElement(got, 0, NAN);
  setElement(expected, 0, NAN);
  EXPECT_TRUE(llvm::cantFail(compare(got, expected)).isRight());
  setElement(got, 1, NAN);
  Comparison result = llvm::cantFail(compare(got, expected, {1e30, 1}));
  EXPECT_EQ(result.wrong, 1);
}

TEST(Compare, SeesWritesBetweenRows) {
  Shape shape;
  shape.extents = {2, 2};
  shape.strides = {4, 1};
  Buffer got = makeBuffer("C", shape), expected = makeBuffer("C", shape);
  got.data()[2 * 4] = 1; // Element (0, 2) does not exist.
  Comparison result = llvm::cantFail(compare(got, expected));
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.gapElements, 1);
  EXPECT_FALSE(result.isRight());
}

TEST(Compare, RefusesOtherShapes) {
  Buffer got = makeBuffer("C", Shape::contiguous({2, 3}));
  Buffer expected = makeBuffer("C", Shape::contiguous({3, 2}));
  EXPECT_EQ(llvm::toString(compare(got, expected).takeError()),
            "buffer 'C' has the extents 2x3, what is expected has 3x2");
}
