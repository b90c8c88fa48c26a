//===- AlgebraPropertyTest.cpp - The algebra against brute force ----------===//
//
// Random layouts, operations, and what their results must be point by point.
// Each property counts how often the operation succeeded: a property of results
// that do not exist would hold too.
//
//===----------------------------------------------------------------------===//
#include "fly/Layout/Algebra.h"

#include <set>

#include "LayoutCases.h"

using namespace fly::layout;

/// The fewest leaves of a layout with this table: its first leaf is as long as
/// the table counts on evenly, and the rest repeats that.
static unsigned fewestLeaves(Table table) {
  unsigned count = 0;
  while (table.size() > 1) {
    size_t length = 1;
    while (length < table.size() &&
           table[length] - table[0] == int64_t(length) * (table[1] - table[0]))
      ++length;
    Table rest;
    for (size_t i = 0; i < table.size(); i += length)
      rest.push_back(table[i]);
    table = rest;
    ++count;
  }
  return std::max(count, 1u);
}

TEST(AlgebraProperty, CoalesceKeepsTheFunctionAndIsMinimal) {
  Cases cases(101);
  for (int i = 0; i < 4000; ++i) {
    Layout layout = cases.mixed(5);
    SCOPED_TRACE(layout.str());
    Layout result = llvm::cantFail(coalesce(layout));
    ASSERT_EQ(table(result), table(layout));
    ASSERT_EQ(result.leaves().size(), fewestLeaves(table(layout)));
    ASSERT_LE(result.depth(), 1u);
    // By mode, each keeps its function.
    std::vector<IntTuple> profile(cases.number(1, layout.rank()), IntTuple(0));
    Layout byMode = llvm::cantFail(coalesce(layout, IntTuple::tuple(profile)));
    ASSERT_EQ(byMode.rank(), layout.rank());
    for (unsigned m = 0; m < layout.rank(); ++m) {
      ASSERT_EQ(table(byMode.mode(m)), table(layout.mode(m)));
      if (m < profile.size())
        ASSERT_EQ(byMode.mode(m).leaves().size(),
                  fewestLeaves(table(layout.mode(m))));
      else
        ASSERT_EQ(byMode.mode(m), layout.mode(m));
    }
  }
}

/// Checks that `fine` nests like `coarse`, whose leaves it may split.
static void expectRefines(const IntTuple &fine, const IntTuple &coarse) {
  ASSERT_TRUE(weaklyCongruent(coarse, fine));
  if (coarse.isLeaf()) {
    ASSERT_EQ(llvm::cantFail(product(fine)), coarse.leaf());
    return;
  }
  for (unsigned i = 0; i < coarse.rank(); ++i)
    expectRefines(fine.mode(i), coarse.mode(i));
}

TEST(AlgebraProperty, CompositionIsOneFunctionAfterTheOther) {
  Cases cases(102);
  int composed = 0, nested = 0, beyond = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout outer = cases.mixed(4);
    Layout inner = cases.chance(50) ? cases.mixed(2) : cases.any(2, 12);
    SCOPED_TRACE(outer.str() + " o " + inner.str());
    std::optional<Layout> result = maybe(composition(outer, inner));
    if (!result)
      continue;
    ++composed;
    expectRefines(result->shape(), inner.shape());
    Table steps = table(inner);
    int64_t last = *std::max_element(steps.begin(), steps.end());
    if (last > 100000)
      continue;
    Table outerTable = table(outer, last + 1);
    Table expected;
    for (int64_t step : steps)
      expected.push_back(outerTable[step]);
    ASSERT_EQ(table(*result), expected);
    nested += result->leaves().size() > inner.leaves().size();
    beyond += last >= outer.size().factor();
  }
  EXPECT_GT(composed, 4000);
  EXPECT_GT(nested, 500);
  EXPECT_GT(beyond, 500);
}

TEST(AlgebraProperty, ComplementIsDisjointOrderedAndCovers) {
  Cases cases(103);
  int complements = 0, covering = 0, holes = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout layout = cases.mixed(3);
    int64_t size = llvm::cantFail(cosize(layout)) * cases.number(1, 3) +
                   (cases.chance(50) ? cases.number(0, 5) : 0);
    if (cases.chance(50)) // Often a whole number of copies.
      size = (size + layout.size().factor() - 1) / layout.size().factor() *
             layout.size().factor();
    SCOPED_TRACE(layout.str() + " in " + std::to_string(size));
    std::optional<Layout> result = maybe(complement(layout, size));
    bool covers = holds(checkCovers(layout, size));
    if (!result) {
      ASSERT_FALSE(covers);
      continue;
    }
    ++complements;
    Table starts = table(*result);
    for (size_t s = 1; s < starts.size(); ++s)
      ASSERT_LT(starts[s - 1], starts[s]);
    // Each index of the layout, once.
    Table own = table(layout);
    std::set<int64_t> block(own.begin(), own.end());
    std::set<int64_t> all;
    for (int64_t start : starts)
      for (int64_t index : block)
        ASSERT_TRUE(all.insert(start + index).second);
    bool exact = all.size() == size_t(size) && *all.rbegin() == size - 1;
    ASSERT_EQ(covers, exact);
    covering += covers;
    // Without holes, nothing below the size is missing.
    if (holds(checkCovers(layout, int64_t(all.size()))))
      for (int64_t index = 0; index < size; ++index)
        ASSERT_TRUE(all.count(index));
    else
      ++holes;
  }
  EXPECT_GT(complements, 3000);
  EXPECT_GT(covering, 1000);
  EXPECT_GT(holes, 300);
}

TEST(AlgebraProperty, RightInverseCountsIndices) {
  Cases cases(104);
  int permutations = 0, partial = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout layout = cases.mixed(4);
    SCOPED_TRACE(layout.str());
    Layout inverse = llvm::cantFail(rightInverse(layout));
    Table forward = table(layout), back = table(inverse);
    for (size_t index = 0; index < back.size(); ++index)
      ASSERT_EQ(forward[back[index]], int64_t(index));
    // Of an injective layout it is the longest: the next index has no
    // coordinate.
    std::set<int64_t> image(forward.begin(), forward.end());
    if (image.size() != forward.size())
      continue;
    ASSERT_FALSE(image.count(back.size()));
    bool permutes = *image.rbegin() + 1 == int64_t(forward.size());
    ASSERT_EQ(permutes, back.size() == forward.size());
    permutations += permutes;
    partial += back.size() > 1 && !permutes;
  }
  EXPECT_GT(permutations, 1000);
  EXPECT_GT(partial, 500);
}

TEST(AlgebraProperty, LeftInverseFindsCoordinates) {
  Cases cases(105);
  int inverses = 0, refusals = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout layout = cases.mixed(4);
    SCOPED_TRACE(layout.str());
    Table forward = table(layout);
    std::set<int64_t> image(forward.begin(), forward.end());
    bool injective = image.size() == forward.size();
    std::optional<Layout> inverse = maybe(leftInverse(layout));
    if (inverse) {
      ++inverses;
      ASSERT_TRUE(injective);
      Table back = table(*inverse, *image.rbegin() + 1);
      ASSERT_GE(inverse->size().factor(), *image.rbegin() + 1);
      for (size_t c = 0; c < forward.size(); ++c)
        ASSERT_EQ(back[forward[c]], int64_t(c));
      continue;
    }
    ++refusals;
    // Refused only if not injective, or a stride does not divide the next.
    std::vector<int64_t> strides;
    for (const Leaf &leaf : layout.leaves())
      if (!leaf.extent.is(1))
        strides.push_back(leaf.stride.factor());
    llvm::sort(strides);
    bool chain = true;
    for (size_t s = 1; s < strides.size(); ++s)
      chain &= strides[s - 1] && strides[s] % strides[s - 1] == 0;
    ASSERT_TRUE(!injective || !chain);
  }
  EXPECT_GT(inverses, 2000);
  EXPECT_GT(refusals, 500);
}
