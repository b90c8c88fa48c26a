//===- LayoutCoverageTest.cpp - Every element has its holders -------------===//
//
// Brute force over tiles, wave grids and vectors: copies and accumulators hold
// each element of the tile exactly once; an operand is held whole by each row
// (or column) of waves; a slice gives each lane what its parent's registers
// need, each once.
//
//===----------------------------------------------------------------------===//
#include <set>

#include "LayoutFixture.h"

using namespace mlir;
using namespace fly;

namespace {

void expectOnce(const Coverage &coverage) {
  for (int count : coverage.counts)
    ASSERT_EQ(count, 1);
}

TEST_F(LayoutTest, BlockedHoldsEachElementOnce) {
  unsigned tried = 0;
  for (int64_t threads : {64, 256, 512})
    for (int64_t rows : {16, 17, 32, 60, 64, 112, 128, 256})
      for (int64_t columns : {16, 32, 64, 96, 128, 256})
        for (int64_t vector : {1, 2, 4, 8, 16}) {
          int64_t chunks = columns / vector;
          if (columns % vector || chunks > threads || threads % chunks)
            continue;
          SCOPED_TRACE(testing::Message()
                       << threads << " threads, " << rows << "x" << columns
                       << " by " << vector);
          auto layout =
              BlockedAttr::get(&context, {threads / chunks, chunks}, vector);
          int64_t shape[] = {rows, columns};
          ASSERT_TRUE(accepts(layout, shape));
          LaneMap map = layout.getLaneMap(shape);
          Coverage coverage = cover(map, shape, 0, threads);
          ASSERT_NO_FATAL_FAILURE(expectOnce(coverage));
          // Only a partial map may reach beyond the tile.
          ASSERT_EQ(map.partial != 0, coverage.outside > 0);
          ++tried;
        }
  EXPECT_GT(tried, 300u);
}

// A tile wider than the threads of a row takes several rounds of columns.
TEST_F(LayoutTest, BlockedRepeatsOverColumns) {
  auto layout = BlockedAttr::get(&context, {8, 8}, 4);
  int64_t shape[] = {24, 96};
  ASSERT_TRUE(accepts(layout, shape));
  LaneMap map = layout.getLaneMap(shape);
  EXPECT_EQ(map.registers, (SmallVector<int64_t, 3>{3, 3, 4}));
  expectOnce(cover(map, shape, 0, 64));
}

// Facts of the copy: thread t copies row t / c + (threads / c) * i, chunk t %
// c.
TEST_F(LayoutTest, BlockedIsTheCopyOfRowsInChunks) {
  int64_t shape[] = {128, 64}, threads = 256, vector = 8, c = 64 / vector;
  LaneMap map =
      BlockedAttr::get(&context, {threads / c, c}, vector).getLaneMap(shape);
  for (int64_t t = 0; t < threads; ++t)
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      int64_t i = reg / vector, v = reg % vector;
      auto at = map.evaluate(t, reg);
      ASSERT_EQ(at[0], t / c + (threads / c) * i);
      ASSERT_EQ(at[1], (t % c) * vector + v);
    }
}

TEST_F(LayoutTest, BlockedOfRankOneHoldsEachElementOnce) {
  for (int64_t extent : {64, 256, 1024}) {
    auto layout = BlockedAttr::get(&context, {64}, 1);
    ASSERT_TRUE(accepts(layout, {extent}));
    expectOnce(cover(layout.getLaneMap({extent}), {extent}, 0, 64));
  }
}

TEST_F(LayoutTest, MmaHoldsEachElementOnce) {
  unsigned tried = 0;
  for (int64_t block : {16, 32})
    for (bool transposed : {false, true})
      for (auto [wavesM, wavesN] : allWaveGrids())
        for (int64_t m : {16, 32, 48, 64, 96, 112, 128, 192, 256})
          for (int64_t n : {16, 32, 64, 128, 192, 256}) {
            auto layout = MmaAttr::get(&context, {block, block},
                                       {wavesM, wavesN}, transposed);
            int64_t shape[] = {m, n};
            bool fits = m % (wavesM * block) == 0 && n % (wavesN * block) == 0;
            ASSERT_EQ(accepts(layout, shape), fits);
            if (!fits)
              continue;
            SCOPED_TRACE(testing::Message()
                         << block << " block, " << wavesM << "x" << wavesN
                         << " waves, " << m << "x" << n);
            LaneMap map = layout.getLaneMap(shape);
            Coverage coverage = cover(map, shape, 0, 64 * wavesM * wavesN);
            ASSERT_NO_FATAL_FAILURE(expectOnce(coverage));
            ASSERT_EQ(coverage.outside, 0);
            ASSERT_EQ(int64_t(map.tails.size()),
                      m * n / (64 * wavesM * wavesN));
            ++tried;
          }
  EXPECT_GT(tried, 500u);
}

TEST_F(LayoutTest, OperandIsHeldWholeByEachRowOrColumnOfWaves) {
  unsigned tried = 0;
  for (OperandSide side : {OperandSide::A, OperandSide::B})
    for (int64_t block : {16, 32})
      for (auto [wavesM, wavesN] : allWaveGrids())
        for (int64_t rows : {16, 64, 96, 128})
          for (int64_t k : {16, 32, 96, 128})
            for (int64_t pack : {4, 8, 16}) {
              auto parent = MmaAttr::get(&context, {block, block},
                                         {wavesM, wavesN}, false);
              auto layout = OperandAttr::get(&context, side, parent, pack);
              int64_t shape[] = {rows, k};
              int64_t along = side == OperandSide::A ? wavesM : wavesN;
              int64_t across = side == OperandSide::A ? wavesN : wavesM;
              bool fits =
                  rows % (along * block) == 0 && k % (pack * 64 / block) == 0;
              ASSERT_EQ(accepts(layout, shape), fits);
              if (!fits)
                continue;
              Coverage coverage = cover(layout.getLaneMap(shape), shape, 0,
                                        64 * wavesM * wavesN);
              ASSERT_EQ(coverage.outside, 0);
              for (int count : coverage.counts)
                ASSERT_EQ(count, across);
              ++tried;
            }
  EXPECT_GT(tried, 250u);
}

void expectSliceOf(LayoutAttrInterface parent, ArrayRef<int64_t> shape,
                   int64_t threads) {
  MLIRContext *context = parent.getContext();
  LaneMap whole = parent.getLaneMap(shape);
  for (int64_t dim : {0, 1}) {
    auto slice = SliceAttr::get(context, dim, shape[dim], parent);
    LaneMap map = slice.getLaneMap({shape[1 - dim]});
    ASSERT_EQ(map.rank(), 1u);
    ASSERT_EQ(map.registers.size(), 1u);
    for (int64_t thread = 0; thread < threads; ++thread) {
      std::set<int64_t> needed, held;
      for (unsigned reg = 0; reg < whole.tails.size(); ++reg)
        needed.insert(whole.evaluate(thread, reg)[1 - dim]);
      for (unsigned reg = 0; reg < map.tails.size(); ++reg)
        ASSERT_TRUE(held.insert(map.evaluate(thread, reg)[0]).second)
            << "held twice by thread " << thread;
      ASSERT_EQ(held, needed) << "thread " << thread;
    }
  }
}

TEST_F(LayoutTest, SliceHoldsWhatItsParentNeedsOnce) {
  for (int64_t block : {16, 32})
    for (bool transposed : {false, true})
      for (auto [wavesM, wavesN] : allWaveGrids()) {
        int64_t shape[] = {wavesM * block * 2, wavesN * block};
        expectSliceOf(MmaAttr::get(&context, {block, block}, {wavesM, wavesN},
                                   transposed),
                      shape, 64 * wavesM * wavesN);
      }
  expectSliceOf(BlockedAttr::get(&context, {64, 4}, 8), {128, 64}, 256);
  auto parent = MmaAttr::get(&context, {16, 16}, {2, 2}, false);
  expectSliceOf(OperandAttr::get(&context, OperandSide::A, parent, 8), {64, 64},
                256);
}

} // namespace
