//===- OffsetParts.cpp - A byte offset in the registers of an access ------===//
//
// Adds the dimensions of an access up in three places: what depends on the lane
// goes to a vector register, what is uniform to a scalar register, constants to
// the immediate. Where a dimension is guarded by the resource's range, its
// parts stay in the register that the check looks at.
//
//===----------------------------------------------------------------------===//
#include "OffsetParts.h"

#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

#include "Preshuffle.h"

using namespace mlir;
using namespace fly;

/// Constants beyond the immediate are rounded down to multiples of half of its
/// range, of the whole range where that leaves room for the pieces of an
/// access, so that accesses share them.
static constexpr int64_t immediateSteps = 2;
/// Constants beyond this leave no room in the immediate for others.
static constexpr int64_t kFarBytes = 2048;

/// Whether a term may be too large for its product with a stride.
static bool mayBeFar(const AddressTerm &term) {
  return std::abs(term.scale) >= smallLimit || !isSmall(term.value);
}

bool fly::canCut(const CoordinateSum &sum, Value stride,
                 unsigned elementBytes) {
  constexpr int64_t farBytes = int64_t(1) << 30;
  APInt number;
  bool isStatic = matchPattern(stride, m_ConstantInt(&number));
  int64_t limit = smallLimit;
  if (isStatic && number.isStrictlyPositive())
    limit = farBytes / (number.getSExtValue() * elementBytes);
  if (sum.constant > limit)
    return false;
  if (llvm::none_of(sum.terms, mayBeFar))
    return true;
  return sum.constant >= 0 &&
         llvm::all_of(sum.terms, [](const AddressTerm &term) {
           return term.scale > 0 && isNonNegative(term.value);
         });
}

/// `sum`, which canCut(), with the terms that may be far as one, which is at
/// most `extent`. Coordinates fit 32 bits, so their sum does not wrap.
static CoordinateSum cutAtExtent(const CoordinateSum &sum, Value extent,
                                 I32Builder &i32) {
  constexpr auto exact = arith::IntegerOverflowFlags::nsw;
  OpBuilder &builder = i32.builder;
  CoordinateSum cut;
  cut.constant = sum.constant;
  Value far;
  for (const AddressTerm &term : sum.terms) {
    if (!mayBeFar(term)) {
      cut.terms.push_back(term);
      continue;
    }
    Value part = i32.cast(term.value);
    if (term.scale != 1)
      part = builder.createOrFold<arith::MulIOp>(
          i32.loc, part, i32.constant(term.scale), exact);
    far = far ? builder.createOrFold<arith::AddIOp>(i32.loc, far, part, exact)
              : part;
  }
  if (far)
    cut.terms.push_back(
        {builder.createOrFold<arith::MinUIOp>(i32.loc, far, extent)});
  return cut;
}

void fly::addDimension(OffsetParts &parts, const CoordinateSum &sum,
                       uint64_t divisor, Guard guard, Value stride,
                       unsigned elementBytes, I32Builder &i32, bool isRow) {
  APInt number;
  // In bytes where the stride is a number, else in elements of the dimension.
  bool isStatic = matchPattern(stride, m_ConstantInt(&number));
  int64_t unit = isStatic ? number.getSExtValue() * elementBytes : 1;
  Value lane = i32.constant(0), uniform = i32.constant(0);
  // What stays in the vector register is checked alone, and must not be below 0
  // where the whole coordinate is not: one part that may be keeps the others.
  bool isSum = (isStatic || sum.constant >= 0) &&
               llvm::all_of(sum.terms, [](const AddressTerm &term) {
                 return term.scale > 0 && isNonNegative(term.value);
               });
  bool toScalar = parts.splittable && guard != Guard::Range && isSum;
  bool clamps = guard != Guard::None;
  for (const AddressTerm &term : sum.terms) {
    bool nonNegative = term.scale > 0 && isNonNegative(term.value);
    bool scalar = term.uniform && toScalar && nonNegative;
    Value &into = scalar ? uniform : lane;
    into = i32.add(into, i32.mul(i32.cast(term.value), term.scale * unit));
    parts.clampUniform |= scalar && clamps;
    parts.laneNonNegative &= scalar || nonNegative;
  }
  // Accesses share columns, rows are their own.
  bool toLane = parts.constantsToLane ||
                (isRow && parts.laneIsInvariant && sum.constant > 0);
  if (isStatic && toLane && sum.constant * unit > kFarBytes) {
    lane = i32.add(lane, i32.constant(sum.constant * unit));
  } else if (isStatic) {
    parts.constant += sum.constant * unit;
    parts.constantIsChecked |= guard == Guard::Range && sum.constant != 0;
    parts.constantIsUnproved |= clamps && sum.constant != 0;
  } else {
    bool scalar = toScalar && !toLane;
    Value &into = scalar ? uniform : lane;
    into = i32.add(into, i32.constant(sum.constant));
    parts.laneNonNegative &= sum.constant >= 0;
    parts.clampUniform |= scalar && clamps && sum.constant > 0;
  }
  parts.divisor =
      std::gcd(parts.divisor, divisor * knownDivisor(stride) * elementBytes);
  auto toBytes = [&](Value sum) {
    return isStatic ? sum : i32.mul(i32.mul(sum, stride), elementBytes);
  };
  parts.lane = i32.add(parts.lane, toBytes(lane));
  parts.uniform = i32.add(parts.uniform, toBytes(uniform));
}

void fly::addDimension(OffsetParts &parts, const CoordinateSum &sum,
                       Guard guard, Value stride, unsigned elementBytes,
                       I32Builder &i32, bool isRow) {
  addDimension(parts, sum, knownDivisor(sum), guard, stride, elementBytes, i32,
               isRow);
}

CoordinateSum fly::cutForRange(const CoordinateSum &sum, Guard guard,
                               Value extent, I32Builder &i32) {
  return guard == Guard::Range ? cutAtExtent(sum, extent, i32) : sum;
}

void fly::fitParts(OffsetParts &parts, int64_t maxImmediate, Value records,
                   I32Builder &i32) {
  int64_t limit = maxImmediate + 1 - arch::widestAccessBytes;
  int64_t excess = 0;
  if (parts.constant < 0) {
    excess = parts.constant;
  } else if (parts.constant > limit) {
    int64_t range = maxImmediate + 1;
    excess = parts.constant - parts.constant % range;
    if (parts.constant - excess > limit)
      excess += range / immediateSteps;
  }
  if (excess != 0) {
    bool toScalar = excess > 0 && parts.splittable &&
                    !parts.constantIsChecked && !parts.constantsToLane;
    Value &into = toScalar ? parts.uniform : parts.lane;
    into = i32.add(into, i32.constant(excess));
    parts.constant -= excess;
    parts.clampUniform |= toScalar && parts.constantIsUnproved;
    parts.laneNonNegative &= excess > 0;
    // What makes up for a negative constant must be in the same register: the
    // check looks at the lane's part alone, which could be below 0 without it.
    if (excess < 0) {
      parts.lane = i32.add(parts.lane, parts.uniform);
      parts.uniform = i32.constant(0);
      parts.clampUniform = false;
    }
  }
  // A scalar offset beyond the range would turn the check around. LLVM computes
  // quotients, and what it makes of them, in vector registers, and would walk
  // the lanes of an offset from there one by one. [LLVM22] SIFixSGPRCopies
  if (parts.clampUniform && !matchPattern(parts.uniform, m_Zero())) {
    Value clamped = i32.builder.createOrFold<arith::MinUIOp>(
        i32.loc, parts.uniform, records);
    parts.uniform = ROCDL::ReadfirstlaneOp::create(i32.builder, i32.loc,
                                                   clamped.getType(), clamped);
  }
}
