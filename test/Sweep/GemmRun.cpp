//===- GemmRun.cpp - One kernel of the sweep, compiled --------------------===//
#include "GemmRun.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Launch/ProgramLaunch.h"
#include "fly/Launch/ReferenceLaunch.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// The errors that a context reports while this lives; those without a place in
/// the kernel say so.
struct Messages {
  explicit Messages(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diag) {
          if (diag.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::success();
          if (!diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
            text += kUnlocated.str() + " ";
          text += diag.str() + "; ";
          return mlir::success();
        }) {}

  std::string text;

private:
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

/// "K:64,N:8": the largest multiples that the problem has, up to the tile, of
/// sizes and leading dimensions along which rows lie; empty where there are
/// none.
static std::string getRequirements(const Configuration &c) {
  std::string text;
  auto add = [&](llvm::StringRef name, int64_t value, int64_t most,
                 int64_t vector) {
    int64_t multiple = value % most == 0     ? most
                       : value % vector == 0 ? vector
                                             : 1;
    if (multiple > 1)
      text +=
          llvm::formatv("{0}{1}:{2}", text.empty() ? "" : ",", name, multiple);
  };
  // Elements of 16 bytes.
  int64_t vectorA = 128 / c.bitsOfA(), vectorB = 128 / c.bitsOfB();
  int64_t vectorK = c.isATransposed()   ? vectorB
                    : c.isBTransposed() ? vectorA
                                        : std::max(vectorA, vectorB);
  if (!c.isATransposed() || !c.isBTransposed())
    add("K", c.k, c.tileK, vectorK);
  if (c.isATransposed())
    add("M", c.m, c.tileM, vectorA);
  add("N", c.n, c.tileN, c.isBTransposed() ? vectorB : 8);
  if (c.gap) {
    add("lda", (c.isATransposed() ? c.m : c.k) + c.gap, vectorA, vectorA);
    if (!c.isPreshuffled())
      add("ldb", (c.isBTransposed() ? c.n : c.k) + c.gap, vectorB, vectorB);
    add("ldc", c.n + c.gap, 8, 8);
  }
  return text;
}

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
  if (c.declared)
    options.require = getRequirements(c);
  return gen::generateGemm(options);
}

llvm::Expected<std::vector<launch::Argument>>
GemmRun::makeArguments(Inputs inputs) const {
  const Configuration &c = configuration;
  const contract::LaunchContract &kernel = object.contracts.front();
  auto parameters = program() ? launch::parametersOf(*program())
                              : launch::parametersOf(kernel);
  if (!parameters)
    return parameters.takeError();
  std::vector<std::pair<const char *, int64_t>> sizes = {
      {"M", c.m}, {"N", c.n}, {"K", c.k}};
  if (c.gap) {
    sizes.emplace_back("lda", (c.isATransposed() ? c.m : c.k) + c.gap);
    if (!c.isPreshuffled())
      sizes.emplace_back("ldb", (c.isBTransposed() ? c.n : c.k) + c.gap);
    sizes.emplace_back("ldc", c.n + c.gap);
  }
  std::vector<launch::NamedSpec> specs;
  for (auto [name, size] : sizes) {
    auto spec =
        launch::parseNamedSpec(llvm::formatv("{0}={1}", name, size).str());
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          program() ? launch::allocateBuffers(*arguments, *program(), specs, 1)
                    : launch::allocateBuffers(*arguments, kernel, specs, 1))
    return std::move(error);
  if (llvm::Error error = fillInputs(c, inputs, *arguments))
    return std::move(error);
  fillGaps(*arguments);
  return arguments;
}

llvm::Expected<GemmRun> GemmRun::compile(const Configuration &configuration,
                                         mlir::MLIRContext &context) {
  auto text = generate(configuration);
  if (!text)
    return text.takeError();
  Messages messages(&context);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
  GemmRun run;
  run.configuration = configuration;
  run.module = parseSource(sources, &context);
  if (!run.module)
    return llvm::createStringError("does not parse: " + messages.text);
  ScheduleOverrides overrides;
  overrides.schedule = splitOverrides(configuration.overrides);
  if (!configuration.overrides.empty() &&
      failed(applyOverrides(*run.module, "gemm", overrides)))
    return llvm::createStringError("--schedule: " + messages.text);
  auto object = fly::compile(*run.module);
  if (mlir::failed(object))
    return llvm::createStringError("does not compile: " + messages.text);
  run.object = std::move(*object);
  return run;
}

std::string GemmRun::races() const {
  std::string text;
  if (object.verdict)
    for (const verify::KernelVerdict &kernel : object.verdict->kernels)
      for (const verify::Finding &finding : kernel.findings)
        text += kernel.name + ": " + verify::describe(finding) + "; ";
  return text;
}

/// C, after the guards of all buffers and the gaps of matrices were checked.
static llvm::Expected<launch::Buffer>
takeResult(std::vector<launch::Argument> arguments) {
  if (llvm::Error error = launch::checkGuards(arguments))
    return std::move(error);
  if (llvm::Error error = launch::checkZeroed(arguments))
    return std::move(error);
  for (launch::Argument &argument : arguments)
    if (argument.buffer)
      if (llvm::Error error = checkGaps(*argument.buffer))
        return std::move(error);
  for (launch::Argument &argument : arguments)
    if (argument.parameter.name == "C")
      return std::move(*argument.buffer);
  return llvm::createStringError("kernel has no argument C");
}

/// An error with the first thing that the checks of a launch have found.
static llvm::Error checkFindings(const sim::Result &result) {
  if (result.findings.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::Twine(result.findings.size()) +
      " findings, first: " + result.findings.front().message);
}

llvm::Expected<launch::Buffer> GemmRun::simulate(Inputs inputs, bool isChecked,
                                                 uint32_t dispatchSeed) const {
  auto arguments = makeArguments(inputs);
  if (!arguments)
    return arguments.takeError();
  sim::SimOptions options;
  options.dispatchSeed = dispatchSeed;
  if (isChecked)
    options.checks = sim::CheckSet::all();
  if (program()) {
    auto run = launch::launchOnSimulator(object.bytes,
                                         {object.contracts, object.programs},
                                         *program(), *arguments, options);
    if (!run)
      return run.takeError();
    if (!run->failedCheck.empty())
      return llvm::createStringError(run->failedCheck);
    for (const launch::ProgramStep &step : run->launches)
      if (llvm::Error error = checkFindings(step.result))
        return std::move(error);
    return takeResult(std::move(*arguments));
  }
  auto size = launch::sizeOf(object.contracts.front(), *arguments);
  if (!size)
    return size.takeError();
  auto result = launch::launchOnSimulator(object.bytes, "gemm", *size,
                                          *arguments, options);
  if (!result)
    return result.takeError();
  if (llvm::Error error = checkFindings(*result))
    return std::move(error);
  return takeResult(std::move(*arguments));
}

llvm::Expected<launch::Buffer> GemmRun::refer(Inputs inputs) const {
  auto arguments = makeArguments(inputs);
  if (!arguments)
    return arguments.takeError();
  mlir::ModuleOp op = *module;
  Messages messages(op.getContext());
  mlir::FailureOr<mlir::FunctionOpInterface> kernel = mlir::failure();
  if (program())
    kernel = findPrograms(op).front();
  else
    kernel = findKernel(op, "gemm");
  if (mlir::failed(kernel) ||
      mlir::failed(launch::launchOnReference(*kernel, *arguments)))
    return llvm::createStringError("does not run: " + messages.text);
  return takeResult(std::move(*arguments));
}
