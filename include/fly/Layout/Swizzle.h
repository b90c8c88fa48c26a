//===- Swizzle.h - XOR of address bits --------------------------*- C++ -*-===//
//
// A swizzle S<bits,base,shift> permutes indices: `bits` bits of the index,
// which begin at bit base + shift, are XORed into those that begin at bit
// `base`. A negative shift takes the lower bits and changes those at base -
// shift. The bits that are read are not changed, so that a swizzle is its own
// inverse.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_SWIZZLE_H
#define FLY_LAYOUT_SWIZZLE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace fly::layout {

/// A permutation of the indices [0, 2^62).
class Swizzle {
public:
  /// The identity, S<0,0,0>.
  Swizzle() = default;
  /// S<bits,base,shift>. An error if a number is out of range: bits and base at
  /// least 0, |shift| at least bits, their sum at most 62.
  static llvm::Expected<Swizzle> get(int64_t bits, int64_t base, int64_t shift);

  unsigned bits() const { return bitCount; }
  unsigned base() const { return baseBit; }
  int shift() const { return shiftBits; }
  bool isIdentity() const { return bitCount == 0; }

  /// The index that `index`, at least 0, becomes.
  int64_t operator()(int64_t index) const;

  /// The swizzle of elements `count` times as wide: an error unless `count` is
  /// a power of two that the changed and the read bits are all above.
  llvm::Expected<Swizzle> upcast(int64_t count) const;
  /// The swizzle of elements that `count`, a power of two, make one of.
  llvm::Expected<Swizzle> downcast(int64_t count) const;

  bool operator==(const Swizzle &other) const {
    return bitCount == other.bitCount && baseBit == other.baseBit &&
           shiftBits == other.shiftBits;
  }

  /// The text form, as in "S<3,4,3>".
  std::string str() const;

private:
  unsigned bitCount = 0, baseBit = 0;
  int shiftBits = 0;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const Swizzle &swizzle) {
  return os << swizzle.str();
}

} // namespace fly::layout

#endif // FLY_LAYOUT_SWIZZLE_H
