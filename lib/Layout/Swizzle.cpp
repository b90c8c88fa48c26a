//===- Swizzle.cpp - XOR of address bits ----------------------------------===//
//
// The ranges are checked once, so that no shift of the application can be
// undefined.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Swizzle.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::layout;

llvm::Expected<Swizzle> Swizzle::get(int64_t bits, int64_t base,
                                     int64_t shift) {
  auto refuse = [&](const char *what, int64_t least, int64_t greatest,
                    int64_t value) {
    return llvm::createStringError(
        llvm::formatv("swizzle S<{0},{1},{2}>: {3}: expected {4} to {5}, got "
                      "{6}",
                      bits, base, shift, what, least, greatest, value));
  };
  constexpr int64_t limit = 62;
  if (bits < 0 || bits > limit)
    return refuse("bits", 0, limit, bits);
  if (base < 0 || base > limit - bits)
    return refuse("base", 0, limit - bits, base);
  int64_t most = limit - bits - base;
  if (shift < -most || shift > most)
    return refuse("shift", -most, most, shift);
  if (std::abs(shift) < bits)
    return llvm::createStringError(llvm::formatv(
        "swizzle S<{0},{1},{2}>: the bits that are read and changed overlap: "
        "expected a shift of at least {0} or at most {3}, got {2}",
        bits, base, shift, -bits));
  Swizzle result;
  result.bitCount = bits;
  result.baseBit = base;
  result.shiftBits = shift;
  return result;
}

int64_t Swizzle::operator()(int64_t index) const {
  int64_t mask = (int64_t(1) << bitCount) - 1;
  int low = baseBit, high = baseBit + std::abs(shiftBits);
  int from = shiftBits >= 0 ? high : low;
  int to = shiftBits >= 0 ? low : high;
  return index ^ (((index >> from) & mask) << to);
}

llvm::Expected<Swizzle> Swizzle::upcast(int64_t count) const {
  if (count < 1 || !llvm::isPowerOf2_64(count))
    return llvm::createStringError(llvm::formatv(
        "recast of {0} by {1}: expected a power of two", *this, count));
  if (isIdentity())
    return *this;
  unsigned bits = llvm::Log2_64(count);
  if (bits > baseBit)
    return llvm::createStringError(
        llvm::formatv("recast of {0} by {1}: it moves parts of the wide "
                      "elements: expected at most {2}",
                      *this, count, int64_t(1) << baseBit));
  return get(bitCount, baseBit - bits, shiftBits);
}

llvm::Expected<Swizzle> Swizzle::downcast(int64_t count) const {
  if (count < 1 || !llvm::isPowerOf2_64(count))
    return llvm::createStringError(llvm::formatv(
        "recast of {0} by {1}: expected a power of two", *this, count));
  if (isIdentity())
    return *this;
  return get(bitCount, baseBit + llvm::Log2_64(count), shiftBits);
}

std::string Swizzle::str() const {
  return llvm::formatv("S<{0},{1},{2}>", bitCount, baseBit, shiftBits);
}
