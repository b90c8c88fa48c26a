//===- Run.cpp - One launch and its verdict -------------------------------===//
//
// Launches, then asks three questions: are the guard bands whole, is the result
// what the reference (or another kernel) gives, do the expectations hold.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Npy.h"
#include "fly/Pipelines/Pipelines.h"

#include "../Options/KernelOptions.h"
#include "LoadedKernel.h"
#include "Verdict.h"
#include "ViewFiles.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using launch::Argument;

static Argument *findArgument(std::vector<Argument> &arguments,
                              llvm::StringRef name) {
  for (Argument &argument : arguments)
    if (argument.parameter.name == name)
      return &argument;
  return nullptr;
}

/// The buffer that --out or --expect names, with a message if there is none.
static launch::Buffer *findBuffer(std::vector<Argument> &arguments,
                                  llvm::StringRef option,
                                  llvm::StringRef name) {
  Argument *argument = findArgument(arguments, name);
  if (argument && argument->buffer)
    return &*argument->buffer;
  std::string known;
  for (Argument &candidate : arguments)
    if (candidate.buffer)
      known += (known.empty() ? "" : ", ") + candidate.parameter.name;
  fail("fly-run", "--" + option + ": the kernel has no buffer '" + name +
                      "', it has: " + known);
  return nullptr;
}

void fly::tools::copyInputs(llvm::ArrayRef<Argument> from,
                            std::vector<Argument> &to) {
  for (auto [mine, theirs] : llvm::zip(from, to))
    if (mine.buffer && theirs.buffer &&
        mine.buffer->bytes() == theirs.buffer->bytes())
      std::copy_n(mine.buffer->data(), mine.buffer->bytes(),
                  theirs.buffer->data());
}

LogicalResult fly::tools::compareAll(LoadedKernel &kernel,
                                     std::vector<Argument> &got,
                                     std::vector<Argument> &expected,
                                     llvm::ArrayRef<Argument> inputs,
                                     llvm::StringRef with, Verdict &verdict) {
  for (auto [g, e, initial] : llvm::zip(got, expected, inputs)) {
    // What workspaces hold is nobody's result.
    if (!g.buffer || !e.buffer || !g.parameter.isWritten ||
        g.parameter.isWorkspace)
      continue;
    // The reference says for each element how far it may be off.
    launch::Tolerance tolerance =
        kernel.isTileIr() && with != kReference
            ? kernel.tolerance(inputs, g.buffer->type())
            : launch::Tolerance();
    llvm::Expected<launch::Comparison> comparison =
        launch::compare(*g.buffer, *e.buffer, tolerance);
    if (!comparison) {
      fail("fly-run", llvm::toString(comparison.takeError()));
      return failure();
    }
    ComparedBuffer &compared = verdict.comparisons.emplace_back();
    compared.name = g.parameter.name;
    compared.with = with.str();
    compared.comparison = *comparison;
    compared.tolerance = tolerance;
    if (!g.parameter.isRead)
      compared.neverWritten =
          launch::countUntouched(*g.buffer, *initial.buffer);
  }
  return success();
}

/// Runs another kernel on the same inputs and compares; the exit code if that
/// fails.
static int compareAgainst(MLIRContext *context, const RunRequest &request,
                          LoadedKernel &kernel, std::vector<Argument> &got,
                          std::vector<Argument> &inputs, Verdict &verdict) {
  RunRequest other = request;
  other.overrides = {};
  other.views = {};
  other.gpu.repeat = 0;
  other.whatIf = false;
  other.subject = "--against=" + request.against + ": ";
  int exitCode;
  auto loaded = LoadedKernel::load(context, request.against, other,
                                   request.device, exitCode);
  if (failed(loaded))
    return exitCode;
  FailureOr<std::vector<Argument>> arguments = (*loaded)->bind(other);
  if (failed(arguments))
    return UserError;
  // The same inputs by position, whatever the defaults of the other are.
  copyInputs(inputs, *arguments);
  if (failed((*loaded)->launch(*arguments, other, request.device)))
    return (*loaded)->exitCodeOfFailure();
  return succeeded(compareAll(kernel, got, *arguments, inputs, request.against,
                              verdict))
             ? Right
             : UserError;
}

static LogicalResult checkExpectations(const RunRequest &request,
                                       std::vector<Argument> &arguments,
                                       Verdict &verdict) {
  for (const Expectation &expectation : request.expectations) {
    launch::Buffer *buffer =
        findBuffer(arguments, "expect", expectation.spec.name);
    if (!buffer)
      return failure();
    // Gaps between rows are as the launch left them.
    launch::Buffer expected = *buffer;
    if (llvm::Error error =
            launch::fillBuffer(expected, expectation.spec.spec)) {
      fail("fly-run", "--expect: " + llvm::toString(std::move(error)));
      return failure();
    }
    llvm::Expected<launch::Comparison> comparison =
        launch::compare(*buffer, expected, expectation.tolerance);
    if (!comparison) {
      fail("fly-run", llvm::toString(comparison.takeError()));
      return failure();
    }
    verdict.comparisons.push_back(
        {expectation.spec.name, expectation.spec.spec.text, *comparison,
         expectation.tolerance, /*neverWritten=*/0,
         buffer->type().isFloat() && expectation.tolerance.absolute == 0 &&
             expectation.tolerance.relative == 0});
  }
  return success();
}

static LogicalResult writeOutputs(const RunRequest &request,
                                  std::vector<Argument> &arguments) {
  for (const auto &[name, path] : request.outputs) {
    launch::Buffer *buffer = findBuffer(arguments, "out", name);
    if (!buffer)
      return failure();
    if (llvm::Error error = launch::writeNpy(*buffer, path)) {
      fail("fly-run", llvm::toString(std::move(error)));
      return failure();
    }
  }
  return success();
}

int fly::tools::runRequest(const RunRequest &request) {
  DialectRegistry registry;
  registerAllDialects(registry);
  // The code generator forks; MLIR's threads would not survive it.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Messages show the source line; the op in generic form would bury them.
  context.printOpOnDiagnostic(false);
  int exitCode;
  // Phases are compiled one by one.
  Device device = request.diffPhases ? Device::Reference : request.device;
  auto loaded =
      LoadedKernel::load(&context, request.input, request, device, exitCode);
  if (failed(loaded))
    return exitCode;
  LoadedKernel &kernel = **loaded;
  FailureOr<std::vector<Argument>> bound = kernel.bind(request);
  if (failed(bound))
    return UserError;
  std::vector<Argument> &arguments = *bound;
  std::vector<Argument> inputs = arguments;
  if (request.diffPhases)
    return diffPhases(kernel, request, inputs);
  if (failed(kernel.launch(arguments, request, request.device)))
    return kernel.exitCodeOfFailure();

  Verdict verdict;
  if (request.checkGuards)
    if (llvm::Error error = launch::checkGuards(arguments))
      verdict.guardError = llvm::toString(std::move(error));
  for (const LaunchRecord &record : kernel.launches())
    if (record.result)
      llvm::append_range(verdict.findings, record.result->findings);
  verdict.workspaceError = kernel.failedCheck();
  if (!kernel.failedAssert().empty())
    verdict.assertError = "an assert does not hold";
  if (llvm::Error error = launch::checkZeroed(arguments))
    verdict.workspaceError = llvm::toString(std::move(error));
  if (!request.against.empty()) {
    if (int code = compareAgainst(&context, request, kernel, arguments, inputs,
                                  verdict))
      return code;
  } else if (request.checkReference && kernel.isTileIr() &&
             // It would stop at that, too.
             verdict.workspaceError.empty() && verdict.assertError.empty() &&
             request.device != Device::Reference) {
    std::vector<Argument> expected = inputs;
    if (failed(kernel.launchReference(expected)) ||
        failed(compareAll(kernel, arguments, expected, inputs, kReference,
                          verdict)))
      return kernel.exitCodeOfFailure();
  }
  if (failed(checkExpectations(request, arguments, verdict)) ||
      failed(writeOutputs(request, arguments)) ||
      failed(writeViews(kernel, request)))
    return UserError;
  if (request.json)
    printJson(llvm::outs(), kernel, request, verdict);
  else
    printText(llvm::outs(), kernel, request, verdict);
  return verdict.isRight() ? Right : FailedCheck;
}
