//===- GemmKernel.h - A GEMM before it is text ------------------*- C++ -*-===//
#ifndef FLY_LIB_GEN_GEMMKERNEL_H
#define FLY_LIB_GEN_GEMMKERNEL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include "GemmSplit.h"
#include "GemmTypes.h"

namespace fly::gen {

/// Elements of K that share a scale of 8 bits in MX formats.
inline constexpr int64_t kMxBlock = 32;
/// Rows of B, and elements of K, that share a scale of `--scales=block`.
inline constexpr int64_t kScaleBlock = 128;

/// Options in the form that the text is made from.
struct Gemm {
  const GemmOptions &options;
  GemmTypes types;
  /// m, n, k.
  llvm::SmallVector<int64_t, 3> tile;
  llvm::SmallVector<int64_t, 3> waves;
  std::vector<std::pair<std::string, int64_t>> requirements;
  /// Expression of the epilogue's fly.map, empty without one.
  std::string expression;
  GemmSplit split;

  bool isPreshuffled() const { return options.bLayout == "preshuffle"; }
  /// Scales of rows and columns, applied by the epilogue.
  bool hasRowScales() const { return options.scales == "row_col"; }
  /// Scales of blocks of K, applied in the loop.
  bool hasBlockScales() const { return options.scales == "block"; }
  bool hasBias() const { return options.epilogue != "none"; }
  /// Whether memory holds the transpose of A (M x K), of B (N x K).
  bool isATransposed() const { return options.operands[0] == 't'; }
  bool isBTransposed() const { return options.operands[1] == 'n'; }
  /// What an index of the batch puts before coordinates, before extents, and
  /// before `?x?` of views: empty without a batch.
  llvm::StringRef at() const { return options.batch ? "%z, " : ""; }
  llvm::StringRef extent() const { return options.batch ? "%batch, " : ""; }
  llvm::StringRef rank() const { return options.batch ? "?x" : ""; }
  /// Elements of K that share a scale; 0 where none do.
  int64_t scaleGroup() const {
    return types.isMx         ? kMxBlock
           : types.isInt4()   ? options.group
           : hasBlockScales() ? kScaleBlock
                              : 0;
  }
  /// The type of the scales of blocks or groups.
  std::string scaleType() const {
    return types.isMx ? "f8E8M0FNU" : types.isInt4() ? types.a : "f32";
  }
};

/// An error where blocks of scales do not fit the tile.
llvm::Error checkScales(const Gemm &gemm);
/// Types of tiles and views of scales that the loop reads.
void printScaleTypes(llvm::raw_ostream &os, const Gemm &gemm);
/// Views of scales that the loop reads.
void printScaleViews(llvm::raw_ostream &os, const Gemm &gemm);
/// The loop over K, whose sums are %acc.
void printLoop(llvm::raw_ostream &os, const Gemm &gemm);

/// Types and views of what the epilogue reads and writes.
void printOutputTypes(llvm::raw_ostream &os, const Gemm &gemm);
void printOutputViews(llvm::raw_ostream &os, const Gemm &gemm);
/// What becomes of the value `sums`, and its store.
void printEpilogue(llvm::raw_ostream &os, const Gemm &gemm,
                   llvm::StringRef sums);
/// The kernel that adds the parts of `--split-k=N:two-kernel`, and the program
/// of both.
void printSum(llvm::raw_ostream &os, const Gemm &gemm);

/// An argument of a kernel or a program.
struct Parameter {
  std::string name, type;
};
using Parameters = llvm::SmallVector<Parameter, 8>;

Parameters getOperands(const Gemm &gemm);
/// Scales that the loop reads.
Parameters getLoopScales(const Gemm &gemm);
Parameter getOutput(const Gemm &gemm);
/// Scales and the bias that the epilogue reads.
Parameters getEpilogueInputs(const Gemm &gemm);
Parameters getSizes(llvm::ArrayRef<llvm::StringRef> names);
/// lda, ldb, ldc, those of `of` that the kernel has.
Parameters getLeadingDims(const Gemm &gemm, llvm::StringRef of);
/// batch, and stride_a, stride_b, stride_c, those of `of` that the kernel has.
Parameters getBatch(const Gemm &gemm, llvm::StringRef of);
/// The clause `strides [%lda, 1]` of the view of an operand, empty where it
/// lies without gaps; `rows` is its number of rows.
std::string getStrides(const Gemm &gemm, char operand, llvm::StringRef rows,
                       bool isTransposed);
/// "%A: !fly.ptr<bf16>, %M: i32"
std::string declare(llvm::ArrayRef<Parameter> parameters);
/// "(%A, %M) : !fly.ptr<bf16>, i32"
std::string pass(llvm::ArrayRef<Parameter> parameters);
/// The requirements of those of `parameters` that have some.
void printRequirements(llvm::raw_ostream &os, const Gemm &gemm,
                       llvm::ArrayRef<Parameter> parameters);

} // namespace fly::gen

#endif // FLY_LIB_GEN_GEMMKERNEL_H
