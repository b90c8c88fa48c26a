//===- Gemm.h - Text of GEMM kernels ----------------------------*- C++ -*-===//
//
// What problem: tests and tuners need the same kernel in hundreds of shapes.
// What idea: one function from options to the text of a kernel, as a person
// would write it: named sizes, a pipeline, a schedule with the labels a, b, c
// and kloop.
// What it refuses: options that this version of Fly has no passes for, by name.
// Whether a tile fits a chip is left to the compiler, which says it with
// numbers.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_GEN_GEMM_H
#define FLY_GEN_GEMM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fly::gen {

/// A kernel
/// `gemm(A, B, C, [SA, SB,] [Bias,] M, N, K, [lda, ldb, ldc,]
/// [batch, stride_a, stride_b, stride_c,] [Part, Count])`,
/// or a program `split_k` of two kernels with the same arguments:
/// C = A * B^T with A of M x K, B of N x K and C of M x N, row-major. Texts as
/// on the command line; empty is the compiler's choice. A preshuffled B has no
/// ldb.
struct GemmOptions {
  std::string chip; ///< Empty: the first of the chip tables.
  /// Type of A and B, or `fp8,bf8`: one for each; empty: bf16.
  std::string in;
  std::string out; ///< Empty: the accumulator's, f32, i32 or f64.
  /// m x n x k; `auto` chooses it and all that is left open (GemmChoice.h);
  /// empty: 128x128x64, with MX scales and scaled weights 128x128x128, with
  /// block scales 64x128x128, of f64 64x64x32.
  std::string tile;
  std::string waves;     ///< "2x2": waves in rows and columns.
  std::string ldsStages; ///< "1" to "8".
  std::string bLayout;   ///< plain or preshuffle; empty: plain.
  std::string epilogue =
      "none";                 ///< none, bias, bias_relu, bias_silu, bias_gelu.
  std::string store = "auto"; ///< direct, cshuffle or auto.
  std::string swizzle = "auto"; ///< auto, xor, pad or none.
  std::string hotLoop = "auto";
  std::string mfma; ///< "16x16" or "32x32".
  /// What memory holds of A and B, n or t for each: nt is A of M x K and B of
  /// N x K, tn A^T (K x M) and B^T (K x N).
  std::string operands = "nt";
  std::string acc; ///< plain, transposed or auto.
  /// none; row_col: SA of M, SB of N; block: SA of K/128 x M, SB of K/128 x
  /// N/128; mx: SA of M x K/32, SB of N x K/32. Empty: none.
  std::string scales;
  /// Elements of K that share a scale of weights of i4: SB of N x K/group.
  int64_t group = 128;
  std::string prefetch; ///< "1" is what there is.
  /// "4": parts of K, and ":last" (also without), ":two-kernel" or ":atomic":
  /// who adds them up.
  std::string splitK;
  std::string streamK; ///< "304": workers that share the K of all tiles.
  std::string require; ///< "K:64,N:8".
  /// A recommended configuration by name, for what is left open.
  std::string config;
  /// The problem that `tile = auto` chooses for.
  std::optional<int64_t> m, n, k;
  bool async = false;      ///< Copies to LDS past the registers.
  bool xcdSwizzle = false; ///< In groups of tiles, each die over neighbours.
  /// Leading dimensions as arguments lda, ldb, ldc; rows may have gaps.
  bool leadingDims = false;
  /// `batch` products, whose matrices lie stride_a, stride_b and stride_c
  /// elements apart; scales lie without gaps, the bias is that of all. Implies
  /// leading dimensions.
  bool batch = false;
};

/// The text of the kernel, or what is wrong with the options. What was chosen
/// for them is in comments of the text and, a line each, in `decisions`.
llvm::Expected<std::string>
generateGemm(const GemmOptions &options,
             std::vector<std::string> *decisions = nullptr);

/// A kernel that fly-gen prints.
struct GeneratorInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
};
llvm::ArrayRef<GeneratorInfo> listGenerators();

} // namespace fly::gen

#endif // FLY_GEN_GEMM_H
