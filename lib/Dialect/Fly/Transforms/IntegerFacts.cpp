//===- IntegerFacts.cpp - What is known of scalars in a kernel ------------===//
//
// Two lattices, divisors and ranges, computed on demand from the definition of
// a value. A sum that may wrap keeps only the power of two of its divisor. What
// lies below what is in IntegerBounds.cpp.
//
//===----------------------------------------------------------------------===//
#include "IntegerFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> fly::getNumber(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value)) {
    auto number = dyn_cast<IntegerAttr>(attr);
    return number ? std::optional(number.getInt()) : std::nullopt;
  }
  APInt number;
  if (matchPattern(cast<Value>(value), m_ConstantInt(&number)) &&
      number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

bool fly::isSame(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> l = getNumber(lhs), r = getNumber(rhs);
  if (l || r)
    return l == r;
  if (isa<Attribute>(lhs) || isa<Attribute>(rhs))
    return false;
  Value a = cast<Value>(lhs), b = cast<Value>(rhs);
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || !isPure(x) || x->getNumRegions() != 0 ||
      x->getName() != y->getName() ||
      x->getNumOperands() != y->getNumOperands() ||
      x->getAttrDictionary() != y->getAttrDictionary() ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber() ||
      a.getType() != b.getType())
    return false;
  return llvm::all_of(
      llvm::zip(x->getOperands(), y->getOperands()),
      [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

std::string fly::describeValue(OpFoldResult value) {
  if (std::optional<int64_t> number = getNumber(value))
    return std::to_string(*number);
  auto argument = dyn_cast_or_null<BlockArgument>(dyn_cast<Value>(value));
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  if (!function)
    return "the value";
  auto name = function.getArgAttrOfType<StringAttr>(
      argument.getArgNumber(), FlyDialect::getNameAttrName());
  return name ? ("%" + name.getValue()).str()
              : "%arg" + std::to_string(argument.getArgNumber());
}

std::optional<std::array<OpFoldResult, 3>> fly::getLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() != 0)
    return std::nullopt;
  Operation *parent = argument.getOwner()->getParentOp();
  using Bounds = std::array<OpFoldResult, 3>;
  if (auto loop = dyn_cast<PipelineOp>(parent))
    return Bounds{loop.getMixedLower(), loop.getMixedUpper(),
                  loop.getMixedStep()};
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return Bounds{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  return std::nullopt;
}

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// All values of a signed integer of that width.
static IntegerRange getFullRange(unsigned width) {
  return width >= 64 ? IntegerRange{INT64_MIN, INT64_MAX}
                     : IntegerRange{llvm::minIntN(width), llvm::maxIntN(width)};
}

//===----------------------------------------------------------------------===//
// Facts that the launch guarantees
//===----------------------------------------------------------------------===//

IntegerFacts::IntegerFacts(FunctionOpInterface kernel) {
  if (kernel.isExternal())
    return;
  // Requirements inside a branch say nothing about the rest of the kernel.
  for (Operation &op : kernel.getFunctionBody().front()) {
    if (auto require = dyn_cast<RequireMultipleOp>(op)) {
      if (auto number = dyn_cast<IntegerAttr>(require.getMultiple())) {
        uint64_t &divisor = requiredDivisors[require.getValue()];
        divisor =
            std::lcm(std::max<uint64_t>(divisor, 1), uint64_t(number.getInt()));
      }
    } else if (auto require = dyn_cast<RequireOp>(op)) {
      assume(require.getCondition());
    } else if (auto grid = dyn_cast<GridOp>(op)) {
      gridBounds = grid.getMixedBounds();
    }
  }
}

void IntegerFacts::assumeRange(Value value, IntegerRange range) {
  auto [it, inserted] = requiredRanges.try_emplace(value, range);
  if (inserted)
    return;
  it->second.low = std::max(it->second.low, range.low);
  it->second.high = std::min(it->second.high, range.high);
}

/// The predicate p with `a p b` where `b predicate a`, of signed comparisons
/// and equality.
static arith::CmpIPredicate swapSides(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  default:
    return predicate;
  }
}

void IntegerFacts::assume(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    assume(both.getLhs());
    assume(both.getRhs());
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  Value value = compare.getLhs();
  arith::CmpIPredicate predicate = compare.getPredicate();
  std::optional<int64_t> number = getNumber(compare.getRhs());
  if (!number) {
    number = getNumber(compare.getLhs());
    value = compare.getRhs();
    predicate = swapSides(predicate);
  }
  if (!number)
    return;
  IntegerRange full = getFullRange(getWidth(value.getType()));
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return assumeRange(value, {*number, *number});
  case arith::CmpIPredicate::sle:
    return assumeRange(value, {full.low, *number});
  case arith::CmpIPredicate::slt:
    if (*number > full.low)
      assumeRange(value, {full.low, *number - 1});
    return;
  case arith::CmpIPredicate::sge:
    return assumeRange(value, {*number, full.high});
  case arith::CmpIPredicate::sgt:
    if (*number < full.high)
      assumeRange(value, {*number + 1, full.high});
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

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
  int64_t high = upper.high == INT64_MIN ? upper.high : upper.high - 1;
  bool exact = lower.low == lower.high && step.low == step.high &&
               step.low > 0 && high >= lower.low;
  if (exact) // The last value that the steps reach.
    high = lower.low + (high - lower.low) / step.low * step.low;
  return {lower.low, std::max(high, lower.low)};
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

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

static uint64_t getMagnitude(int64_t number) {
  return number < 0 ? -uint64_t(number) : uint64_t(number);
}

uint64_t IntegerFacts::divisor(OpFoldResult value) {
  if (std::optional<int64_t> number = getNumber(value))
    return getMagnitude(*number);
  auto operand = dyn_cast<Value>(value);
  if (!operand)
    return 1;
  auto it = divisors.find(operand);
  if (it != divisors.end())
    return it->second;
  IntegerRange known = range(value);
  uint64_t result = known.low == known.high ? getMagnitude(known.low)
                                            : computeDivisor(operand);
  auto required = requiredDivisors.find(operand);
  if (required != requiredDivisors.end() && result != 0) {
    uint64_t both = std::lcm(result, required->second);
    result = both >= result ? both : result; // Keep one if the other overflows.
  }
  divisors[operand] = result;
  return result;
}

/// What a divisor is worth if the value may have wrapped: its power of two.
static uint64_t keepPowerOfTwo(uint64_t divisor) {
  return divisor & (~divisor + 1);
}

static uint64_t saturatingProduct(uint64_t a, uint64_t b) {
  return a == 0 || b <= UINT64_MAX / a ? a * b
                                       : keepPowerOfTwo(a); // Still a divisor.
}

uint64_t IntegerFacts::computeDivisor(Value value) {
  // The first value of a loop plus steps; the last step stays below the bound.
  if (auto loop = getLoop(value))
    return std::gcd(divisor((*loop)[0]), divisor((*loop)[2]));
  Operation *op = value.getDefiningOp();
  if (!op)
    return 1;
  auto lhs = [&] { return divisor(op->getOperand(0)); };
  auto rhs = [&] { return divisor(op->getOperand(1)); };
  IntegerRange full = getFullRange(getWidth(value.getType()));
  IntegerRange known = range(value);
  bool mayWrap = known.low == full.low && known.high == full.high;
  auto unlessWrapped = [&](uint64_t result) {
    return mayWrap ? keepPowerOfTwo(result) : result;
  };
  return llvm::TypeSwitch<Operation *, uint64_t>(op)
      .Case([&](GridOp grid) {
        unsigned dim = cast<OpResult>(value).getResultNumber();
        return divisor(grid.getMixedSteps()[dim]);
      })
      .Case<arith::AddIOp, arith::SubIOp>(
          [&](auto) { return unlessWrapped(std::gcd(lhs(), rhs())); })
      .Case([&](arith::MulIOp) {
        return unlessWrapped(saturatingProduct(lhs(), rhs()));
      })
      .Case([&](arith::ShLIOp shift) -> uint64_t {
        std::optional<int64_t> by = getNumber(shift.getRhs());
        if (!by || *by < 0 || *by >= 63)
          return 1;
        return keepPowerOfTwo(saturatingProduct(lhs(), uint64_t(1) << *by));
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto) -> uint64_t {
        std::optional<int64_t> by = getNumber(op->getOperand(1));
        bool exact = by && *by > 0 && lhs() % *by == 0 &&
                     range(op->getOperand(0)).low >= 0;
        return exact ? std::max<uint64_t>(lhs() / *by, 1) : 1;
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) -> uint64_t {
        return range(op->getOperand(0)).low >= 0 ? std::gcd(lhs(), rhs()) : 1;
      })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return std::gcd(lhs(), rhs()); })
      .Case([&](arith::AndIOp) {
        return std::max(keepPowerOfTwo(lhs()), keepPowerOfTwo(rhs()));
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return lhs(); })
      .Case<arith::ExtUIOp, arith::TruncIOp>([&](auto) {
        return range(op->getOperand(0)).low >= 0 && !mayWrap
                   ? lhs()
                   : keepPowerOfTwo(lhs());
      })
      .Case([&](arith::SelectOp select) {
        return std::gcd(divisor(select.getTrueValue()),
                        divisor(select.getFalseValue()));
      })
      .Default(uint64_t(1));
}
