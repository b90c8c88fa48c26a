//===- GemmRun.cpp - One kernel of the sweep, compiled --------------------===//
#include "GemmRun.h"

#include "fly/Launch/ReferenceLaunch.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace fly;
using namespace fly::sweep;

int64_t fly::sweep::elementA(int64_t m, int64_t k) {
  return (131 * m + 71 * k + (m * k) % 17) % 9 - 4;
}
int64_t fly::sweep::elementB(int64_t n, int64_t k) {
  return (57 * n + 101 * k + (n * k) % 13) % 7 - 3;
}
int64_t fly::sweep::elementBias(int64_t n) { return elementB(0, n); }

/// The kernel's text for a configuration.
static llvm::Expected<std::string> generate(const Configuration &c) {
  gen::GemmOptions options = c.levers;
  options.chip = c.chip;
  options.in = c.in;
  options.out = c.out;
  options.epilogue = c.epilogue;
  options.tile = llvm::formatv("{0}x{1}x{2}", c.tileM, c.tileN, c.tileK);
  options.waves = llvm::formatv("{0}x{1}", c.wavesM, c.wavesN);
  options.mfma = llvm::formatv("{0}x{0}", c.mfma);
  options.ldsStages = std::to_string(c.stages);
  options.leadingDims = c.gap != 0;
  // The largest multiples that the problem has, up to the tile.
  if (c.declared && c.k % 8 == 0 && c.n % 8 == 0)
    options.require =
        llvm::formatv("K:{0},N:8", c.k % c.tileK == 0 ? c.tileK : 8);
  return gen::generateGemm(options);
}

/// Calls `fn` with the place of every element between the rows of a matrix.
static void forEachGapElement(const launch::Buffer &buffer,
                              llvm::function_ref<void(int64_t)> fn) {
  if (buffer.shape().isContiguous())
    return;
  int64_t columns = buffer.shape().extents[1];
  int64_t stride = buffer.shape().strides[0];
  for (int64_t i = 0; i < buffer.elements(); ++i)
    if (i % stride >= columns)
      fn(i);
}

/// All ones, NaN in every type of the sweep: nobody may read it as zero, and
/// in C it shows that nobody wrote.
static void fillGaps(std::vector<launch::Argument> &arguments) {
  for (launch::Argument &argument : arguments)
    if (argument.buffer && argument.buffer->shape().extents.size() == 2)
      forEachGapElement(*argument.buffer, [&](int64_t place) {
        argument.buffer->type().storeBits(argument.buffer->data(), place,
                                          ~uint64_t(0));
      });
}

/// An error if anything was written between rows.
static llvm::Error checkGaps(const launch::Buffer &buffer) {
  int64_t changed = 0;
  ElementType type = buffer.type();
  uint64_t ones = ~uint64_t(0) >> (64 - type.bits());
  forEachGapElement(buffer, [&](int64_t place) {
    changed += type.loadBits(buffer.data(), place) != ones;
  });
  if (!changed)
    return llvm::Error::success();
  return llvm::createStringError("buffer '" + buffer.name() +
                                 "': " + llvm::Twine(changed) +
                                 " elements between rows were overwritten");
}

llvm::Expected<std::vector<launch::Argument>>
GemmRun::makeArguments(Inputs inputs) const {
  const Configuration &c = configuration;
  const contract::LaunchContract &contract = object.contracts.front();
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  bool isExact = inputs == Inputs::Integers;
  std::vector<std::string> texts = {
      "M=" + std::to_string(c.m), "N=" + std::to_string(c.n),
      "K=" + std::to_string(c.k), isExact ? "A=pattern:a" : "A=normal:1",
      isExact ? "B=pattern:b" : "B=normal:2"};
  if (c.epilogue != "none")
    texts.push_back(isExact ? "Bias=pattern:b" : "Bias=normal:3");
  if (c.gap) {
    texts.push_back("lda=" + std::to_string(c.k + c.gap));
    texts.push_back("ldb=" + std::to_string(c.k + c.gap));
    texts.push_back("ldc=" + std::to_string(c.n + c.gap));
  }
  std::vector<launch::NamedSpec> specs;
  for (const std::string &text : texts) {
    auto spec = launch::parseNamedSpec(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, /*seed=*/1))
    return std::move(error);
  fillGaps(*arguments);
  return arguments;
}

llvm::Expected<GemmRun> GemmRun::compile(const Configuration &configuration,
                                         mlir::MLIRContext &context) {
  auto text = generate(configuration);
  if (!text)
    return text.takeError();
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    if (diag.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += diag.str() + "; ";
    return mlir::success();
  });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
  GemmRun run;
  run.configuration = configuration;
  run.module = parseSource(sources, &context);
  if (!run.module)
    return llvm::createStringError("does not parse: " + messages);
  ScheduleOverrides overrides;
  overrides.schedule = splitOverrides(configuration.overrides);
  if (!configuration.overrides.empty() &&
      failed(applyOverrides(*run.module, "", overrides)))
    return llvm::createStringError("--schedule: " + messages);
  auto object = fly::compile(*run.module);
  if (mlir::failed(object))
    return llvm::createStringError("does not compile: " + messages);
  run.object = std::move(*object);
  return run;
}

/// C, after the guards of all buffers and the gaps of matrices were checked.
static llvm::Expected<launch::Buffer>
takeResult(std::vector<launch::Argument> arguments) {
  if (llvm::Error error = launch::checkGuards(arguments))
    return std::move(error);
  for (launch::Argument &argument : arguments)
    if (argument.buffer && argument.buffer->shape().extents.size() == 2)
      if (llvm::Error error = checkGaps(*argument.buffer))
        return std::move(error);
  for (launch::Argument &argument : arguments)
    if (argument.parameter.name == "C")
      return std::move(*argument.buffer);
  return llvm::createStringError("kernel has no argument C");
}

llvm::Expected<launch::Buffer> GemmRun::simulate(Inputs inputs) const {
  auto arguments = makeArguments(inputs);
  if (!arguments)
    return arguments.takeError();
  auto size = launch::sizeOf(object.contracts.front(), *arguments);
  if (!size)
    return size.takeError();
  auto result =
      launch::launchOnSimulator(object.bytes, "gemm", *size, *arguments);
  if (!result)
    return result.takeError();
  return takeResult(std::move(*arguments));
}

llvm::Expected<launch::Buffer> GemmRun::refer(Inputs inputs) const {
  auto arguments = makeArguments(inputs);
  if (!arguments)
    return arguments.takeError();
  mlir::ModuleOp op = *module;
  auto kernel = findKernel(op, "gemm");
  if (mlir::failed(kernel) ||
      mlir::failed(launch::launchOnReference(*kernel, *arguments)))
    return llvm::createStringError("the reference does not run it");
  return takeResult(std::move(*arguments));
}
