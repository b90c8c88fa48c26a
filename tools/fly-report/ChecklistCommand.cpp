//===- ChecklistCommand.cpp - fly-report checklist ------------------------===//
//
// Any number of inputs of any kind, told by what they hold; exits with 2 where
// a row fails.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "ChecklistSource.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

namespace {
/// What the command line asks for.
struct Request {
  std::vector<std::string> inputs;
  SourceRequest source; ///< But for its input.
  ReportOutput output;
};
} // namespace

static int complain(llvm::Error error) {
  return fail("fly-report", llvm::toString(std::move(error)));
}

static int addCounters(analysis::Checklist &list, llvm::StringRef input,
                       const Request &request) {
  analysis::CounterOptions counters;
  counters.kernel = request.source.edits.kernel;
  counters.chip = request.source.edits.chip;
  llvm::Expected<analysis::CounterReport> report =
      analysis::reportCounters({input.str()}, counters);
  if (!report)
    return complain(report.takeError());
  for (const analysis::KernelCounters &kernel : report->kernels)
    list.addCounters(input, kernel);
  return Right;
}

static int addProfile(analysis::Checklist &list, llvm::StringRef input,
                      const Request &request) {
  llvm::Expected<profile::ProfileKind> kind = profile::identifyProfile(input);
  if (!kind)
    return complain(kind.takeError());
  analysis::HotspotOptions hotspots;
  hotspots.chip = request.source.edits.chip;
  switch (*kind) {
  case profile::ProfileKind::ThreadTrace: {
    auto report = analysis::findHotspots(input, hotspots);
    if (!report)
      return complain(report.takeError());
    list.addTrace(input, *report);
    return Right;
  }
  case profile::ProfileKind::ThreadTraceStats: {
    auto trace = profile::readThreadTraceStats(input);
    if (!trace)
      return complain(trace.takeError());
    auto report = analysis::findHotspots(std::move(*trace), hotspots);
    if (!report)
      return complain(report.takeError());
    list.addTrace(input, *report);
    return Right;
  }
  case profile::ProfileKind::Counters:
    return addCounters(list, input, request);
  case profile::ProfileKind::KernelTrace:
  case profile::ProfileKind::Database: {
    if (llvm::Error error = list.addDispatches(input, request.source.edits.chip,
                                               request.source.edits.kernel))
      return complain(std::move(error));
    if (*kind == profile::ProfileKind::KernelTrace)
      return Right;
    llvm::Expected<bool> hasCounters = profile::holdsCounters(input);
    if (!hasCounters)
      return complain(hasCounters.takeError());
    return *hasCounters ? addCounters(list, input, request) : int(Right);
  }
  case profile::ProfileKind::KernelStats:
    break;
  }
  return fail("fly-report",
              "'" + input + "' is " + profile::name(*kind) +
                  ", which tells no row; name a kernel, a code object, a "
                  "simulation, a thread trace, a kernel trace or counters");
}

/// Adds one input by what it is.
static int addInput(analysis::Checklist &list, llvm::StringRef input,
                    const Request &request) {
  list.noteInput(input);
  if (input == "-" || input.ends_with(".mlir")) {
    SourceRequest source = request.source;
    source.input = input.str();
    return addSource(list, source);
  }
  if (llvm::sys::fs::is_directory(input))
    return addProfile(list, input, request);
  // Its beginning decides; files of profiles may be long.
  auto begin = llvm::MemoryBuffer::getFileSlice(input, 512, 0);
  llvm::StringRef bytes;
  if (begin)
    bytes = (*begin)->getBuffer();
  if (bytes.starts_with("\x7f"
                        "ELF")) {
    auto file = readCodeObject(input);
    if (!file)
      return complain(file.takeError());
    if (llvm::Error error = list.addObject(input, (*file)->getBuffer(),
                                           request.source.edits.kernel))
      return complain(std::move(error));
    return Right;
  }
  if (bytes.ltrim().starts_with("{") || input.ends_with(".json")) {
    if (llvm::Error error = list.addSimulation(input))
      return complain(std::move(error));
    return Right;
  }
  return addProfile(list, input, request);
}

static int run(const Request &request) {
  if (request.inputs.empty())
    return fail("fly-report",
                "name what tells of the kernel: fly-report checklist gemm.mlir "
                "M=4096 N=4096 K=8192, or a code object, a simulation, a "
                "trace, counters");
  analysis::Checklist list;
  for (const std::string &input : request.inputs)
    if (int code = addInput(list, input, request))
      return code;
  Report report{"Checklist", joinInputs(request.inputs), analysis::toJSON(list),
                [&](llvm::raw_ostream &os) { analysis::print(os, list); },
                nullptr};
  return request.output.emit(report, list.hasFailures() ? FailedCheck : Right);
}

int fly::tools::reportChecklist(int argc, char **argv) {
  cl::OptionCategory category("fly-report checklist options");
  KernelOptions kernel(category);
  cl::list<std::string> words(
      cl::Positional, cl::desc("<.mlir|.hsaco|.json|.csv|.db|ui_output_*> ..."),
      cl::cat(category));
  OutputOptions output("fly-report", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "The tuning guide's checks, each with numbers from whatever is given, "
      "those that\nfail first, by what the simulator says that they cost. "
      "Exits with 2 where one fails\n\n"
      "  fly-report checklist gemm.mlir M=4096 N=4096 K=8192\n"
      "  fly-report checklist triton.hsaco --kernel=gemm\n"
      "  fly-run gemm.mlir M=512 N=512 K=512 --timing --json > sim.json\n"
      "  fly-report checklist gemm.mlir sim.json "
      "ui_output_agent_4_dispatch_2\n");
  Request request;
  auto edits = readEdits(kernel, "a checklist");
  if (!edits)
    return complain(edits.takeError());
  request.source.edits = std::move(*edits);
  auto isFile = [](llvm::StringRef word) {
    return llvm::sys::fs::exists(word);
  };
  if (llvm::Error error =
          readWords(std::vector<std::string>(words), request.inputs,
                    request.source.arguments, isFile))
    return complain(std::move(error));
  request.output = output.get();

  return run(request);
}
