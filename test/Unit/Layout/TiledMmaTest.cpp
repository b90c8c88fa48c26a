//===- TiledMmaTest.cpp - Matrix products by many waves -------------------===//
//
// The atoms are the matrix instructions of the chip tables: their lane maps are
// functions there, from which layouts are fitted here.
//
//===----------------------------------------------------------------------===//
#include "fly/Layout/TiledMma.h"

#include "fly/Arch/MfmaTable.h"
#include "fly/Layout/Coordinates.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

#include "LayoutCases.h"

using namespace fly;
using namespace fly::layout;

/// The layout with this table, which has one.
static Layout fit(Table table) {
  std::vector<Leaf> leaves;
  while (table.size() > 1) {
    size_t length = 1;
    while (length < table.size() && table[length] == int64_t(length) * table[1])
      ++length;
    leaves.push_back({int64_t(length), table[1]});
    Table rest;
    for (size_t i = 0; i < table.size(); i += length)
      rest.push_back(table[i]);
    table = rest;
  }
  return llvm::cantFail(Layout::fromLeaves(leaves));
}

/// The layout of an operand from its lane map. Elements are numbered
/// row + rows * column.
template <typename LaneMap>
static Layout operandLayout(unsigned lanes, unsigned elements, unsigned rows,
                            LaneMap map) {
  Table byLane, byElement;
  auto number = [&](unsigned lane, unsigned element) {
    arch::LaneCoordinate at = map(lane, element);
    return int64_t(at.row) + int64_t(rows) * at.col;
  };
  for (unsigned lane = 0; lane < lanes; ++lane)
    byLane.push_back(number(lane, 0));
  for (unsigned element = 0; element < elements; ++element)
    byElement.push_back(number(0, element));
  Layout result =
      llvm::cantFail(Layout::fromModes({fit(byLane), fit(byElement)}));
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned element = 0; element < elements; ++element)
      EXPECT_EQ(result(lane + int64_t(element) * lanes), number(lane, element));
  return result;
}

static MmaAtom atomOf(const arch::MfmaRow &row, unsigned lanes) {
  auto input = [&](arch::ElementType type) {
    return [&row, type](unsigned lane, unsigned element) {
      return arch::inputCoordinate(row, lane, element, type);
    };
  };
  arch::ElementType a = row.a, b = row.b;
  if (a == arch::ElementType::F8F6F4)
    a = b = arch::ElementType::Fp8;
  return {row.m,
          row.n,
          row.k,
          operandLayout(lanes, row.aElements, row.m, input(a)),
          operandLayout(lanes, row.bElements, row.n, input(b)),
          operandLayout(lanes, row.cElements, row.m,
                        [&](unsigned lane, unsigned element) {
                          return arch::outputCoordinate(row, lane, element);
                        })};
}

/// Where a brute-force walk finds element `value` of `thread`: row and column
/// of the operand.
using Position = std::pair<int64_t, int64_t>;

/// Checks a partition of `tensor`: each element of each thread lies where wave,
/// block and lane say, and each element of the tensor belongs to one value of
/// the threads that share the operand.
static void expectPartition(const TiledMma &product, MmaOperand operand,
                            const Layout &atom, int64_t rows, int64_t columns,
                            llvm::ArrayRef<int64_t> waves, unsigned first,
                            unsigned second, const Layout &waveLayout,
                            llvm::ArrayRef<int64_t> repeat) {
  int64_t height = rows * waves[first] * repeat[first];
  int64_t width = columns * waves[second] * repeat[second];
  Layout tensor = llvm::cantFail(Layout::get(IntTuple::tuple({height, width}),
                                             IntTuple::tuple({width, 1})));
  Layout mine = llvm::cantFail(product.partition(operand, tensor));
  int64_t lanes = product.lanes();
  int64_t held = atom.mode(1).size().factor();
  std::map<int64_t, int> owners;
  // Waves by their coordinates, as the layout of waves numbers them.
  for (int64_t flat = 0; flat < waveLayout.size().factor(); ++flat) {
    int64_t at[3] = {flat % waves[0], flat / waves[0] % waves[1],
                     flat / waves[0] / waves[1]};
    int64_t wave = waveLayout(flat);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      IntTuple where =
          llvm::cantFail(product.coordinate(operand, wave * lanes + lane));
      Slice part = llvm::cantFail(threadSlice(mine, where));
      Table values = table(part.layout);
      ASSERT_EQ(int64_t(values.size()), held * repeat[first] * repeat[second]);
      size_t next = 0;
      for (int64_t j = 0; j < repeat[second]; ++j)
        for (int64_t i = 0; i < repeat[first]; ++i)
          for (int64_t element = 0; element < held; ++element) {
            int64_t number = atom(lane + element * lanes);
            int64_t row = (i * waves[first] + at[first]) * rows + number % rows;
            int64_t column =
                (j * waves[second] + at[second]) * columns + number / rows;
            int64_t index = part.offset + values[next++];
            ASSERT_EQ(index, row * width + column);
            ++owners[index];
          }
    }
  }
  int64_t sharing =
      waves[0] * waves[1] * waves[2] / waves[first] / waves[second];
  ASSERT_EQ(int64_t(owners.size()), height * width);
  for (const auto &[index, count] : owners)
    ASSERT_EQ(count, sharing) << index;
}

TEST(TiledMma, PartitionsForEveryMatrixInstruction) {
  Cases cases(801);
  const unsigned lanes = *arch::ArchInfo::lookup("gfx942")->waveSize;
  int instructions = 0;
  for (const arch::MfmaRow &row : arch::mfmaTable()) {
    if (row.blocks != 1)
      continue;
    ++instructions;
    SCOPED_TRACE(row.mnemonic);
    MmaAtom atom = atomOf(row, lanes);
    int64_t waves[3] = {cases.number(1, 2), cases.number(1, 2),
                        cases.number(1, 2)};
    int64_t repeat[3] = {cases.number(1, 2), cases.number(1, 2),
                         cases.number(1, 2)};
    std::string shape =
        llvm::formatv("({0},{1},{2})", waves[0], waves[1], waves[2]);
    Layout waveLayout =
        cases.chance(50)
            ? llvm::cantFail(Layout::compact(tupleOf(shape)))
            : llvm::cantFail(Layout::compactRowMajor(tupleOf(shape)));
    TiledMma product = llvm::cantFail(TiledMma::get(atom, waveLayout));
    EXPECT_EQ(product.threads(),
              int64_t(lanes) * waves[0] * waves[1] * waves[2]);
    expectPartition(product, MmaOperand::A, atom.a, row.m, row.k, waves, 0, 2,
                    waveLayout, repeat);
    expectPartition(product, MmaOperand::B, atom.b, row.n, row.k, waves, 1, 2,
                    waveLayout, repeat);
    expectPartition(product, MmaOperand::C, atom.c, row.m, row.n, waves, 0, 1,
                    waveLayout, repeat);
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_GT(instructions, 20);
}

/// A product of 2 x 2 x 2 by four lanes.
static MmaAtom smallAtom() {
  return {2,
          2,
          2,
          layoutOf("((2,2),1):((1,2),0)"),
          layoutOf("((2,2),1):((1,2),0)"),
          layoutOf("((2,2),1):((2,1),0)")};
}

TEST(TiledMma, PermutesCoordinates) {
  TiledMma::Permutations permutations;
  // Waves take every other pair of rows.
  permutations[0] = layoutOf("(2,2,2):(1,4,2)");
  TiledMma product = llvm::cantFail(
      TiledMma::get(smallAtom(), layoutOf("(2,1,1):(1,0,0)"), permutations));
  Layout mine =
      llvm::cantFail(product.partition(MmaOperand::C, layoutOf("(8,2):(1,8)")));
  std::set<int64_t> rows;
  for (int64_t lane = 0; lane < 4; ++lane) {
    IntTuple where =
        llvm::cantFail(product.coordinate(MmaOperand::C, 4 + lane));
    Slice part = llvm::cantFail(threadSlice(mine, where));
    for (int64_t index : table(part.layout))
      rows.insert((part.offset + index) % 8);
  }
  // Of (0,1), (4,5), (2,3), (6,7) wave 1 has the second and the last.
  EXPECT_EQ(rows, (std::set<int64_t>{4, 5, 6, 7}));
}

TEST(TiledMma, NamesWhatIsWrong) {
  auto make = [](MmaAtom atom, llvm::StringRef waves,
                 TiledMma::Permutations permutations = {}) {
    llvm::Expected<TiledMma> product =
        TiledMma::get(std::move(atom), layoutOf(waves), permutations);
    return product ? "" : message(product.takeError());
  };
  EXPECT_EQ(
      make(smallAtom(), "(2,2):(1,2)"),
      "error: layout of waves '(2,2):(1,2)': expected three static modes, "
      "of m, n and k");
  EXPECT_EQ(make(smallAtom(), "(2,2,1):(1,4,0)"),
            "error: layout of waves '(2,2,1):(1,4,0)': expected each number "
            "from 0 to 3 once, number 2 is missing or repeated");
  MmaAtom partial = smallAtom();
  partial.b = layoutOf("((2,2),1):((1,3),0)");
  EXPECT_EQ(
      make(partial, "(1,1,1):(0,0,0)"),
      "error: operand B of the matrix atom: thread-value layout "
      "'((2,2),1):((1,3),0)': expected each of the 4 elements of the "
      "tile once, got 4 values, which hold the elements 0 to 1 and not 2");
  MmaAtom lanes = smallAtom();
  lanes.c = layoutOf("(2,2):(1,2)");
  EXPECT_EQ(make(lanes, "(1,1,1):(0,0,0)"),
            "error: operand C of the matrix atom: expected the 4 lanes of A, "
            "got 2");
  MmaAtom empty = smallAtom();
  empty.k = 0;
  EXPECT_EQ(make(empty, "(1,1,1):(0,0,0)"),
            "error: matrix atom: extent k: expected 1 to 1048576, got 0");
  EXPECT_EQ(make(smallAtom(), "(1,1,1):(0,0,0)", {layoutOf("(2,2):(1,4)")}),
            "error: permutation '(2,2):(1,4)' of m: expected each element "
            "once, element 2 is missing or repeated");

  TiledMma product =
      llvm::cantFail(TiledMma::get(smallAtom(), layoutOf("(2,1,1):(1,0,0)")));
  EXPECT_EQ(text(product.partition(MmaOperand::C, layoutOf("(6,2):(2,1)"))),
            "error: partition of '(6,2):(2,1)' by a matrix product: "
            "repetitions of '2:1' reach beyond 3, which is not known to divide "
            "by 2");
  EXPECT_EQ(text(product.partition(MmaOperand::C, layoutOf("8:1"))),
            "error: partition of '8:1' by a matrix product: expected two "
            "modes, got 1");
  EXPECT_EQ(text(product.partition(MmaOperand::C, layoutOf("(6,2):(2,1)"),
                                   TileEdge::Beyond)),
            "(((2,2),(2,1)),(1,(2,1))):(((1,2),(4,0)),(0,(8,0)))");
  EXPECT_EQ(text(product.coordinate(MmaOperand::A, 8)),
            "error: thread 8: expected 0 to 7");
}
