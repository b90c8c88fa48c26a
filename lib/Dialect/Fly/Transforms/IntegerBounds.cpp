//===- IntegerBounds.cpp - Tiles that lie inside their views --------------===//
//
// One structural relation, "below": an origin of the grid lies below its bound,
// an induction variable below its loop's. If a value lies below an extent and
// both are multiples of g, then value + g <= extent: that is how tiles are
// proved to be inside, together with the ranges of IntegerFacts.cpp. Quotients
// by one number are inside where what they are quotients of is: scales of
// blocks of a row lie inside where the row's elements do.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;

/// Summands of a coordinate and bounds of a value that are looked at: values
/// may share operands, so n sums may have 2^n summands.
static constexpr size_t kMaxTerms = 32;

/// Takes `value` apart through ops of this type, as far as kMaxTerms go.
template <typename OpT>
static SmallVector<OpFoldResult> takeApart(OpFoldResult value) {
  SmallVector<OpFoldResult> parts, worklist = {value};
  while (!worklist.empty()) {
    OpFoldResult part = worklist.pop_back_val();
    auto operand = dyn_cast<Value>(part);
    auto op = operand ? operand.getDefiningOp<OpT>() : OpT();
    if (op && parts.size() + worklist.size() + 2 <= kMaxTerms)
      worklist.append({op.getRhs(), op.getLhs()});
    else
      parts.push_back(part);
  }
  return parts;
}

/// Values that `value` is always below, also through a minimum.
static SmallVector<OpFoldResult> collectBounds(Value value) {
  SmallVector<OpFoldResult> bounds;
  for (OpFoldResult part : takeApart<arith::MinSIOp>(value)) {
    auto operand = cast<Value>(part);
    OpFoldResult bound;
    if (auto loop = getLoop(operand))
      bound = (*loop)[1];
    else if (auto grid = operand.getDefiningOp<GridOp>())
      bound = grid.getMixedBounds()[cast<OpResult>(operand).getResultNumber()];
    if (!bound)
      continue;
    // Below the smallest of several is below each of them.
    bounds.push_back(bound);
    llvm::append_range(bounds, takeApart<arith::MinSIOp>(bound));
  }
  return bounds;
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
    if (!loop || range((*loop)[0]).low < 0)
      continue;
    for (OpFoldResult bound : collectBounds(op->getRegion(0).getArgument(0)))
      if (isSame(bound, value))
        return true;
  }
  return false;
}

/// What `value` is the quotient of and by which positive number, rounded down,
/// or up where that is allowed.
static std::optional<std::pair<Value, int64_t>> getQuotient(OpFoldResult value,
                                                            bool mayRoundUp) {
  auto operand = dyn_cast<Value>(value);
  Operation *op = operand ? operand.getDefiningOp() : nullptr;
  bool isQuotient =
      op && (isa<arith::DivSIOp, arith::DivUIOp>(op) ||
             (mayRoundUp && isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op)));
  std::optional<int64_t> by =
      isQuotient ? getNumber(op->getOperand(1)) : std::nullopt;
  // Products with tiles stay within 64 bits.
  if (!by || *by < 1 || *by > INT32_MAX)
    return std::nullopt;
  return std::pair(op->getOperand(0), *by);
}

IntegerFacts::Inside IntegerFacts::isInside(Operation *access,
                                            OpFoldResult coordinate,
                                            int64_t tile, OpFoldResult extent) {
  // From x + tile * c <= y, x not negative, follows x / c + tile <= y / c.
  auto part = getQuotient(coordinate, /*mayRoundUp=*/false);
  auto all = getQuotient(extent, /*mayRoundUp=*/true);
  if (part && all && part->second == all->second && tile <= INT32_MAX &&
      range(part->first).low >= 0 &&
      isInside(access, part->first, tile * part->second, all->first) ==
          Inside::Proved)
    return Inside::Proved;
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
  SmallVector<OpFoldResult> terms = takeApart<arith::AddIOp>(coordinate);
  for (auto [index, base] : llvm::enumerate(terms)) {
    auto value = dyn_cast<Value>(base);
    if (!value || getNumber(base))
      continue;
    if (llvm::none_of(collectBounds(value), [&](OpFoldResult bound) {
          return isSame(bound, extent);
        }))
      continue;
    __int128 low = 0, high = 0;
    for (auto [place, other] : llvm::enumerate(terms)) {
      if (place == index) // The same value may stand in another place, too.
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
