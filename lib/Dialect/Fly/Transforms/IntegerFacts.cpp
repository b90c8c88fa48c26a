//===- IntegerFacts.cpp - What is known of scalars in a kernel ------------===//
//
// What the launch and the branches around an op guarantee, and divisors. Both
// lattices, this one and ranges (IntegerRanges.cpp), are computed on demand
// from the definition of a value. A sum that may wrap keeps only the power of
// two of its divisor. What lies below what is in IntegerBounds.cpp.
//
//===----------------------------------------------------------------------===//
#include "IntegerFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Facts that the launch guarantees
//===----------------------------------------------------------------------===//

IntegerFacts::IntegerFacts(FunctionOpInterface kernel) {
  if (kernel.isExternal())
    return;
  // Requirements inside a branch say nothing about the rest of the kernel.
  for (Operation &op : kernel.getFunctionBody().front()) {
    if (auto require = dyn_cast<RequireMultipleOp>(op)) {
      if (auto number = dyn_cast<IntegerAttr>(require.getMultiple()))
        assumeMultiple(require.getValue(), number.getInt());
    } else if (auto view = dyn_cast<ViewOp>(op)) {
      // A launch is refused unless rows are whole bytes, and whole blocks fill
      // a preshuffled view.
      ViewType type = view.getType();
      unsigned bits = type.getElementType().getIntOrFloatBitWidth();
      SmallVector<OpFoldResult> extents = view.getMixedExtents();
      if (bits > 1 && bits < 8) {
        uint64_t unit = 8 / std::gcd(8u, bits);
        SmallVector<OpFoldResult> strides = view.getMixedStrides();
        for (OpFoldResult stride :
             ArrayRef(strides).drop_back(!strides.empty()))
          assumeMultiple(stride, unit);
        assumeMultiple(extents.back(), unit);
      }
      auto layout = dyn_cast_or_null<PreshuffleAttr>(type.getLayout());
      if (!layout)
        continue;
      assumeMultiple(extents[extents.size() - 2], layout.getRows());
      assumeMultiple(extents.back(), layout.getColumns(bits));
    } else if (auto require = dyn_cast<RequireOp>(op)) {
      assume(require.getCondition());
    } else if (auto grid = dyn_cast<GridOp>(op)) {
      gridBounds = grid.getMixedBounds();
    }
  }
}

IntegerFacts::IntegerFacts(FunctionOpInterface kernel, Operation *op)
    : IntegerFacts(kernel) {
  // Where the first region of a branch runs, its condition holds.
  for (; op && op != kernel; op = op->getParentOp())
    if (auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
        branch && op->getParentRegion() == &branch.getThenRegion())
      assume(branch.getCondition());
}

void IntegerFacts::assumeAligned(Value pointer, uint64_t bytes) {
  uint64_t &known = alignments[pointer];
  known = std::max(known, bytes);
}

uint64_t IntegerFacts::alignment(Value pointer) const {
  return std::max<uint64_t>(alignments.lookup(pointer), 1);
}

void IntegerFacts::assumeMultiple(OpFoldResult value, uint64_t number) {
  auto operand = dyn_cast<Value>(value);
  if (!operand)
    return;
  uint64_t &divisor = requiredDivisors[operand];
  divisor = std::lcm(std::max<uint64_t>(divisor, 1), number);
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

/// The value and the number of `remainder(value, number)`, if that is all.
static std::optional<std::pair<Value, int64_t>> getRemainder(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::RemUIOp, arith::RemSIOp>(op))
    return std::nullopt;
  std::optional<int64_t> number = getNumber(op->getOperand(1));
  // As an unsigned number a negative one keeps its powers of two alone.
  if (!number || *number < 1 ||
      (isa<arith::RemUIOp>(op) && !llvm::isPowerOf2_64(*number)))
    return std::nullopt;
  return std::pair(op->getOperand(0), *number);
}

void IntegerFacts::assume(Value condition) {
  if (auto test = condition.getDefiningOp<IsAlignedOp>())
    return assumeAligned(test.getPtr(), test.getBytes());
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
  if (auto rest = getRemainder(value);
      rest && *number == 0 && predicate == arith::CmpIPredicate::eq)
    assumeMultiple(rest->first, rest->second);
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
  // Its operands say whether it wraps. That the result lies in a range, as a
  // branch may say, does not: it lies there after it has wrapped.
  auto unlessWrapped = [&](uint64_t result) {
    return mayWrap(op) ? keepPowerOfTwo(result) : result;
  };
  // What is cut off is a multiple of a power of two.
  auto unlessCut = [&](bool isSigned) {
    unsigned width = getWidth(value.getType());
    IntegerRange source = range(op->getOperand(0)), fits = getFullRange(width);
    bool isKept =
        source.low >= (isSigned ? fits.low : 0) && source.high <= fits.high;
    return isKept ? lhs() : keepPowerOfTwo(lhs());
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
      .Case<arith::DivUIOp, arith::DivSIOp, arith::CeilDivUIOp,
            arith::CeilDivSIOp>([&](auto) -> uint64_t {
        std::optional<int64_t> by = getNumber(op->getOperand(1));
        // Read without signs, a negative number is another one.
        bool exact = by && *by > 0 && lhs() % *by == 0 &&
                     (isa<arith::DivSIOp, arith::CeilDivSIOp>(op) ||
                      range(op->getOperand(0)).low >= 0);
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
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](auto) { return unlessCut(/*isSigned=*/true); })
      .Case<arith::ExtUIOp, arith::TruncIOp>(
          [&](auto) { return unlessCut(/*isSigned=*/false); })
      .Case([&](arith::SelectOp select) {
        return std::gcd(divisor(select.getTrueValue()),
                        divisor(select.getFalseValue()));
      })
      .Default(uint64_t(1));
}
