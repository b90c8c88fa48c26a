//===- TilingTest.cpp - Division and products -----------------------------===//
//
// The starts of tiles and copies are found here by taking the least index that
// is not reached yet, which is what the complement has to be equal to.
//
//===----------------------------------------------------------------------===//
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Product.h"

#include <set>

#include "LayoutCases.h"

using namespace fly::layout;

TEST(Divide, GivesKnownResults) {
  auto divide = [](llvm::StringRef layout, llvm::StringRef tiler) {
    return text(logicalDivide(layoutOf(layout), tilerOf(tiler)));
  };
  EXPECT_EQ(divide("(14,6,9):(19,69,1)", "(2,3,6):(7,14,1)"),
            "((2,3,6),(2,9)):((133,69,19),(207,1))");
  EXPECT_EQ(divide("(4,2,3):(2,1,8)", "4:2"), "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(divide("(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"),
            "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  EXPECT_EQ(divide("(9,8):(8,1)", "<_,4>"), "(9,(4,2)):(8,(1,4))");
  EXPECT_EQ(divide("(?M,?K):(?K,1)", "<128,64>"),
            "((128,ceil(?M/128)),(64,ceil(?K/64))):((?K,128*?K),(1,64))");
}

TEST(Divide, ArrangesModes) {
  Layout layout = layoutOf("(8,6,5):(1,8,48)");
  Tiler tiler = tilerOf("<4,3>");
  EXPECT_EQ(text(logicalDivide(layout, tiler)),
            "((4,2),(3,2),5):((1,4),(8,24),48)");
  EXPECT_EQ(text(zippedDivide(layout, tiler)),
            "((4,3),(2,2,5)):((1,8),(4,24,48))");
  EXPECT_EQ(text(tiledDivide(layout, tiler)), "((4,3),2,2,5):((1,8),4,24,48)");
  EXPECT_EQ(text(flatDivide(layout, tiler)), "(4,3,2,2,5):(1,8,4,24,48)");
  EXPECT_EQ(text(zippedDivide(layout, tilerOf("<_,3>"))),
            "((3),(8,2,5)):((8),(1,24,48))");
  // One tiler for all: only the rest, or both, are taken apart.
  layout = layoutOf("(8,6,5):(1,8,50)");
  Tiler whole = tilerOf("(2,2):(1,8)");
  EXPECT_EQ(text(zippedDivide(layout, whole)),
            "((2,2),(4,(3,5))):((1,8),(2,(16,50)))");
  EXPECT_EQ(text(tiledDivide(layout, whole)),
            "((2,2),4,(3,5)):((1,8),2,(16,50))");
  EXPECT_EQ(text(flatDivide(layout, whole)), "(2,2,4,(3,5)):(1,8,2,(16,50))");
}

TEST(Divide, NamesWhatIsWrong) {
  EXPECT_EQ(text(logicalDivide(layoutOf("(8,2):(1,8)"), tilerOf("<4,2,1>"))),
            "error: division of '(8,2):(1,8)' by '<4:1,2:1,1:1>': expected at "
            "most 2 entries, got 3");
  EXPECT_EQ(text(logicalDivide(layoutOf("(9,2):(1,16)"), tilerOf("4"))),
            "error: division of '(9,2):(1,16)' by '4:1': composition of "
            "'(9,2):(1,16)' with '(4,5):(1,4)': stride 4 left of '5:4' at "
            "'9:1': expected a divisor or a multiple of 9, got 4");
  EXPECT_EQ(text(zippedDivide(layoutOf("8:1"), tilerOf("_"))),
            "error: division of '8:1' by '_': expected a layout or a list");
  EXPECT_EQ(text(zippedDivide(layoutOf("(8,8):(1,8)"), tilerOf("<_,_>"))),
            "error: division of '(8,8):(1,8)' by '<_,_>': expected an entry "
            "other than '_'");
  EXPECT_EQ(message(checkCovers(layoutOf("(8,9):(1,8)"), tilerOf("<4,4>"))),
            "error: repetitions of '4:1' reach beyond 9, which is not known to "
            "divide by 4");
  EXPECT_TRUE(holds(checkCovers(layoutOf("(8,9):(1,8)"), tilerOf("<4,_>"))));
}

TEST(Product, GivesKnownResults) {
  auto product = [](auto function, llvm::StringRef a, llvm::StringRef b) {
    return text(function(layoutOf(a), layoutOf(b)));
  };
  EXPECT_EQ(product(blockedProduct, "(3,6):(6,1)", "(4,5):(1,4)"),
            "((3,4),(6,5)):((6,18),(1,72))");
  EXPECT_EQ(product(rakedProduct, "8:1", "4:1"), "(4,8):(8,1)");
  EXPECT_EQ(product(blockedProduct, "2:2", "6:1"), "(2,(2,3)):(2,(1,4))");
  EXPECT_EQ(product(rakedProduct, "(3,6):(6,1)", "(4,5):(1,4)"),
            "((4,3),(5,6)):((18,6),(72,1))");
  EXPECT_EQ(product(blockedProduct, "8:1", "(2,3):(3,1)"),
            "((8,2),(1,3)):((1,24),(0,8))");
  EXPECT_EQ(product(logicalProduct, "(2,2):(4,1)", "6:1"),
            "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(product(logicalProduct, "(2,2):(4,1)", "(4,2):(2,1)"),
            "((2,2),(4,2)):((4,1),(8,2))");
  EXPECT_EQ(product(logicalProduct, "8:1", "?M:1"), "(8,?M):(1,8)");
}

TEST(Product, ArrangesModes) {
  Layout block = layoutOf("(8,6,5):(1,8,48)");
  Tiler tiler = tilerOf("<4,3>");
  EXPECT_EQ(text(logicalProduct(block, tiler)),
            "((8,4),(6,3),5):((1,8),(8,1),48)");
  Layout plain = layoutOf("(2,5):(5,1)");
  Tiler copies = tilerOf("<3:5,4:1>");
  EXPECT_EQ(text(zippedProduct(plain, copies)), "((2,5),(3,4)):((5,1),(10,5))");
}

TEST(Product, NamesWhatIsWrong) {
  EXPECT_EQ(text(logicalProduct(layoutOf("(2,2):(2,3)"), tilerOf("4"))),
            "error: product of '(2,2):(2,3)' and '4:1': complement of "
            "'(2,2):(2,3)': its modes overlap or interleave: expected a stride "
            "of at least 4, got 3");
  EXPECT_EQ(text(logicalProduct(layoutOf("8:1"), tilerOf("(2,?M):(?M,1)"))),
            "error: product of '8:1' and '(2,?M):(?M,1)': cosize of "
            "'(2,?M):(?M,1)': '?M' must be static");
}

/// The starts of the copies of `block`, each at the least index that no copy
/// has reached, below `size`.
static Table startsOfCopies(const Table &block, int64_t size) {
  Table starts;
  std::set<int64_t> reached;
  for (int64_t start = 0; start < size; ++start) {
    if (reached.count(start))
      continue;
    starts.push_back(start);
    for (int64_t index : block)
      reached.insert(start + index);
  }
  return starts;
}

TEST(TilingProperty, DivisionGivesTileAfterTile) {
  Cases cases(401);
  int divided = 0, byMode = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout layout =
        cases.chance(50) ? cases.mixed(3) : cases.injective(1, true);
    Layout tiler = cases.injective(2, true);
    SCOPED_TRACE(layout.str() + " by " + tiler.str());
    int64_t size = layout.size().factor();
    if (!holds(checkCovers(tiler, size)))
      continue;
    std::optional<Layout> result = maybe(logicalDivide(layout, tiler));
    if (!result)
      continue;
    ++divided;
    ASSERT_EQ(result->rank(), 2u);
    Table elements = table(layout), tile = table(tiler);
    Table expected;
    for (int64_t start : startsOfCopies(tile, size))
      for (int64_t element : tile)
        expected.push_back(elements[start + element]);
    ASSERT_EQ(table(*result), expected);
    // By mode: the same in each mode, whatever the arrangement.
    Layout other = cases.any(2);
    Layout pair = llvm::cantFail(Layout::fromModes({layout, other}));
    Tiler both = Tiler::list({tiler, Tiler::keep()});
    Layout logical = llvm::cantFail(logicalDivide(pair, both));
    ASSERT_EQ(logical.mode(0), *result);
    ASSERT_EQ(logical.mode(1), other);
    Layout zipped = llvm::cantFail(zippedDivide(pair, both));
    ASSERT_EQ(zipped.mode(0).mode(0), result->mode(0));
    ASSERT_EQ(zipped.mode(1).mode(0), result->mode(1));
    ASSERT_EQ(zipped.mode(1).mode(1), other);
    ASSERT_EQ(llvm::cantFail(tiledDivide(pair, both)).mode(2), other);
    ASSERT_EQ(llvm::cantFail(flatDivide(pair, both)).rank(), 3u);
    byMode += result->mode(0).rank() > 1;
  }
  EXPECT_GT(divided, 1500);
  EXPECT_GT(byMode, 300);
}

TEST(TilingProperty, ProductsRepeatTheBlock) {
  Cases cases(402);
  int products = 0, scattered = 0;
  for (int i = 0; i < 8000; ++i) {
    Layout block = cases.injective(3, true);
    Layout tiler =
        cases.chance(70) ? cases.injective(2, true) : cases.any(2, 9);
    SCOPED_TRACE(block.str() + " x " + tiler.str());
    std::optional<Layout> result = maybe(logicalProduct(block, tiler));
    if (!result)
      continue;
    ++products;
    Table own = table(block), copies = table(tiler);
    int64_t last = *std::max_element(copies.begin(), copies.end());
    Table starts = startsOfCopies(
        own, (last + 1) * *std::max_element(own.begin(), own.end()) + last + 1);
    Table expected;
    for (int64_t copy : copies)
      for (int64_t index : own)
        expected.push_back(starts[copy] + index);
    ASSERT_EQ(table(*result), expected);
    ASSERT_EQ(result->mode(0), block);
    // The gaps of a block hold copies too.
    scattered += starts.size() > 1 && starts[1] < own.back();

    for (bool blocked : {true, false}) {
      Layout mixed = llvm::cantFail(blocked ? blockedProduct(block, tiler)
                                            : rakedProduct(block, tiler));
      unsigned rank = std::max(block.rank(), tiler.rank());
      if (rank > 1)
        ASSERT_EQ(mixed.rank(), rank);
      Table all = table(mixed);
      std::multiset<int64_t> a(all.begin(), all.end());
      std::multiset<int64_t> b(expected.begin(), expected.end());
      ASSERT_EQ(a, b);
      if (rank == 1)
        continue;
      for (unsigned m = 0; m < rank; ++m) {
        Layout mode = mixed.mode(m);
        if (m < block.rank())
          ASSERT_EQ(mode.mode(blocked ? 0 : 1), block.mode(m));
        else
          ASSERT_EQ(mode.mode(blocked ? 0 : 1), Layout());
        Layout copy = m < tiler.rank() ? result->mode(1).mode(m) : Layout();
        if (tiler.rank() == rank)
          ASSERT_EQ(mode.mode(blocked ? 1 : 0), copy);
      }
    }
  }
  EXPECT_GT(products, 4000);
  EXPECT_GT(scattered, 500);
}
