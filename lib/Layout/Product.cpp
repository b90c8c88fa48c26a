//===- Product.cpp - Repeating layouts ------------------------------------===//
//
// The complement of the block lists where copies may start; composing it with
// the tiler puts them into the tiler's order.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Product.h"

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"

#include "ByMode.h"

using namespace fly::layout;

static llvm::Error inContext(const Layout &block, const Layout &tiler,
                             llvm::Error error) {
  return llvm::createStringError(
      llvm::formatv("product of '{0}' and '{1}': {2}", block, tiler,
                    llvm::toString(std::move(error))));
}

/// The cosize of `tiler` as far as its starts need it. An unknown extent of
/// stride `step` reaches extent * step at most.
static llvm::Expected<Int> reach(const Layout &tiler) {
  if (tiler.isLeaf() && !tiler.isStatic() && tiler.stride().leaf().factor() > 0)
    return Int::multiply(tiler.shape().leaf(), tiler.stride().leaf());
  llvm::Expected<int64_t> indices = cosize(tiler);
  if (!indices)
    return indices.takeError();
  return Int(*indices);
}

static llvm::Expected<Layout> multiply(const Layout &block,
                                       const Layout &tiler) {
  llvm::Expected<Int> copies = reach(tiler);
  if (!copies)
    return inContext(block, tiler, copies.takeError());
  llvm::Expected<Int> size = Int::multiply(block.size(), *copies);
  if (!size)
    return inContext(block, tiler, size.takeError());
  llvm::Expected<Layout> starts = complement(block, *size);
  if (!starts)
    return inContext(block, tiler, starts.takeError());
  llvm::Expected<Layout> second = composition(*starts, tiler);
  if (!second)
    return inContext(block, tiler, second.takeError());
  return Layout::fromModes({block, *second});
}

llvm::Expected<Layout> fly::layout::logicalProduct(const Layout &block,
                                                   const Tiler &tiler) {
  return applyByMode(block, tiler, "product", multiply);
}

llvm::Expected<Layout> fly::layout::zippedProduct(const Layout &block,
                                                  const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(block, tiler, "product", multiply);
  return parts ? zipped(*parts) : parts.takeError();
}

llvm::Expected<Layout> fly::layout::tiledProduct(const Layout &block,
                                                 const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(block, tiler, "product", multiply);
  return parts ? tiled(*parts) : parts.takeError();
}

llvm::Expected<Layout> fly::layout::flatProduct(const Layout &block,
                                                const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(block, tiler, "product", multiply);
  return parts ? flat(*parts) : parts.takeError();
}

/// `layout` with modes 1:0 up to `rank`.
static llvm::Expected<Layout> padded(const Layout &layout, unsigned rank) {
  if (layout.rank() == rank)
    return layout;
  llvm::SmallVector<Layout> modes = layout.modes();
  modes.resize(rank);
  return Layout::fromModes(modes);
}

static llvm::Expected<Layout>
interleavedProduct(const Layout &block, const Layout &tiler, bool blockFirst) {
  unsigned rank = std::max(block.rank(), tiler.rank());
  llvm::Expected<Layout> fullBlock = padded(block, rank);
  if (!fullBlock)
    return fullBlock;
  llvm::Expected<Layout> fullTiler = padded(tiler, rank);
  if (!fullTiler)
    return fullTiler;
  llvm::Expected<Layout> both = multiply(*fullBlock, *fullTiler);
  if (!both)
    return both;
  Layout copies = both->mode(1);
  llvm::SmallVector<Layout> modes;
  for (unsigned i = 0; i < rank; ++i) {
    Layout first = fullBlock->mode(i);
    // A tiler that is a leaf may have become several.
    Layout second = fullTiler->isLeaf() ? copies : copies.mode(i);
    if (!blockFirst)
      std::swap(first, second);
    llvm::Expected<Layout> mode = Layout::fromModes({first, second});
    if (!mode || rank == 1)
      return mode;
    modes.push_back(std::move(*mode));
  }
  return Layout::fromModes(modes);
}

llvm::Expected<Layout> fly::layout::blockedProduct(const Layout &block,
                                                   const Layout &tiler) {
  return interleavedProduct(block, tiler, /*blockFirst=*/true);
}

llvm::Expected<Layout> fly::layout::rakedProduct(const Layout &block,
                                                 const Layout &tiler) {
  return interleavedProduct(block, tiler, /*blockFirst=*/false);
}
