//===- IntegerRanges.cpp - Smallest and largest values --------------------===//
//
// Ranges from the definition of a value, cut by what the launch requires. A sum
// that may wrap may be anything, one that is said not to is what fits.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;

unsigned fly::getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

IntegerRange fly::getFullRange(unsigned width) {
  return width >= 64 ? IntegerRange{INT64_MIN, INT64_MAX}
                     : IntegerRange{llvm::minIntN(width), llvm::maxIntN(width)};
}

IntegerRange IntegerFacts::range(OpFoldResult value) {
  if (std::optional<int64_t> number = getNumber(value))
    return {*number, *number};
  auto operand = dyn_cast<Value>(value);
  if (!operand) // The name of a size: at least 1, and an i32.
    return {1, INT32_MAX};
  auto it = ranges.find(operand);
  if (it != ranges.end())
    return it->second;
  IntegerRange result = computeRange(operand);
  auto required = requiredRanges.find(operand);
  if (required != requiredRanges.end()) {
    result.low = std::max(result.low, required->second.low);
    result.high = std::min(result.high, required->second.high);
  }
  ranges[operand] = result;
  return result;
}

namespace {
/// Ends of a range that may lie outside of any integer type.
struct WideRange {
  __int128 low, high;
};
} // namespace

/// The range if it fits the width, else everything.
static IntegerRange fit(WideRange wide, unsigned width) {
  IntegerRange full = getFullRange(width);
  if (wide.low < full.low || wide.high > full.high)
    return full;
  return {int64_t(wide.low), int64_t(wide.high)};
}

/// What a sum, difference or product would be without wrapping.
static WideRange combine(Operation *op, IntegerRange a, IntegerRange b) {
  if (isa<arith::AddIOp>(op))
    return {__int128(a.low) + b.low, __int128(a.high) + b.high};
  if (isa<arith::SubIOp>(op))
    return {__int128(a.low) - b.high, __int128(a.high) - b.low};
  __int128 products[] = {__int128(a.low) * b.low, __int128(a.low) * b.high,
                         __int128(a.high) * b.low, __int128(a.high) * b.high};
  return {*std::min_element(products, products + 4),
          *std::max_element(products, products + 4)};
}

/// Where the op is said not to wrap, what does not fit does not happen.
static IntegerRange getRange(Operation *op, WideRange wide, unsigned width) {
  if (!cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap())
    return fit(wide, width);
  IntegerRange full = getFullRange(width);
  auto clamp = [&](__int128 end) {
    return int64_t(std::clamp<__int128>(end, full.low, full.high));
  };
  return {clamp(wide.low), clamp(wide.high)};
}

bool IntegerFacts::mayWrap(Operation *op) {
  WideRange wide =
      combine(op, range(op->getOperand(0)), range(op->getOperand(1)));
  IntegerRange full = getFullRange(getWidth(op->getResult(0).getType()));
  return wide.low < full.low || wide.high > full.high;
}

/// Of an induction variable or origin: from `lower` to below `upper`.
static IntegerRange getLoopRange(IntegerRange lower, IntegerRange upper,
                                 IntegerRange step) {
  __int128 high = std::max<__int128>(__int128(upper.high) - 1, lower.low);
  if (lower.low == lower.high && step.low == step.high && step.low > 0)
    // The last value that the steps reach.
    high = lower.low + (high - lower.low) / step.low * step.low;
  return {lower.low, int64_t(high)};
}

IntegerRange IntegerFacts::computeRange(Value value) {
  unsigned width = getWidth(value.getType());
  IntegerRange full = getFullRange(width);
  if (auto loop = getLoop(value))
    return getLoopRange(range((*loop)[0]), range((*loop)[1]),
                        range((*loop)[2]));
  Operation *op = value.getDefiningOp();
  if (!op)
    return full;
  auto lhs = [&] { return range(op->getOperand(0)); };
  auto rhs = [&] { return range(op->getOperand(1)); };
  return llvm::TypeSwitch<Operation *, IntegerRange>(op)
      .Case([&](GridOp grid) {
        unsigned dim = cast<OpResult>(value).getResultNumber();
        return getLoopRange({0, 0}, range(grid.getMixedBounds()[dim]),
                            range(grid.getMixedSteps()[dim]));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](auto) { return getRange(op, combine(op, lhs(), rhs()), width); })
      .Case([&](arith::MinSIOp) {
        return IntegerRange{std::min(lhs().low, rhs().low),
                            std::min(lhs().high, rhs().high)};
      })
      .Case([&](arith::MaxSIOp) {
        return IntegerRange{std::max(lhs().low, rhs().low),
                            std::max(lhs().high, rhs().high)};
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto) {
        return lhs().low >= 0 && rhs().low > 0
                   ? IntegerRange{lhs().low / rhs().high,
                                  lhs().high / rhs().low}
                   : full;
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) {
        return lhs().low >= 0 && rhs().low > 0
                   ? IntegerRange{0, std::min(lhs().high, rhs().high - 1)}
                   : full;
      })
      .Case([&](arith::AndIOp) {
        int64_t mask =
            std::max(lhs().low, rhs().low) >= 0
                ? (lhs().low < 0   ? rhs().high
                   : rhs().low < 0 ? lhs().high
                                   : std::min(lhs().high, rhs().high))
                : -1;
        return mask >= 0 ? IntegerRange{0, mask} : full;
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) {
        IntegerRange source = lhs();
        return fit({source.low, source.high}, width);
      })
      .Case<arith::ExtUIOp, arith::TruncIOp>([&](auto) {
        IntegerRange source = lhs();
        return source.low >= 0 ? fit({source.low, source.high}, width) : full;
      })
      .Case([&](arith::SelectOp select) {
        IntegerRange a = range(select.getTrueValue());
        IntegerRange b = range(select.getFalseValue());
        return IntegerRange{std::min(a.low, b.low), std::max(a.high, b.high)};
      })
      .Default(full);
}
