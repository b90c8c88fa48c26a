//===- Recast.cpp - The same bytes as elements of another width -----------===//
//
// Both directions work leaf by leaf, so that the nesting stays. Whether wide
// elements are whole is a property of all leaves with strides below the count,
// and is checked first: sorted by stride, each has to count on where the one
// before ends.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Recast.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

#include "CheckedArithmetic.h"
#include "FlatLayout.h"

using namespace fly::layout;

namespace {
/// What becomes of a leaf.
using LeafOperation = llvm::function_ref<llvm::Expected<Leaf>(const Leaf &)>;
} // namespace

/// Replaces each leaf of shape:stride, left to right.
static llvm::Error transform(const IntTuple &shape, const IntTuple &stride,
                             LeafOperation operation, IntTuple &newShape,
                             IntTuple &newStride) {
  if (shape.isLeaf()) {
    llvm::Expected<Leaf> leaf = operation({shape.leaf(), stride.leaf()});
    if (!leaf)
      return leaf.takeError();
    newShape = leaf->extent;
    newStride = leaf->stride;
    return llvm::Error::success();
  }
  std::vector<IntTuple> shapes(shape.rank(), IntTuple(1));
  std::vector<IntTuple> strides(shape.rank(), IntTuple(0));
  for (unsigned i = 0; i < shape.rank(); ++i)
    if (llvm::Error error = transform(shape.mode(i), stride.mode(i), operation,
                                      shapes[i], strides[i]))
      return error;
  newShape = IntTuple::tuple(std::move(shapes));
  newStride = IntTuple::tuple(std::move(strides));
  return llvm::Error::success();
}

static llvm::Expected<Layout> transform(const Layout &layout,
                                        LeafOperation operation) {
  IntTuple shape(1), stride(0);
  if (llvm::Error error =
          transform(layout.shape(), layout.stride(), operation, shape, stride))
    return std::move(error);
  return Layout::get(std::move(shape), std::move(stride));
}

static llvm::Error checkCount(const Layout &layout, int64_t count) {
  if (count >= 1)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "recast of '{0}' by {1}: expected at least 1 element", layout, count));
}

/// Whether the leaf lies, at least partly, within one wide element.
static bool isWithin(const Leaf &leaf, int64_t count) {
  return !leaf.extent.is(1) && !leaf.stride.is(0) &&
         !Int::divideExact(leaf.stride, count);
}

/// The elements of the leaf that one wide element takes.
static llvm::Expected<Int> taken(const Leaf &leaf, int64_t count,
                                 const Layout &layout) {
  if (!leaf.stride.isStatic())
    return llvm::createStringError(
        llvm::formatv("recast of '{0}': whether stride '{1}' is a multiple of "
                      "{2} depends on unknown values: '{1}' must be static",
                      layout, leaf.stride, count));
  int64_t stride = leaf.stride.factor();
  if (stride < 0 || count % stride != 0)
    return llvm::createStringError(
        llvm::formatv("recast of '{0}': stride {1}: expected a divisor or a "
                      "multiple of {2}",
                      layout, stride, count));
  Int room(count / stride);
  if (Int::divideExact(leaf.extent, room))
    return room;
  if (Int::knownLessEqual(leaf.extent, room))
    return leaf.extent;
  return llvm::createStringError(
      llvm::formatv("recast of '{0}': extent {1} of stride {2}: expected at "
                    "most {3}, or a multiple of it",
                    layout, leaf.extent, stride, room));
}

/// Checks that the leaves within a wide element fill it.
static llvm::Error checkWhole(const Layout &layout, int64_t count) {
  llvm::SmallVector<Leaf> within;
  for (const Leaf &leaf : layout.leaves()) {
    if (!isWithin(leaf, count))
      continue;
    llvm::Expected<Int> part = taken(leaf, count, layout);
    if (!part)
      return part.takeError();
    within.push_back({*part, leaf.stride});
  }
  llvm::sort(within, [](const Leaf &a, const Leaf &b) {
    return std::make_pair(a.stride.factor(), a.extent.factor()) <
           std::make_pair(b.stride.factor(), b.extent.factor());
  });
  // Extents are static here: at most `count`, or `count` over the stride.
  int64_t filled = 1;
  unsigned used = 0;
  while (used < within.size() && within[used].stride.is(filled))
    filled *= within[used++].extent.factor();
  if (filled == count && used == within.size())
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "recast of '{0}': expected {1} elements next to each other, got {2}{3}",
      layout, count, filled, filled == count ? " that overlap" : ""));
}

llvm::Expected<Layout> fly::layout::upcast(const Layout &layout,
                                           int64_t count) {
  if (llvm::Error error = checkCount(layout, count))
    return std::move(error);
  if (count == 1)
    return layout;
  if (llvm::Error error = checkWhole(layout, count))
    return std::move(error);
  return transform(layout, [&](const Leaf &leaf) -> llvm::Expected<Leaf> {
    if (std::optional<Int> stride = Int::divideExact(leaf.stride, count))
      return Leaf{leaf.extent, *stride};
    if (leaf.extent.is(1))
      return Leaf{1, leaf.stride.is(1) ? 1 : 0};
    llvm::Expected<Int> part = taken(leaf, count, layout);
    if (!part)
      return part.takeError();
    return Leaf{*Int::divideExact(leaf.extent, *part), 1};
  });
}

llvm::Expected<Layout> fly::layout::downcast(const Layout &layout,
                                             int64_t count) {
  if (llvm::Error error = checkCount(layout, count))
    return std::move(error);
  if (count == 1)
    return layout;
  CheckedArithmetic arithmetic;
  bool found = false;
  llvm::Expected<Layout> result =
      transform(layout, [&](const Leaf &leaf) -> llvm::Expected<Leaf> {
        if (!found && leaf.stride.is(1)) {
          found = true;
          return Leaf{arithmetic.multiply(leaf.extent, count), 1};
        }
        return Leaf{leaf.extent, arithmetic.multiply(leaf.stride, count)};
      });
  if (llvm::Error error = arithmetic.takeError()) {
    llvm::consumeError(result.takeError());
    return std::move(error);
  }
  if (!result || found)
    return result;
  return llvm::createStringError(
      llvm::formatv("recast of '{0}': expected a mode of stride 1, whose "
                    "elements become {1} each",
                    layout, count));
}

llvm::Expected<Layout> fly::layout::recast(const Layout &layout,
                                           int64_t fromBits, int64_t toBits) {
  if (fromBits < 1 || toBits < 1)
    return llvm::createStringError(
        llvm::formatv("recast of '{0}' from {1} to {2} bits: expected at least "
                      "1 bit",
                      layout, fromBits, toBits));
  int64_t unit = std::gcd(fromBits, toBits);
  llvm::Expected<Layout> narrow = downcast(layout, fromBits / unit);
  if (!narrow)
    return narrow;
  return upcast(*narrow, toBits / unit);
}
