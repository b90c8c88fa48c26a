//===- AccessPieces.h - A vector as machine accesses ------------*- C++ -*-===//
//
// A read or write of up to 16 bytes becomes one machine access, or several
// where its alignment is not known to be enough: pieces of 1, 2, 4, 8 or 16
// bytes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ARCH_ACCESSPIECES_H
#define FLY_ARCH_ACCESSPIECES_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace fly::arch {

/// Elements `first` .. `first + count - 1` of a vector.
struct AccessPiece {
  unsigned first;
  unsigned count;
};

/// Splits `elements` elements of `elementBytes` bytes: each piece is a power of
/// two, at most `maxBytes` wide, and starts at a multiple of its size, given
/// that the vector starts at a multiple of `alignElements` elements.
inline llvm::SmallVector<AccessPiece> splitIntoPieces(unsigned elements,
                                                      unsigned elementBytes,
                                                      uint64_t alignElements,
                                                      unsigned maxBytes) {
  llvm::SmallVector<AccessPiece> pieces;
  for (unsigned first = 0; first < elements;) {
    unsigned count = 1;
    while (count * 2 <= elements - first &&
           count * 2 * elementBytes <= maxBytes && first % (count * 2) == 0 &&
           alignElements % (count * 2) == 0)
      count *= 2;
    pieces.push_back({first, count});
    first += count;
  }
  return pieces;
}

} // namespace fly::arch

#endif // FLY_ARCH_ACCESSPIECES_H
