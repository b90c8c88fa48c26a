//===- fly-gen.cpp - Prints kernels ---------------------------------------===//
//
// A thin shell around lib/Gen: options in, the text of a kernel out.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/OutputFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include "../Options/GemmFlags.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("fly-gen options");
static cl::opt<std::string> kernel(cl::Positional, cl::desc("<kernel>"),
                                   cl::cat(category));
static cl::opt<bool> list("list", cl::desc("List the kernels and exit"),
                          cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("Output file"),
                                   cl::value_desc("file"), cl::init("-"),
                                   cl::cat(category));

static fly::tools::GemmFlags gemm(category);
static cl::opt<std::string, true> chip("chip",
                                       cl::desc("gfx942 (default) or gfx950"),
                                       cl::location(gemm.options.chip),
                                       cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "fly-gen") << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "fly-gen " FLY_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Prints kernels in the fly dialect\n\n"
      "  fly-gen gemm --in=bf16 --out=f32 --tile=128x256x64 --waves=2x2 "
      "--lds-stages=2 > gemm.mlir\n"
      "  fly-gen gemm --chip=gfx950 --out=bf16 --epilogue=bias_gelu "
      "--require=K:64,N:8\n"
      "  fly-gen --list\n");
  if (list) {
    for (const fly::gen::GeneratorInfo &info : fly::gen::listGenerators())
      llvm::outs() << info.name << "  " << info.summary << '\n';
    return 0;
  }
  if (kernel.empty())
    return fail("name a kernel: fly-gen gemm (fly-gen --list names them all)");
  if (kernel != "gemm")
    return fail("unknown kernel '" + kernel + "', known are: gemm");
  llvm::Expected<std::string> text = fly::gen::generateGemm(gemm.options);
  if (!text)
    return fail(llvm::toString(text.takeError()));
  if (llvm::Error error = fly::writeOutputFile(output, *text))
    return fail("cannot write '" + output +
                "': " + llvm::toString(std::move(error)));
  return 0;
}
