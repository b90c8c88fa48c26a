//===- LayoutTest.cpp - Integers, tuples, layouts and coordinates ---------===//
#include "fly/Layout/Coordinates.h"

#include "LayoutCases.h"

using namespace fly::layout;

static Int intOf(llvm::StringRef text) { return tupleOf(text).leaf(); }

TEST(Int, Simplifies) {
  EXPECT_EQ(text(Int::multiply(intOf("4*?M"), intOf("?K*2"))), "8*?K*?M");
  EXPECT_EQ(intOf("?M*?K"), intOf("?K*?M"));
  EXPECT_NE(intOf("?M"), intOf("?N"));
  EXPECT_EQ(Int::divideExact(intOf("8*?M*?K"), intOf("4*?M"))->str(), "2*?K");
  EXPECT_FALSE(Int::divideExact(intOf("8*?M"), intOf("?K")));
  EXPECT_FALSE(Int::divideExact(intOf("6*?M"), intOf("4")));
  EXPECT_FALSE(Int::divideExact(INT64_MIN, -1));
  EXPECT_EQ(text(Int::multiply(0, intOf("?M"))), "0");
}

TEST(Int, RoundsQuotientsUp) {
  auto ceil = [](llvm::StringRef a, llvm::StringRef b) {
    return text(Int::ceilDivide(intOf(a), intOf(b)));
  };
  EXPECT_EQ(ceil("10", "4"), "3");
  EXPECT_EQ(ceil("?M", "128"), "ceil(?M/128)");
  EXPECT_EQ(ceil("256*?M", "128"), "2*?M");
  EXPECT_EQ(ceil("6*?M*?K", "4*?K"), "ceil(3*?M/2)");
  EXPECT_EQ(ceil("ceil(?M/4)", "8"), "ceil(?M/32)");
  auto seven = [](llvm::StringRef) { return std::optional<int64_t>(7); };
  EXPECT_EQ(text(intOf("3*ceil(?M/4)").bind(seven)), "6");
}

TEST(Int, ComparesWhatIsKnown) {
  auto below = [](llvm::StringRef a, llvm::StringRef b) {
    return Int::knownLessEqual(intOf(a), intOf(b));
  };
  EXPECT_TRUE(below("4", "4*?M"));
  EXPECT_TRUE(below("2*?M", "3*?M*?K"));
  EXPECT_FALSE(below("?M", "4"));
  EXPECT_FALSE(below("5", "4*?M"));
  EXPECT_FALSE(below("?M", "?K"));
}

TEST(Int, ReportsMissingValuesAndOverflow) {
  auto none = [](llvm::StringRef) { return std::optional<int64_t>(); };
  auto zero = [](llvm::StringRef) { return std::optional<int64_t>(0); };
  auto large = [](llvm::StringRef) {
    return std::optional<int64_t>(INT64_MAX);
  };
  EXPECT_EQ(text(intOf("?M").bind(none)), "error: '?M' has no value");
  EXPECT_EQ(text(intOf("?M").bind(zero)),
            "error: '?M' must be at least 1, got 0");
  EXPECT_EQ(
      text(intOf("2*?M").bind(large)),
      "error: the product of 2 and 9223372036854775807 overflows 64 bits");
  EXPECT_EQ(text(Int::unknown("2M")),
            "error: '2M' names no unknown value: expected a letter or '_', "
            "then letters, digits or '_'");
}

TEST(Layout, HasSizeRankDepthAndCosize) {
  Layout layout = layoutOf("((2,3),4):((1,2),6)");
  EXPECT_EQ(layout.size(), Int(24));
  EXPECT_EQ(layout.rank(), 2u);
  EXPECT_EQ(layout.depth(), 2u);
  EXPECT_EQ(text(cosize(layout)), "24");
  EXPECT_EQ(text(cosize(layoutOf("(8,128):(1,16)"))), "2040");
  EXPECT_EQ(text(cosize(layoutOf("(8,3):(-2,1)"))), "17");
  EXPECT_EQ(text(cosize(layoutOf("7:0"))), "1");
  EXPECT_EQ(layoutOf("(4,?M):(?M,1)").size().str(), "4*?M");
  EXPECT_EQ(text(cosize(layoutOf("(1,4):(?M,2)"))), "7");
  EXPECT_EQ(text(cosize(layoutOf("(4,?M):(?M,1)"))),
            "error: cosize of '(4,?M):(?M,1)': '?M' must be static");
  EXPECT_EQ(Layout().str(), "1:0");
}

TEST(Layout, IsMadeCompact) {
  EXPECT_EQ(text(Layout::compact(tupleOf("((2,3),?M,4)"))),
            "((2,3),?M,4):((1,2),6,6*?M)");
  EXPECT_EQ(text(Layout::compactRowMajor(tupleOf("((2,3),4)"))),
            "((2,3),4):((12,4),1)");
}

TEST(Layout, RefusesWhatIsNone) {
  auto make = [](llvm::StringRef shape, llvm::StringRef stride) {
    return text(Layout::get(tupleOf(shape), tupleOf(stride)));
  };
  EXPECT_EQ(make("(2,3)", "(1,(2,3))"),
            "error: stride '(1,(2,3))' does not nest like shape '(2,3)'");
  EXPECT_EQ(make("(2,0)", "(1,2)"),
            "error: extent 0 of shape '(2,0)': expected at least 1");
  EXPECT_EQ(make("(4611686018427387904,2)", "(0,0)"),
            "error: size of shape '(4611686018427387904,2)': the product of "
            "4611686018427387904 and 2 overflows 64 bits");
  EXPECT_EQ(make("(2,2)", "(9223372036854775806,1)"),
            "error: the indices of '(2,2):(9223372036854775806,1)' overflow 64 "
            "bits at 2:1");
  EXPECT_EQ(make("2", "-9223372036854775808"),
            "error: the indices of '2:-9223372036854775808' overflow 64 bits "
            "at 2:-9223372036854775808");
}

TEST(Coordinates, HaveManyForms) {
  Layout layout = layoutOf("((2,3),4):((100,10),1)");
  for (const char *form : {"9", "(3,1)", "((1,1),1)"})
    EXPECT_EQ(text(crd2idx(tupleOf(form), layout)), "111") << form;
  EXPECT_EQ(text(idx2crd(9, layout.shape())), "((1,1),1)");
  EXPECT_EQ(text(flatten(tupleOf("(3,1)"), layout.shape())), "9");
}

TEST(Coordinates, AreCheckedAgainstTheShape) {
  auto index = [](llvm::StringRef coordinate, llvm::StringRef layout) {
    return text(crd2idx(tupleOf(coordinate), layoutOf(layout)));
  };
  EXPECT_EQ(index("24", "((2,3),4):((1,2),6)"),
            "error: coordinate 24 is outside of '((2,3),4)': expected 0 to 23");
  EXPECT_EQ(index("(6,0)", "((2,3),4):((1,2),6)"),
            "error: coordinate 6 is outside of '(2,3)': expected 0 to 5");
  EXPECT_EQ(index("-1", "4:1"),
            "error: coordinate -1 of '4': expected at least 0");
  EXPECT_EQ(index("(1,2,3)", "(2,3):(1,2)"),
            "error: coordinate '(1,2,3)' does not nest like shape '(2,3)'");
  EXPECT_EQ(index("?M", "4:1"), "error: coordinate '?M' must be static");
}

TEST(Coordinates, NeedStaticValuesOnlyWhereTheyMatter) {
  auto index = [](llvm::StringRef coordinate, llvm::StringRef layout) {
    return text(crd2idx(tupleOf(coordinate), layoutOf(layout)));
  };
  EXPECT_EQ(index("(3,0)", "(4,?M):(1,?K)"), "3");
  EXPECT_EQ(index("9", "(4,?M):(1,8)"), "17");
  EXPECT_EQ(index("1", "(2*?M,4):(3,?K)"), "3");
  EXPECT_EQ(index("(3,1)", "(4,?M):(1,?K)"),
            "error: index of '(3,1)' in '(4,?M):(1,?K)': stride '?K' must be "
            "static");
  EXPECT_EQ(index("2", "(2*?M,4):(3,1)"),
            "error: coordinate 2 of '(2*?M,4)': extent '2*?M' must be static");
  EXPECT_EQ(index("4", "(2*?M,4):(3,1)"),
            "error: coordinate 4 of '(2*?M,4)': extent '2*?M' must be static");
  EXPECT_EQ(index("4", "?M:9223372036854775807"),
            "error: index of '4' in '?M:9223372036854775807' overflows 64 "
            "bits");
}

TEST(Coordinates, Slice) {
  Layout layout = layoutOf("(4,(2,3),5):(30,(1,2),6)");
  Slice part =
      llvm::cantFail(slice(layout, {IntTuple(2), std::nullopt, tupleOf("3")}));
  EXPECT_EQ(part.offset, 78);
  EXPECT_EQ(part.layout.str(), "(2,3):(1,2)");
  Slice all = llvm::cantFail(
      slice(layout, {IntTuple(0), tupleOf("(1,2)"), IntTuple(0)}));
  EXPECT_EQ(all.offset, 5);
  EXPECT_EQ(all.layout.str(), "1:0");
  EXPECT_EQ(message(slice(layout, {IntTuple(0)}).takeError()),
            "error: slice of '(4,(2,3),5):(30,(1,2),6)': expected 3 "
            "coordinates, got 1");
}

/// Merges a coordinate's tuples into integers, at random.
static IntTuple blur(const IntTuple &coordinate, const IntTuple &shape,
                     Cases &cases) {
  if (coordinate.isLeaf())
    return coordinate;
  if (cases.chance(40))
    return llvm::cantFail(flatten(coordinate, shape));
  std::vector<IntTuple> elements;
  for (unsigned i = 0; i < shape.rank(); ++i)
    elements.push_back(blur(coordinate.mode(i), shape.mode(i), cases));
  return IntTuple::tuple(elements);
}

TEST(Coordinates, OfAllFormsGiveTheIndexOfBruteForce) {
  Cases cases(201);
  for (int i = 0; i < 3000; ++i) {
    Layout layout = cases.any(4);
    SCOPED_TRACE(layout.str());
    Table indices = table(layout);
    ASSERT_EQ(layout.size(), Int(indices.size()));
    ASSERT_EQ(llvm::cantFail(cosize(layout)),
              *std::max_element(indices.begin(), indices.end()) + 1);
    for (int j = 0; j < 5; ++j) {
      int64_t flat = cases.number(0, indices.size() - 1);
      IntTuple full = llvm::cantFail(idx2crd(flat, layout.shape()));
      ASSERT_TRUE(congruent(full, layout.shape()));
      IntTuple form = blur(full, layout.shape(), cases);
      SCOPED_TRACE(form.str());
      ASSERT_EQ(llvm::cantFail(crd2idx(form, layout)), indices[flat]);
      ASSERT_EQ(llvm::cantFail(flatten(form, layout.shape())), flat);
      ASSERT_EQ(layout(flat), indices[flat]);
    }
  }
}
