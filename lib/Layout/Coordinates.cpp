//===- Coordinates.cpp - Coordinates to indices, and back -----------------===//
//
// An integer coordinate is split over the leaves of its part of the shape; all
// but the last leaf take a remainder, the last takes what is left. That is also
// what tells whether the coordinate was inside.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Coordinates.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::layout;

namespace {
/// Receives each leaf coordinate with the number of its leaf.
using Receiver =
    llvm::function_ref<llvm::Error(int64_t coordinate, unsigned leaf)>;
} // namespace

static llvm::Error outside(int64_t coordinate, const IntTuple &shape) {
  return llvm::createStringError(llvm::formatv(
      "coordinate {0} is outside of '{1}': expected 0 to {2}", coordinate,
      shape, llvm::cantFail(product(shape)).factor() - 1));
}

/// Splits the integer `coordinate` over the leaves of `shape`, whose first leaf
/// has the number `first`.
static llvm::Error split(int64_t coordinate, const IntTuple &shape,
                         unsigned first, Receiver receive) {
  llvm::SmallVector<Int> extents = shape.leaves();
  int64_t rest = coordinate;
  if (rest < 0)
    return llvm::createStringError(llvm::formatv(
        "coordinate {0} of '{1}': expected at least 0", rest, shape));
  for (unsigned i = 0; i < extents.size(); ++i) {
    int64_t part = rest;
    const Int &extent = extents[i];
    if (i + 1 == extents.size()) {
      if (extent.isStatic() && rest >= extent.factor())
        return outside(coordinate, shape);
    } else if (extent.isStatic()) {
      part = rest % extent.factor();
      rest /= extent.factor();
    } else if (rest < extent.factor()) {
      // The unknown part is at least 1, so all of it fits in this leaf.
      rest = 0;
    } else {
      return llvm::createStringError(
          llvm::formatv("coordinate {0} of '{1}': extent '{2}' must be static",
                        coordinate, shape, extent));
    }
    if (llvm::Error error = receive(part, first + i))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error visit(const IntTuple &coordinate, const IntTuple &shape,
                         unsigned &leaf, Receiver receive) {
  if (!coordinate.isLeaf()) {
    for (unsigned i = 0; i < shape.rank(); ++i)
      if (llvm::Error error =
              visit(coordinate.mode(i), shape.mode(i), leaf, receive))
        return error;
    return llvm::Error::success();
  }
  if (!coordinate.leaf().isStatic())
    return llvm::createStringError(
        llvm::formatv("coordinate '{0}' must be static", coordinate));
  unsigned first = leaf;
  leaf += shape.leaves().size();
  return split(coordinate.leaf().factor(), shape, first, receive);
}

static llvm::Error forEachLeaf(const IntTuple &coordinate,
                               const IntTuple &shape, Receiver receive) {
  if (!weaklyCongruent(coordinate, shape))
    return llvm::createStringError(llvm::formatv(
        "coordinate '{0}' does not nest like shape '{1}'", coordinate, shape));
  unsigned leaf = 0;
  return visit(coordinate, shape, leaf, receive);
}

llvm::Expected<int64_t> fly::layout::crd2idx(const IntTuple &coordinate,
                                             const Layout &layout) {
  llvm::SmallVector<Int> strides = layout.stride().leaves();
  int64_t index = 0;
  llvm::Error error = forEachLeaf(
      coordinate, layout.shape(),
      [&](int64_t part, unsigned leaf) -> llvm::Error {
        if (part == 0)
          return llvm::Error::success();
        const Int &stride = strides[leaf];
        if (!stride.isStatic())
          return llvm::createStringError(llvm::formatv(
              "index of '{0}' in '{1}': stride '{2}' must be static",
              coordinate, layout, stride));
        int64_t distance;
        if (llvm::MulOverflow(part, stride.factor(), distance) ||
            llvm::AddOverflow(index, distance, index))
          return llvm::createStringError(llvm::formatv(
              "index of '{0}' in '{1}' overflows 64 bits", coordinate, layout));
        return llvm::Error::success();
      });
  if (error)
    return std::move(error);
  return index;
}

/// The leaves of `values` from number `next` on, nested like `shape`.
static IntTuple nestLike(const IntTuple &shape, llvm::ArrayRef<int64_t> values,
                         unsigned &next) {
  if (shape.isLeaf())
    return values[next++];
  std::vector<IntTuple> elements;
  for (unsigned i = 0; i < shape.rank(); ++i)
    elements.push_back(nestLike(shape.mode(i), values, next));
  return IntTuple::tuple(std::move(elements));
}

llvm::Expected<IntTuple> fly::layout::idx2crd(int64_t flat,
                                              const IntTuple &shape) {
  llvm::SmallVector<int64_t> values(shape.leaves().size(), 0);
  if (llvm::Error error =
          split(flat, shape, 0, [&](int64_t part, unsigned leaf) {
            values[leaf] = part;
            return llvm::Error::success();
          }))
    return std::move(error);
  unsigned next = 0;
  return nestLike(shape, values, next);
}

llvm::Expected<int64_t> fly::layout::flatten(const IntTuple &coordinate,
                                             const IntTuple &shape) {
  llvm::Expected<Layout> numbers = Layout::compact(shape);
  if (!numbers)
    return numbers.takeError();
  return crd2idx(coordinate, *numbers);
}

llvm::Expected<Slice>
fly::layout::slice(const Layout &layout,
                   llvm::ArrayRef<std::optional<IntTuple>> coordinates) {
  if (coordinates.size() != layout.rank())
    return llvm::createStringError(
        llvm::formatv("slice of '{0}': expected {1} coordinates, got {2}",
                      layout, layout.rank(), coordinates.size()));
  llvm::SmallVector<Layout> kept;
  int64_t offset = 0;
  for (unsigned i = 0; i < layout.rank(); ++i) {
    Layout mode = layout.mode(i);
    if (!coordinates[i]) {
      kept.push_back(std::move(mode));
      continue;
    }
    llvm::Expected<int64_t> index = crd2idx(*coordinates[i], mode);
    if (!index)
      return index.takeError();
    if (llvm::AddOverflow(offset, *index, offset))
      return llvm::createStringError(llvm::formatv(
          "slice of '{0}': the offset overflows 64 bits", layout));
  }
  if (kept.empty())
    return Slice{offset, Layout()};
  if (kept.size() == 1)
    return Slice{offset, kept.front()};
  llvm::Expected<Layout> rest = Layout::fromModes(kept);
  if (!rest)
    return rest.takeError();
  return Slice{offset, std::move(*rest)};
}
