//===- PlanCommand.cpp - fly-report plan ----------------------------------===//
//
// Reads a kernel as the compiler does, or makes the GEMM of fly-gen's options,
// and prints its numbers before anything is compiled. Exits with 2 where the
// schedule is illegal.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"

#include "../Options/GemmFlags.h"
#include "../Options/ReportOutput.h"
#include "KernelSource.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace fly;
using namespace fly::tools;

namespace {
/// The options of the subcommand.
struct PlanOptions {
  cl::OptionCategory category{"fly-report plan options"};
  cl::OptionCategory gemmCategory{
      "A GEMM instead of a file, as fly-gen makes it"};
  KernelOptions kernel{category};
  GemmFlags gemm{gemmCategory};
  cl::list<std::string> words{cl::Positional, cl::desc("<k.mlir> [M=.. ...]"),
                              cl::cat(category)};
  cl::opt<std::string> product{
      "product", cl::value_desc("MI300X,..."), cl::cat(category),
      cl::desc("Machine that the grid is to fill, instead of the first with "
               "the chip")};
  OutputOptions output{"fly-report", category};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// The words of the command line: one file at most, and numbers of arguments.
static llvm::Error readPlanWords(const PlanOptions &options, std::string &input,
                                 reports::PlanQuery &query) {
  std::vector<std::string> files;
  std::vector<std::string> words(options.words.begin(), options.words.end());
  if (llvm::Error error = readWords(words, files, query.arguments))
    return error;
  if (files.size() > 1)
    return llvm::createStringError("two files, '" + files[0] + "' and '" +
                                   files[1] + "'; a plan is of one");
  if (!files.empty())
    input = files.front();
  llvm::StringRef flag = options.gemm.getFirstGiven();
  if (!input.empty() && !flag.empty())
    return llvm::createStringError(
        "--" + flag + " makes a GEMM; leave it out, or the file '" + input +
        "'");
  return llvm::Error::success();
}

/// The file, or the text of the GEMM, whose choices go to the query.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSource(const PlanOptions &options, llvm::StringRef input,
           reports::PlanQuery &query) {
  if (!input.empty())
    return readInput(input);
  gen::GemmOptions gemm = options.gemm.options;
  if (!options.kernel.chips.empty())
    gemm.chip = options.kernel.chips.front();
  for (auto [name, size] : {std::pair("M", &gemm.m), std::pair("N", &gemm.n),
                            std::pair("K", &gemm.k)})
    if (auto found = query.arguments.find(name); found != query.arguments.end())
      *size = found->second;
  llvm::Expected<std::string> text = gen::generateGemm(gemm, &query.decisions);
  if (!text)
    return text.takeError();
  return llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm");
}

static int run(const PlanOptions &options) {
  reports::PlanQuery query;
  std::string input;
  if (llvm::Error error = readPlanWords(options, input, query))
    return complain(llvm::toString(std::move(error)));
  if (options.words.empty() && options.gemm.getFirstGiven().empty() &&
      options.kernel.chips.empty())
    return complain("name a kernel file, or the options of a GEMM: fly-report "
                    "plan --chip=gfx942 --tile=128x256x64");
  auto edits = readEdits(options.kernel, "a plan");
  if (!edits)
    return complain(llvm::toString(edits.takeError()));
  if (!options.product.empty()) {
    auto product = findProduct(options.product);
    if (!product)
      return complain(llvm::toString(product.takeError()));
    query.product = *product;
  }
  auto file = readSource(options, input, query);
  if (!file)
    return complain(llvm::toString(file.takeError()));
  KernelSource source(std::move(*file));
  FailureOr<reports::PlanReport> report = source.plan(*edits, query);
  if (failed(report))
    return UserError;
  std::vector<std::string> words(options.words.begin(), options.words.end());
  Report page{"Plan", words.empty() ? "by options" : llvm::join(words, " "),
              reports::toJSON(*report),
              [&](llvm::raw_ostream &os) { reports::print(os, *report); },
              nullptr};
  bool isLegal = llvm::all_of(report->kernels,
                              [](const auto &plan) { return plan.isLegal(); });
  return options.output.get().emit(page, isLegal ? Right : FailedCheck);
}

int fly::tools::reportPlan(int argc, char **argv) {
  PlanOptions options;
  cl::HideUnrelatedOptions({&options.category, &options.gemmCategory});
  cl::ParseCommandLineOptions(
      argc, argv,
      "What a kernel will need of a chip and how it fills a machine, before it "
      "is\ncompiled; every rule of its schedule, with its numbers. Exits with "
      "2 where one\ndoes not hold\n\n"
      "  fly-report plan gemm.mlir M=4096 N=4096 K=8192\n"
      "  fly-report plan gemm.mlir --chip=gfx950 --size=BM=256 --json\n"
      "  fly-report plan --chip=gfx942 --in=bf16 --tile=128x256x64 M=16 N=4096 "
      "K=4096\n");
  return run(options);
}
