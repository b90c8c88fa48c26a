//===- SwizzleTest.cpp - Swizzles and composed layouts --------------------===//
#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Divide.h"

#include <set>

#include "LayoutCases.h"

using namespace fly::layout;

static Swizzle swizzleOf(llvm::StringRef text) {
  return llvm::cantFail(parseSwizzle(text));
}
static ComposedLayout composedOf(llvm::StringRef text) {
  return llvm::cantFail(parseComposedLayout(text));
}

TEST(Swizzle, XorsBits) {
  Swizzle swizzle = swizzleOf("S<2,1,3>");
  // Bits 4 and 5 onto 1 and 2.
  EXPECT_EQ(swizzle(0b010000), 0b010010);
  EXPECT_EQ(swizzle(0b110111), 0b110001);
  EXPECT_EQ(swizzleOf("S<2,1,-3>")(0b000110), 0b110110);
  EXPECT_EQ(swizzleOf("S<0,0,0>")(12345), 12345);
}

TEST(Swizzle, RefusesNumbersOutOfRange) {
  auto make = [](int64_t bits, int64_t base, int64_t shift) {
    return text(Swizzle::get(bits, base, shift));
  };
  EXPECT_EQ(make(-1, 0, 1),
            "error: swizzle S<-1,0,1>: bits: expected 0 to 62, got -1");
  EXPECT_EQ(make(3, 60, 3),
            "error: swizzle S<3,60,3>: base: expected 0 to 59, got 60");
  EXPECT_EQ(make(3, 4, 56),
            "error: swizzle S<3,4,56>: shift: expected -55 to 55, got 56");
  EXPECT_EQ(make(3, 4, 2),
            "error: swizzle S<3,4,2>: the bits that are read and changed "
            "overlap: expected a shift of at least 3 or at most -3, got 2");
  EXPECT_EQ(make(31, 0, -31), "S<31,0,-31>");
}

TEST(Swizzle, IsAnInvolutionBitByBit) {
  Cases cases(601);
  for (int i = 0; i < 2000; ++i) {
    int64_t bits = cases.number(0, 4), base = cases.number(0, 4);
    int64_t shift = (bits + cases.number(0, 3)) * (cases.chance(50) ? 1 : -1);
    Swizzle swizzle = llvm::cantFail(Swizzle::get(bits, base, shift));
    SCOPED_TRACE(swizzle.str());
    int64_t lower = base, upper = base + std::abs(shift);
    int64_t from = shift >= 0 ? upper : lower, to = shift >= 0 ? lower : upper;
    for (int j = 0; j < 20; ++j) {
      int64_t index = cases.number(0, 1 << 20);
      int64_t expected = index;
      for (int64_t bit = 0; bit < bits; ++bit)
        if (index & (1ll << (from + bit)))
          expected ^= 1ll << (to + bit);
      ASSERT_EQ(swizzle(index), expected);
      ASSERT_EQ(swizzle(expected), index);
    }
  }
}

TEST(ComposedLayout, AppliesOneAfterTheOther) {
  auto index = [](llvm::StringRef coordinate, llvm::StringRef layout) {
    return text(crd2idx(tupleOf(coordinate), composedOf(layout)));
  };
  EXPECT_EQ(index("(3,8)", "S<3,3,3> o 0 o (8,64):(64,1)"),
            std::to_string((3 * 64 + 8) ^ (3 << 3)));
  EXPECT_EQ(index("1", "S<1,0,1> o 2 o 4:1"), "2");
  EXPECT_EQ(index("3", "(4,8):(8,1) o 2 o 8:1"), "9");
  EXPECT_EQ(index("0", "S<1,0,1> o -1 o 4:1"),
            "error: index of '0' in 'S<1,0,1> o -1 o 4:1': the outer function "
            "takes 0 to 4611686018427387903, got -1");
  EXPECT_EQ(index("4", "S<1,0,1> o 0 o 4:1"),
            "error: coordinate 4 is outside of '4': expected 0 to 3");
}

TEST(ComposedLayout, ComposesAndDividesWithin) {
  ComposedLayout layout =
      composition(swizzleOf("S<3,3,3>"), layoutOf("(8,64):(64,1)"));
  EXPECT_EQ(layout.str(), "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(text(logicalDivide(layout, tilerOf("<2,8>"))),
            "S<3,3,3> o 0 o ((2,4),(8,8)):((64,128),(1,8))");
  EXPECT_EQ(text(composition(layout, tilerOf("<4,16:2>"))),
            "S<3,3,3> o 0 o (4,16):(64,2)");
}

TEST(ComposedLayout, BoundsItsIndices) {
  auto bound = [](const char *layout) {
    return text(cosize(composedOf(layout)));
  };
  EXPECT_EQ(bound("S<3,3,3> o 0 o (8,64):(64,1)"), "512");
  EXPECT_EQ(bound("S<2,1,3> o 0 o (2,3):(16,1)"), "24");
  EXPECT_EQ(bound("S<2,1,-3> o 0 o 8:1"), "64");
  EXPECT_EQ(bound("S<0,0,0> o 5 o 8:1"), "13");
  EXPECT_EQ(bound("8:1 o 0 o 8:1"), "error: cosize of '8:1 o 0 o 8:1': "
                                    "expected a swizzle as the outer function");
  EXPECT_EQ(bound("S<1,0,1> o 8 o 8:-1"),
            "error: cosize of 'S<1,0,1> o 8 o 8:-1': stride -1: expected at "
            "least 0");
  EXPECT_EQ(bound("S<1,0,1> o -1 o 8:1"),
            "error: cosize of 'S<1,0,1> o -1 o 8:1': the swizzle takes 0 to "
            "4611686018427387903, got -1 to -1 + 7");
}

TEST(ComposedLayout, PassesPowersOfTwo) {
  ComposedLayout inner = composedOf("S<2,1,3> o 8 o (8,8):(8,1)");
  EXPECT_EQ(text(composition(layoutOf("128:4"), inner)),
            "S<2,3,3> o 32 o (8,8):(32,4)");
  EXPECT_EQ(text(composition(layoutOf("128:3"), inner)),
            "error: composition of '128:3' with 'S<2,1,3> o 8 o (8,8):(8,1)': "
            "a swizzle passes a single mode whose stride is a power of two, "
            "got '128:3'");
  EXPECT_EQ(text(composition(layoutOf("(4,8):(2,100)"),
                             composedOf("(2,16):(16,1) o 1 o 4:2"))),
            "(2,(4,4)):(400,(2,100)) o 1 o 4:2");
}

TEST(ComposedLayout, Recasts) {
  ComposedLayout layout = composedOf("S<3,3,3> o 64 o (8,64):(64,1)");
  EXPECT_EQ(text(recast(layout, 16, 8)), "S<3,4,3> o 128 o (8,128):(128,1)");
  EXPECT_EQ(text(recast(layout, 16, 128)), "S<3,0,3> o 8 o (8,8):(8,1)");
  EXPECT_EQ(text(recast(layout, 16, 256)),
            "error: recast of S<3,3,3> by 16: it moves parts of the wide "
            "elements: expected at most 8");
  EXPECT_EQ(text(recast(composedOf("S<1,2,1> o 1 o 8:1"), 8, 16)),
            "error: recast of 'S<1,2,1> o 1 o 8:1': offset 1 lies within an "
            "element of 16 bits: expected a multiple of 2");
  EXPECT_EQ(text(recast(composedOf("8:1 o 1 o 8:1"), 8, 16)),
            "error: recast of '8:1 o 1 o 8:1': expected a swizzle as the outer "
            "function");
}

/// The index of each flat coordinate.
static Table composedTable(const ComposedLayout &layout) {
  Table result;
  for (int64_t c = 0; c < layout.size().factor(); ++c)
    result.push_back(llvm::cantFail(crd2idx(c, layout)));
  return result;
}

TEST(ComposedLayoutProperty, IsTheChainOfItsFunctions) {
  Cases cases(602);
  int divided = 0, passed = 0, recasted = 0;
  for (int i = 0; i < 3000; ++i) {
    int64_t bits = cases.number(0, 3);
    int64_t shift = (bits + cases.number(0, 2)) * (cases.chance(50) ? 1 : -1);
    Swizzle swizzle =
        llvm::cantFail(Swizzle::get(bits, cases.number(0, 4), shift));
    int64_t offset = cases.number(0, 3) * 8;
    Layout inner = cases.mixed(3);
    ComposedLayout layout(swizzle, offset, inner);
    SCOPED_TRACE(layout.str());
    Table own = table(inner), all;
    for (int64_t index : own)
      all.push_back(swizzle(index + offset));
    ASSERT_EQ(composedTable(layout), all);
    int64_t bound = llvm::cantFail(cosize(layout));
    for (int64_t index : all)
      ASSERT_LT(index, bound);

    Layout tiler = cases.injective(2, true);
    if (auto result = maybe(logicalDivide(layout, tiler))) {
      ++divided;
      Table steps = table(llvm::cantFail(logicalDivide(inner, tiler)));
      for (int64_t &step : steps)
        step = swizzle(step + offset);
      ASSERT_EQ(composedTable(*result), steps);
    }
    Layout outer = llvm::cantFail(
        Layout::get(cases.number(1, 9), int64_t(1) << cases.number(0, 4)));
    if (auto result = maybe(composition(outer, layout))) {
      ++passed;
      Table expected = all;
      for (int64_t &index : expected)
        index = outer.size().is(1) ? 0 : index * outer.stride().leaf().factor();
      if (!outer.size().is(1))
        ASSERT_EQ(composedTable(*result), expected);
    }
    // Bytes of a wide element stay together, and in order.
    if (auto result = maybe(recast(layout, 8, 32))) {
      ++recasted;
      std::multiset<int64_t> bytes;
      for (int64_t index : composedTable(*result))
        for (int64_t byte = 0; byte < 4; ++byte)
          bytes.insert(4 * index + byte);
      ASSERT_EQ(bytes, std::multiset<int64_t>(all.begin(), all.end()));
    }
  }
  EXPECT_GT(divided, 200);
  EXPECT_GT(passed, 1500);
  EXPECT_GT(recasted, 100);
}
