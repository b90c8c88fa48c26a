//===- ThreadValue.cpp - Partitions of tensors among threads --------------===//
//
// Zipped division gathers the modes of the tile into one, whose elements count
// as the thread-value layout counts them; composing that mode is the partition.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/ThreadValue.h"

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Product.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly::layout;

/// Number of distinct elements of the thread mode, were the layout injective.
static int64_t distinctSize(const Layout &threadValue) {
  int64_t size = threadValue.mode(1).size().factor();
  for (const Leaf &leaf : threadValue.mode(0).leaves())
    if (!leaf.stride.is(0))
      size *= leaf.extent.factor();
  return size;
}

llvm::Error fly::layout::checkThreadValue(const Layout &threadValue,
                                          int64_t tileSize) {
  if (threadValue.rank() != 2 || !threadValue.isStatic())
    return llvm::createStringError(
        llvm::formatv("thread-value layout '{0}': expected two static modes, "
                      "of threads and values",
                      threadValue));
  llvm::Expected<Layout> inverse = rightInverse(threadValue);
  if (!inverse)
    return inverse.takeError();
  // The inverse reaches the elements 0 to size - 1. With as many threads and
  // values as that, each has one of its own.
  int64_t reached = inverse->size().factor();
  int64_t given = distinctSize(threadValue);
  if (reached == tileSize && given == tileSize)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "thread-value layout '{0}': expected each of the {1} elements of the "
      "tile once, got {2} values, which hold the elements 0 to {3} and not {4}",
      threadValue, tileSize, given, reached - 1, reached));
}

llvm::Expected<Layout> fly::layout::partition(const Layout &tensor,
                                              const Layout &threadValue,
                                              const Tiler &tile,
                                              TileEdge edge) {
  if (tile.kind() != Tiler::Kind::List)
    return llvm::createStringError(llvm::formatv(
        "partition of '{0}': expected a list of tile modes, got '{1}'", tensor,
        tile));
  if (edge == TileEdge::Refuse)
    if (llvm::Error error = checkCovers(tensor, tile))
      return llvm::createStringError(
          llvm::formatv("partition of '{0}' into tiles '{1}': {2}", tensor,
                        tile, llvm::toString(std::move(error))));
  llvm::Expected<Layout> tiles = zippedDivide(tensor, tile);
  if (!tiles)
    return tiles;
  Layout within = tiles->mode(0);
  if (!within.size().isStatic())
    return llvm::createStringError(
        llvm::formatv("partition of '{0}': the size '{1}' of the tile '{2}' "
                      "must be static",
                      tensor, within.size(), tile));
  if (llvm::Error error = checkThreadValue(threadValue, within.size().factor()))
    return std::move(error);
  llvm::Expected<Layout> mine = composition(within, threadValue);
  if (!mine)
    return mine;
  return Layout::fromModes({mine->mode(0), mine->mode(1), tiles->mode(1)});
}

llvm::Expected<Slice> fly::layout::threadSlice(const Layout &partition,
                                               const IntTuple &thread) {
  llvm::SmallVector<std::optional<IntTuple>> coordinates(partition.rank());
  coordinates.front() = thread;
  return slice(partition, coordinates);
}

/// Checks that `layout` reaches each number below its size once.
static llvm::Error checkNumbering(const Layout &layout, const char *what) {
  if (!layout.isStatic())
    return llvm::createStringError(
        llvm::formatv("layout of {0} '{1}': it must be static", what, layout));
  llvm::Expected<Layout> inverse = rightInverse(layout);
  if (!inverse)
    return inverse.takeError();
  if (inverse->size() == layout.size())
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "layout of {0} '{1}': expected each number from 0 to {2} once, number "
      "{3} is missing or repeated",
      what, layout, layout.size().factor() - 1, inverse->size()));
}

llvm::Expected<ThreadValueTile>
fly::layout::makeThreadValue(const Layout &threads, const Layout &values) {
  if (llvm::Error error = checkNumbering(threads, "threads"))
    return std::move(error);
  if (llvm::Error error = checkNumbering(values, "values"))
    return std::move(error);
  // From an element of the tile to thread + threads * value.
  llvm::Expected<Layout> numbers = rakedProduct(threads, values);
  if (!numbers)
    return numbers.takeError();
  llvm::SmallVector<Int> extents;
  if (threads.rank() == 1 && values.rank() == 1)
    extents.push_back(numbers->size());
  else
    for (const Layout &mode : numbers->modes())
      extents.push_back(mode.size());
  llvm::Expected<Layout> elements = rightInverse(*numbers);
  if (!elements)
    return elements.takeError();
  llvm::Expected<Layout> pairs =
      Layout::compact(IntTuple::tuple({threads.size(), values.size()}));
  if (!pairs)
    return pairs.takeError();
  llvm::Expected<Layout> threadValue = composition(*elements, *pairs);
  if (!threadValue)
    return threadValue.takeError();
  llvm::Expected<Tiler> tile = Tiler::blocks(extents);
  if (!tile)
    return tile.takeError();
  return ThreadValueTile{std::move(*threadValue), std::move(*tile)};
}
