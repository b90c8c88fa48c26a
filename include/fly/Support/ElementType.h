//===- ElementType.h - Element types of buffers, by name --------*- C++ -*-===//
//
// What problem: launchers, the reference executor and .npy files meet buffers
// of a dozen element types, most of which the host does not have.
// What idea: a type is one row of a table (MLIR's spelling, bits, APFloat's
// semantics); values travel as double or int64_t, which hold every value of
// every listed type exactly, and are rounded once, to nearest even, when they
// are written back.
// What it refuses: types that are not in the table.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_ELEMENTTYPE_H
#define FLY_SUPPORT_ELEMENTTYPE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace fly {

/// An element type: a number format and its width in bits.
class ElementType {
public:
  /// The type that MLIR spells `name` ("bf16", "f8E4M3FNUZ", "i32", "index").
  /// The error lists the known ones.
  static llvm::Expected<ElementType> parse(llvm::StringRef name);

  llvm::StringRef name() const;
  unsigned bits() const;
  bool isFloat() const;
  bool isInteger() const { return !isFloat(); }
  /// Of a floating-point type.
  const llvm::fltSemantics &semantics() const;
  /// Bytes of `count` elements that lie next to each other; elements of less
  /// than a byte are packed, the first in the low bits.
  uint64_t bytesFor(uint64_t count) const { return (count * bits() + 7) / 8; }

  /// The number that a code of a floating-point type stands for.
  double decode(uint64_t code) const;
  /// The code of `value` rounded to nearest even. A value out of range becomes
  /// infinity, or NaN in a type without infinity; with `saturate` a finite one
  /// becomes the finite value of largest magnitude.
  uint64_t encode(double value, bool saturate = false) const;
  /// `value` rounded to the type and widened again.
  double round(double value, bool saturate = false) const {
    return decode(encode(value, saturate));
  }
  /// An integer wrapped to the type's width: sign-extended, 0 or 1 for i1.
  int64_t wrap(int64_t value) const;

  /// The bits of element `index` of packed memory.
  uint64_t loadBits(const uint8_t *data, uint64_t index) const;
  void storeBits(uint8_t *data, uint64_t index, uint64_t code) const;
  /// Contiguous elements of a floating-point type, from and to memory.
  void load(const uint8_t *data, uint64_t index,
            llvm::MutableArrayRef<double> values) const;
  void store(uint8_t *data, uint64_t index,
             llvm::ArrayRef<double> values) const;
  /// Contiguous elements of an integer type, from and to memory.
  void load(const uint8_t *data, uint64_t index,
            llvm::MutableArrayRef<int64_t> values) const;
  void store(uint8_t *data, uint64_t index,
             llvm::ArrayRef<int64_t> values) const;

  friend bool operator==(ElementType a, ElementType b) {
    return a.row == b.row;
  }
  friend bool operator!=(ElementType a, ElementType b) { return !(a == b); }

private:
  explicit ElementType(unsigned row) : row(row) {}
  unsigned row;
};

} // namespace fly

#endif // FLY_SUPPORT_ELEMENTTYPE_H
