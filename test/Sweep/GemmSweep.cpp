//===- GemmSweep.cpp - Runs the GEMM sweep --------------------------------===//
//
// The command line: which configurations, in which part, with which results
// file. What failed before is run again; failures are printed last.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include "RunConfiguration.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// The command line. lld resets LLVM's options when it links in process, so
/// they are copied before anything is compiled.
struct SweepOptions {
  bool quick = false, list = false, isSeeded = false;
  unsigned part = 0, count = 1;
  std::string results, match;
};

/// Reads the command line; none where it is wrong, which was said.
std::optional<SweepOptions> readOptions(int argc, char **argv) {
  static llvm::cl::OptionCategory category("Sweep options");
  static llvm::cl::opt<bool> quick(
      "quick", llvm::cl::cat(category),
      llvm::cl::desc("a subset that takes a minute"));
  static llvm::cl::opt<bool> seeded(
      "seeded", llvm::cl::cat(category),
      llvm::cl::desc("only the combinations drawn at random"));
  static llvm::cl::opt<bool> list(
      "list", llvm::cl::cat(category),
      llvm::cl::desc("print the configurations and stop"));
  static llvm::cl::opt<std::string> shard(
      "shard", llvm::cl::cat(category), llvm::cl::init("0/1"),
      llvm::cl::desc("run part I of N"), llvm::cl::value_desc("I/N"));
  static llvm::cl::opt<std::string> results(
      "results", llvm::cl::cat(category), llvm::cl::value_desc("FILE"),
      llvm::cl::desc("append results here, skip what this build did"));
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
  options.isSeeded = seeded;
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

static int complain(llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), "fly-gemm-sweep")
      << llvm::toString(std::move(error)) << '\n';
  return 1;
}

int main(int argc, char **argv) {
  std::optional<SweepOptions> options = readOptions(argc, argv);
  if (!options)
    return 1;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);

  llvm::Expected<std::string> key = keyOfProgram(argv[0]);
  if (!key)
    return complain(key.takeError());
  auto results = ResultsFile::open(options->results, *key);
  if (!results)
    return complain(results.takeError());
  std::vector<Configuration> configurations =
      options->isSeeded ? listSeeded() : listConfigurations(options->quick);
  PlainResults plain(context);
  std::string failures;
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
    if (std::optional<Verdict> before = results->lookup(name)) {
      ++resumed;
      ++counts[unsigned(*before)];
      continue;
    }
    Outcome outcome = runConfiguration(configurations[i], context, plain);
    ++counts[unsigned(outcome.verdict)];
    std::string line = results->line(name, outcome);
    if (outcome.verdict == Verdict::Failed) {
      failures += line;
    } else if (options->results.empty()) {
      llvm::outs() << line;
      llvm::outs().flush();
    }
    if (llvm::Error error = results->append(line))
      return complain(std::move(error));
  }
  if (options->list)
    return 0;
  auto count = [&](Verdict verdict) { return counts[unsigned(verdict)]; };
  llvm::outs() << failures << count(Verdict::Passed) << " passed, "
               << count(Verdict::Failed) << " failed, "
               << count(Verdict::Refused) << " refused by rule";
  if (resumed)
    llvm::outs() << "; " << resumed << " of them before";
  if (unsigned others = results->linesOfOtherBuilds())
    llvm::outs() << "; " << others << " lines of other builds do not count";
  llvm::outs() << '\n';
  if (count(Verdict::Passed) + count(Verdict::Refused) +
          count(Verdict::Failed) ==
      0)
    return complain(llvm::createStringError("no configuration's name holds '" +
                                            options->match + "'"));
  return count(Verdict::Failed) == 0 ? 0 : 2;
}
