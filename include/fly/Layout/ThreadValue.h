//===- ThreadValue.h - Partitions of tensors among threads ------*- C++ -*-===//
//
// A thread-value layout says which element of a tile is value v of thread t: it
// maps (t,v) to the number of an element, counted with the first mode of the
// tile fastest. Partitioning a tensor repeats the tile over it and gives each
// thread its values of each tile.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_THREADVALUE_H
#define FLY_LAYOUT_THREADVALUE_H

#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Tiler.h"

namespace fly::layout {

/// What to do where a tensor does not divide into whole tiles.
enum class TileEdge : uint8_t {
  Refuse, ///< an error with the numbers
  Beyond, ///< the last tile reaches beyond the tensor: accesses need guards
};

/// Checks that `threadValue`, a static layout of rank 2, gives each of the
/// `tileSize` elements to one value of one thread. Leaves of stride 0 in the
/// thread mode are copies for more threads and do not count.
llvm::Error checkThreadValue(const Layout &threadValue, int64_t tileSize);

/// (thread, value, rest) to the index of `tensor`: the tile is repeated over
/// the modes of the tensor, `rest` goes from tile to tile. `tile` is a list,
/// with an entry for each mode of the tensor that is split.
llvm::Expected<Layout> partition(const Layout &tensor,
                                 const Layout &threadValue, const Tiler &tile,
                                 TileEdge edge = TileEdge::Refuse);

/// The values of one thread: mode 0 of a partition at `thread`.
llvm::Expected<Slice> threadSlice(const Layout &partition,
                                  const IntTuple &thread);

/// The thread-value layout and the tile of threads that are arranged as
/// `threads` says, each with values arranged as `values` says: `threads` maps
/// coordinates to thread numbers, `values` to value numbers, both onto all
/// numbers from 0 on. The block of values is what lies next to each other.
struct ThreadValueTile {
  Layout threadValue;
  Tiler tile;
};
llvm::Expected<ThreadValueTile> makeThreadValue(const Layout &threads,
                                                const Layout &values);

} // namespace fly::layout

#endif // FLY_LAYOUT_THREADVALUE_H
