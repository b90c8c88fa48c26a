//===- ComposedLayout.cpp - Swizzles and offsets over layouts -------------===//
//
// A swizzle is linear over XOR, a layout over sums; the two pass each other
// only where multiplication is a shift of bits. Other chains are refused rather
// than nested: one outer function is all that views and LDS buffers need.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/ComposedLayout.h"

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Recast.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace fly::layout;

std::string ComposedLayout::str() const {
  std::string first =
      std::visit([](const auto &f) { return f.str(); }, outerFunction);
  return first + " o " + std::to_string(offsetOfInner) + " o " +
         innerLayout.str();
}

/// The index of `flat` in `layout`, its last leaf unbounded.
static llvm::Expected<int64_t> unboundedIndex(int64_t flat,
                                              const Layout &layout) {
  llvm::SmallVector<Leaf> leaves = layout.leaves();
  for (const Leaf &leaf : leaves)
    if (!leaf.extent.isStatic() || !leaf.stride.isStatic())
      return llvm::createStringError(
          llvm::formatv("index {0} in '{1}': '{2}:{3}' must be static", flat,
                        layout, leaf.extent, leaf.stride));
  int64_t index = 0;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    int64_t part = flat;
    if (i + 1 < leaves.size()) {
      part = flat % leaves[i].extent.factor();
      flat /= leaves[i].extent.factor();
    }
    int64_t distance;
    if (llvm::MulOverflow(part, leaves[i].stride.factor(), distance) ||
        llvm::AddOverflow(index, distance, index))
      return llvm::createStringError(
          llvm::formatv("index {0} in '{1}' overflows 64 bits", flat, layout));
  }
  return index;
}

llvm::Expected<int64_t> fly::layout::crd2idx(const IntTuple &coordinate,
                                             const ComposedLayout &layout) {
  llvm::Expected<int64_t> inner = crd2idx(coordinate, layout.inner());
  if (!inner)
    return inner;
  int64_t index;
  if (llvm::AddOverflow(*inner, layout.offset(), index))
    return llvm::createStringError(llvm::formatv(
        "index of '{0}' in '{1}' overflows 64 bits", coordinate, layout));
  constexpr int64_t end = int64_t(1) << 62;
  if (index < 0 || index >= end)
    return llvm::createStringError(
        llvm::formatv("index of '{0}' in '{1}': the outer function takes 0 to "
                      "{2}, got {3}",
                      coordinate, layout, end - 1, index));
  if (const auto *swizzle = std::get_if<Swizzle>(&layout.outer()))
    return (*swizzle)(index);
  return unboundedIndex(index, std::get<Layout>(layout.outer()));
}

llvm::Expected<int64_t> fly::layout::cosize(const ComposedLayout &layout) {
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  if (!swizzle)
    return llvm::createStringError(llvm::formatv(
        "cosize of '{0}': expected a swizzle as the outer function", layout));
  for (const Leaf &leaf : layout.inner().leaves())
    if (!leaf.extent.is(1) && leaf.stride.factor() < 0)
      return llvm::createStringError(
          llvm::formatv("cosize of '{0}': stride {1}: expected at least 0",
                        layout, leaf.stride));
  llvm::Expected<int64_t> inner = cosize(layout.inner());
  if (!inner)
    return inner;
  constexpr int64_t end = int64_t(1) << 62;
  int64_t indices;
  if (layout.offset() < 0 ||
      llvm::AddOverflow(*inner, layout.offset(), indices) || indices > end)
    return llvm::createStringError(llvm::formatv(
        "cosize of '{0}': the swizzle takes 0 to {1}, got {2} to {2} + {3}",
        layout, end - 1, layout.offset(), *inner - 1));
  if (swizzle->isIdentity())
    return indices;
  // Only bits below this one change. The sum is at most 62.
  unsigned top = swizzle->base() + swizzle->bits() +
                 (swizzle->shift() < 0 ? -swizzle->shift() : 0);
  return int64_t(llvm::alignTo(uint64_t(indices), uint64_t(1) << top));
}

ComposedLayout fly::layout::composition(const Swizzle &swizzle,
                                        const Layout &layout) {
  return ComposedLayout(swizzle, 0, layout);
}

llvm::Expected<ComposedLayout>
fly::layout::composition(const ComposedLayout &outer, const Tiler &inner) {
  llvm::Expected<Layout> result = composition(outer.inner(), inner);
  if (!result)
    return result.takeError();
  return outer.withInner(std::move(*result));
}

/// outer o swizzle, as swizzle' o outer.
static llvm::Expected<ComposedLayout> passSwizzle(const Layout &outer,
                                                  const ComposedLayout &inner,
                                                  const Swizzle &swizzle) {
  llvm::Expected<Layout> single = coalesce(outer);
  if (!single)
    return single.takeError();
  std::optional<int64_t> stride =
      single->isLeaf() ? single->stride().leaf().value() : std::nullopt;
  if (!stride || *stride < 1 || !llvm::isPowerOf2_64(*stride))
    return llvm::createStringError(llvm::formatv(
        "composition of '{0}' with '{1}': a swizzle passes a single mode whose "
        "stride is a power of two, got '{2}'",
        outer, inner, *single));
  llvm::Expected<Swizzle> moved = swizzle.downcast(*stride);
  if (!moved)
    return moved.takeError();
  int64_t offset;
  if (llvm::MulOverflow(inner.offset(), *stride, offset))
    return llvm::createStringError(
        llvm::formatv("composition of '{0}' with '{1}': the offset overflows "
                      "64 bits",
                      outer, inner));
  llvm::Expected<Layout> scaled = composition(*single, inner.inner());
  if (!scaled)
    return scaled.takeError();
  return ComposedLayout(*moved, offset, std::move(*scaled));
}

llvm::Expected<ComposedLayout>
fly::layout::composition(const Layout &outer, const ComposedLayout &inner) {
  if (const auto *swizzle = std::get_if<Swizzle>(&inner.outer()))
    return passSwizzle(outer, inner, *swizzle);
  llvm::Expected<Layout> both =
      composition(outer, std::get<Layout>(inner.outer()));
  if (!both)
    return both.takeError();
  return ComposedLayout(std::move(*both), inner.offset(), inner.inner());
}

llvm::Expected<ComposedLayout>
fly::layout::logicalDivide(const ComposedLayout &layout, const Tiler &tiler) {
  llvm::Expected<Layout> result = logicalDivide(layout.inner(), tiler);
  if (!result)
    return result.takeError();
  return layout.withInner(std::move(*result));
}

llvm::Expected<ComposedLayout> fly::layout::recast(const ComposedLayout &layout,
                                                   int64_t fromBits,
                                                   int64_t toBits) {
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  if (!swizzle)
    return llvm::createStringError(llvm::formatv(
        "recast of '{0}': expected a swizzle as the outer function", layout));
  llvm::Expected<Layout> inner = recast(layout.inner(), fromBits, toBits);
  if (!inner)
    return inner.takeError();
  int64_t unit = std::gcd(fromBits, toBits);
  int64_t down = fromBits / unit, up = toBits / unit;
  llvm::Expected<Swizzle> narrow = swizzle->downcast(down);
  if (!narrow)
    return narrow.takeError();
  llvm::Expected<Swizzle> outer = narrow->upcast(up);
  if (!outer)
    return outer.takeError();
  int64_t offset;
  if (llvm::MulOverflow(layout.offset(), down, offset))
    return llvm::createStringError(
        llvm::formatv("recast of '{0}': the offset overflows 64 bits", layout));
  if (offset % up != 0)
    return llvm::createStringError(
        llvm::formatv("recast of '{0}': offset {1} lies within an element of "
                      "{2} bits: expected a multiple of {3}",
                      layout, layout.offset(), toBits, up));
  return ComposedLayout(*outer, offset / up, std::move(*inner));
}
