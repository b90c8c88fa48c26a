//===- Divide.h - Splitting layouts into tiles ------------------*- C++ -*-===//
//
// Division splits a layout into tiles: the first mode of the result walks
// within a tile, whose elements the tiler names, the second from tile to tile.
// Where the size does not divide by the tile's, the last tile reaches beyond.
// The family differs in how the modes of a division by mode are arranged:
//
//   logical  ((t0,r0),(t1,r1),m2)        tiled  ((t0,t1),r0,r1,m2)
//   zipped   ((t0,t1),(r0,r1,m2))        flat   (t0,t1,r0,r1,m2)
//
// where t are tiles, r the rests, and m2 is a mode without a tiler. A tiler
// that is one layout gives (t,r); tiled takes r apart, flat both.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_DIVIDE_H
#define FLY_LAYOUT_DIVIDE_H

#include "fly/Layout/Tiler.h"

namespace fly::layout {

/// layout after (tiler, complement(tiler, size(layout))). Errors are those of
/// the two; `checkCovers` tells whether each element is reached exactly once.
llvm::Expected<Layout> logicalDivide(const Layout &layout, const Tiler &tiler);
llvm::Expected<Layout> zippedDivide(const Layout &layout, const Tiler &tiler);
llvm::Expected<Layout> tiledDivide(const Layout &layout, const Tiler &tiler);
llvm::Expected<Layout> flatDivide(const Layout &layout, const Tiler &tiler);

} // namespace fly::layout

#endif // FLY_LAYOUT_DIVIDE_H
