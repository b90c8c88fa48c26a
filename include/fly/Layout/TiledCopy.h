//===- TiledCopy.h - Copies by many threads ---------------------*- C++ -*-===//
//
// A copy instruction moves elements between threads and memory; a group of
// threads, the atom, holds on its source side other elements than on its
// destination side where the instruction transposes. A tiled copy repeats the
// atom until it covers a tile, and the tile until it covers a tensor.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_TILEDCOPY_H
#define FLY_LAYOUT_TILEDCOPY_H

#include "fly/Layout/ThreadValue.h"

namespace fly::layout {

/// One instruction: layouts from (thread,value) to the number of an element it
/// moves. `reference` is the one in whose terms tiles are described; for
/// instructions that transpose nothing all three are equal.
struct CopyAtom {
  Layout source, destination, reference;

  /// One thread that moves `values` elements as they are.
  static llvm::Expected<CopyAtom> vector(int64_t values);
};

/// An atom, repeated over a tile.
class TiledCopy {
public:
  /// `threadValue` gives the elements of the tile in terms of the atom's
  /// reference: its threads and values are multiples of the atom's. Errors: one
  /// of the layouts does not hold each element once, or numbers do not divide.
  static llvm::Expected<TiledCopy> get(CopyAtom atom, Layout threadValue,
                                       Tiler tile);

  /// Number of threads.
  int64_t threads() const { return threadValueLayout.mode(0).size().factor(); }
  const Layout &threadValue() const { return threadValueLayout; }
  const Tiler &tile() const { return tileShape; }

  /// (thread, (atom values, more), rest) to the index of the tensor that the
  /// copy reads.
  llvm::Expected<Layout>
  partitionSource(const Layout &tensor,
                  TileEdge edge = TileEdge::Refuse) const {
    return partition(tensor, source, edge);
  }
  /// The same of the tensor that the copy writes.
  llvm::Expected<Layout>
  partitionDestination(const Layout &tensor,
                       TileEdge edge = TileEdge::Refuse) const {
    return partition(tensor, destination, edge);
  }

private:
  TiledCopy(Layout threadValue, Tiler tile, Layout source, Layout destination)
      : threadValueLayout(std::move(threadValue)), tileShape(std::move(tile)),
        source(std::move(source)), destination(std::move(destination)) {}

  llvm::Expected<Layout> partition(const Layout &tensor, const Layout &side,
                                   TileEdge edge) const {
    return layout::partition(tensor, side, tileShape, edge);
  }

  Layout threadValueLayout;
  Tiler tileShape;
  Layout source, destination; // thread-value layouts of both sides
};

} // namespace fly::layout

#endif // FLY_LAYOUT_TILEDCOPY_H
