//===- ThreadValueTest.cpp - Partitions and tiled copies ------------------===//
#include "fly/Layout/TiledCopy.h"

#include <set>

#include "LayoutCases.h"

using namespace fly::layout;

TEST(ThreadValue, IsMadeOfThreadsAndValues) {
  auto make = [](llvm::StringRef threads, llvm::StringRef values) {
    llvm::Expected<ThreadValueTile> result =
        makeThreadValue(layoutOf(threads), layoutOf(values));
    if (!result)
      return message(result.takeError());
    return result->threadValue.str() + " in " + result->tile.str();
  };
  // Columns of 32 threads, each with four rows.
  EXPECT_EQ(make("(32,8):(1,32)", "(4,1):(1,0)"),
            "(256,4):(4,1) in <128:1,8:1>");
  // Rows of 8 threads, each with eight columns: a 16-byte copy of bf16.
  EXPECT_EQ(make("(32,8):(8,1)", "(1,8):(0,1)"),
            "((8,32),8):((256,1),32) in <32:1,64:1>");
  EXPECT_EQ(make("64:1", "4:1"), "(64,4):(4,1) in <256:1>");
  EXPECT_EQ(make("(4,2):(1,8)", "4:1"),
            "error: layout of threads '(4,2):(1,8)': expected each number from "
            "0 to 7 once, number 4 is missing or repeated");
  EXPECT_EQ(make("4:1", "?V:1"),
            "error: layout of values '?V:1': it must be static");
}

TEST(ThreadValue, PartitionsATensor) {
  // Row-major 4 x 8; two threads side by side, each with a 2 x 2 block.
  Layout tensor = layoutOf("(4,8):(8,1)");
  Layout threadValue = layoutOf("(2,(2,2)):(4,(1,2))");
  Layout mine =
      llvm::cantFail(partition(tensor, threadValue, tilerOf("<2,4>")));
  EXPECT_EQ(mine.str(), "(2,(2,2),(2,2)):(2,(8,1),(16,4))");
  Slice first = llvm::cantFail(threadSlice(mine, 1));
  EXPECT_EQ(first.offset, 2);
  EXPECT_EQ(first.layout.str(), "((2,2),(2,2)):((8,1),(16,4))");
  // Unknown extents: whole tiles where the text says so.
  EXPECT_EQ(text(partition(layoutOf("(2*?M,4):(?K,1)"), threadValue,
                           tilerOf("<2,4>"))),
            "(2,(2,2),(?M,1)):(2,(?K,1),(2*?K,0))");
}

TEST(ThreadValue, NamesWhatIsWrong) {
  Layout tensor = layoutOf("(5,8):(8,1)");
  Layout threadValue = layoutOf("(2,(2,2)):(4,(1,2))");
  Tiler tile = tilerOf("<2,4>");
  EXPECT_EQ(text(partition(tensor, threadValue, tile)),
            "error: partition of '(5,8):(8,1)' into tiles '<2:1,4:1>': "
            "repetitions of '2:1' reach beyond 5, which is not known to divide "
            "by 2");
  EXPECT_EQ(text(partition(tensor, threadValue, tile, TileEdge::Beyond)),
            "(2,(2,2),(3,2)):(2,(8,1),(16,4))");
  EXPECT_EQ(text(partition(tensor, threadValue, tilerOf("8"))),
            "error: partition of '(5,8):(8,1)': expected a list of tile modes, "
            "got '8:1'");
  EXPECT_EQ(
      text(partition(layoutOf("(4,8):(8,1)"), layoutOf("(2,2):(1,2)"), tile)),
      "error: thread-value layout '(2,2):(1,2)': expected each of the 8 "
      "elements of the tile once, got 4 values, which hold the elements "
      "0 to 3 and not 4");
  EXPECT_EQ(text(partition(layoutOf("(4,8):(8,1)"), layoutOf("8:1"), tile)),
            "error: thread-value layout '8:1': expected two static modes, of "
            "threads and values");
  EXPECT_EQ(text(partition(layoutOf("(?M,8):(8,1)"), layoutOf("(2,?M):(1,2)"),
                           tilerOf("<?M,_>"))),
            "error: partition of '(?M,8):(8,1)': the size '?M' of the tile "
            "'<?M:1,_>' must be static");
}

TEST(ThreadValue, ThreadsMayHoldCopies) {
  EXPECT_TRUE(holds(checkThreadValue(layoutOf("((4,2),2):((1,0),4)"), 8)));
  EXPECT_FALSE(holds(checkThreadValue(layoutOf("(4,(2,2)):(1,(0,4))"), 8)));
  EXPECT_FALSE(holds(checkThreadValue(layoutOf("(4,2):(1,2)"), 8)));
}

namespace {
/// A random tile with a random bijection onto it.
struct RandomTile {
  explicit RandomTile(Cases &cases) {
    Layout numbers = cases.injective(4, false);
    auto leaves = numbers.leaves();
    unsigned split = cases.number(0, leaves.size());
    auto part = [&](unsigned from, unsigned to) {
      return llvm::cantFail(Layout::fromLeaves(
          llvm::ArrayRef<Leaf>(leaves).slice(from, to - from)));
    };
    threadValue = llvm::cantFail(
        Layout::fromModes({part(0, split), part(split, leaves.size())}));
    size = numbers.size().factor();
    // Two extents with that product.
    std::vector<int64_t> divisors;
    for (int64_t d = 1; d <= size; ++d)
      if (size % d == 0)
        divisors.push_back(d);
    rows = cases.pick(divisors);
    columns = size / rows;
    tile = llvm::cantFail(Tiler::blocks({rows, columns}));
    // A tensor of whole tiles, row-major or column-major, with padding.
    tileRows = cases.number(1, 3);
    tileColumns = cases.number(1, 3);
    int64_t height = rows * tileRows, width = columns * tileColumns;
    int64_t pad = cases.number(0, 3);
    rowStride = cases.chance(50) ? width + pad : 1;
    columnStride = rowStride == 1 ? height + pad : 1;
    tensor =
        llvm::cantFail(Layout::get(IntTuple::tuple({height, width}),
                                   IntTuple::tuple({rowStride, columnStride})));
  }

  /// The index of element `number` of tile (i,j).
  int64_t index(int64_t number, int64_t i, int64_t j) const {
    int64_t row = i * rows + number % rows;
    int64_t column = j * columns + number / rows;
    return row * rowStride + column * columnStride;
  }

  Layout threadValue, tensor;
  Tiler tile = Tiler::keep();
  int64_t size, rows, columns, tileRows, tileColumns, rowStride, columnStride;
};
} // namespace

TEST(ThreadValueProperty, EachElementHasOneOwner) {
  Cases cases(701);
  int partitions = 0;
  for (int i = 0; i < 2000; ++i) {
    RandomTile random(cases);
    SCOPED_TRACE(random.tensor.str() + " " + random.threadValue.str() + " " +
                 random.tile.str());
    // Not every bijection is a sum of steps in rows and in columns.
    std::optional<Layout> result =
        maybe(partition(random.tensor, random.threadValue, random.tile));
    if (!result)
      continue;
    ++partitions;
    const Layout &mine = *result;
    Table numbers = table(random.threadValue), indices = table(mine), expected;
    for (int64_t j = 0; j < random.tileColumns; ++j)
      for (int64_t t = 0; t < random.tileRows; ++t)
        for (int64_t number : numbers)
          expected.push_back(random.index(number, t, j));
    ASSERT_EQ(indices, expected);
    std::set<int64_t> once(indices.begin(), indices.end());
    ASSERT_EQ(once.size(), indices.size());
    Table all = table(random.tensor);
    ASSERT_EQ(once, std::set<int64_t>(all.begin(), all.end()));
    // The slices of the threads are its parts.
    Table slices;
    int64_t threads = mine.mode(0).size().factor();
    for (int64_t thread = 0; thread < threads; ++thread) {
      Slice part = llvm::cantFail(threadSlice(mine, thread));
      for (int64_t index : table(part.layout))
        slices.push_back(part.offset + index);
    }
    std::multiset<int64_t> again(slices.begin(), slices.end());
    ASSERT_EQ(again.size(), once.size());
    ASSERT_TRUE(std::equal(again.begin(), again.end(), once.begin()));
  }
  EXPECT_GT(partitions, 1000);
}

TEST(TiledCopy, PartitionsBothSides) {
  // Four threads read a row of four elements each and write a column each.
  CopyAtom atom{layoutOf("(4,4):(4,1)"), layoutOf("(4,4):(1,4)"),
                layoutOf("(4,4):(4,1)")};
  TiledCopy copy = llvm::cantFail(
      TiledCopy::get(atom, layoutOf("(4,4):(1,4)"), tilerOf("<4,4>")));
  EXPECT_EQ(copy.threads(), 4);
  Layout rows = layoutOf("(4,8):(8,1)");
  EXPECT_EQ(text(copy.partitionSource(rows)),
            "(4,(4,1),(1,2)):(8,(1,0),(0,4))");
  EXPECT_EQ(text(copy.partitionDestination(rows)),
            "(4,(4,1),(1,2)):(1,(8,0),(0,4))");
}

TEST(TiledCopy, NamesWhatIsWrong) {
  auto make = [](CopyAtom atom, llvm::StringRef threadValue,
                 llvm::StringRef tile) {
    llvm::Expected<TiledCopy> copy =
        TiledCopy::get(std::move(atom), layoutOf(threadValue), tilerOf(tile));
    return copy ? "" : message(copy.takeError());
  };
  CopyAtom atom = llvm::cantFail(CopyAtom::vector(4));
  EXPECT_EQ(make(atom, "(8,2):(2,1)", "<4,4>"),
            "error: tiled copy by '(8,2):(2,1)': expected a multiple of the "
            "atom's 4 values, got 2");
  EXPECT_EQ(make(atom, "(8,4):(4,1)", "<4,4>"),
            "error: thread-value layout '(8,4):(4,1)': expected each of the 16 "
            "elements of the tile once, got 32 values, which hold the elements "
            "0 to 31 and not 32");
  EXPECT_EQ(make(atom, "(4,4):(4,1)", "<4,_>"),
            "error: tiled copy over '<4:1,_>': expected a list of layouts");
  CopyAtom uneven{layoutOf("(2,2):(1,2)"), layoutOf("(4,1):(1,0)"),
                  layoutOf("(2,2):(1,2)")};
  EXPECT_EQ(make(uneven, "(4,4):(4,1)", "<4,4>"),
            "error: copy atom: expected 2 threads on each side, got 4 in "
            "'(4,1):(1,0)'");
  CopyAtom partial{layoutOf("(2,2):(1,4)"), layoutOf("(2,2):(1,2)"),
                   layoutOf("(2,2):(1,2)")};
  EXPECT_EQ(make(partial, "(4,4):(4,1)", "<4,4>"),
            "error: copy atom: thread-value layout '(2,2):(1,4)': expected "
            "each of the 4 elements of the tile once, got 4 values, which hold "
            "the elements 0 to 1 and not 2");
}

/// Threads and values of an atom, as one of its layouts.
static Layout atomLayout(int64_t threads, int64_t values, bool transposed) {
  return llvm::cantFail(Layout::get(IntTuple::tuple({threads, values}),
                                    transposed ? IntTuple::tuple({1, threads})
                                               : IntTuple::tuple({values, 1})));
}

TEST(TiledCopyProperty, MovesEachElementByTheAtom) {
  Cases cases(702);
  int transposing = 0, copies = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomTile random(cases);
    int64_t threads = random.threadValue.mode(0).size().factor();
    int64_t values = random.threadValue.mode(1).size().factor();
    auto divisorOf = [&](int64_t n) {
      int64_t d = cases.number(1, n);
      while (n % d)
        --d;
      return d;
    };
    int64_t atomThreads = divisorOf(threads), atomValues = divisorOf(values);
    bool sourceTransposed = cases.chance(50), destTransposed = cases.chance(50);
    CopyAtom atom{atomLayout(atomThreads, atomValues, sourceTransposed),
                  atomLayout(atomThreads, atomValues, destTransposed),
                  atomLayout(atomThreads, atomValues, false)};
    SCOPED_TRACE(random.threadValue.str() + " " + random.tile.str() + " atom " +
                 atom.source.str() + " to " + atom.destination.str());
    std::optional<TiledCopy> copy =
        maybe(TiledCopy::get(atom, random.threadValue, random.tile));
    if (!copy)
      continue;
    Table tileElements = table(random.threadValue);
    for (bool source : {true, false}) {
      llvm::Expected<Layout> side =
          source ? copy->partitionSource(random.tensor)
                 : copy->partitionDestination(random.tensor);
      std::optional<Layout> result = maybe(std::move(side));
      if (!result)
        continue;
      ++copies;
      const Layout &mine = *result;
      bool transposed = source ? sourceTransposed : destTransposed;
      ASSERT_EQ(mine.mode(0).size(), Int(threads));
      ASSERT_EQ(mine.mode(1).mode(0).size(), Int(atomValues));
      Table expected;
      for (int64_t j = 0; j < random.tileColumns; ++j)
        for (int64_t r = 0; r < random.tileRows; ++r)
          for (int64_t value = 0; value < values; ++value)
            for (int64_t thread = 0; thread < threads; ++thread) {
              // The element of the atom, and who has it by the reference.
              int64_t t = thread % atomThreads, v = value % atomValues;
              int64_t element =
                  transposed ? t + v * atomThreads : t * atomValues + v;
              int64_t owner = thread - t + element / atomValues;
              int64_t place = value - v + element % atomValues;
              expected.push_back(
                  random.index(tileElements[owner + place * threads], r, j));
            }
      ASSERT_EQ(table(mine), expected);
    }
    transposing +=
        sourceTransposed != destTransposed && atomThreads > 1 && atomValues > 1;
  }
  EXPECT_GT(copies, 1500);
  EXPECT_GT(transposing, 100);
}
