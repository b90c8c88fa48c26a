//===- UnknownValuesTest.cpp - Results that hold for all values -----------===//
#include "UnknownValues.h"

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Product.h"
#include "fly/Layout/Recast.h"

using namespace fly::layout;

TEST(UnknownValues, ChangeNoResultOfTheAlgebra) {
  Cases cases(106);
  int composed = 0, complements = 0, inverses = 0;
  for (int i = 0; i < 12000; ++i) {
    Layout layout = cases.mixed(3);
    Symbolic symbols = hide(layout, cases);
    if (symbols.unknown.isStatic())
      continue;
    SCOPED_TRACE(symbols.unknown.str() + " for " + layout.str());
    ASSERT_EQ(reveal(symbols.unknown, symbols), layout);
    ASSERT_EQ(table(reveal(llvm::cantFail(coalesce(symbols.unknown)), symbols)),
              table(layout));
    Layout inner = cases.chance(50) ? cases.mixed(2) : cases.any(1, 8);
    if (auto result = maybe(composition(symbols.unknown, inner))) {
      SCOPED_TRACE(inner.str());
      composed += !result->isStatic();
      Table steps = table(inner), expected;
      Table outer =
          table(layout, *std::max_element(steps.begin(), steps.end()) + 1);
      for (int64_t step : steps)
        expected.push_back(outer[step]);
      ASSERT_EQ(table(reveal(*result, symbols)), expected);
    }
    int64_t size = cases.number(1, 200);
    // An extent that turns out to be 1 does not count, if it is known.
    auto result = maybe(complement(symbols.unknown, size));
    if (result && !symbols.values.count("v1")) {
      complements += !result->isStatic();
      ASSERT_EQ(table(reveal(*result, symbols)),
                table(llvm::cantFail(complement(layout, size))));
    }
    if (auto result = maybe(leftInverse(symbols.unknown))) {
      inverses += !result->isStatic();
      Table forward = table(layout);
      Table back = table(reveal(*result, symbols));
      for (size_t c = 0; c < forward.size(); ++c)
        ASSERT_EQ(back[forward[c]], int64_t(c));
    }
    if (auto result = maybe(rightInverse(symbols.unknown))) {
      Table forward = table(layout);
      Table back = table(reveal(*result, symbols));
      for (size_t index = 0; index < back.size(); ++index)
        ASSERT_EQ(forward[back[index]], int64_t(index));
    }
  }
  EXPECT_GT(composed, 400);
  EXPECT_GT(complements, 200);
  EXPECT_GT(inverses, 200);
}

TEST(UnknownValues, ChangeNoResultOfTiling) {
  Cases cases(107);
  int divided = 0, products = 0, recasted = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout layout = cases.chance(50) ? cases.any(1) : cases.mixed(3);
    Symbolic symbols = hide(layout, cases);
    if (symbols.unknown.isStatic())
      continue;
    SCOPED_TRACE(symbols.unknown.str() + " for " + layout.str());
    Layout tiler = cases.injective(2, true);
    if (auto result = maybe(logicalDivide(symbols.unknown, tiler))) {
      SCOPED_TRACE(tiler.str());
      ++divided;
      // Tile after tile; the last may reach beyond the end.
      Table tile = table(tiler);
      Table starts = table(llvm::cantFail(complement(tiler, layout.size())));
      Table elements = table(layout, starts.back() + tile.back() * 8 + 64);
      Table expected;
      for (int64_t start : starts)
        for (int64_t element : tile)
          expected.push_back(elements[start + element]);
      ASSERT_EQ(table(reveal(*result, symbols)), expected);
    }
    if (auto result = maybe(logicalProduct(symbols.unknown, tiler));
        result && !symbols.values.count("v1")) {
      ++products;
      ASSERT_EQ(table(reveal(*result, symbols)),
                table(llvm::cantFail(logicalProduct(layout, tiler))));
    }
    int64_t from = cases.pick<int64_t>({4, 8, 16}), to = 8;
    // A stride that turns out to be 1 may not be the one that splits.
    if (auto result = maybe(recast(symbols.unknown, from, to));
        result && !symbols.values.count("v1")) {
      ++recasted;
      ASSERT_EQ(table(reveal(*result, symbols)),
                table(llvm::cantFail(recast(layout, from, to))));
    }
  }
  EXPECT_GT(divided, 500);
  EXPECT_GT(products, 500);
  EXPECT_GT(recasted, 500);
}
