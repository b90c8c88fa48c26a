//===- Product.h - Repeating layouts ----------------------------*- C++ -*-===//
//
// A product repeats a block: the first mode of the result is the block, the
// second walks from copy to copy in the order of the tiler. Copies fill the
// gaps that the block leaves, then what follows it. The arrangements are those
// of the divide family, see Divide.h.
//
// Blocked and raked products put block and copy of each mode together: blocked
// keeps a block's elements next to each other, raked deals them out.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_PRODUCT_H
#define FLY_LAYOUT_PRODUCT_H

#include "fly/Layout/Tiler.h"

namespace fly::layout {

/// (block, complement(block, size(block) * cosize(tiler)) after tiler).
llvm::Expected<Layout> logicalProduct(const Layout &block, const Tiler &tiler);
llvm::Expected<Layout> zippedProduct(const Layout &block, const Tiler &tiler);
llvm::Expected<Layout> tiledProduct(const Layout &block, const Tiler &tiler);
llvm::Expected<Layout> flatProduct(const Layout &block, const Tiler &tiler);

/// ((b0,t0),(b1,t1),...): mode i of the product walks through mode i of the
/// block, then to the next copy in mode i of the tiler. The shorter of the two
/// gets modes 1:0; of rank 1 both, the result is (b0,t0).
llvm::Expected<Layout> blockedProduct(const Layout &block, const Layout &tiler);
/// ((t0,b0),(t1,b1),...): mode i walks from copy to copy first.
llvm::Expected<Layout> rakedProduct(const Layout &block, const Layout &tiler);

} // namespace fly::layout

#endif // FLY_LAYOUT_PRODUCT_H
