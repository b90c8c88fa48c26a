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
           cl::desc("Output; %c stands for the chip, - for standard output"));
static cl::opt<Emit> emit(
    "emit", cl::desc("What to write:"), cl::init(Emit::Obj), cl::cat(category),
    cl::values(
        clEnumValN(Emit::Tile, "tile", "tile IR, sizes and schedule filled in"),
        clEnumValN(Emit::Explicit, "explicit", "what each lane does"),
        clEnumValN(Emit::Rocdl, "rocdl", "the llvm and rocdl dialects"),
        clEnumValN(Emit::Llvm, "llvm", "LLVM IR"),
        clEnumValN(Emit::Asm, "asm", "assembly"),
        clEnumValN(Emit::Obj, "obj", "the code object (default)"),
        clEnumValN(Emit::Contract, "contract", "launch contracts as JSON")));
static cl::opt<std::string>
    after("after", cl::value_desc("pass"), cl::cat(category),
          cl::desc("Stop after this pass and print the IR"));
static cl::opt<ReportForm>
    report("report", cl::desc("Print registers, LDS, spills and the hot loop:"),
           cl::init(ReportForm::None), cl::cat(category),
           cl::values(clEnumValN(ReportForm::Text, "text", "for people"),
                      clEnumValN(ReportForm::Json, "json", "for programs")));
static cl::opt<bool> timing("timing", cl::cat(category),
                            cl::desc("Print the time of each phase"));
static cl::opt<bool> werror("werror", cl::cat(category),
                            cl::desc("Treat warnings as errors"));
static cl::opt<bool>
    isolate("isolate", cl::init(true), cl::cat(category),
            cl::desc("Generate code in a child process (default)"));

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
  request.emit = emit;
  request.after = after;
  request.chips.assign(kernelOptions.chips.begin(), kernelOptions.chips.end());
  request.kernel = kernelOptions.kernel;
  request.overrides = kernelOptions.overrides();
  request.report = report;
  request.timing = timing;
  request.warningsAreErrors = werror;
  request.isolate = isolate;
  return compileRequest(request);
}
