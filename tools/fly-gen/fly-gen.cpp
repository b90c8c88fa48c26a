//===- fly-gen.cpp - Prints kernels ---------------------------------------===//
//
// A thin shell around lib/Gen: options in, the text of a kernel out.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"
#include "fly/Support/OutputFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("fly-gen options");
static cl::opt<std::string> kernel(cl::Positional, cl::desc("<kernel>"),
                                   cl::cat(category));
static cl::opt<bool> list("list", cl::desc("List the kernels and exit"),
                          cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("Output file"),
                                   cl::value_desc("file"), cl::init("-"),
                                   cl::cat(category));

/// One text option of the GEMM, stored where the generator reads it.
static fly::gen::GemmOptions gemm;
#define FLY_GEMM_OPTION(field, name, text)                                     \
  static cl::opt<std::string, true> field##Option(                             \
      name, cl::desc(text), cl::location(gemm.field), cl::cat(category))
FLY_GEMM_OPTION(chip, "chip", "gfx942 (default) or gfx950");
FLY_GEMM_OPTION(in, "in", "Type of A and B: bf16 (default), f16");
FLY_GEMM_OPTION(out, "out", "Type of C: f32 (default), bf16, f16");
FLY_GEMM_OPTION(tile, "tile", "Tile of a workgroup, MxNxK (128x128x64)");
FLY_GEMM_OPTION(waves, "waves", "Waves in rows and columns, e.g. 2x2");
FLY_GEMM_OPTION(ldsStages, "lds-stages", "Buffers in LDS an operand: 1, 2");
FLY_GEMM_OPTION(bLayout, "b-layout", "Layout of B: plain");
FLY_GEMM_OPTION(epilogue, "epilogue",
                "none (default), bias, bias_relu, bias_silu, bias_gelu");
FLY_GEMM_OPTION(store, "store", "auto (default), direct");
FLY_GEMM_OPTION(swizzle, "swizzle", "auto (default), xor, none");
FLY_GEMM_OPTION(hotLoop, "hot-loop", "auto (default), off");
FLY_GEMM_OPTION(mfma, "mfma", "Matrix instruction: 16x16, 32x32");
FLY_GEMM_OPTION(operands, "operands", "nt: A row-major, B as N x K");
FLY_GEMM_OPTION(acc, "acc", "Accumulator: plain, transposed, auto");
FLY_GEMM_OPTION(scales, "scales", "none");
FLY_GEMM_OPTION(prefetch, "prefetch", "K tiles that loads run ahead: 1");
FLY_GEMM_OPTION(splitK, "split-k", "Parts of K: 1");
FLY_GEMM_OPTION(require, "require", "Multiples to require, e.g. K:64,N:8");
#undef FLY_GEMM_OPTION
static cl::opt<bool, true> async("async",
                                 cl::desc("Copy to LDS without "
                                          "registers (not in this version)"),
                                 cl::location(gemm.async), cl::cat(category));
static cl::opt<bool, true>
    xcd("xcd-swizzle", cl::desc("Walk tiles XCD by XCD (not in this version)"),
        cl::location(gemm.xcdSwizzle), cl::cat(category));
static cl::opt<bool, true>
    leadingDims("leading-dims",
                cl::desc("Leading dimensions as arguments lda, ldb, ldc"),
                cl::location(gemm.leadingDims), cl::cat(category));

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
  llvm::Expected<std::string> text = fly::gen::generateGemm(gemm);
  if (!text)
    return fail(llvm::toString(text.takeError()));
  if (llvm::Error error = fly::writeOutputFile(output, *text))
    return fail("cannot write '" + output +
                "': " + llvm::toString(std::move(error)));
  return 0;
}
