//===- RecastTest.cpp - The same bytes as other elements ------------------===//
#include "fly/Layout/Recast.h"

#include <set>

#include "LayoutCases.h"

using namespace fly::layout;

TEST(Recast, GivesKnownResults) {
  auto to = [](llvm::StringRef layout, int64_t from, int64_t bits) {
    return text(recast(layoutOf(layout), from, bits));
  };
  EXPECT_EQ(to("(8,4):(1,8)", 8, 16), "(4,4):(1,4)");
  EXPECT_EQ(to("(8,4):(1,8)", 16, 8), "(16,4):(1,16)");
  EXPECT_EQ(to("(4,(2,8)):(16,(1,2))", 8, 32), "(4,(1,4)):(4,(1,1))");
  EXPECT_EQ(to("(8,4):(1,0)", 8, 32), "(2,4):(1,0)");
  // By way of 2 bits, which 6 and 16 are made of.
  EXPECT_EQ(to("(24,4):(1,24)", 16, 6), "(64,4):(1,64)");
  EXPECT_EQ(to("(1,4):(1,1)", 32, 16), "(2,4):(1,2)");
  EXPECT_EQ(to("(8,?M):(1,8*?K)", 16, 32), "(4,?M):(1,4*?K)");
  EXPECT_EQ(to("(4*?M,2):(1,8*?M)", 16, 32), "(2*?M,2):(1,4*?M)");
  EXPECT_EQ(to("(8,4):(1,8)", 16, 16), "(8,4):(1,8)");
}

TEST(Recast, RefusesPartsOfElements) {
  auto up = [](llvm::StringRef layout, int64_t count) {
    return text(upcast(layoutOf(layout), count));
  };
  EXPECT_EQ(up("2:1", 4), "error: recast of '2:1': expected 4 elements next to "
                          "each other, got 2");
  EXPECT_EQ(up("(4,2):(1,6)", 4),
            "error: recast of '(4,2):(1,6)': stride 6: expected a divisor or a "
            "multiple of 4");
  EXPECT_EQ(up("(6,2):(1,8)", 4),
            "error: recast of '(6,2):(1,8)': extent 6 of stride 1: expected at "
            "most 4, or a multiple of it");
  EXPECT_EQ(up("(4,2):(4,8)", 4), "error: recast of '(4,2):(4,8)': expected 4 "
                                  "elements next to each other, got 1");
  EXPECT_EQ(up("(4,2):(1,2)", 4), "error: recast of '(4,2):(1,2)': expected 4 "
                                  "elements next to each other, got 4 that "
                                  "overlap");
  EXPECT_EQ(up("(4,2):(1,?K)", 4),
            "error: recast of '(4,2):(1,?K)': whether stride '?K' is a "
            "multiple of 4 depends on unknown values: '?K' must be static");
  EXPECT_EQ(up("4:1", 0),
            "error: recast of '4:1' by 0: expected at least 1 element");
  EXPECT_EQ(text(downcast(layoutOf("4:2"), 2)),
            "error: recast of '4:2': expected a mode of stride 1, whose "
            "elements become 2 each");
  EXPECT_EQ(text(recast(layoutOf("4:1"), 8, 0)),
            "error: recast of '4:1' from 8 to 0 bits: expected at least 1 bit");
  EXPECT_EQ(text(downcast(layoutOf("4:1"), INT64_MAX)),
            "error: the product of 4 and 9223372036854775807 overflows 64 "
            "bits");
}

/// Checks that `wide` holds the elements of `narrow`, `count` at a time: by
/// coordinate, and each as often.
static void expectSameBytes(const Layout &narrow, const Layout &wide,
                            int64_t count) {
  ASSERT_TRUE(congruent(narrow.shape(), wide.shape()));
  auto narrowLeaves = narrow.leaves(), wideLeaves = wide.leaves();
  Table narrowTable = table(narrow), wideTable = table(wide);
  for (size_t flat = 0; flat < narrowTable.size(); ++flat) {
    int64_t rest = flat, index = 0, weight = 1;
    for (size_t leaf = 0; leaf < narrowLeaves.size(); ++leaf) {
      int64_t extent = narrowLeaves[leaf].extent.factor();
      int64_t fewer = wideLeaves[leaf].extent.factor();
      ASSERT_EQ(extent % fewer, 0);
      index += rest % extent / (extent / fewer) * weight;
      weight *= fewer;
      rest /= extent;
    }
    ASSERT_EQ(wideTable[index], narrowTable[flat] / count);
  }
  std::multiset<int64_t> elements(narrowTable.begin(), narrowTable.end());
  std::multiset<int64_t> parts;
  for (int64_t index : wideTable)
    for (int64_t part = 0; part < count; ++part)
      parts.insert(index * count + part);
  ASSERT_EQ(elements, parts);
}

TEST(RecastProperty, HoldsTheSameBytes) {
  Cases cases(501);
  int up = 0, down = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout layout = cases.mixed(4);
    int64_t count = cases.pick<int64_t>({2, 3, 4, 8});
    SCOPED_TRACE(layout.str() + " " + std::to_string(count));
    if (auto wide = maybe(upcast(layout, count))) {
      ++up;
      expectSameBytes(layout, *wide, count);
      if (testing::Test::HasFatalFailure())
        return;
    }
    if (auto narrow = maybe(downcast(layout, count))) {
      ++down;
      expectSameBytes(*narrow, layout, count);
      if (testing::Test::HasFatalFailure())
        return;
      // And back.
      Layout back = llvm::cantFail(upcast(*narrow, count));
      ASSERT_EQ(table(back), table(layout));
    }
  }
  EXPECT_GT(up, 2000);
  EXPECT_GT(down, 5000);
}
