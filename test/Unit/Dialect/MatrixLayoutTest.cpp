//===- MatrixLayoutTest.cpp - Layouts multiply matrices -------------------===//
//
// The layouts of dots against the lane maps of the hardware, written down here
// a second time from [AMD] (facts: A and B lane l holds row l % MN, k of
// KPT * (l / MN) + t; D of 16x16: row 4 * (l / 16) + r, column l % 16; D of
// 32x32: row 8 * (r / 4) + 4 * (l / 32) + r % 4, column l % 32). Instructions
// are executed on what lanes hold by the operand layouts, and what they leave
// in registers is read by the accumulator's layout: that must be A * B^T.
//
//===----------------------------------------------------------------------===//
#include "LayoutFixture.h"

using namespace mlir;
using namespace fly;

namespace {

struct Case {
  int64_t block, pack;
  /// Elements of K that a lane gives to one instruction.
  int64_t perLane;
  int64_t wavesM, wavesN;
  bool transposed;
  int64_t m, n, k;
};

/// The product by brute force over waves, blocks and instructions.
class Multiply {
public:
  Multiply(MLIRContext &context, const Case &c)
      : c(c), acc(MmaAttr::get(&context, {c.block, c.block},
                               {c.wavesM, c.wavesN}, c.transposed)),
        accMap(acc.getLaneMap({c.m, c.n})),
        aMap(OperandAttr::get(&context, OperandSide::A, acc, c.pack)
                 .getLaneMap({c.m, c.k})),
        bMap(OperandAttr::get(&context, OperandSide::B, acc, c.pack)
                 .getLaneMap({c.n, c.k})) {}

  void run(std::vector<int64_t> &result) {
    result.assign(c.m * c.n, 0);
    int64_t blocksM = accMap.registers[0], blocksN = accMap.registers[1];
    for (int64_t wave = 0; wave < c.wavesM * c.wavesN; ++wave)
      for (int64_t i = 0; i < blocksM; ++i)
        for (int64_t j = 0; j < blocksN; ++j)
          runBlock(wave, i, j, result);
  }

  static int64_t a(int64_t m, int64_t k) {
    return (131 * m + 71 * k + m * k % 17) % 9 - 4;
  }
  static int64_t b(int64_t n, int64_t k) {
    return (57 * n + 101 * k + n * k % 13) % 7 - 3;
  }

private:
  /// Row and column of register `r` of lane `l` in the instruction's result.
  std::pair<int64_t, int64_t> hardwareResult(int64_t l, int64_t r) const {
    if (c.block == 16)
      return {4 * (l / 16) + r, l % 16};
    return {8 * (r / 4) + 4 * (l / 32) + r % 4, l % 32};
  }

  void runBlock(int64_t wave, int64_t i, int64_t j,
                std::vector<int64_t> &result) {
    int64_t mn = c.block, instructionK = c.perLane * 64 / mn;
    std::vector<int64_t> d(mn * mn, 0), x(mn * instructionK),
        y(mn * instructionK);
    int64_t steps = aMap.registers[1], splits = c.pack / c.perLane;
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t split = 0; split < splits; ++split) {
        // With the accumulator transposed the operands change places.
        gather(c.transposed ? bMap : aMap, c.transposed, wave,
               c.transposed ? j : i, step, split, x);
        gather(c.transposed ? aMap : bMap, !c.transposed, wave,
               c.transposed ? i : j, step, split, y);
        for (int64_t row = 0; row < mn; ++row)
          for (int64_t column = 0; column < mn; ++column)
            for (int64_t k = 0; k < instructionK; ++k)
              d[row * mn + column] +=
                  x[row * instructionK + k] * y[column * instructionK + k];
      }
    int64_t perLane = accMap.registers[2], blocksN = accMap.registers[1];
    for (int64_t lane = 0; lane < 64; ++lane)
      for (int64_t r = 0; r < perLane; ++r) {
        auto [row, column] = hardwareResult(lane, r);
        auto at =
            accMap.evaluate(wave * 64 + lane, (i * blocksN + j) * perLane + r);
        result[at[0] * c.n + at[1]] += d[row * mn + column];
      }
  }

  /// What the instruction sees as an operand: MN x K from the lanes' registers.
  void gather(const LaneMap &map, bool isB, int64_t wave, int64_t block,
              int64_t step, int64_t split, std::vector<int64_t> &operand) {
    int64_t instructionK = c.perLane * 64 / c.block;
    for (int64_t lane = 0; lane < 64; ++lane)
      for (int64_t t = 0; t < c.perLane; ++t) {
        unsigned reg =
            (block * map.registers[1] + step) * c.pack + split * c.perLane + t;
        auto at = map.evaluate(wave * 64 + lane, reg);
        int64_t value = isB ? b(at[0], at[1]) : a(at[0], at[1]);
        int64_t row = lane % c.block;
        int64_t k = c.perLane * (lane / c.block) + t;
        operand[row * instructionK + k] = value;
      }
  }

  Case c;
  MmaAttr acc;
  LaneMap accMap, aMap, bMap;
};

class MatrixLayoutTest : public LayoutTest {
protected:
  void expectProduct(const Case &c) {
    SCOPED_TRACE(testing::Message()
                 << c.block << " block, pack " << c.pack << " of " << c.perLane
                 << ", waves " << c.wavesM << "x" << c.wavesN
                 << (c.transposed ? " transposed, " : ", ") << c.m << "x" << c.n
                 << "x" << c.k);
    std::vector<int64_t> result;
    Multiply(context, c).run(result);
    for (int64_t m = 0; m < c.m; ++m)
      for (int64_t n = 0; n < c.n; ++n) {
        int64_t expected = 0;
        for (int64_t k = 0; k < c.k; ++k)
          expected += Multiply::a(m, k) * Multiply::b(n, k);
        ASSERT_EQ(result[m * c.n + n], expected) << "at " << m << ", " << n;
      }
  }
};

// Packs of one instruction, and of two that share a 16-byte read (the same
// permutation of K on both sides).
TEST_F(MatrixLayoutTest, InstructionsGiveTheProduct) {
  struct Shape {
    int64_t block, perLane;
  };
  // 16-bit types: gfx942 16x16x16 and 32x32x8, gfx950 16x16x32 and 32x32x16.
  for (Shape shape : {Shape{16, 4}, Shape{32, 4}, Shape{16, 8}, Shape{32, 8}})
    for (int64_t pack : {shape.perLane, 2 * shape.perLane})
      for (auto [wavesM, wavesN] : allWaveGrids())
        for (bool transposed : {false, true})
          ASSERT_NO_FATAL_FAILURE(expectProduct(
              {shape.block, pack, shape.perLane, wavesM, wavesN, transposed,
               wavesM * shape.block, wavesN * shape.block * 2,
               2 * pack * 64 / shape.block}));
}

TEST_F(MatrixLayoutTest, WholeTileOfTheGemmExample) {
  expectProduct({16, 8, 4, 2, 2, false, 128, 128, 64});
  expectProduct({32, 8, 8, 1, 4, true, 64, 256, 64});
}

// The transposed accumulator gives a lane contiguous columns of one row.
TEST_F(MatrixLayoutTest, TransposedLanesHoldContiguousColumns) {
  for (int64_t block : {16, 32}) {
    LaneMap map = MmaAttr::get(&context, {block, block}, {1, 1}, true)
                      .getLaneMap({block, block});
    for (int64_t lane = 0; lane < 64; ++lane)
      for (unsigned v = 0; v < 4; ++v) {
        auto at = map.evaluate(lane, v);
        EXPECT_EQ(at[0], lane % block);
        EXPECT_EQ(at[1], 4 * (lane / block) + v);
      }
  }
}

} // namespace
