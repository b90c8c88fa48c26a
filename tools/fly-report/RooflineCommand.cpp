//===- RooflineCommand.cpp - fly-report roofline --------------------------===//
//
// Of a kernel, whose dots and views give operations and bytes, or of a GEMM by
// the tuning guide's formulas. Exits with 2 where a time is impossible.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Roofline.h"
#include "fly/Analysis/TimingFile.h"
#include "fly/Support/Samples.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"

#include "../Options/ReportOutput.h"
#include "KernelSource.h"
#include "RooflineWork.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace fly;
using namespace fly::tools;

namespace {
/// The options of the subcommand.
struct RooflineOptions {
  cl::OptionCategory category{"fly-report roofline options"};
  cl::OptionCategory gemmCategory{"A GEMM by formula, instead of a file"};
  struct Text : cl::opt<std::string> {
    Text(cl::OptionCategory &category, llvm::StringRef name,
         llvm::StringRef value, llvm::StringRef text)
        : cl::opt<std::string>(name, cl::value_desc(value), cl::desc(text),
                               cl::cat(category)) {}
  };
  KernelOptions kernel{category};
  cl::list<std::string> words{cl::Positional,
                              cl::desc("[<k.mlir or k.hsaco> M=.. ...]"),
                              cl::cat(category)};
  Text product{category, "product", "MI300X,...",
               "The machine, instead of the first with the chip"};
  Text time{category, "time-us", "microseconds", "How long it took"};
  Text timing{category, "timing", "file",
              "The time from what fly-run --timing --json printed"};
  Text flop{category, "flop", "expression",
            "Operations, instead of the kernel's own: '2 * M * N * K'"};
  Text bytes{category, "bytes", "expression", "Bytes, the same"};
  Text m{gemmCategory, "m", "rows", "Rows of A and C"};
  Text n{gemmCategory, "n", "columns", "Rows of B, columns of C"};
  Text k{gemmCategory, "k", "depth", "Columns of A and B"};
  Text type{gemmCategory, "type", "fp8", "Type of A and B (fp8)"};
  OutputOptions output{"fly-report", category, OutputOptions::WithPicture};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// The machine of the options, or the one that stands for \p chip.
static llvm::Expected<const arch::Product *>
chooseProduct(const RooflineOptions &options, llvm::StringRef chip) {
  if (!options.product.empty())
    return findProduct(options.product);
  const arch::ArchInfo *info = arch::ArchInfo::lookup(chip);
  const arch::Product *product =
      info ? arch::defaultProduct(info->chip) : nullptr;
  if (product)
    return product;
  return llvm::createStringError(
      "--chip=" + chip +
      (info ? ": no product with known peaks has it"
            : ": unknown chip, expected one of: " + arch::knownChipNames()));
}

/// The time of the options, if any. A simulated one is of a machine, which
/// becomes that of the options.
static llvm::Expected<std::optional<analysis::Measured>>
readTime(RooflineOptions &options) {
  if (!options.timing.empty()) {
    if (!options.time.empty())
      return llvm::createStringError("--time-us and --timing: give one time");
    auto timing = analysis::readTiming(options.timing);
    if (!timing)
      return timing.takeError();
    if (options.product.empty())
      options.product.setValue(timing->product);
    else if (options.product != timing->product)
      return llvm::createStringError("--product=" + options.product + ": '" +
                                     options.timing + "' is of " +
                                     timing->product);
    return timing->measured;
  }
  if (options.time.empty())
    return std::nullopt;
  analysis::Measured measured;
  measured.source = "measured";
  if (llvm::StringRef(options.time).getAsDouble(measured.microseconds) ||
      !(measured.microseconds > 0) || !isMeasurement(measured.microseconds))
    return llvm::createStringError("--time-us=" + options.time +
                                   ": expected a positive number");
  return measured;
}

/// All reports of the file, which print() and the others take alike.
static llvm::Expected<std::vector<analysis::RooflineReport>>
reportPlans(const RooflineOptions &options, const reports::PlanReport &plans,
            const analysis::WorkQuery &query,
            const std::optional<analysis::Measured> &measured) {
  std::vector<analysis::RooflineReport> reports;
  if (measured && plans.kernels.size() != 1)
    return llvm::createStringError(
        "a time is of one kernel; choose it by --kernel");
  auto product = chooseProduct(options, plans.chip->name);
  if (!product)
    return product.takeError();
  for (const reports::KernelPlan &kernel : plans.kernels) {
    if (!kernel.schedule.isLegal())
      return llvm::createStringError(
          "kernel '" + kernel.name +
          "' has an illegal schedule; fly-report plan says what is wrong");
    auto work = analysis::makeKernelWork(*kernel.contract, query);
    if (!work)
      return work.takeError();
    work->rows = kernel.rows;
    auto report = analysis::reportRoofline(**product, *work, measured);
    if (!report)
      return report.takeError();
    reports.push_back(std::move(*report));
  }
  return reports;
}

static llvm::Expected<std::vector<analysis::RooflineReport>>
reportFormula(const RooflineOptions &options,
              const std::optional<analysis::Measured> &measured) {
  int64_t sizes[3];
  for (auto [option, size] :
       {std::pair(&options.m, &sizes[0]), std::pair(&options.n, &sizes[1]),
        std::pair(&options.k, &sizes[2])}) {
    if (option->empty())
      return llvm::createStringError(
          "name a kernel file, or a GEMM by its sizes: fly-report roofline "
          "--m=16 --n=4096 --k=4096 --type=fp8");
    auto value = parseNumber(option->ArgStr, *option, INT32_MAX);
    if (!value)
      return value.takeError();
    *size = int64_t(*value);
  }
  auto work = analysis::makeGemmWork(
      sizes[0], sizes[1], sizes[2],
      options.type.empty() ? "fp8" : llvm::StringRef(options.type));
  if (!work)
    return work.takeError();
  const cl::list<std::string> &chips = options.kernel.chips;
  auto product = chooseProduct(
      options, chips.empty() ? arch::allChips().front()->name : chips.front());
  if (!product)
    return product.takeError();
  auto report = analysis::reportRoofline(**product, *work, measured);
  if (!report)
    return report.takeError();
  return std::vector<analysis::RooflineReport>{std::move(*report)};
}

static int printAll(const RooflineOptions &options,
                    const std::vector<analysis::RooflineReport> &reports) {
  llvm::json::Array array;
  std::string names;
  for (const analysis::RooflineReport &report : reports) {
    array.push_back(analysis::toJSON(report));
    names += (names.empty() ? "" : "; ") + report.work.name;
  }
  Report page{"Roofline", names, std::move(array),
              [&](llvm::raw_ostream &os) {
                for (const analysis::RooflineReport &report : reports)
                  analysis::print(os, report);
              },
              [&](llvm::raw_ostream &os) { analysis::printSvg(os, reports); }};
  bool isImpossible = llvm::any_of(
      reports, [](const auto &report) { return report.isImpossible(); });
  return options.output.get().emit(page, isImpossible ? FailedCheck : Right);
}

/// Reports on a code object, by the contracts in it or by what the query says.
static llvm::Expected<std::vector<analysis::RooflineReport>>
reportObject(const RooflineOptions &options, llvm::StringRef input,
             llvm::StringRef contents, const analysis::WorkQuery &query,
             const std::optional<analysis::Measured> &measured) {
  const KernelOptions &kernel = options.kernel;
  if (!kernel.chips.empty() || !kernel.schedule.empty() ||
      !kernel.sizes.empty() || !kernel.consts.empty())
    return llvm::createStringError(
        "--chip, --schedule, --size and --const change a source; '" + input +
        "' is a code object");
  auto works = readObjectWorks(input, contents, kernel.kernel, query);
  if (!works)
    return works.takeError();
  if (measured && works->size() != 1)
    return llvm::createStringError(
        "a time is of one kernel; choose it by --kernel");
  std::vector<analysis::RooflineReport> reports;
  for (ObjectWork &each : *works) {
    auto product = chooseProduct(options, each.chip);
    if (!product)
      return product.takeError();
    if ((*product)->chip != arch::ArchInfo::lookup(each.chip)->chip)
      return llvm::createStringError((*product)->name +
                                     llvm::Twine(" has no ") + each.chip);
    auto report =
        analysis::reportRoofline(**product, std::move(each.work), measured);
    if (!report)
      return report.takeError();
    reports.push_back(std::move(*report));
  }
  return reports;
}

static int runOnFile(const RooflineOptions &options, llvm::StringRef input,
                     const analysis::WorkQuery &query,
                     const std::optional<analysis::Measured> &measured) {
  auto file = readInput(input);
  if (!file)
    return complain(llvm::toString(file.takeError()));
  llvm::StringRef contents = (*file)->getBuffer();
  if (llvm::identify_magic(contents) != llvm::file_magic::unknown) {
    auto reports = reportObject(options, input, contents, query, measured);
    if (!reports)
      return complain(llvm::toString(reports.takeError()));
    return printAll(options, *reports);
  }
  auto edits = readEdits(options.kernel, "a report");
  if (!edits)
    return complain(llvm::toString(edits.takeError()));
  reports::PlanQuery planned;
  for (const auto &[name, value] : query.arguments)
    planned.arguments[name] = value;
  planned.otherNames = query.ownNames();
  KernelSource source(std::move(*file));
  FailureOr<reports::PlanReport> plans = source.plan(*edits, planned);
  if (failed(plans))
    return UserError;
  auto reports = reportPlans(options, *plans, query, measured);
  if (!reports)
    return complain(llvm::toString(reports.takeError()));
  return printAll(options, *reports);
}

/// The arguments and the expressions of the command line.
static llvm::Expected<analysis::WorkQuery>
readQuery(const RooflineOptions &options,
          const llvm::StringMap<int64_t> &arguments) {
  analysis::WorkQuery query;
  for (const auto &argument : arguments)
    query.arguments.emplace(argument.getKey().str(), argument.getValue());
  for (auto [option, place] : {std::pair(&options.flop, &query.flop),
                               std::pair(&options.bytes, &query.bytes)}) {
    if (option->empty())
      continue;
    llvm::Expected<contract::Expr> expr =
        contract::Expr::parse(option->getValue());
    if (!expr)
      return llvm::createStringError("--" + option->ArgStr + "=" +
                                     option->getValue() + ": " +
                                     llvm::toString(expr.takeError()));
    *place = std::move(*expr);
  }
  return query;
}

static int run(RooflineOptions &options) {
  llvm::StringMap<int64_t> arguments;
  std::vector<std::string> files;
  if (llvm::Error error =
          readWords(std::vector<std::string>(options.words), files, arguments))
    return complain(llvm::toString(std::move(error)));
  if (files.size() > 1)
    return complain("two files, '" + files[0] + "' and '" + files[1] +
                    "'; a report is on one");
  std::string input = files.empty() ? "" : files.front();
  if (options.kernel.chips.size() > 1)
    return complain("--chip: a report is on one chip");
  auto measured = readTime(options);
  if (!measured)
    return complain(llvm::toString(measured.takeError()));
  if (input.empty()) {
    if (!arguments.empty() || !options.flop.empty() || !options.bytes.empty())
      return complain(
          "arguments, --flop and --bytes are those of a kernel file; a "
          "GEMM by formula has --m, --n, --k");
    auto reports = reportFormula(options, *measured);
    if (!reports)
      return complain(llvm::toString(reports.takeError()));
    return printAll(options, *reports);
  }
  for (const RooflineOptions::Text *option :
       {&options.m, &options.n, &options.k, &options.type})
    if (!option->empty())
      return complain("--" + option->ArgStr +
                      " is of a GEMM by formula; leave it out, or the file '" +
                      input + "'");
  auto query = readQuery(options, arguments);
  if (!query)
    return complain(llvm::toString(query.takeError()));
  return runOnFile(options, input, *query, *measured);
}

int fly::tools::reportRoofline(int argc, char **argv) {
  RooflineOptions options;
  cl::HideUnrelatedOptions({&options.category, &options.gemmCategory});
  static const std::string overview =
      "Work against bytes: what can bind a kernel, and, with a time, how near "
      "it "
      "is to the\nmachine's peaks, each with its source. Exits with 2 where "
      "the "
      "time is impossible\n\n"
      "  fly-report roofline gemm.mlir M=4096 N=4096 K=8192 --time-us=310\n"
      "  fly-report roofline gemm.hsaco M=4096 N=4096 K=8192\n"
      "  fly-report roofline other.hsaco --flop='2 * M * N * K' --bytes='2 * "
      "(M "
      "* K + N * K + M * N)' M=512 N=512 K=512\n"
      "  fly-run gemm.mlir M=512 N=512 K=512 --timing --json > run.json\n"
      "  fly-report roofline gemm.mlir M=512 N=512 K=512 --timing=run.json\n"
      "  fly-report roofline --m=16 --n=4096 --k=4096 --type=fp8\n"
      "  fly-report roofline --chip=gfx950 --m=64 --n=8192 --k=8192 "
      "--type=mxfp4 --svg=roof.svg\n\n"
      "Types of a GEMM by formula: " +
      analysis::gemmTypes() + "\n";
  cl::ParseCommandLineOptions(argc, argv, overview);
  return run(options);
}
