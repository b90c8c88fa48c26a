//===- IntegerFacts.h - What is known of scalars in a kernel ----*- C++ -*-===//
//
// Divisors, ranges and bounds of the integers that address tiles. Facts come
// from constants, from what the launch requires, from the grid and loops, and
// from arithmetic on those. All answers hold for every workgroup and iteration
// of every launch that the kernel accepts; wrap-around is taken into account.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_INTEGERFACTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_INTEGERFACTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <array>
#include <optional>

namespace fly {

/// Inclusive ends of a range.
struct IntegerRange {
  int64_t low, high;
};

/// Bits of an integer; an index counts as 64.
unsigned getWidth(mlir::Type type);
/// All values of a signed integer of that width.
IntegerRange getFullRange(unsigned width);

class IntegerFacts {
public:
  /// Collects what the top level of `kernel` requires and the bounds of its
  /// grid.
  explicit IntegerFacts(mlir::FunctionOpInterface kernel);
  /// The same, and what the branches around `op` in `kernel` say.
  IntegerFacts(mlir::FunctionOpInterface kernel, mlir::Operation *op);

  /// Takes `value` to be a multiple of `number` from here on: before anything
  /// is asked.
  void assumeMultiple(mlir::OpFoldResult value, uint64_t number);
  /// Takes `pointer` to be a multiple of so many bytes.
  void assumeAligned(mlir::Value pointer, uint64_t bytes);

  /// The largest known divisor, at least 1; 0 where the value is 0.
  uint64_t divisor(mlir::OpFoldResult value);
  IntegerRange range(mlir::OpFoldResult value);
  /// Bytes that `pointer` is a multiple of beside what its argument says, at
  /// least 1.
  uint64_t alignment(mlir::Value pointer) const;
  /// Whether the result of an arith.addi, subi or muli may differ from that of
  /// integers without bounds.
  bool mayWrap(mlir::Operation *op);

  /// What came of the question whether a tile lies inside a view.
  enum class Inside : uint8_t {
    Proved,
    /// It would be if the extent were a multiple of the tile's.
    NeedsMultiple,
    /// The coordinate is no known multiple of the tile's extent.
    NeedsAlignedOrigin,
    /// Nothing bounds the coordinate by the extent.
    Unbounded,
  };
  /// Whether `coordinate` >= 0 and `coordinate + tile` <= `extent` at `access`.
  Inside isInside(mlir::Operation *access, mlir::OpFoldResult coordinate,
                  int64_t tile, mlir::OpFoldResult extent);

private:
  uint64_t computeDivisor(mlir::Value value);
  IntegerRange computeRange(mlir::Value value);
  void assume(mlir::Value condition);
  void assumeRange(mlir::Value value, IntegerRange range);
  /// Whether `value` is at least 1 wherever `access` runs.
  bool isPositive(mlir::Operation *access, mlir::OpFoldResult value);

  llvm::DenseMap<mlir::Value, uint64_t> requiredDivisors;
  llvm::DenseMap<mlir::Value, IntegerRange> requiredRanges;
  llvm::DenseMap<mlir::Value, uint64_t> alignments;
  llvm::SmallVector<mlir::OpFoldResult> gridBounds;
  llvm::DenseMap<mlir::Value, uint64_t> divisors;
  llvm::DenseMap<mlir::Value, IntegerRange> ranges;
};

/// The loop whose induction variable `value` is: lower bound, upper bound,
/// step. None for one that compares without signs.
std::optional<std::array<mlir::OpFoldResult, 3>> getLoop(mlir::Value value);

/// The number behind a constant value or attribute.
std::optional<int64_t> getNumber(mlir::OpFoldResult value);

/// Whether two integers are the same by how they are computed, as far as a
/// bounded number of ops shows.
bool isSame(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);

/// A value as its author knows it: `%K` for a kernel argument (by its name
/// where it has one), a number, or "the value".
std::string describeValue(mlir::OpFoldResult value);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INTEGERFACTS_H
