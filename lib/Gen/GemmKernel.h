//===- GemmKernel.h - A GEMM before it is text ------------------*- C++ -*-===//
#ifndef FLY_LIB_GEN_GEMMKERNEL_H
#define FLY_LIB_GEN_GEMMKERNEL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

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

  bool isPreshuffled() const { return options.bLayout == "preshuffle"; }
  /// Scales of rows and columns, applied by the epilogue.
  bool hasRowScales() const { return options.scales == "row_col"; }
  /// Scales of blocks of K, applied in the loop.
  bool hasBlockScales() const { return options.scales == "block"; }
  bool hasBias() const { return options.epilogue != "none"; }
  /// Whether memory holds the transpose of A (M x K), of B (N x K).
  bool isATransposed() const { return options.operands[0] == 't'; }
  bool isBTransposed() const { return options.operands[1] == 'n'; }
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
/// Parameters of scales, each followed by a comma.
void printScaleParameters(llvm::raw_ostream &os, const Gemm &gemm);
/// Views of scales that the loop reads.
void printScaleViews(llvm::raw_ostream &os, const Gemm &gemm);
/// The loop over K.
void printLoop(llvm::raw_ostream &os, const Gemm &gemm);

} // namespace fly::gen

#endif // FLY_LIB_GEN_GEMMKERNEL_H
