//===- GemmBenchmarks.cpp - compiling, decoding, timing a GEMM ------------===//
//
// The 128x256x128 fp8 tile of gfx950: how long the compiler takes, how fast its
// object is decoded and simulated, and how long a report with all what-ifs of
// its steady state takes.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"

#include <benchmark/benchmark.h>

#include "Failure.h"
#include "TimedGemm.h"

using namespace fly;

/// Of the options that fly-gen has by default.
static bench::GemmVariant bf16Tile(const char *chip) {
  bench::GemmVariant variant;
  variant.options.chip = chip;
  variant.options.in = "bf16";
  return variant;
}

static bench::GemmVariant fatTile() {
  bench::GemmVariant variant;
  variant.options.chip = "gfx950";
  variant.options.in = "fp8";
  variant.options.tile = "128x256x128";
  variant.options.require = "M:16,N:16,K:128";
  return variant;
}

static llvm::Expected<bench::PreparedGemm>
makeGemm(int64_t m, int64_t n, int64_t k,
         const bench::GemmVariant &variant = fatTile()) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  return bench::prepareGemm(context, variant, {m, n, k});
}

/// Launches with the options; `rate` counts what the result says.
static void launchGemm(benchmark::State &state, int64_t m, int64_t n, int64_t k,
                       const sim::SimOptions &options,
                       llvm::function_ref<uint64_t(const sim::Result &)> count,
                       const bench::GemmVariant &variant = fatTile()) {
  llvm::Expected<bench::PreparedGemm> gemm = makeGemm(m, n, k, variant);
  if (!gemm) {
    bench::endBenchmark(state, gemm.takeError());
    return;
  }
  uint64_t instructions = 0;
  for (auto _ : state) {
    auto result = gemm->launch(options);
    if (!result) {
      bench::endBenchmark(state, result.takeError());
      return;
    }
    instructions += count(*result);
  }
  state.counters["instructions"] =
      benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}

static void benchValues(benchmark::State &state) {
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  launchGemm(state, 256, 256, 1024, options,
             [](const sim::Result &result) { return result.instructions; });
}
BENCHMARK(benchValues)->Name("values/gemm")->Unit(benchmark::kMillisecond);

static void benchChecks(benchmark::State &state) {
  sim::SimOptions options;
  options.checks = sim::CheckSet::all();
  launchGemm(state, 256, 256, 512, options,
             [](const sim::Result &result) { return result.instructions; });
}
BENCHMARK(benchChecks)->Name("checks/gemm")->Unit(benchmark::kMillisecond);

static void benchTiming(benchmark::State &state, int64_t m, int64_t n,
                        int64_t k, const bench::GemmVariant &variant) {
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = options.timing.timeOnly = true;
  launchGemm(
      state, m, n, k, options,
      [](const sim::Result &result) {
        return result.timing->instructionsReplayed;
      },
      variant);
}
BENCHMARK_CAPTURE(benchTiming, fp8, 1024, 2048, 1024, fatTile())
    ->Name("timing/gemm")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(benchTiming, bf16, 2048, 2048, 2048, bf16Tile("gfx942"))
    ->Name("timing/gemm_bf16_gfx942")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(benchTiming, bf16, 2048, 2048, 2048, bf16Tile("gfx950"))
    ->Name("timing/gemm_bf16_gfx950")
    ->Unit(benchmark::kMillisecond);

/// A workgroup for each of 256 compute units, with all what-ifs.
static void benchReport(benchmark::State &state) {
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = options.timing.timeOnly = true;
  options.timing.whatIf = options.timing.timeline = true;
  launchGemm(state, 2048, 4096, 2048, options, [](const sim::Result &result) {
    return result.timing->instructionsReplayed;
  });
}
BENCHMARK(benchReport)
    ->Name("report/gemm_128x256x128_fp8")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

static void benchCompile(benchmark::State &state) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  for (auto _ : state) {
    llvm::Expected<std::string> object = bench::compileGemm(context, fatTile());
    if (!object) {
      bench::endBenchmark(state, object.takeError());
      return;
    }
  }
}
BENCHMARK(benchCompile)
    ->Name("compile/gemm_128x256x128_fp8")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

static void benchDecode(benchmark::State &state) {
  llvm::Expected<bench::PreparedGemm> gemm = makeGemm(128, 256, 128);
  if (!gemm) {
    bench::endBenchmark(state, gemm.takeError());
    return;
  }
  uint64_t instructions = 0;
  for (auto _ : state) {
    sim::Simulator simulator;
    auto program = simulator.load(gemm->object);
    if (!program) {
      bench::endBenchmark(state, program.takeError());
      return;
    }
    instructions += (*program)->slots().size();
  }
  state.counters["dwords"] =
      benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(benchDecode)->Name("decode/gemm")->Unit(benchmark::kMillisecond);
