//===- Inverse.cpp - From indices back to coordinates ---------------------===//
//
// Sorted by stride, an injective layout is a number system: the strides are the
// weights of the digits. The inverses read the digits of an index and give each
// the weight that it has in the flat coordinate. The right inverse stops at the
// first weight that leaves a gap; the left inverse reads over gaps, as long as
// each weight divides the next.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"

#include "CheckedArithmetic.h"
#include "FlatLayout.h"

using namespace fly::layout;

static llvm::Expected<Layout> merged(llvm::ArrayRef<Leaf> leaves,
                                     CheckedArithmetic &arithmetic) {
  if (llvm::Error error = arithmetic.takeError())
    return std::move(error);
  llvm::Expected<llvm::SmallVector<Leaf>> result =
      coalesceLeaves(leaves, /*keepLast=*/false);
  if (!result)
    return result.takeError();
  return Layout::fromLeaves(*result);
}

llvm::Expected<Layout> fly::layout::rightInverse(const Layout &layout) {
  llvm::Expected<llvm::SmallVector<SortedLeaf>> sorted =
      sortByStride(layout, "right inverse");
  if (!sorted)
    return sorted.takeError();
  CheckedArithmetic arithmetic;
  llvm::SmallVector<Leaf> digits;
  Int reached(1);
  for (const SortedLeaf &entry : *sorted) {
    // Overlapping leaves add nothing that is not reached already.
    if (entry.leaf.stride != reached) {
      if (Int::knownLessEqual(entry.leaf.stride, reached))
        continue;
      break;
    }
    digits.push_back({entry.leaf.extent, entry.coordinateStride});
    reached = arithmetic.multiply(reached, entry.leaf.extent);
  }
  return merged(digits, arithmetic);
}

/// Checks that `layout` has no leaf that repeats one index.
static llvm::Error checkNoBroadcast(const Layout &layout) {
  for (const Leaf &leaf : layout.leaves())
    if (!leaf.extent.is(1) && leaf.stride.is(0))
      return llvm::createStringError(llvm::formatv(
          "left inverse of '{0}': it is not injective: '{1}:0' repeats one "
          "index",
          layout, leaf.extent));
  return llvm::Error::success();
}

llvm::Expected<Layout> fly::layout::leftInverse(const Layout &layout) {
  if (llvm::Error error = checkNoBroadcast(layout))
    return std::move(error);
  llvm::Expected<llvm::SmallVector<SortedLeaf>> sorted =
      sortByStride(layout, "left inverse");
  if (!sorted)
    return sorted.takeError();
  if (sorted->empty())
    return Layout();
  CheckedArithmetic arithmetic;
  // Indices are multiples of the least stride.
  llvm::SmallVector<Leaf> digits = {{sorted->front().leaf.stride, 0}};
  for (unsigned i = 0; i + 1 < sorted->size(); ++i) {
    const Leaf &leaf = (*sorted)[i].leaf;
    const Int &next = (*sorted)[i + 1].leaf.stride;
    std::optional<Int> room = Int::divideExact(next, leaf.stride);
    if (!room)
      return llvm::createStringError(llvm::formatv(
          "left inverse of '{0}': expected a stride that {1} divides after "
          "'{2}:{1}', got {3}",
          layout, leaf.stride, leaf.extent, next));
    if (!Int::knownLessEqual(leaf.extent, *room)) {
      if (!leaf.extent.isStatic() || !room->isStatic())
        return llvm::createStringError(llvm::formatv(
            "left inverse of '{0}': whether '{1}:{2}' ends before stride {3} "
            "depends on unknown values: '{4}' must be static",
            layout, leaf.extent, leaf.stride, next,
            leaf.extent.isStatic() ? *room : leaf.extent));
      return llvm::createStringError(llvm::formatv(
          "left inverse of '{0}': it is not injective: expected a stride of at "
          "least {1} after '{2}:{3}', got {4}",
          layout, arithmetic.multiply(leaf.extent, leaf.stride), leaf.extent,
          leaf.stride, next));
    }
    digits.push_back({*room, (*sorted)[i].coordinateStride});
  }
  digits.push_back(
      {sorted->back().leaf.extent, sorted->back().coordinateStride});
  return merged(digits, arithmetic);
}
