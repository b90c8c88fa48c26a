//===- IntegerBounds.cpp - Tiles that lie inside their views --------------===//
//
// One structural relation, "below": an origin of the grid lies below its bound,
// an induction variable below its loop's. If a value lies below an extent and
// both are multiples of g, then value + g <= extent: that is how tiles are
// proved to be inside, together with the ranges of IntegerFacts.cpp.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;

/// Appends values that `value` is always below, also through a minimum.
static void collectBounds(Value value, SmallVectorImpl<OpFoldResult> &bounds) {
  SmallVector<OpFoldResult, 2> direct;
  if (auto loop = getLoop(value)) {
    direct.push_back((*loop)[1]);
  } else if (auto grid = value.getDefiningOp<GridOp>()) {
    unsigned dim = cast<OpResult>(value).getResultNumber();
    direct.push_back(grid.getMixedBounds()[dim]);
  } else if (auto minimum = value.getDefiningOp<arith::MinSIOp>()) {
    collectBounds(minimum.getLhs(), bounds);
    collectBounds(minimum.getRhs(), bounds);
  }
  while (!direct.empty()) {
    OpFoldResult bound = direct.pop_back_val();
    bounds.push_back(bound);
    auto operand = dyn_cast<Value>(bound);
    auto minimum =
        operand ? operand.getDefiningOp<arith::MinSIOp>() : arith::MinSIOp();
    if (minimum)
      direct.append({minimum.getLhs(), minimum.getRhs()});
  }
}

/// The summands of `value`.
static void flatten(OpFoldResult value, SmallVectorImpl<OpFoldResult> &terms) {
  auto operand = dyn_cast<Value>(value);
  auto sum = operand ? operand.getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!sum) {
    terms.push_back(value);
    return;
  }
  flatten(sum.getLhs(), terms);
  flatten(sum.getRhs(), terms);
}

bool IntegerFacts::isPositive(Operation *access, OpFoldResult value) {
  if (range(value).low >= 1)
    return true;
  // There is a workgroup, so its bounds are positive.
  for (OpFoldResult bound : gridBounds)
    if (isSame(bound, value))
      return true;
  // There is an iteration.
  for (Operation *op = access->getParentOp(); op; op = op->getParentOp()) {
    if (!isa<PipelineOp, scf::ForOp>(op))
      continue;
    auto loop = getLoop(op->getRegion(0).getArgument(0));
    if (range((*loop)[0]).low < 0)
      continue;
    SmallVector<OpFoldResult> bounds;
    collectBounds(op->getRegion(0).getArgument(0), bounds);
    for (OpFoldResult bound : bounds)
      if (isSame(bound, value))
        return true;
  }
  return false;
}

IntegerFacts::Inside IntegerFacts::isInside(Operation *access,
                                            OpFoldResult coordinate,
                                            int64_t tile, OpFoldResult extent) {
  IntegerRange whole = range(coordinate);
  if (whole.low >= 0 && __int128(whole.high) + tile <= range(extent).low)
    return Inside::Proved;
  // A positive multiple of d is at least d.
  uint64_t extentDivisor = divisor(extent);
  bool isKnownOrigin =
      whole.low >= 0 && whole.high <= INT32_MAX && isPositive(access, extent);
  if (isKnownOrigin && uint64_t(whole.high) + tile <= extentDivisor)
    return Inside::Proved;

  // One summand lies below the extent, the others stay within a step of it.
  Inside answer = Inside::Unbounded;
  if (isKnownOrigin && whole.high == 0)
    answer = Inside::NeedsMultiple;
  SmallVector<OpFoldResult> terms;
  flatten(coordinate, terms);
  for (OpFoldResult base : terms) {
    auto value = dyn_cast<Value>(base);
    if (!value || getNumber(base))
      continue;
    SmallVector<OpFoldResult> bounds;
    collectBounds(value, bounds);
    if (llvm::none_of(
            bounds, [&](OpFoldResult bound) { return isSame(bound, extent); }))
      continue;
    __int128 low = 0, high = 0;
    for (OpFoldResult other : terms) {
      if (other == base)
        continue;
      low += range(other).low;
      high += range(other).high;
    }
    if (low < 0 || range(base).low < 0)
      continue;
    __int128 needed = high + tile;
    if (needed <= std::gcd(divisor(base), extentDivisor))
      return Inside::Proved;
    answer = divisor(base) % uint64_t(tile) == 0 && needed <= divisor(base)
                 ? Inside::NeedsMultiple
                 : Inside::NeedsAlignedOrigin;
  }
  return answer;
}
