//===- Speed.cpp - How fast the compiler and the simulator are ------------===//
//
// One GEMM of 64x64x64 tiles goes through all that a user waits for: parsing,
// compiling, decoding, reporting, simulating with and without the timing model.
// Counters say what a second does, so that machines can be compared.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Contract/Note.h"
#include "fly/Gen/Gemm.h"
#include "fly/Isa/Decoder.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"
#include "fly/Reports/IsaReport.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"

#include <benchmark/benchmark.h>

using namespace fly;

/// The kernel that everything is measured on.
static llvm::Expected<std::string> writeKernel() {
  gen::GemmOptions options;
  options.chip = arch::allChips().front()->name;
  options.in = "bf16";
  options.tile = "64x64x64";
  options.waves = "2x2";
  options.require = "K:64";
  return gen::generateGemm(options);
}

static mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context,
                                               const std::string &text) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "gemm.mlir"), llvm::SMLoc());
  return parseSource(sources, &context);
}

namespace {
/// The kernel as text, module and object; made once.
struct Subject {
  Subject() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    text = llvm::cantFail(writeKernel());
    module = parse(context, text);
    if (!module)
      return;
    mlir::FailureOr<target::CodeObject> object = compile(*module);
    if (succeeded(object))
      bytes = std::move(object->bytes);
  }
  static Subject &get() {
    static Subject subject;
    return subject;
  }

  mlir::MLIRContext context;
  std::string text, bytes;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }
};
} // namespace

static void parseKernel(benchmark::State &state) {
  Subject &subject = Subject::get();
  for (auto _ : state)
    if (!parse(subject.context, subject.text))
      return state.SkipWithError("the kernel does not parse");
  state.SetBytesProcessed(int64_t(state.iterations() * subject.text.size()));
}

static void compileKernel(benchmark::State &state) {
  Subject &subject = Subject::get();
  for (auto _ : state)
    if (failed(compile(*subject.module)))
      return state.SkipWithError("the kernel does not compile");
}

static void decodeObject(benchmark::State &state) {
  Subject &subject = Subject::get();
  auto object = isa::CodeObject::load(subject.bytes);
  if (!object)
    return state.SkipWithError(llvm::toString(object.takeError()).c_str());
  size_t instructions = 0;
  for (auto _ : state) {
    auto program = isa::Program::decode(*object);
    if (!program)
      return state.SkipWithError(llvm::toString(program.takeError()).c_str());
    instructions += (*program)->instructions().size();
  }
  state.SetItemsProcessed(int64_t(instructions));
}

static void reportObject(benchmark::State &state) {
  Subject &subject = Subject::get();
  for (auto _ : state) {
    auto report = reports::reportObject(subject.bytes);
    if (!report)
      return state.SkipWithError(llvm::toString(report.takeError()).c_str());
    benchmark::DoNotOptimize(report->kernels.data());
  }
}

/// Simulates a product of 128x128x256; items are executed instructions.
static llvm::Error simulate(benchmark::State &state,
                            const sim::SimOptions &options) {
  Subject &subject = Subject::get();
  auto contracts = contract::readContracts(subject.bytes);
  if (!contracts)
    return contracts.takeError();
  const contract::LaunchContract &contract = contracts->kernels.front();
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  std::vector<launch::NamedSpec> specs;
  for (const char *text : {"M=128", "N=128", "K=256"}) {
    auto spec = launch::parseNamedSpec(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(*spec);
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, 0))
    return error;
  auto size = launch::sizeOf(contract, *arguments);
  if (!size)
    return size.takeError();
  uint64_t instructions = 0;
  for (auto _ : state) {
    auto result = launch::launchOnSimulator(subject.bytes, contract.kernel,
                                            *size, *arguments, options);
    if (!result)
      return result.takeError();
    instructions += result->instructions;
  }
  state.SetItemsProcessed(int64_t(instructions));
  return llvm::Error::success();
}

static void simulateWith(benchmark::State &state,
                         const sim::SimOptions &options) {
  if (llvm::Error error = simulate(state, options))
    state.SkipWithError(llvm::toString(std::move(error)).c_str());
}

static void simulateValues(benchmark::State &state) {
  sim::SimOptions options;
  simulateWith(state, options);
}

static void simulateTime(benchmark::State &state) {
  sim::SimOptions options;
  options.timing.enabled = true;
  simulateWith(state, options);
}

BENCHMARK(parseKernel)->Unit(benchmark::kMillisecond);
BENCHMARK(compileKernel)->Unit(benchmark::kMillisecond);
BENCHMARK(decodeObject)->Unit(benchmark::kMillisecond);
BENCHMARK(reportObject)->Unit(benchmark::kMillisecond);
BENCHMARK(simulateValues)->Unit(benchmark::kMillisecond);
BENCHMARK(simulateTime)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
