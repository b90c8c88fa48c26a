//===- Shrink.h - Smaller numbers for which a fault stays -------*- C++ -*-===//
//
// What problem: a fault shows at M=4000 N=4000 K=4000, and takes a minute each
// time. What idea: make one number after the other smaller (1, then ever
// smaller steps down from what it is) while a test holds, until none gets
// smaller. What it leaves open: it finds numbers of which none can be made
// smaller alone by those steps, not the smallest of all.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REDUCE_SHRINK_H
#define FLY_REDUCE_SHRINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace fly::reduce {

/// A number with the least value that it may get.
struct ShrinkingNumber {
  int64_t value = 0;
  int64_t least = 1;
  /// Only halved, as sizes of tiles are.
  bool halves = false;
};

/// Makes `numbers` smaller; `isInteresting` must hold for them as they are, and
/// is asked at most `maxTests` times. Gives how often it was asked.
unsigned shrinkNumbers(
    llvm::MutableArrayRef<ShrinkingNumber> numbers,
    llvm::function_ref<bool(llvm::ArrayRef<ShrinkingNumber>)> isInteresting,
    unsigned maxTests);

} // namespace fly::reduce

#endif // FLY_REDUCE_SHRINK_H
