//===- TileChoice.h - The tile of a GEMM for a problem ----------*- C++ -*-===//
#ifndef FLY_LIB_GEN_TILECHOICE_H
#define FLY_LIB_GEN_TILECHOICE_H

#include "fly/Arch/Products.h"
#include "fly/Gen/Gemm.h"
#include "fly/Plan/DotTile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

namespace fly::gen {

/// Up to so many rows the guide takes the smallest tile with the longest rows
/// of K, from so many its largest.
inline constexpr int64_t kSmallBatch = 32, kLargeBatch = 4096;
/// Of LDS, for the number by which the last part of a split sum knows that it
/// is (the dialect's ScalarSlot.h).
inline constexpr int64_t kCountBytes = 8;

/// What the matrix unit multiplies.
struct InputTypes {
  arch::ElementType a, b;
  /// B is computed in registers, of weights of so many bits; 0: is loaded.
  unsigned weightBits = 0;

  unsigned bits() const {
    return std::max(arch::bitWidth(a), arch::bitWidth(b));
  }
};

/// Options with a size, and where the kernel runs.
struct Problem {
  GemmOptions &options;
  const arch::ArchInfo &chip;
  const arch::Product &product;
  InputTypes types;
  /// A line for each decision.
  std::vector<std::string> lines;

  void say(const llvm::Twine &line) { lines.push_back(line.str()); }
  int64_t workgroupsOf(const plan::DotTile &tile) const {
    return llvm::divideCeil(*options.m, tile.m) *
           llvm::divideCeil(*options.n, tile.n);
  }
  int64_t computeUnits() const { return *product.computeUnits; }
  bool isPreshuffled() const { return options.bLayout == "preshuffle"; }
};

/// "256x128x64".
std::string describe(const plan::DotTile &tile);

/// The tile with the least estimated cycles, of the one that the guide
/// recommends and others; its waves and buffers are decided, too. An error
/// where none is legal.
llvm::Expected<plan::DotTile> chooseTile(Problem &problem);

} // namespace fly::gen

#endif // FLY_LIB_GEN_TILECHOICE_H
