//===- CompareCommand.cpp - fly-report compare ----------------------------===//
//
// Two runs of benchmarks, two profiles, or two objects. Exits with 2 where a
// limit is given and something is worse by more.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CompareObjects.h"
#include "fly/Analysis/CompareRuns.h"

#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// Prints a comparison of either kind; the exit code.
template <typename Comparison>
static int finish(llvm::Expected<Comparison> comparison,
                  const ReportOutput &output) {
  if (!comparison)
    return complain(llvm::toString(comparison.takeError()));
  Report report{
      "Comparison", comparison->before + " -> " + comparison->after,
      analysis::toJSON(*comparison),
      [&](llvm::raw_ostream &os) { analysis::print(os, *comparison); },
      nullptr};
  return output.emit(report, comparison->hasFailed() ? FailedCheck : Right);
}

int fly::tools::reportCompare(int argc, char **argv) {
  cl::OptionCategory category("fly-report compare options");
  cl::list<std::string> inputs(cl::Positional, cl::desc("<before> <after>"),
                               cl::cat(category));
  cl::list<std::string> keys("key", cl::CommaSeparated,
                             cl::value_desc("column,..."),
                             cl::desc("Columns that name a row, instead of "
                                      "all known ones of both tables"),
                             cl::cat(category));
  cl::opt<std::string> value("value", cl::value_desc("column"),
                             cl::desc("Column that measures, instead of a "
                                      "known one"),
                             cl::cat(category));
  cl::opt<bool> higher("higher-is-better",
                       cl::desc("More of --value is better"),
                       cl::cat(category));
  cl::opt<std::string> limit("fail-above", cl::value_desc("percent"),
                             cl::desc("Exit with 2 where something is worse by "
                                      "more, or missing"),
                             cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "What changed between two tables of benchmarks (CSV by op, shape, "
      "dtype), two\nprofiles (kernel traces, statistics, databases; by "
      "kernel), or two code objects or\nisa reports\n\n"
      "  fly-report compare base.csv current.csv --fail-above=5\n"
      "  fly-report compare base_kernel_trace.csv results.db\n"
      "  fly-report compare old.hsaco new.hsaco --fail-above=0\n"
      "  fly-report compare a.csv b.csv --key=op,shape --value=tflops "
      "--higher-is-better\n");
  if (inputs.size() != 2)
    return complain("expected two files: fly-report compare base.csv "
                    "current.csv");
  analysis::CompareOptions options;
  options.keys.assign(keys.begin(), keys.end());
  options.value = value;
  options.higherIsBetter = higher;
  if (!limit.empty()) {
    double percent;
    if (llvm::StringRef(limit).getAsDouble(percent) || !(percent >= 0) ||
        percent > 1e9)
      return complain("--fail-above=" + limit +
                      ": expected a percentage from 0");
    options.failAbove = percent;
  }
  if (higher && value.empty())
    return complain("--higher-is-better is of --value; known columns have "
                    "their sense");
  bool isObject[2] = {analysis::isObjectOrReport(inputs[0]),
                      analysis::isObjectOrReport(inputs[1])};
  if (isObject[0] != isObject[1])
    return complain(
        "'" + inputs[isObject[0] ? 0 : 1] + "' is an object or a report, '" +
        inputs[isObject[0] ? 1 : 0] + "' is none; compare two of a kind");
  if (!isObject[0])
    return finish(analysis::compareRuns(inputs[0], inputs[1], options),
                  output.get());
  if (!options.keys.empty() || !options.value.empty())
    return complain("--key and --value are for tables of benchmarks");
  return finish(
      analysis::compareObjects(inputs[0], inputs[1], options.failAbove),
      output.get());
}
