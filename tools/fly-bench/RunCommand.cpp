//===- RunCommand.cpp - fly-bench run -------------------------------------===//
//
// A table of kernels on the simulator or a GPU, as CSV.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/TableRun.h"
#include "fly/Support/Samples.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>

#include "../Options/GpuFlags.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

/// The fly-run beside this program, or the one on the PATH.
static llvm::Expected<std::string> findRunner(const char *self) {
  static int anchor;
  std::string own = llvm::sys::fs::getMainExecutable(self, &anchor);
  llvm::SmallString<128> beside(llvm::sys::path::parent_path(own));
  llvm::sys::path::append(beside, "fly-run");
  if (llvm::sys::fs::can_execute(beside))
    return std::string(beside);
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("fly-run");
  if (found)
    return *found;
  return llvm::createStringError("no fly-run beside fly-bench or on the PATH");
}

/// What the samples of a row came to, beside the table.
static void printMedian(const bench::TableRow &row,
                        const bench::TableResult &result) {
  if (result.samples.empty())
    return;
  auto [least, most] =
      std::minmax_element(result.samples.begin(), result.samples.end());
  llvm::errs() << llvm::formatv(
      "line {0}: median {1:f2} us of {2} launches, {3:f2} to {4:f2}\n",
      row.line, getMedian(result.samples), result.samples.size(), *least,
      *most);
}

int fly::tools::benchRun(int argc, char **argv) {
  cl::OptionCategory category("fly-bench run options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<table.csv>"),
                             cl::cat(category));
  OutputOptions output("fly-bench", category);
  cl::opt<std::string> device(
      "device", cl::init("sim"), cl::value_desc("sim|hsa|hsa:N"),
      cl::desc("What runs the kernels: the "
               "simulator, or a GPU, by its number where "
               "there are several"),
      cl::cat(category));
  cl::opt<std::string> timeout(
      "timeout", cl::init("0"), cl::value_desc("seconds"),
      cl::desc("End a row after this time"), cl::cat(category));
  GpuFlags gpu(category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs each row of a table, a kernel of ours or an object of any "
      "compiler, "
      "by fly-run\non the simulator or a GPU; prints a CSV that fly-report "
      "compare reads. Exits with\n2 where a row is wrong or fails\n\n"
      "  fly-bench run kernels.csv -o before.csv\n"
      "  fly-bench run kernels.csv -o after.csv\n"
      "  fly-report compare before.csv after.csv --fail-above=5\n"
      "  fly-bench run kernels.csv --device=hsa --warmup=10 --repeat=21 -o "
      "gpu.csv\n\n"
      "A table has the columns file, arguments (words for fly-run), and if "
      "needed chip,\nkernel, schedule, size, flop, bytes; others, such as op, "
      "shape and dtype, name the row\n");
  if (input.empty())
    return fail("fly-bench", "name a table: fly-bench run kernels.csv");
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  bench::TableRunOptions options;
  options.device = device;
  auto number = readGpuNumber(device);
  if (!number)
    return fail("fly-bench", llvm::toString(number.takeError()));
  if (*number) {
    launch::GpuOptions checked;
    if (llvm::Error error = gpu.read(checked))
      return fail("fly-bench", llvm::toString(std::move(error)));
    for (auto [name, value] : gpu.given())
      options.words.push_back(("--" + name + "=" + value).str());
  } else if (device != "sim") {
    return fail("fly-bench", "--device=" + device +
                                 ": unknown, expected sim, hsa or hsa:NUMBER");
  } else if (llvm::Error error = gpu.refuseWithoutGpu()) {
    return fail("fly-bench", llvm::toString(std::move(error)));
  }
  auto seconds = parseNumber("timeout", timeout, 1u << 20);
  if (!seconds)
    return fail("fly-bench", llvm::toString(seconds.takeError()));
  auto runner = findRunner(argv[0]);
  if (!runner)
    return fail("fly-bench", llvm::toString(runner.takeError()));
  options.program = *runner;
  options.timeoutSeconds = unsigned(*seconds);
  auto table = bench::readTable(input);
  if (!table)
    return fail("fly-bench", llvm::toString(table.takeError()));
  std::vector<bench::TableResult> results;
  bool isRight = true;
  for (const bench::TableRow &row : table->rows) {
    const bench::TableResult &result =
        results.emplace_back(bench::runRow(row, options));
    printMedian(row, result);
    if (result.status == "ok")
      continue;
    isRight = false;
    fail("fly-bench", "'" + input + "': line " + llvm::Twine(row.line) + ": " +
                          result.message);
  }
  Report report{"Benchmarks", input, bench::toJSON(*table, results, device),
                [&](llvm::raw_ostream &os) {
                  bench::printHeader(os, *table);
                  for (const auto &[row, result] :
                       llvm::zip_equal(table->rows, results))
                    bench::printRow(os, row, result, device);
                },
                nullptr};
  return wanted.emit(report, isRight ? Right : FailedCheck);
}
