//===- Shrink.cpp - Smaller numbers for which a fault stays ---------------===//
#include "fly/Reduce/Shrink.h"

using namespace fly::reduce;

/// Values to try for a number, the smallest first.
static llvm::SmallVector<int64_t> candidates(const ShrinkingNumber &number) {
  llvm::SmallVector<int64_t> values;
  if (number.halves) {
    if (number.value % 2 == 0 && number.value / 2 >= number.least)
      values.push_back(number.value / 2);
    return values;
  }
  // The least, and the number less than half of itself, a quarter, ..., 1: what
  // must be a multiple of a power of two stays one for the first of these.
  if (number.value > number.least)
    values.push_back(number.least);
  int64_t step = 1;
  while (step * 2 < number.value)
    step *= 2;
  for (; step; step /= 2)
    if (number.value - step > number.least)
      values.push_back(number.value - step);
  return values;
}

unsigned fly::reduce::shrinkNumbers(
    llvm::MutableArrayRef<ShrinkingNumber> numbers,
    llvm::function_ref<bool(llvm::ArrayRef<ShrinkingNumber>)> isInteresting,
    unsigned maxTests) {
  unsigned tests = 0;
  bool isSmaller = true;
  while (isSmaller) {
    isSmaller = false;
    for (ShrinkingNumber &number : numbers) {
      bool taken = true;
      while (taken) {
        taken = false;
        for (int64_t value : candidates(number)) {
          if (tests == maxTests)
            return tests;
          ++tests;
          int64_t before = number.value;
          number.value = value;
          if (isInteresting(numbers)) {
            taken = isSmaller = true;
            break;
          }
          number.value = before;
        }
      }
    }
  }
  return tests;
}
