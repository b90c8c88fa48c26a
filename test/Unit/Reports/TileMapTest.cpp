//===- TileMapTest.cpp - Maps of tiles, against tables and loops ----------===//
//
// The accumulator against the table of the matrix instruction, every layout
// against what a map must be: element to holder and back is the identity, each
// slot holds one element, and a lane holds what its registers can.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reports/Layout/LayoutReport.h"

#include "mlir/AsmParser/AsmParser.h"

#include <set>

#include "gtest/gtest.h"

using namespace mlir;
using namespace fly::reports;
namespace arch = fly::arch;

namespace {
class TileMapTest : public testing::Test {
protected:
  TileMapTest() {
    DialectRegistry registry;
    fly::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  TileReport report(StringRef type) {
    Type parsed = parseType(type, &context);
    EXPECT_TRUE(parsed) << type.str();
    auto result = reportTileType(
        parsed, [&] { return emitError(UnknownLoc::get(&context)); });
    EXPECT_TRUE(succeeded(result)) << type.str();
    return std::move(*result);
  }

  MLIRContext context;
};
} // namespace

TEST_F(TileMapTest, AccumulatorIsThatOfTheMatrixInstruction) {
  for (unsigned block : {16, 32}) {
    const arch::MfmaRow *row =
        arch::lookupMfma(arch::Chip::Gfx942, block, block, block == 16 ? 16 : 8,
                         arch::ElementType::Bf16, arch::ElementType::Bf16);
    ASSERT_NE(row, nullptr);
    std::string side = std::to_string(block);
    for (bool transposed : {false, true}) {
      // Two by three waves, each with two by one blocks.
      std::string rows = std::to_string(block * 4),
                  columns = std::to_string(block * 3);
      TileMap map =
          report("tensor<" + rows + "x" + columns + "xf32, #fly.mma<shape = [" +
                 side + ", " + side + "], waves = [2, 3]" +
                 (transposed ? ", transposed = true" : "") + ">>")
              .map;
      EXPECT_EQ(map.getThreads(), 2 * 3 * 64);
      for (unsigned wave = 0; wave < 6; ++wave)
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned slot = 0; slot < 2 * row->cElements; ++slot) {
            arch::LaneCoordinate at =
                arch::outputCoordinate(*row, lane, slot % row->cElements);
            unsigned r = transposed ? at.col : at.row;
            unsigned c = transposed ? at.row : at.col;
            std::pair<int64_t, int64_t> expected = {
                wave / 3 * block * 2 + slot / row->cElements * block + r,
                wave % 3 * block + c};
            ASSERT_EQ(map.element({wave, lane, slot}), expected)
                << side << " wave " << wave << " lane " << lane << " slot "
                << slot;
          }
    }
  }
}

TEST_F(TileMapTest, GoesThereAndBack) {
  for (const char *type : {
           "tensor<64x64xf32, #fly.mma<shape = [16, 16], waves = [2, 2]>>",
           "tensor<32x64xf32, #fly.mma<shape = [32, 32], waves = [1, 2], "
           "transposed = true>>",
           "tensor<64x64xbf16, #fly.operand<a, #fly.mma<shape = [16, 16], "
           "waves = [2, 2]>, pack = 8>>",
           "tensor<96x32xbf16, #fly.operand<b, #fly.mma<shape = [32, 32], "
           "waves = [1, 3]>, pack = 4>>",
           "tensor<40x32xbf16, #fly.blocked<threads = [32, 4], vector = 8>>",
           "tensor<4x512xf32, #fly.blocked<threads = [2, 32], vector = 4>>",
           "tensor<1024xf32, #fly.blocked<threads = [128], vector = 4>>",
           "tensor<64xf32, #fly.slice<1, 64, #fly.mma<shape = [16, 16], waves "
           "= [2, 2]>>>",
       }) {
    TileReport tile = report(type);
    const TileMap &map = tile.map;
    // By loops over elements alone.
    size_t held = 0;
    for (int64_t row = 0; row < map.getRows(); ++row)
      for (int64_t column = 0; column < map.getColumns(); ++column) {
        llvm::ArrayRef<Holder> holders = map.holders(row, column);
        EXPECT_FALSE(holders.empty()) << type << ' ' << row << ' ' << column;
        for (const Holder &holder : holders)
          ASSERT_EQ(map.element(holder), std::make_pair(row, column)) << type;
        held += holders.size();
      }
    // By loops over slots alone: as many, none twice.
    std::set<std::tuple<unsigned, unsigned, unsigned>> slots;
    size_t empty = 0;
    for (unsigned thread = 0; thread < map.getThreads(); ++thread)
      for (unsigned slot = 0; slot < map.getLaneMap().tails.size(); ++slot) {
        Holder holder{thread / 64, thread % 64, slot};
        auto [row, column] = map.element(holder);
        if (row < 0) {
          ++empty;
          continue;
        }
        ASSERT_TRUE(llvm::is_contained(map.holders(row, column), holder))
            << type;
        slots.insert({holder.wave, holder.lane, holder.slot});
      }
    EXPECT_EQ(slots.size(), held) << type;
    EXPECT_EQ(held + empty,
              size_t(map.getThreads()) * map.getLaneMap().tails.size())
        << type;
    // The runs are the tile once, row by row.
    int64_t next = 0;
    for (const fly::reports::Run &run : map.runs()) {
      ASSERT_EQ(run.row * map.getColumns() + run.column, next) << type;
      for (int64_t i = 0; i < run.count; ++i)
        ASSERT_EQ(map.element({run.first.wave, run.first.lane,
                               unsigned(run.first.slot + i)}),
                  std::make_pair(run.row, run.column + i))
            << type;
      next += run.count;
    }
    EXPECT_EQ(next, map.getRows() * map.getColumns()) << type;
  }
}

TEST_F(TileMapTest, CountsHoldersOfAnElement) {
  auto multiplicity = [&](StringRef type) {
    return report(type).map.multiplicity();
  };
  // Each accumulator once; operand A once for each of the two columns of
  // waves; rows of an accumulator once for each of 16 lanes and 2 columns.
  EXPECT_EQ(
      multiplicity(
          "tensor<64x64xf32, #fly.mma<shape = [16, 16], waves = [2, 2]>>"),
      std::make_pair(1u, 1u));
  EXPECT_EQ(multiplicity("tensor<64x64xbf16, #fly.operand<a, #fly.mma<shape = "
                         "[16, 16], waves = [2, 2]>, pack = 8>>"),
            std::make_pair(2u, 2u));
  EXPECT_EQ(multiplicity("tensor<64xf32, #fly.slice<1, 64, #fly.mma<shape = "
                         "[16, 16], waves = [2, 2]>>>"),
            std::make_pair(32u, 32u));
}

TEST_F(TileMapTest, RefusesTypesWithoutAMap) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  for (const char *type : {"tensor<4x4xf32>", "i32", "tensor<?xf32>"})
    EXPECT_TRUE(failed(reportTileType(parseType(type, &context), [&] {
      return emitError(UnknownLoc::get(&context));
    }))) << type;
}
