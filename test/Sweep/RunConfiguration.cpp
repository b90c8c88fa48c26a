//===- RunConfiguration.cpp - A GEMM against exact integers ---------------===//
//
// Generates, compiles and runs a configuration and compares C with integers
// that this file computes by itself, bit for bit. Guard bands and the gaps
// between rows must be unharmed; gaps of the inputs hold NaN.
//
// A configuration may be refused instead of run only where a rule forbids it:
// LDS beyond the chip, or registers. The refusal must give numbers.
//
//===----------------------------------------------------------------------===//
#include "RunConfiguration.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Gen/Gemm.h"
#include "fly/Launch/Compare.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// The generator of the public test cases: small integers.
int64_t elementA(int64_t m, int64_t k) {
  return (131 * m + 71 * k + (m * k) % 17) % 9 - 4;
}
int64_t elementB(int64_t n, int64_t k) {
  return (57 * n + 101 * k + (n * k) % 13) % 7 - 3;
}
/// The bias, read as the first row of a matrix like B.
int64_t elementBias(int64_t n) { return elementB(0, n); }

/// What the accumulator's exact sum becomes.
int64_t applyEpilogue(const Configuration &c, int64_t sum, int64_t n) {
  if (c.epilogue == "none")
    return sum;
  sum += elementBias(n);
  return c.epilogue == "bias_relu" ? std::max<int64_t>(sum, 0) : sum;
}

/// The kernel's text for a configuration.
llvm::Expected<std::string> generate(const Configuration &c) {
  gen::GemmOptions options;
  options.chip = c.chip;
  options.in = c.in;
  options.out = c.out;
  options.epilogue = c.epilogue;
  options.tile = llvm::formatv("{0}x{1}x{2}", c.tileM, c.tileN, c.tileK);
  options.waves = llvm::formatv("{0}x{1}", c.wavesM, c.wavesN);
  options.mfma = llvm::formatv("{0}x{0}", c.mfma);
  options.ldsStages = std::to_string(c.stages);
  options.leadingDims = c.gap != 0;
  if (c.declared) {
    // The largest multiples that the problem has, up to the tile.
    auto multiple = [](int64_t extent, int64_t tile) {
      return extent % tile == 0 ? tile : 8;
    };
    if (c.k % 8 == 0 && c.n % 8 == 0)
      options.require = llvm::formatv("K:{0},N:8", multiple(c.k, c.tileK));
  }
  return gen::generateGemm(options);
}

/// Whether a rule forbids the configuration, and which.
bool mayBeRefused(const Configuration &c, llvm::StringRef message) {
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  if (c.ldsBytes() > limit)
    return message.contains(std::to_string(c.ldsBytes())) &&
           message.contains(std::to_string(limit));
  // Registers: half of the lane's accumulators and staging do not fit.
  int64_t accumulators = c.tileM * c.tileN / (64 * c.wavesM * c.wavesN);
  return accumulators >= 128 && message.contains("register") &&
         llvm::any_of(message, llvm::isDigit);
}

Outcome failed(const llvm::Twine &why) { return {Verdict::Failed, why.str()}; }
Outcome failed(llvm::Error error) {
  return {Verdict::Failed, llvm::toString(std::move(error))};
}

/// Calls `fn` with the place of every element between the rows of a matrix.
void forEachGapElement(const launch::Buffer &buffer,
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
void fillGaps(std::vector<launch::Argument> &arguments) {
  for (launch::Argument &argument : arguments)
    if (argument.buffer && argument.buffer->shape().extents.size() == 2)
      forEachGapElement(*argument.buffer, [&](int64_t place) {
        argument.buffer->type().storeBits(argument.buffer->data(), place,
                                          ~uint64_t(0));
      });
}

/// An error if anything was written between rows.
llvm::Error checkGaps(const launch::Buffer &buffer) {
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

/// Arguments of the launch, filled with the pattern.
llvm::Expected<std::vector<launch::Argument>>
makeArguments(const Configuration &c,
              const contract::LaunchContract &contract) {
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  std::vector<launch::NamedSpec> specs;
  auto add = [&](llvm::StringRef text) -> llvm::Error {
    auto spec = launch::parseNamedSpec(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
    return llvm::Error::success();
  };
  std::vector<std::string> texts = {
      "M=" + std::to_string(c.m), "N=" + std::to_string(c.n),
      "K=" + std::to_string(c.k), "A=pattern:a", "B=pattern:b"};
  if (c.epilogue != "none")
    texts.push_back("Bias=pattern:b");
  if (c.gap) {
    texts.push_back("lda=" + std::to_string(c.k + c.gap));
    texts.push_back("ldb=" + std::to_string(c.k + c.gap));
    texts.push_back("ldc=" + std::to_string(c.n + c.gap));
  }
  for (const std::string &text : texts)
    if (llvm::Error error = add(text))
      return std::move(error);
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, /*seed=*/1))
    return std::move(error);
  fillGaps(*arguments);
  return arguments;
}

/// C against exact integers; the bits of a narrower output come from rounding
/// the exact integer once.
Outcome check(const Configuration &c, launch::Buffer &got, unsigned spills) {
  launch::Buffer expected("C", got.type(),
                          launch::Shape::contiguous({c.m, c.n}), c.m * c.n);
  for (int64_t row = 0; row < c.m; ++row)
    for (int64_t column = 0; column < c.n; ++column) {
      int64_t sum = 0;
      for (int64_t k = 0; k < c.k; ++k)
        sum += elementA(row, k) * elementB(column, k);
      float exact = float(applyEpilogue(c, sum, column));
      llvm::APFloat value(exact);
      bool losesInfo;
      const llvm::fltSemantics &semantics =
          c.out == "f32"    ? llvm::APFloat::IEEEsingle()
          : c.out == "bf16" ? llvm::APFloat::BFloat()
                            : llvm::APFloat::IEEEhalf();
      value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      uint64_t bits = value.bitcastToAPInt().getZExtValue();
      unsigned bytes = c.out == "f32" ? 4 : 2;
      std::memcpy(expected.data() + (row * c.n + column) * bytes, &bits, bytes);
    }
  auto comparison = launch::compare(got, expected);
  if (!comparison)
    return failed(comparison.takeError());
  if (comparison->isRight())
    return {Verdict::Passed,
            spills ? "spills " + std::to_string(spills) + " registers" : ""};
  return failed(launch::describe(*comparison, "C"));
}
} // namespace

Outcome fly::sweep::runConfiguration(const Configuration &c,
                                     mlir::MLIRContext &context) {
  auto text = generate(c);
  if (!text)
    return failed(text.takeError());
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    if (diag.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += diag.str() + "; ";
    return mlir::success();
  });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm"), llvm::SMLoc());
  auto module = parseSource(sources, &context);
  if (!module)
    return failed("does not parse: " + messages);
  auto object = fly::compile(*module);
  if (mlir::failed(object)) {
    if (mayBeRefused(c, messages))
      return {Verdict::Refused, messages};
    return failed("does not compile: " + messages);
  }
  auto arguments = makeArguments(c, object->contracts.front());
  if (!arguments)
    return failed(arguments.takeError());
  auto size = launch::sizeOf(object->contracts.front(), *arguments);
  if (!size)
    return failed(size.takeError());
  auto result =
      launch::launchOnSimulator(object->bytes, "gemm", *size, *arguments);
  if (!result)
    return failed(result.takeError());
  if (llvm::Error error = launch::checkGuards(*arguments))
    return failed(std::move(error));
  for (launch::Argument &argument : *arguments)
    if (argument.buffer && argument.buffer->shape().extents.size() == 2)
      if (llvm::Error error = checkGaps(*argument.buffer))
        return failed(std::move(error));
  for (launch::Argument &argument : *arguments)
    if (argument.parameter.name == "C")
      return check(c, *argument.buffer, object->kernels.front().vgprSpills);
  return failed("kernel has no argument C");
}
