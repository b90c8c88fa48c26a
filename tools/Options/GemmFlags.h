//===- GemmFlags.h - The options of a generated GEMM ------------*- C++ -*-===//
//
// fly-gen prints the GEMM of these options, fly-report plan tells its numbers.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_GEMMFLAGS_H
#define FLY_TOOLS_OPTIONS_GEMMFLAGS_H

#include "fly/Gen/Gemm.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace fly::tools {

/// The options, registered where a tool constructs one; all but --chip, which
/// is not the GEMM's alone.
class GemmFlags {
public:
  explicit GemmFlags(llvm::cl::OptionCategory &category) : category(category) {}

  /// What the command line says.
  gen::GemmOptions options;

  /// The first option that was given, empty if none was.
  llvm::StringRef getFirstGiven() const {
    for (const llvm::cl::Option *flag : flags)
      if (flag->getNumOccurrences())
        return flag->ArgStr;
    return {};
  }

  /// Takes "M=4096" of the problem that `--tile=auto` chooses for.
  llvm::Error takeSize(llvm::StringRef text) {
    auto [name, number] = text.split('=');
    std::optional<int64_t> *size = name == "M"   ? &options.m
                                   : name == "N" ? &options.n
                                   : name == "K" ? &options.k
                                                 : nullptr;
    int64_t value;
    if (!size || number.getAsInteger(0, value))
      return llvm::createStringError("'" + text +
                                     "': expected M=.., N=.. or K=..");
    *size = value;
    return llvm::Error::success();
  }

private:
  /// An option that is stored where the generator reads it.
  template <typename T>
  struct Flag : llvm::cl::opt<T, true> {
    Flag(GemmFlags &owner, T &value, llvm::StringRef name, llvm::StringRef text)
        : llvm::cl::opt<T, true>(name, llvm::cl::desc(text),
                                 llvm::cl::location(value),
                                 llvm::cl::cat(owner.category)) {
      owner.flags.push_back(this);
    }
  };
  using Text = Flag<std::string>;
  using Switch = Flag<bool>;

  llvm::cl::OptionCategory &category;
  std::vector<const llvm::cl::Option *> flags;

  Text in{*this, options.in, "in",
          "Type of A and B, or one for each (fp8,bf8): bf16 (default), f16, "
          "f32, xf32, f64, i8, fp8, bf8, f8E4M3FN and the like; with "
          "--scales=mx also fp6, bf6, fp4; bf16,i4 for weights of 4 bits"};
  Text out{*this, options.out, "out",
           "Type of C: f32, bf16, f16; by default the accumulator's: f32, i32 "
           "for i8, f64 for f64"};
  Text tile{*this, options.tile, "tile",
            "Tile of a workgroup, MxNxK (128x128x64); auto chooses it and what "
            "is left open, for M=.. N=.. K=.."};
  Text config{*this, options.config, "config",
              "A recommended configuration, for what is left open (--list)"};
  Text waves{*this, options.waves, "waves",
             "Waves in rows and columns, e.g. 2x2"};
  Text ldsStages{*this, options.ldsStages, "lds-stages",
                 "Buffers in LDS an operand: 1 to 8"};
  Text bLayout{*this, options.bLayout, "b-layout",
               "Layout of B: plain (default), preshuffle"};
  Text epilogue{*this, options.epilogue, "epilogue",
                "none (default), bias, bias_relu, bias_silu, bias_gelu"};
  Text store{*this, options.store, "store", "auto (default), direct, cshuffle"};
  Text swizzle{*this, options.swizzle, "swizzle",
               "auto (default), xor, pad, none"};
  Text hotLoop{
      *this, options.hotLoop, "hot-loop",
      "auto (default), on, off, hints, pingpong (8 waves), interleave"};
  Text mfma{*this, options.mfma, "mfma", "Matrix instruction: 16x16, 32x32"};
  Text operands{
      *this, options.operands, "operands",
      "What memory holds: nt (default) A as M x K, B as N x K; nn, tn, "
      "tt: the transpose of one or both"};
  Text acc{*this, options.acc, "acc", "Accumulator: plain, transposed, auto"};
  Text scales{
      *this, options.scales, "scales",
      "none (default); row_col: SA of M, SB of N; block: SA of K/128 x "
      "M, SB of K/128 x N/128; mx: E8M0, SA of M x K/32, SB of N x K/32"};
  Text prefetch{*this, options.prefetch, "prefetch",
                "K tiles that loads run ahead: 1"};
  Text splitK{*this, options.splitK, "split-k",
              "Parts of K, and who adds them up: 4 or 4:last, 4:two-kernel, "
              "4:atomic"};
  Text streamK{*this, options.streamK, "stream-k",
               "Workers that share the K of all tiles"};
  Text require{*this, options.require, "require",
               "Multiples to require, e.g. K:64,N:8"};
  Flag<int64_t> group{*this, options.group, "group",
                      "Elements of K that share a scale of weights of i4: 32, "
                      "64, 128 (default)"};
  Switch async{*this, options.async, "async", "Copy to LDS without registers"};
  Switch xcd{*this, options.xcdSwizzle, "xcd-swizzle",
             "Walk tiles in groups, XCD by XCD"};
  Switch leadingDims{*this, options.leadingDims, "leading-dims",
                     "Leading dimensions as arguments lda, ldb, ldc"};
  Switch batch{*this, options.batch, "batch",
               "Products of a batch, with arguments batch, stride_a, stride_b, "
               "stride_c beside leading dimensions"};
};

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_GEMMFLAGS_H
