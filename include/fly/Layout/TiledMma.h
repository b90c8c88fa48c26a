//===- TiledMma.h - Matrix products by many waves ---------------*- C++ -*-===//
//
// A matrix instruction multiplies an m x k block of A by an n x k block of B
// into an m x n block of C; three thread-value layouts say which lane holds
// what. A tiled product arranges waves over m, n and k, and repeats all of it
// over the operands. The layouts of the instructions are parameters here.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_TILEDMMA_H
#define FLY_LAYOUT_TILEDMMA_H

#include "fly/Layout/ThreadValue.h"

#include <array>

namespace fly::layout {

/// One instruction of extents m, n, k. The layouts map (lane,value) to an
/// element's number: row + m * k' of A, column + n * k' of B, row + m * column
/// of C.
struct MmaAtom {
  int64_t m, n, k;
  Layout a, b, c;
};

/// The operands of a product.
enum class MmaOperand : uint8_t { A, B, C };

/// An instruction, repeated by waves over a tile.
class TiledMma {
public:
  /// Three optional layouts that permute the coordinates m, n and k before
  /// waves and instructions are laid over them: coordinate i of the tile is
  /// element permutation(i) of the tensor.
  using Permutations = std::array<std::optional<Layout>, 3>;

  /// `waves` maps coordinates (m,n,k) to wave numbers and reaches each once.
  /// Errors: a layout of the atom does not hold each element of its block once,
  /// the numbers of lanes differ, or a permutation leaves elements out.
  static llvm::Expected<TiledMma> get(MmaAtom atom, Layout waves,
                                      Permutations permutations = {});

  /// Lanes of all waves.
  int64_t threads() const { return lanes() * waveLayout.size().factor(); }
  /// Lanes of one wave.
  int64_t lanes() const { return mma.c.mode(0).size().factor(); }

  /// ((lane,(wave,wave)), (value,(rest,rest))) to the index of the tensor,
  /// whose modes are (m,k) for A, (n,k) for B, (m,n) for C. The waves' two
  /// numbers are coordinates in the operand's modes.
  llvm::Expected<Layout> partition(MmaOperand operand, const Layout &tensor,
                                   TileEdge edge = TileEdge::Refuse) const;

  /// The coordinate (lane,(wave,wave)) of a thread in a partition of `operand`.
  llvm::Expected<IntTuple> coordinate(MmaOperand operand, int64_t thread) const;

private:
  TiledMma(MmaAtom atom, Layout waves, Layout waveInverse,
           Permutations permutations)
      : mma(std::move(atom)), waveLayout(std::move(waves)),
        waveInverse(std::move(waveInverse)),
        permutations(std::move(permutations)) {}

  MmaAtom mma;
  Layout waveLayout;
  Layout waveInverse; // wave number to flat coordinate
  Permutations permutations;
};

} // namespace fly::layout

#endif // FLY_LAYOUT_TILEDMMA_H
