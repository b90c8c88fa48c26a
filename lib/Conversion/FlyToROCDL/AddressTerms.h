//===- AddressTerms.h - Coordinates as sums of terms ------------*- C++ -*-===//
//
// A lane's coordinate is a sum: a part that depends on the lane, a part that is
// the same for the wave, a constant. Each belongs in another place of a memory
// instruction, so the lowering first takes coordinates apart. With it come two
// facts about index values that decide what may be split off: that a value is
// not negative, and what it is a multiple of.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_ADDRESSTERMS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_ADDRESSTERMS_H

#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

namespace fly {

/// `scale * value`, a summand of a coordinate.
struct AddressTerm {
  mlir::Value value; ///< Of type index, or an integer.
  int64_t scale = 1;
  bool uniform = false;
};

/// A coordinate taken apart: the sum of the terms and the constant.
struct CoordinateSum {
  llvm::SmallVector<AddressTerm, 4> terms;
  int64_t constant = 0;
};

/// Takes `coordinate` apart through additions, subtractions and products with
/// constants. Terms of the same value are merged; the order is that of first
/// occurrence, so that equal coordinates give equal code.
CoordinateSum splitCoordinate(mlir::Value coordinate,
                              const Uniformity &uniformity);

/// A number that `value` is proved to be a multiple of, at least 1; 0 for the
/// constant 0, which is a multiple of everything.
uint64_t knownDivisor(mlir::Value value);
/// The same at `op`: tests of remainders whose branches are around it hold, as
/// those of the strides and extents that a fast body is for.
uint64_t knownDivisor(mlir::Value value, mlir::Operation *op);

/// What isSmall() values stay below, a power of two: more than any lane, wave
/// or thread of a workgroup has for a number.
inline constexpr int64_t smallLimit = 1 << 12;

/// Whether `value` is from 0 to below smallLimit, as numbers of lanes and what
/// is masked or divided of them are.
bool isSmall(mlir::Value value);

/// The largest power of two that divides `value`; for 0 one that is beyond any
/// alignment.
inline uint64_t lowestBit(uint64_t value) {
  return value ? value & (~value + 1) : uint64_t(1) << 32;
}

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_ADDRESSTERMS_H
