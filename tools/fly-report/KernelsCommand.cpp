//===- KernelsCommand.cpp - fly-report kernels and capture-config ---------===//
//
// The two steps before a thread trace: which kernel takes the time, and what
// rocprofv3 must be told to trace it.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CaptureConfig.h"
#include "fly/Analysis/KernelRanking.h"
#include "fly/Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

int fly::tools::reportKernels(int argc, char **argv) {
  cl::OptionCategory category("fly-report kernels options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<.csv|.db>"),
                             cl::cat(category));
  cl::opt<std::string> top("topk", cl::init("20"), cl::value_desc("number"),
                           cl::desc("Kernels that are printed (default 20)"),
                           cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Which kernels take the time of a run: calls, total, mean, share\n\n"
      "  rocprofv3 --kernel-trace --stats -f csv -- ./program\n"
      "  fly-report kernels out_kernel_trace.csv\n"
      "  fly-report kernels out_kernel_stats.csv --topk=5\n"
      "  fly-report kernels results.db --json\n");
  if (input.empty())
    return complain("name a kernel trace, kernel statistics or a database: "
                    "fly-report kernels out_kernel_trace.csv");
  auto count = parseNumber("topk", top, UINT32_MAX);
  if (!count)
    return complain(llvm::toString(count.takeError()));
  llvm::Expected<analysis::KernelRanking> ranking =
      analysis::rankKernels(input);
  if (!ranking)
    return complain(llvm::toString(ranking.takeError()));
  Report report{
      "Kernels", input, analysis::toJSON(*ranking),
      [&](llvm::raw_ostream &os) { analysis::print(os, *ranking, *count); },
      nullptr};
  return output.get().emit(report, Right);
}

namespace {
/// One file of the configuration.
struct ConfigFile {
  const char *name;
  std::string text, path; ///< The path is empty where it is not written.
};
} // namespace

static llvm::Expected<std::vector<ConfigFile>>
makeConfigs(const analysis::CaptureOptions &options) {
  llvm::Expected<std::string> trace = analysis::traceConfig(options);
  if (!trace)
    return trace.takeError();
  llvm::Expected<std::string> counters = analysis::counterConfig(options);
  if (!counters)
    return counters.takeError();
  return std::vector<ConfigFile>{
      {"trace.yaml", *trace, ""},
      {"counters.yaml", *counters, ""},
      {"channels.yaml", analysis::channelDefinitions(), ""}};
}

/// Writes the files into a folder; its paths go to \p files.
static llvm::Error writeConfigs(std::vector<ConfigFile> &files,
                                llvm::StringRef folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make the folder '" + folder +
                                   "': " + code.message());
  for (ConfigFile &file : files) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file.name);
    if (llvm::Error error = writeOutputFile(path, file.text))
      return llvm::createStringError("cannot write '" + path +
                                     "': " + llvm::toString(std::move(error)));
    file.path = std::string(path);
  }
  return llvm::Error::success();
}

static Report makeReport(const std::vector<ConfigFile> &files,
                         llvm::StringRef kernel) {
  llvm::json::Array array;
  for (const ConfigFile &file : files) {
    llvm::json::Object object{{"name", file.name}, {"text", file.text}};
    if (!file.path.empty())
      object["path"] = file.path;
    array.push_back(std::move(object));
  }
  auto print = [&](llvm::raw_ostream &os) {
    for (const ConfigFile &file : files)
      if (file.path.empty())
        os << (&file == &files.front() ? "" : "---\n") << file.text;
      else
        os << file.path << '\n';
  };
  return {
      "Configuration of rocprofv3", kernel.str(),
      llvm::json::Object{{"kernel", kernel.str()}, {"files", std::move(array)}},
      print, nullptr};
}

int fly::tools::captureConfig(int argc, char **argv) {
  cl::OptionCategory category("fly-report capture-config options");
  cl::opt<std::string> kernel(cl::Positional, cl::desc("<kernel>"),
                              cl::cat(category));
  cl::opt<std::string> folder(
      "o", cl::init("."), cl::value_desc("folder"),
      cl::desc("Where trace.yaml, counters.yaml and channels.yaml go (default: "
               "here; '-': all to standard output)"),
      cl::cat(category));
  OutputOptions output("fly-report", category, OutputOptions::WithoutText);
  cl::opt<std::string> unit("cu", cl::init("1"), cl::value_desc("number"),
                            cl::desc("Compute unit that is traced (default 1)"),
                            cl::cat(category));
  cl::opt<std::string> iterations(
      "iterations", cl::init("2-4"), cl::value_desc("first-last"),
      cl::desc("Which dispatches of the kernel (default 2-4)"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Input files for rocprofv3 that trace one kernel and count what the "
      "reports read,\nat most four counters of the L2 a job\n\n"
      "  fly-report capture-config gemm -o capture\n"
      "  rocprofv3 -i capture/trace.yaml -- ./program\n"
      "  rocprofv3 -E capture/channels.yaml -i capture/counters.yaml -- "
      "./program\n"
      "  fly-report hotspots profile/trace/ui_output_agent_*_dispatch_*\n"
      "  fly-report counters profile\n");
  analysis::CaptureOptions options;
  if (kernel.empty())
    return complain("name a kernel, as fly-report kernels prints it: "
                    "fly-report capture-config gemm -o capture");
  options.kernel = kernel;
  auto number = parseNumber("cu", unit, 1023);
  if (!number)
    return complain(llvm::toString(number.takeError()));
  options.targetUnit = unsigned(*number);
  auto [first, last] = llvm::StringRef(iterations).split('-');
  if (first.getAsInteger(10, options.firstIteration) ||
      last.getAsInteger(10, options.lastIteration))
    return complain("--iterations=" + iterations +
                    ": expected two numbers, as in 2-4");
  const std::string place = folder;
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return complain(llvm::toString(std::move(error)));
  auto files = makeConfigs(options);
  if (!files)
    return complain(llvm::toString(files.takeError()));
  if (place != "-")
    if (llvm::Error error = writeConfigs(*files, place))
      return complain(llvm::toString(std::move(error)));
  return wanted.emit(makeReport(*files, options.kernel), Right);
}
