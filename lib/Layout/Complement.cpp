//===- Complement.cpp - What a layout leaves out --------------------------===//
//
// By ascending stride, a leaf extent:stride repeats what comes before it. What
// comes before fills `filled` indices; the gap up to the stride holds
// stride / filled such blocks, of which the layout itself takes one. The list
// of gaps is the complement. Where a stride does not divide by `filled`, the
// gap holds fewer blocks than it has room for, and a hole stays.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"

#include "CheckedArithmetic.h"
#include "FlatLayout.h"

using namespace fly::layout;

/// How many blocks of `filled` indices fit below `stride`, rounded down.
static llvm::Expected<Int> blocksBelow(const Int &stride, const Int &filled,
                                       const Layout &layout) {
  if (std::optional<Int> exact = Int::divideExact(stride, filled))
    return *exact;
  if (!stride.isStatic() || !filled.isStatic())
    return llvm::createStringError(llvm::formatv(
        "complement of '{0}': whether stride '{1}' divides by the extent '{2}' "
        "before it depends on unknown values: '{3}' must be static",
        layout, stride, filled, stride.isStatic() ? filled : stride));
  if (stride.factor() < filled.factor())
    return llvm::createStringError(llvm::formatv(
        "complement of '{0}': its modes overlap or interleave: expected a "
        "stride of at least {1}, got {2}",
        layout, filled, stride));
  return Int(stride.factor() / filled.factor());
}

llvm::Expected<Layout> fly::layout::complement(const Layout &layout,
                                               const Int &size) {
  if (size.factor() < 1)
    return llvm::createStringError(
        llvm::formatv("complement of '{0}' in {1}: expected a size of at "
                      "least 1",
                      layout, size));
  llvm::Expected<llvm::SmallVector<SortedLeaf>> sorted =
      sortByStride(layout, "complement");
  if (!sorted)
    return sorted.takeError();
  CheckedArithmetic arithmetic;
  llvm::SmallVector<Leaf> gaps;
  Int filled(1);
  for (const SortedLeaf &entry : *sorted) {
    const Leaf &leaf = entry.leaf;
    llvm::Expected<Int> blocks = blocksBelow(leaf.stride, filled, layout);
    if (!blocks)
      return blocks.takeError();
    gaps.push_back({*blocks, filled});
    filled = arithmetic.multiply(leaf.extent, leaf.stride);
  }
  gaps.push_back({arithmetic.ceilDivide(size, filled), filled});
  if (llvm::Error error = arithmetic.takeError())
    return llvm::createStringError(
        llvm::formatv("complement of '{0}' in {1}: {2}", layout, size,
                      llvm::toString(std::move(error))));
  llvm::Expected<llvm::SmallVector<Leaf>> merged =
      coalesceLeaves(gaps, /*keepLast=*/false);
  if (!merged)
    return merged.takeError();
  return Layout::fromLeaves(*merged);
}

llvm::Error fly::layout::checkCovers(const Layout &layout, const Int &size) {
  llvm::Expected<llvm::SmallVector<SortedLeaf>> sorted =
      sortByStride(layout, "coverage");
  if (!sorted)
    return sorted.takeError();
  CheckedArithmetic arithmetic;
  Int filled(1);
  for (const SortedLeaf &entry : *sorted) {
    const Leaf &leaf = entry.leaf;
    if (!Int::divideExact(leaf.stride, filled))
      return llvm::createStringError(llvm::formatv(
          "'{0}' leaves holes or overlaps in {1}: stride {2} of '{3}:{2}' is "
          "not known to divide by the extent {4} before it",
          layout, size, leaf.stride, leaf.extent, filled));
    filled = arithmetic.multiply(leaf.extent, leaf.stride);
  }
  if (llvm::Error error = arithmetic.takeError())
    return error;
  if (!Int::divideExact(size, filled))
    return llvm::createStringError(
        llvm::formatv("repetitions of '{0}' reach beyond {1}, which is not "
                      "known to divide by {2}",
                      layout, size, filled));
  return llvm::Error::success();
}
