//===- ExtremeTest.cpp - Numbers at the ends of 64 bits -------------------===//
//
// Results of operations on layouts whose numbers nearly overflow are compared
// with arithmetic in 128 bits, at random coordinates. What overflows has to be
// an error; sanitizers see to the rest.
//
//===----------------------------------------------------------------------===//
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Product.h"
#include "fly/Layout/Recast.h"
#include "fly/Layout/ThreadValue.h"

#include "LayoutCases.h"

using namespace fly::layout;

using Wide = __int128;

/// The index of a flat coordinate, the last leaf unbounded.
static Wide wideIndex(const Layout &layout, Wide coordinate) {
  Wide index = 0;
  auto leaves = layout.leaves();
  for (size_t i = 0; i < leaves.size(); ++i) {
    Wide part = coordinate;
    if (i + 1 < leaves.size()) {
      part = coordinate % leaves[i].extent.factor();
      coordinate /= leaves[i].extent.factor();
    }
    index += part * leaves[i].stride.factor();
  }
  return index;
}

static int64_t extremeNumber(Cases &cases) {
  int64_t power = int64_t(1) << cases.number(0, 62);
  switch (cases.number(0, 5)) {
  case 0:
    return power - 1;
  case 1:
    return cases.chance(50) ? INT64_MAX : INT64_MIN;
  case 2:
    return -power;
  case 3:
    return cases.number(0, 8);
  default:
    return power;
  }
}

static std::optional<Layout> extremeLayout(Cases &cases) {
  std::vector<Leaf> leaves(cases.number(1, 3));
  for (Leaf &leaf : leaves) {
    leaf.extent = cases.chance(40) ? cases.extent() : extremeNumber(cases);
    leaf.stride = extremeNumber(cases);
  }
  return maybe(Layout::fromLeaves(leaves));
}

TEST(ExtremeNumbers, GiveExactResultsOrErrors) {
  Cases cases(901);
  int layouts = 0, composed = 0, inverses = 0, divided = 0, overflows = 0;
  for (int i = 0; i < 60000; ++i) {
    std::optional<Layout> a = extremeLayout(cases), b = extremeLayout(cases);
    if (!a || !b) {
      ++overflows;
      continue;
    }
    ++layouts;
    SCOPED_TRACE(a->str() + " and " + b->str());
    auto coordinateOf = [&](const Layout &layout) {
      int64_t size = layout.size().factor();
      return cases.chance(30)
                 ? size - 1
                 : int64_t((uint64_t(cases.engine()) << 32 | cases.engine()) %
                           uint64_t(size));
    };
    int64_t c = coordinateOf(*a);
    ASSERT_EQ(Wide((*a)(c)), wideIndex(*a, c));
    ASSERT_EQ(llvm::cantFail(crd2idx(c, *a)), (*a)(c));
    if (auto flat = maybe(coalesce(*a)))
      ASSERT_EQ((*flat)(c), (*a)(c));
    if (auto both = maybe(composition(*a, *b))) {
      ++composed;
      int64_t d = coordinateOf(*b);
      // As the outer layout counts once its last leaf is unbounded.
      ASSERT_EQ(Wide((*both)(d)), wideIndex(*a, wideIndex(*b, d)));
    }
    if (auto inverse = maybe(leftInverse(*a))) {
      ++inverses;
      ASSERT_EQ(wideIndex(*inverse, (*a)(c)), Wide(c));
    }
    if (auto inverse = maybe(rightInverse(*a))) {
      int64_t d = coordinateOf(*inverse);
      ASSERT_EQ(wideIndex(*a, (*inverse)(d)), Wide(d));
    }
    if (auto parts = maybe(logicalDivide(*a, Tiler(*b)))) {
      ++divided;
      int64_t d = coordinateOf(*b);
      ASSERT_EQ(Wide((*parts)(d)), wideIndex(*a, wideIndex(*b, d)));
    }
    // Others only have to be without harm here.
    maybe(complement(*a, extremeNumber(cases)));
    holds(checkCovers(*a, extremeNumber(cases)));
    maybe(blockedProduct(*a, *b));
    maybe(rakedProduct(*a, *b));
    maybe(recast(*a, cases.number(1, 64), cases.number(1, 64)));
    maybe(upcast(*a, extremeNumber(cases)));
    maybe(downcast(*a, extremeNumber(cases)));
    holds(checkThreadValue(*a, extremeNumber(cases)));
    maybe(idx2crd(extremeNumber(cases), a->shape()));
    maybe(crd2idx(extremeNumber(cases),
                  ComposedLayout(*a, extremeNumber(cases), *b)));
  }
  EXPECT_GT(layouts, 5000);
  EXPECT_GT(composed, 1000);
  EXPECT_GT(inverses, 1000);
  EXPECT_GT(divided, 500);
  EXPECT_GT(overflows, 5000);
}
