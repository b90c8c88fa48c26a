//===- OffsetParts.h - A byte offset in the registers of an access -*- C++
//-*-===//
//
// Where the summands of a buffer access's byte offset go, while its dimensions
// are added up. GlobalOffsets.cpp says what the range check asks of them.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_OFFSETPARTS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_OFFSETPARTS_H

#include <cstdint>

#include "AddressTerms.h"
#include "Lowering.h"

namespace fly {

/// How a dimension of an access is kept inside.
enum class Guard {
  None,    ///< Proved.
  Range,   ///< By the resource's range.
  Compare, ///< By comparing the coordinate.
};

/// The parts of a byte offset while dimensions are added up.
struct OffsetParts {
  mlir::Value lane, uniform; ///< i32, in bytes.
  int64_t constant = 0;
  /// Every part that depends on the lane is proved not negative: uniform parts
  /// may go to the scalar offset.
  bool splittable = true;
  bool laneNonNegative = true;
  /// The scalar offset has parts of a dimension that is not proved inside.
  bool clampUniform = false;
  /// The constant has.
  bool constantIsUnproved = false;
  /// The constant has parts that the range check decides about.
  bool constantIsChecked = false;
  /// Constants stay with the lane's part, which something is taken off.
  bool constantsToLane = false;
  /// The access is in a loop in which the lane's part does not change: added to
  /// it, a constant that no other access has costs nothing in a round.
  bool laneIsInvariant = false;
  /// What the offset is a multiple of.
  uint64_t divisor = 0;
};

/// Whether `sum` is below an extent only where it is with its far terms cut at
/// the extent: they are not negative, and nothing is taken from them. The
/// constant is not cut, so it must not be far.
bool canCut(const CoordinateSum &sum, mlir::Value stride,
            unsigned elementBytes);

/// `sum`, cut at `extent` where the range check decides about it.
CoordinateSum cutForRange(const CoordinateSum &sum, Guard guard,
                          mlir::Value extent, I32Builder &i32);

/// Adds a dimension with this stride, in elements, to the parts; `divisor` is
/// what its coordinate is a multiple of.
void addDimension(OffsetParts &parts, const CoordinateSum &sum,
                  uint64_t divisor, Guard guard, mlir::Value stride,
                  unsigned elementBytes, I32Builder &i32, bool isRow = false);

/// The same for a coordinate of which nothing else is known.
void addDimension(OffsetParts &parts, const CoordinateSum &sum, Guard guard,
                  mlir::Value stride, unsigned elementBytes, I32Builder &i32,
                  bool isRow = false);

/// Keeps the constant within the immediate, pieces included, and the scalar
/// offset within the range of `records` bytes.
void fitParts(OffsetParts &parts, int64_t maxImmediate, mlir::Value records,
              I32Builder &i32);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_OFFSETPARTS_H
