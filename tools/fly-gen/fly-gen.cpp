//===- fly-gen.cpp - Prints kernels ---------------------------------------===//
//
// A thin shell around lib/Gen: options in, the text of a kernel out.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/GemmChoice.h"
#include "fly/Support/OutputFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include "../Options/GemmFlags.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("fly-gen options");
static cl::opt<std::string> kernel(cl::Positional, cl::desc("<kernel>"),
                                   cl::cat(category));
static cl::list<std::string> sizes(cl::Positional, cl::desc("[M=.. N=.. K=..]"),
                                   cl::cat(category));
static cl::opt<bool> list("list",
                          cl::desc("List kernels and configurations, and exit"),
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
      "  fly-gen gemm --tile=auto --out=bf16 M=4096 N=4096 K=8192\n"
      "  fly-gen --list\n");
  if (list) {
    for (const fly::gen::GeneratorInfo &info : fly::gen::listGenerators())
      llvm::outs() << info.name << "  " << info.summary << '\n';
    llvm::outs() << "\nfly-gen gemm --config=\n";
    for (const auto &config : fly::gen::listGemmConfigurations())
      llvm::outs() << llvm::formatv("  {0,-18} {1,-12} {2}\n", config.name,
                                    config.tile, config.summary);
    return 0;
  }
  if (kernel.empty())
    return fail("name a kernel: fly-gen gemm (fly-gen --list names them all)");
  if (kernel != "gemm")
    return fail("unknown kernel '" + kernel + "', known are: gemm");
  for (llvm::StringRef size : sizes)
    if (llvm::Error error = gemm.takeSize(size))
      return fail(llvm::toString(std::move(error)));
  llvm::Expected<std::string> text = fly::gen::generateGemm(gemm.options);
  if (!text)
    return fail(llvm::toString(text.takeError()));
  if (llvm::Error error = fly::writeOutputFile(output, *text))
    return fail("cannot write '" + output +
                "': " + llvm::toString(std::move(error)));
  return 0;
}
