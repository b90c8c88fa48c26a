//===- HotspotsCommand.cpp - fly-report hotspots --------------------------===//
//
// A folder or the statistics of a thread trace give instructions and lines;
// what holds dispatches alone gives its kernels, and how to trace one of them.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Hotspots.h"
#include "fly/Analysis/KernelRanking.h"
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

namespace {
enum class By { Instruction, Source, Both };
struct HotspotsOptions {
  cl::OptionCategory category{"fly-report hotspots options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<ui_output_*|.csv|.db>"),
                             cl::cat(category)};
  cl::opt<std::string> top{"topk", cl::init("10"), cl::value_desc("number"),
                           cl::desc("Rows of each list (default 10)"),
                           cl::cat(category)};
  cl::opt<By> by{
      "by", cl::init(By::Both), cl::cat(category), cl::desc("What is ranked:"),
      cl::values(clEnumValN(By::Instruction, "asm", "instructions"),
                 clEnumValN(By::Source, "source", "lines of the source"),
                 clEnumValN(By::Both, "both", "both (the default)"))};
  cl::opt<std::string> context{
      "context", cl::init("0"), cl::value_desc("number"),
      cl::desc("Instructions, and lines of the source, around each"),
      cl::cat(category)};
  cl::opt<std::string> chip{"chip", cl::value_desc("chip"),
                            cl::desc("The chip that was traced"),
                            cl::cat(category)};
  OutputOptions output{"fly-report", category};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// \p text as one word of a shell's command line.
static std::string shellWord(llvm::StringRef text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Dispatches have no instructions: their ranking, and the way to a trace.
static int reportDispatches(const HotspotsOptions &options, size_t top) {
  llvm::Expected<analysis::KernelRanking> ranking =
      analysis::rankKernels(options.input);
  if (!ranking)
    return complain(llvm::toString(ranking.takeError()));
  llvm::json::Value value = analysis::toJSON(*ranking);
  value.getAsObject()->try_emplace("instructions", nullptr);
  Report report{"Hotspots", options.input, std::move(value),
                [&](llvm::raw_ostream &os) {
                  analysis::print(os, *ranking, top);
                  os << "instructions: not told without a thread trace; to "
                        "take one of the first kernel:\n  fly-report "
                        "capture-config "
                     << shellWord(ranking->kernels.front().name) << "\n";
                },
                nullptr};
  return options.output.get().emit(report, Right);
}

static llvm::Expected<analysis::HotspotReport>
readReport(const HotspotsOptions &options, profile::ProfileKind kind) {
  analysis::HotspotOptions hotspots;
  hotspots.chip = options.chip;
  if (kind == profile::ProfileKind::ThreadTrace)
    return analysis::findHotspots(options.input.getValue(), hotspots);
  llvm::Expected<profile::ThreadTrace> trace =
      profile::readThreadTraceStats(options.input);
  if (!trace)
    return trace.takeError();
  return analysis::findHotspots(std::move(*trace), hotspots);
}

static int run(const HotspotsOptions &options) {
  if (options.input.empty())
    return complain("name a thread trace: fly-report hotspots "
                    "ui_output_agent_1_dispatch_2");
  if (!options.chip.empty() && !arch::ArchInfo::lookup(options.chip))
    return complain(
        "--chip=" + options.chip +
        ": unknown chip, expected one of: " + arch::knownChipNames());
  auto top = parseNumber("topk", options.top, UINT32_MAX);
  if (!top)
    return complain(llvm::toString(top.takeError()));
  auto context = parseNumber("context", options.context, 1000);
  if (!context)
    return complain(llvm::toString(context.takeError()));
  llvm::Expected<profile::ProfileKind> kind =
      profile::identifyProfile(options.input);
  if (!kind)
    return complain(llvm::toString(kind.takeError()));
  if (*kind == profile::ProfileKind::Counters)
    return complain("'" + options.input +
                    "' holds counters; ask fly-report counters about it");
  if (*kind != profile::ProfileKind::ThreadTrace &&
      *kind != profile::ProfileKind::ThreadTraceStats)
    return reportDispatches(options, *top);
  llvm::Expected<analysis::HotspotReport> report = readReport(options, *kind);
  if (!report)
    return complain(llvm::toString(report.takeError()));
  analysis::HotspotView view;
  view.top = *top;
  view.context = unsigned(*context);
  view.byInstruction = options.by != By::Source;
  view.bySource = options.by != By::Instruction;
  Report page{
      "Hotspots", options.input, analysis::toJSON(*report, view),
      [&](llvm::raw_ostream &os) { analysis::print(os, *report, view); },
      nullptr};
  return options.output.get().emit(
      page, report->stall > report->latency ? FailedCheck : Right);
}

int fly::tools::reportHotspots(int argc, char **argv) {
  HotspotsOptions options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Where the waves of a thread trace wait: instructions, lines, types of "
      "stall, and\nwhat the tuning guide says of them\n\n"
      "  fly-report hotspots ui_output_agent_4_dispatch_12\n"
      "  fly-report hotspots ui_output_agent_4_dispatch_12 --topk=20 --by=asm "
      "--context=3\n"
      "  fly-report hotspots stats_ui_output_agent_4_dispatch_12.csv --json\n"
      "  fly-report hotspots results.db\n");
  return run(options);
}
