//===- CountersCommand.cpp - fly-report counters --------------------------===//
//
// Exits with 2 where a value can not be.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CounterReport.h"

#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

int fly::tools::reportCounters(int argc, char **argv) {
  cl::OptionCategory category("fly-report counters options");
  cl::list<std::string> inputs(
      cl::Positional, cl::desc("<.csv|.db|folder> ..."), cl::cat(category));
  cl::opt<std::string> kernel("kernel", cl::value_desc("name"),
                              cl::desc("Report on this kernel alone"),
                              cl::cat(category));
  cl::opt<std::string> chip("chip", cl::value_desc("chip"),
                            cl::desc("The chip that was counted, where the "
                                     "file does not name it"),
                            cl::cat(category));
  cl::opt<std::string> product("product", cl::value_desc("MI300X,..."),
                               cl::desc("The machine, instead of the first "
                                        "with the chip"),
                               cl::cat(category));
  cl::opt<std::string> ideal(
      "ideal-bytes", cl::value_desc("number"),
      cl::desc(
          "Bytes that one dispatch must read at least, for the over-fetch"),
      cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Hit rate, small reads, over-fetch, balance of the channels, use of the "
      "matrix unit\nand conflicts of the LDS, from counters of rocprofv3: one "
      "file, several, or the folder\nof a run with all its passes. Exits with "
      "2 where a value is impossible\n\n"
      "  fly-report counters out_counter_collection.csv --chip=gfx942\n"
      "  fly-report counters profile --chip=gfx942\n"
      "  fly-report counters results.db --ideal-bytes=67108864 --json\n");
  if (inputs.empty())
    return fail("fly-report", "name a counter collection or a database: "
                              "fly-report counters out_counter_collection.csv");
  analysis::CounterOptions options;
  options.kernel = kernel;
  options.chip = chip;
  options.product = product;
  if (!ideal.empty()) {
    auto bytes = parseNumber("ideal-bytes", ideal, UINT64_MAX);
    if (!bytes || *bytes == 0)
      return fail("fly-report",
                  bytes ? "--ideal-bytes=0: expected a number from 1"
                        : llvm::toString(bytes.takeError()));
    options.idealBytes = double(*bytes);
  }
  llvm::Expected<analysis::CounterReport> report =
      analysis::reportCounters(std::vector<std::string>(inputs), options);
  if (!report)
    return fail("fly-report", llvm::toString(report.takeError()));
  std::vector<std::string> names;
  for (const analysis::KernelCounters &each : report->kernels)
    names.push_back(each.name);
  Report page{"Counters", joinInputs(names), analysis::toJSON(*report),
              [&](llvm::raw_ostream &os) { analysis::print(os, *report); },
              nullptr};
  return output.get().emit(page, report->hasImpossible() ? FailedCheck : Right);
}
