//===- PlanReportTest.cpp - Plans against machine code --------------------===//
//
// A plan is made from tile shapes. What the hot loop of the compiled kernel
// really holds, decoded from its bytes, must agree.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Plan/PlanReport.h"

#include "fly/Gen/Gemm.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"
#include "fly/Reports/IsaReport.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {
struct Tile {
  const char *chip, *shape, *waves, *mfma, *stages;
};
void PrintTo(const Tile &tile, std::ostream *os) {
  *os << tile.chip << "_" << tile.shape << "_" << tile.waves << "_" << tile.mfma
      << "_" << tile.stages;
}
class PlannedTile : public testing::TestWithParam<Tile> {};
} // namespace

TEST_P(PlannedTile, AgreesWithMachineCode) {
  gen::GemmOptions options;
  options.chip = GetParam().chip;
  options.tile = GetParam().shape;
  options.waves = GetParam().waves;
  options.mfma = GetParam().mfma;
  options.ldsStages = GetParam().stages;
  options.require = "K:64,N:8";
  auto text = gen::generateGemm(options);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
  auto module = parseSource(sources, &context);
  ASSERT_TRUE(module);
  auto plan = reports::reportPlan(*module, {});
  ASSERT_TRUE(mlir::succeeded(plan));
  const reports::KernelPlan &kernel = plan->kernels.front();
  ASSERT_TRUE(kernel.isLegal());
  ASSERT_EQ(kernel.schedule.dots.size(), 1u);
  const PlannedDot &dot = kernel.schedule.dots.front();

  auto object = compile(*module);
  ASSERT_TRUE(mlir::succeeded(object));
  auto report = reports::reportObject(object->bytes);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  reports::KernelReport &isa = report->kernels.front();
  const plan::DotTile &tile = dot.tile;
  reports::setKTiles(isa, tile.m * tile.n * tile.k / tile.waves());
  ASSERT_TRUE(isa.hotLoop && isa.hotLoop->kTiles);
  double tiles = *isa.hotLoop->kTiles;
  ASSERT_TRUE(dot.instruction);
  EXPECT_EQ(isa.hotLoop->mfma, tiles * tile.mfmasPerTile(*dot.instruction));
  EXPECT_EQ(isa.hotLoop->dsRead, tiles * (tile.ldsReads(plan::DotTile::A) +
                                          tile.ldsReads(plan::DotTile::B)));
  // Through registers, or past them.
  EXPECT_EQ(isa.hotLoop->vmemLoad + isa.hotLoop->ldsDma,
            tiles * (tile.copyRounds(plan::DotTile::A) +
                     tile.copyRounds(plan::DotTile::B)));
  EXPECT_EQ(isa.ldsBytes, kernel.lds.total());
}

INSTANTIATE_TEST_SUITE_P(
    Tiles, PlannedTile,
    testing::Values(Tile{"gfx942", "64x128x64", "1x4", "16x16", "2"},
                    Tile{"gfx942", "64x128x64", "2x2", "32x32", "1"},
                    Tile{"gfx950", "64x128x64", "2x2", "16x16", "2"},
                    Tile{"gfx950", "32x64x128", "1x4", "16x16", "1"}),
    testing::PrintToStringParamName());
