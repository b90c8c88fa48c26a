//===- Preshuffle.cpp - Offsets in preshuffled views ----------------------===//
//
// A quotient and a remainder by a power of two are linear in the terms that are
// whole multiples of it: tile origins, tails, steps of loops. Those are divided
// term by term, so that they stay what they are (uniform, constant); what is
// left, which the lane says, is shifted and masked, and does not change in a
// loop.
//
//===----------------------------------------------------------------------===//
#include "Preshuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace fly;

uint64_t fly::knownDivisor(const CoordinateSum &sum) {
  uint64_t divisor = std::abs(sum.constant);
  for (const AddressTerm &term : sum.terms)
    divisor = std::gcd(divisor, uint64_t(std::abs(term.scale)) *
                                    knownDivisor(term.value));
  return divisor;
}

namespace {

/// Index arithmetic that folds. Coordinates are small: sums of them do not
/// wrap.
class IndexBuilder {
public:
  explicit IndexBuilder(I32Builder &i32) : builder(i32.builder), loc(i32.loc) {}

  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value sum(const CoordinateSum &sum) {
    Value total = constant(sum.constant);
    for (const AddressTerm &term : sum.terms) {
      Value value = term.value;
      if (!value.getType().isIndex())
        value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           value);
      value =
          builder.createOrFold<arith::MulIOp>(loc, value, constant(term.scale));
      total = builder.createOrFold<arith::AddIOp>(loc, value, total);
    }
    return total;
  }
  /// The quotient by a power of two, rounded down where it is not exact.
  Value divide(Value value, int64_t by, bool isExact = false) {
    return builder.createOrFold<arith::ShRSIOp>(
        loc, value, constant(llvm::Log2_64(by)), isExact);
  }
  Value remainder(Value value, int64_t by) { return mask(value, by - 1); }
  Value mask(Value value, int64_t bits) {
    return builder.createOrFold<arith::AndIOp>(loc, value, constant(bits));
  }

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace

/// Whether the term is a multiple of `unit` as far as its parts say so.
static bool isMultiple(const AddressTerm &term, int64_t unit) {
  return uint64_t(std::abs(term.scale)) * knownDivisor(term.value) % unit == 0;
}

static bool isUniform(const CoordinateSum &sum) {
  return llvm::all_of(sum.terms,
                      [](const AddressTerm &term) { return term.uniform; });
}

CoordinateSum fly::roundDown(const CoordinateSum &sum, int64_t unit,
                             I32Builder &i32) {
  CoordinateSum whole, rest;
  for (const AddressTerm &term : sum.terms)
    (isMultiple(term, unit) ? whole : rest).terms.push_back(term);
  whole.constant = llvm::divideFloorSigned(sum.constant, unit) * unit;
  if (rest.terms.empty())
    return whole;
  rest.constant = sum.constant - whole.constant;
  IndexBuilder index(i32);
  Value rounded = index.mask(index.sum(rest), -unit);
  whole.terms.push_back({rounded, 1, isUniform(rest)});
  return whole;
}

/// `sum` as `quotient * unit + remainder`, the remainder from 0 to below the
/// unit, a power of two.
static void divide(const CoordinateSum &sum, int64_t unit, I32Builder &i32,
                   CoordinateSum &quotient, CoordinateSum &remainder) {
  IndexBuilder index(i32);
  quotient.constant = llvm::divideFloorSigned(sum.constant, unit);
  CoordinateSum rest;
  rest.constant = sum.constant - quotient.constant * unit;
  for (const AddressTerm &term : sum.terms) {
    if (term.scale % unit == 0) {
      quotient.terms.push_back({term.value, term.scale / unit, term.uniform});
    } else if (isMultiple(term, unit)) {
      Value whole = index.sum({{term}, 0});
      quotient.terms.push_back(
          {index.divide(whole, unit, /*isExact=*/true), 1, term.uniform});
    } else {
      rest.terms.push_back(term);
    }
  }
  if (rest.terms.empty()) {
    remainder = rest;
    return;
  }
  bool uniform = isUniform(rest);
  Value value = index.sum(rest);
  quotient.terms.push_back({index.divide(value, unit), 1, uniform});
  // Its low bits are zero as far as all parts say so: they need no masking.
  int64_t step = std::min<uint64_t>(lowestBit(knownDivisor(rest)), unit);
  remainder.terms.push_back(
      {index.remainder(index.divide(value, step), unit / step), step, uniform});
}

PreshuffledSums fly::splitPreshuffled(const CoordinateSum &row,
                                      const CoordinateSum &column,
                                      PreshuffleAttr layout,
                                      unsigned elementBytes, I32Builder &i32) {
  PreshuffledSums sums;
  CoordinateSum inBlock;
  divide(row, layout.getRows(), i32, sums.blockRow, sums.row);
  divide(column, layout.getColumns(8 * elementBytes), i32, sums.blockColumn,
         inBlock);
  divide(inBlock, PreshuffleAttr::getChunk(8 * elementBytes), i32, sums.chunk,
         sums.element);
  return sums;
}
