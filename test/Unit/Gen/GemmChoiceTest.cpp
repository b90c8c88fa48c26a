//===- GemmChoiceTest.cpp - What is chosen for a problem ------------------===//
//
// The recommendations of the tuning guide, and that what is chosen is legal:
// fly-resolve-schedule takes it on both chips for problems of every kind.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/GemmChoice.h"

#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::gen;

namespace {
GemmOptions problem(const char *chip, int64_t m, int64_t n, int64_t k) {
  GemmOptions options;
  options.chip = chip;
  options.tile = "auto";
  options.m = m;
  options.n = n;
  options.k = k;
  return options;
}

/// The options that were chosen, and the lines that say why.
struct Chosen {
  GemmOptions options;
  std::string lines;
};
Chosen choose(GemmOptions options) {
  options.in = "bf16";
  options.bLayout = "plain";
  options.scales = "none";
  auto lines = chooseGemm(options);
  EXPECT_TRUE(bool(lines)) << llvm::toString(lines.takeError());
  return {options, lines ? llvm::join(*lines, "\n") : std::string()};
}
} // namespace

TEST(GemmChoice, SmallBatchHasFewRowsAndLongK) {
  Chosen gfx950 = choose(problem("gfx950", 16, 8192, 8192));
  // 16 x (64 to 128) x (256 to 512). Two buffers of 80 rows of 1024 bytes fill
  // the LDS, and 64 columns make 128 workgroups, 128 columns only 64.
  EXPECT_EQ(gfx950.options.tile, "16x64x512");
  EXPECT_EQ(gfx950.options.ldsStages, "2");
  EXPECT_NE(gfx950.lines.find("M = 16 is a small batch"), std::string::npos);
  EXPECT_EQ(choose(problem("gfx942", 16, 8192, 8192)).options.tile,
            "16x64x256");
}

TEST(GemmChoice, LargeBatchHasTheSquareOf256) {
  Chosen large = choose(problem("gfx950", 8192, 8192, 8192));
  EXPECT_EQ(large.options.tile, "256x256x64");
  EXPECT_EQ(large.options.waves, "2x4");
  EXPECT_EQ(large.options.ldsStages, "2");
  EXPECT_NE(large.lines.find("the guide's tile for a large batch is "
                             "128x256x128"),
            std::string::npos);
  EXPECT_NE(large.lines.find("256 rows are at least 128"), std::string::npos);
  // Two buffers of 512 rows fit with 64 bytes, which cost more barriers than
  // one buffer of 128; copies past the registers have 4 bytes there.
  Chosen small = choose(problem("gfx942", 8192, 8192, 8192));
  EXPECT_EQ(small.options.tile, "256x256x64");
  EXPECT_EQ(small.options.ldsStages, "1");
  EXPECT_FALSE(small.options.async);
  EXPECT_NE(small.lines.find("131072 of 65536 bytes"), std::string::npos);
}

TEST(GemmChoice, FewWorkgroupsMakeTilesSmaller) {
  // 64x128 tiles are 128 workgroups for 304 compute units, 32x128 are 256 in
  // the same round: its 16 steps take 1051 cycles of LDS and 1000 of waits.
  Chosen chosen = choose(problem("gfx942", 512, 2048, 2048));
  EXPECT_EQ(chosen.options.tile, "32x128x128");
  EXPECT_NE(chosen.lines.find("64x128x128, 1 buffer: 128 workgroups, 1 at once "
                              "on each of 304"),
            std::string::npos);
}

TEST(GemmChoice, HintsAreOffWithFewAccumulators) {
  // 128 columns over four waves are two instructions.
  EXPECT_EQ(choose(problem("gfx942", 512, 2048, 2048)).options.hotLoop, "off");
  EXPECT_NE(choose(problem("gfx950", 8192, 8192, 8192)).options.hotLoop, "off");
}

TEST(GemmChoice, RequiresWhatTheProblemHas) {
  EXPECT_EQ(choose(problem("gfx942", 512, 2048, 2048)).options.require,
            "K:128,N:128");
  EXPECT_EQ(choose(problem("gfx942", 512, 2056, 2056)).options.require,
            "K:8,N:8");
  EXPECT_EQ(choose(problem("gfx942", 512, 2047, 2047)).options.require, "");
}

TEST(GemmChoice, WhatIsSaidStays) {
  GemmOptions options = problem("gfx950", 8192, 8192, 8192);
  options.waves = "2x2";
  options.ldsStages = "1";
  options.store = "direct";
  options.hotLoop = "off";
  options.require = "K:8";
  GemmOptions chosen = choose(options).options;
  EXPECT_EQ(chosen.waves, "2x2");
  EXPECT_EQ(chosen.ldsStages, "1");
  EXPECT_EQ(chosen.store, "direct");
  EXPECT_EQ(chosen.hotLoop, "off");
  EXPECT_EQ(chosen.require, "K:8");
}

TEST(GemmChoice, IsLegalForProblemsOfEveryKind) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  for (const char *chip : {"gfx942", "gfx950"})
    for (const char *out : {"f32", "bf16"})
      for (auto [m, n, k] :
           {std::tuple(1, 1, 1), std::tuple(16, 4096, 4096),
            std::tuple(17, 40, 64), std::tuple(32, 128, 32000),
            std::tuple(100, 50, 77), std::tuple(512, 512, 4096),
            std::tuple(1024, 5120, 96), std::tuple(5120, 5120, 8320),
            std::tuple(2147483647, 2147483647, 2147483647)}) {
        GemmOptions options = problem(chip, m, n, k);
        options.out = out;
        auto text = generateGemm(options);
        ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
        auto sources = std::make_shared<llvm::SourceMgr>();
        sources->AddNewSourceBuffer(
            llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
        auto module = parseSource(sources, &context);
        ASSERT_TRUE(module);
        mlir::PassManager passes(&context);
        llvm::cantFail(addPasses(passes, "", "fly-swizzle-lds"));
        EXPECT_TRUE(mlir::succeeded(passes.run(*module)))
            << chip << " " << m << " " << n << " " << k << "\n"
            << *text;
      }
}

TEST(GemmChoice, ConfigurationsCompleteOptions) {
  for (const GemmConfiguration &each : listGemmConfigurations()) {
    GemmOptions options;
    options.config = each.name.str();
    options.waves = "2x2";
    llvm::cantFail(applyGemmConfiguration(options));
    EXPECT_EQ(options.tile, each.tile);
    EXPECT_EQ(options.bLayout, "preshuffle");
    EXPECT_EQ(options.waves, "2x2");
    EXPECT_EQ(options.async, each.async);
  }
}
