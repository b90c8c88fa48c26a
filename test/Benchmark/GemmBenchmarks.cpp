//===- GemmBenchmarks.cpp - compiling, decoding, timing a GEMM ------------===//
//
// The 128x256x128 fp8 tile of gfx950: how long the compiler takes, how fast its
// object is decoded and simulated, and how long a report with all what-ifs of
// its steady state takes.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Note.h"
#include "fly/Gen/Gemm.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

#include <benchmark/benchmark.h>

#include "Failure.h"

using namespace fly;

namespace {

/// The compiled kernel and arguments for a launch.
struct Gemm {
  std::string object;
  contract::ObjectContracts contracts;
  std::vector<launch::Argument> arguments;
  launch::LaunchSize size;
};

} // namespace

static llvm::Expected<std::string> compileGemm(mlir::MLIRContext &context) {
  gen::GemmOptions options;
  options.chip = "gfx950";
  options.in = "fp8";
  options.tile = "128x256x128";
  options.require = "M:16,N:16,K:128";
  llvm::Expected<std::string> text = gen::generateGemm(options);
  if (!text)
    return text.takeError();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm.mlir"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(sources, &context);
  if (!module)
    return llvm::createStringError("the kernel does not parse");
  mlir::FailureOr<target::CodeObject> object = compile(*module);
  if (failed(object))
    return llvm::createStringError("the kernel does not compile");
  return std::move(object->bytes);
}

static llvm::Expected<Gemm> makeGemm(unsigned m, unsigned n, unsigned k) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<std::string> object = compileGemm(context);
  if (!object)
    return object.takeError();
  Gemm gemm;
  gemm.object = std::move(*object);
  auto contracts = contract::readContracts(gemm.object);
  if (!contracts)
    return contracts.takeError();
  gemm.contracts = std::move(*contracts);
  const contract::LaunchContract &contract = gemm.contracts.kernels.front();
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  std::vector<launch::NamedSpec> specs;
  for (auto [name, value] :
       {std::pair("M", m), std::pair("N", n), std::pair("K", k)}) {
    auto spec =
        launch::parseNamedSpec(std::string(name) + "=" + std::to_string(value));
    if (!spec)
      return spec.takeError();
    specs.push_back(*spec);
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, 0))
    return std::move(error);
  auto size = launch::sizeOf(contract, *arguments);
  if (!size)
    return size.takeError();
  gemm.arguments = std::move(*arguments);
  gemm.size = *size;
  return std::move(gemm);
}

/// Launches with the options; `rate` counts what the result says.
static void
launchGemm(benchmark::State &state, unsigned m, unsigned n, unsigned k,
           const sim::SimOptions &options,
           llvm::function_ref<uint64_t(const sim::Result &)> count) {
  llvm::Expected<Gemm> gemm = makeGemm(m, n, k);
  if (!gemm) {
    bench::endBenchmark(state, gemm.takeError());
    return;
  }
  uint64_t instructions = 0;
  for (auto _ : state) {
    auto result = launch::launchOnSimulator(
        gemm->object, gemm->contracts.kernels.front().kernel, gemm->size,
        gemm->arguments, options);
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

static void benchTiming(benchmark::State &state) {
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = options.timing.recordedOnly = true;
  launchGemm(state, 1024, 2048, 1024, options, [](const sim::Result &result) {
    return result.timing->instructionsReplayed;
  });
}
BENCHMARK(benchTiming)->Name("timing/gemm")->Unit(benchmark::kMillisecond);

/// A workgroup for each of 256 compute units, with all what-ifs.
static void benchReport(benchmark::State &state) {
  sim::SimOptions options;
  options.checks = sim::CheckSet();
  options.timing.enabled = options.timing.recordedOnly = true;
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
    llvm::Expected<std::string> object = compileGemm(context);
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
  llvm::Expected<Gemm> gemm = makeGemm(128, 256, 128);
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
