//===- Coalesce.cpp - Fewer leaves, the same function ---------------------===//
//
// Two neighbours s0:d0 and s1:d1 merge if and only if d1 = s0 * d0: then, and
// only then, the second counts on where the first ends. Merging from the left
// until nothing merges gives the one shortest form.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"

#include "CheckedArithmetic.h"
#include "FlatLayout.h"

using namespace fly::layout;

llvm::Expected<llvm::SmallVector<Leaf>>
fly::layout::coalesceLeaves(llvm::ArrayRef<Leaf> leaves, bool keepLast) {
  llvm::SmallVector<Leaf> result;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    const Leaf &leaf = leaves[i];
    if (leaf.extent.is(1) && !(keepLast && i + 1 == leaves.size()))
      continue;
    if (!result.empty()) {
      Leaf &previous = result.back();
      // A product that overflows is no stride that a layout could have.
      llvm::Expected<Int> next =
          Int::multiply(previous.extent, previous.stride);
      if (!next)
        llvm::consumeError(next.takeError());
      else if (*next == leaf.stride) {
        llvm::Expected<Int> extent =
            Int::multiply(previous.extent, leaf.extent);
        if (!extent)
          return extent.takeError();
        previous.extent = *extent;
        continue;
      }
    }
    result.push_back(leaf);
  }
  return result;
}

llvm::Expected<llvm::SmallVector<SortedLeaf>>
fly::layout::sortByStride(const Layout &layout, llvm::StringRef operation) {
  CheckedArithmetic arithmetic;
  llvm::SmallVector<SortedLeaf> sorted;
  Int coordinateStride(1);
  for (const Leaf &leaf : layout.leaves()) {
    Int here = coordinateStride;
    coordinateStride = arithmetic.multiply(coordinateStride, leaf.extent);
    if (leaf.extent.is(1) || leaf.stride.is(0))
      continue;
    if (leaf.stride.factor() < 0)
      return llvm::createStringError(
          llvm::formatv("{0} of '{1}': stride {2}: expected at least 0",
                        operation, layout, leaf.stride));
    unsigned at = sorted.size();
    while (at > 0) {
      const Int &before = sorted[at - 1].leaf.stride;
      if (Int::knownLessEqual(before, leaf.stride))
        break;
      if (!Int::knownLessEqual(leaf.stride, before))
        return llvm::createStringError(llvm::formatv(
            "{0} of '{1}': which of the strides '{2}' and '{3}' is greater "
            "depends on unknown values: '{4}' must be static",
            operation, layout, before, leaf.stride,
            leaf.stride.isStatic() ? before : leaf.stride));
      --at;
    }
    sorted.insert(sorted.begin() + at, SortedLeaf{leaf, here});
  }
  if (llvm::Error error = arithmetic.takeError())
    return std::move(error);
  return sorted;
}

llvm::Expected<Layout> fly::layout::coalesce(const Layout &layout) {
  llvm::Expected<llvm::SmallVector<Leaf>> leaves =
      coalesceLeaves(layout.leaves(), /*keepLast=*/false);
  if (!leaves)
    return leaves.takeError();
  return Layout::fromLeaves(*leaves);
}

llvm::Expected<Layout> fly::layout::coalesce(const Layout &layout,
                                             const IntTuple &profile) {
  if (profile.isLeaf())
    return coalesce(layout);
  if (profile.rank() > layout.rank())
    return llvm::createStringError(llvm::formatv(
        "coalesce of '{0}' by '{1}': expected at most {2} modes, got {3}",
        layout, profile, layout.rank(), profile.rank()));
  llvm::SmallVector<Layout> modes = layout.modes();
  for (unsigned i = 0; i < profile.rank(); ++i) {
    llvm::Expected<Layout> mode = coalesce(modes[i], profile.mode(i));
    if (!mode)
      return mode;
    modes[i] = *mode;
  }
  return Layout::fromModes(modes);
}
