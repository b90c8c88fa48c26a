//===- fly-compile.cpp - Compiles kernels ---------------------------------===//
//
// The command line of the compiler; CompileDriver.cpp does the work.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/InitLLVM.h"

#include "../Options/KernelOptions.h"
#include "CompileDriver.h"

namespace cl = llvm::cl;
using namespace fly::tools;

static cl::OptionCategory category("fly-compile options");
static KernelOptions kernelOptions(category);
static cl::opt<std::string> input(cl::Positional, cl::desc("<k.mlir>"),
                                  cl::cat(category));
static cl::opt<std::string>
    output("o", cl::value_desc("file"), cl::cat(category),
           cl::desc("Output; %c stands for the chip, - for standard output.\n"
                    "Without it k.mlir becomes ./k.hsaco, in the folder that\n"
                    "the tool runs in (./k.CHIP.hsaco for several chips);\n"
                    "text, and all that is made of standard input, goes to\n"
                    "standard output"));
static cl::opt<std::string>
    emit("emit", cl::init("obj"), cl::value_desc("level"), cl::cat(category),
         cl::desc("What to write:\n"
                  "tile: tile IR, sizes and schedule filled in\n"
                  "explicit: what each lane does\n"
                  "rocdl: the llvm and rocdl dialects\n"
                  "llvm: LLVM IR\n"
                  "asm: assembly\n"
                  "obj: the code object (default)\n"
                  "contract: launch contracts as JSON"));
static cl::opt<std::string>
    after("after", cl::value_desc("pass"), cl::cat(category),
          cl::desc("Stop after this pass and print the IR"));
static cl::opt<std::string>
    report("report", cl::value_desc("text|json"), cl::cat(category),
           cl::desc("Print registers, LDS, spills and the hot loop, for people "
                    "or for programs"));
static cl::opt<bool> timing("timing", cl::cat(category),
                            cl::desc("Print the time of each phase"));
static cl::opt<bool>
    checks("checks", cl::cat(category),
           cl::desc("Compile asserts and prints: records of a channel, an\n"
                    "argument more that the launch contract describes"));
static cl::opt<bool> werror("werror", cl::cat(category),
                            cl::desc("Treat warnings as errors"));
static cl::opt<bool>
    isolate("isolate", cl::init(true), cl::cat(category),
            cl::desc("Generate code in a child process (default)"));

/// The value that an option's word stands for; the error lists the words.
template <typename Value, size_t Count>
static llvm::Expected<Value>
parseWord(llvm::StringRef option, llvm::StringRef word,
          const std::pair<llvm::StringLiteral, Value> (&words)[Count]) {
  std::string known;
  for (const auto &[name, value] : words) {
    if (name == word)
      return value;
    known += (known.empty() ? "" : ", ") + name.str();
  }
  return llvm::createStringError("--" + option + "=" + word +
                                 ": unknown, expected one of: " + known);
}

static llvm::Error fillForms(CompileRequest &request) {
  constexpr std::pair<llvm::StringLiteral, Emit> emits[] = {
      {"tile", Emit::Tile},        {"explicit", Emit::Explicit},
      {"rocdl", Emit::Rocdl},      {"llvm", Emit::Llvm},
      {"asm", Emit::Asm},          {"obj", Emit::Obj},
      {"contract", Emit::Contract}};
  constexpr std::pair<llvm::StringLiteral, ReportForm> forms[] = {
      {"text", ReportForm::Text}, {"json", ReportForm::Json}};
  llvm::Expected<Emit> level = parseWord("emit", emit, emits);
  if (!level)
    return level.takeError();
  request.emit = *level;
  if (!report.getNumOccurrences())
    return llvm::Error::success();
  llvm::Expected<ReportForm> form = parseWord("report", report, forms);
  if (!form)
    return form.takeError();
  request.report = *form;
  bool isIr =
      *level == Emit::Tile || *level == Emit::Explicit || *level == Emit::Rocdl;
  if (isIr || !after.empty())
    return llvm::createStringError(
        "--report counts machine code, which " +
        (after.empty() ? "--emit=" + emit : "--after=" + after) +
        " does not make; leave out one of them");
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  setVersion("fly-compile");
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles kernels in the fly dialect to AMDGPU code objects\n\n"
      "  fly-compile gemm.mlir -o gemm.hsaco\n"
      "  fly-compile gemm.mlir --chip=gfx942,gfx950 -o gemm.%c.hsaco\n"
      "  fly-compile gemm.mlir --emit=explicit\n"
      "  fly-compile gemm.mlir --after=fly-pipeline-loops\n"
      "  fly-compile gemm.mlir --report=text --timing "
      "--schedule=a.stages=1 --size=BM=64\n");
  if (input.empty())
    return fail("fly-compile", "name a kernel file: fly-compile gemm.mlir "
                               "(fly-compile --help shows more)");
  CompileRequest request;
  request.input = input;
  request.output = output;
  request.after = after;
  request.chips.assign(kernelOptions.chips.begin(), kernelOptions.chips.end());
  request.kernel = kernelOptions.kernel;
  request.overrides = kernelOptions.overrides();
  request.timing = timing;
  request.checks = checks;
  request.warningsAreErrors = werror;
  request.isolate = isolate;
  if (llvm::Error error = fillForms(request))
    return fail("fly-compile", llvm::toString(std::move(error)));
  return compileRequest(request);
}
