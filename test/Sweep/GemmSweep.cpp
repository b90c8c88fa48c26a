//===- GemmSweep.cpp - GEMMs on the simulator against exact integers ------===//
//
// Generates, compiles and runs each configuration and compares C with integers
// that this file computes by itself, bit for bit, guard bands included. Results
// are appended to a file, so that a sweep can be stopped, resumed and split;
// what failed before is run again.
//
// A configuration may be refused instead of run only where a rule forbids it:
// LDS beyond the chip, or registers. The refusal must give numbers.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Gen/Gemm.h"
#include "fly/Launch/Compare.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "Configurations.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// The command line. lld resets LLVM's options when it links in process, so
/// they are copied before anything is compiled.
struct SweepOptions {
  bool quick = false, list = false;
  unsigned part = 0, count = 1;
  std::string results, match;
};

enum class Verdict { Passed, Refused, Failed };

struct Outcome {
  Verdict verdict;
  std::string detail;
};

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

Outcome run(const Configuration &c, mlir::MLIRContext &context) {
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
    if (argument.parameter.name == "C")
      return check(c, *argument.buffer, object->kernels.front().vgprSpills);
  return failed("kernel has no argument C");
}

/// Verdicts that the results file holds already, by name. A failure is not
/// done: it is tried again.
llvm::StringMap<Verdict> readDone(llvm::StringRef results) {
  llvm::StringMap<Verdict> done;
  auto buffer = llvm::MemoryBuffer::getFile(results);
  if (results.empty() || !buffer)
    return done;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    auto [word, rest] = line.split('\t');
    llvm::StringRef name = rest.split('\t').first;
    if (word == "passed")
      done[name] = Verdict::Passed;
    else if (word == "refused")
      done[name] = Verdict::Refused;
  }
  return done;
}
/// Appends a line to the results file; false if it cannot.
bool append(const std::string &results, llvm::StringRef line) {
  std::error_code ec;
  llvm::raw_fd_ostream out(results, ec, llvm::sys::fs::OF_Append);
  if (ec) {
    llvm::errs() << "cannot write '" << results << "': " << ec.message()
                 << '\n';
    return false;
  }
  out << line;
  return true;
}

const char *wordOf(Verdict verdict) {
  return verdict == Verdict::Passed    ? "passed"
         : verdict == Verdict::Refused ? "refused"
                                       : "failed";
}

/// Reads the command line; none where it is wrong, which was said.
std::optional<SweepOptions> readOptions(int argc, char **argv) {
  static llvm::cl::OptionCategory category("Sweep options");
  static llvm::cl::opt<bool> quick(
      "quick", llvm::cl::cat(category),
      llvm::cl::desc("a subset that takes a minute"));
  static llvm::cl::opt<bool> list(
      "list", llvm::cl::cat(category),
      llvm::cl::desc("print the configurations and stop"));
  static llvm::cl::opt<std::string> shard(
      "shard", llvm::cl::cat(category), llvm::cl::init("0/1"),
      llvm::cl::desc("run part I of N"), llvm::cl::value_desc("I/N"));
  static llvm::cl::opt<std::string> results(
      "results", llvm::cl::cat(category), llvm::cl::value_desc("FILE"),
      llvm::cl::desc("append results here, skip what it holds already"));
  static llvm::cl::opt<std::string> match(
      "match", llvm::cl::cat(category), llvm::cl::value_desc("TEXT"),
      llvm::cl::desc("only names that hold TEXT"));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "GEMMs of every tile, chip and shape on the simulator, compared "
      "exactly\n");
  SweepOptions options;
  options.quick = quick;
  options.list = list;
  options.results = results;
  options.match = match;
  auto [part, count] = llvm::StringRef(shard).split('/');
  if (part.getAsInteger(10, options.part) ||
      count.getAsInteger(10, options.count) || options.part >= options.count) {
    llvm::errs() << "--shard expects I/N with I < N, got '" << shard << "'\n";
    return std::nullopt;
  }
  return options;
}
} // namespace

int main(int argc, char **argv) {
  std::optional<SweepOptions> options = readOptions(argc, argv);
  if (!options)
    return 1;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);

  llvm::StringMap<Verdict> done = readDone(options->results);
  std::vector<Configuration> configurations =
      listConfigurations(options->quick);
  unsigned counts[3] = {0, 0, 0}, resumed = 0;
  for (size_t i = options->part; i < configurations.size();
       i += options->count) {
    std::string name = configurations[i].name();
    if (!llvm::StringRef(name).contains(options->match))
      continue;
    if (options->list) {
      llvm::outs() << name << '\n';
      continue;
    }
    auto before = done.find(name);
    if (before != done.end()) {
      ++resumed;
      ++counts[unsigned(before->second)];
      continue;
    }
    Outcome outcome = run(configurations[i], context);
    ++counts[unsigned(outcome.verdict)];
    std::string line =
        (llvm::Twine(wordOf(outcome.verdict)) + "\t" + name + "\t" +
         llvm::StringRef(outcome.detail).split('\n').first + "\n")
            .str();
    if (outcome.verdict == Verdict::Failed || options->results.empty()) {
      llvm::outs() << line;
      llvm::outs().flush();
    }
    if (!options->results.empty() && !append(options->results, line))
      return 1;
  }
  if (options->list)
    return 0;
  llvm::outs() << counts[0] << " passed, " << counts[2] << " failed, "
               << counts[1] << " refused by rule";
  if (resumed)
    llvm::outs() << "; " << resumed << " of them before";
  llvm::outs() << '\n';
  return counts[2] == 0 && counts[0] + counts[1] > 0 ? 0 : 2;
}
