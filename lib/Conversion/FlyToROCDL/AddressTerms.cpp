//===- AddressTerms.cpp - Coordinates as sums of terms --------------------===//
//
// Recursion over the defining ops of an index value, of bounded depth: what it
// does not see through is a term, may be negative, and is a multiple of 1.
//
//===----------------------------------------------------------------------===//
#include "AddressTerms.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/ArgumentFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace fly;

/// Expressions deeper than this are not looked into.
static constexpr unsigned maxDepth = 24;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static void addTerm(CoordinateSum &sum, AddressTerm term) {
  for (AddressTerm &each : sum.terms)
    if (each.value == term.value) {
      each.scale += term.scale;
      return;
    }
  sum.terms.push_back(term);
}

static void split(Value value, int64_t scale, CoordinateSum &sum,
                  const Uniformity &uniformity, unsigned depth) {
  if (std::optional<int64_t> constant = getConstant(value)) {
    sum.constant += scale * *constant;
    return;
  }
  Operation *op = value.getDefiningOp();
  if (op && depth < maxDepth) {
    auto recurse = [&](Value operand, int64_t factor) {
      split(operand, scale * factor, sum, uniformity, depth + 1);
    };
    if (auto add = dyn_cast<arith::AddIOp>(op)) {
      recurse(add.getLhs(), 1);
      recurse(add.getRhs(), 1);
      return;
    }
    if (auto sub = dyn_cast<arith::SubIOp>(op)) {
      recurse(sub.getLhs(), 1);
      recurse(sub.getRhs(), -1);
      return;
    }
    if (auto mul = dyn_cast<arith::MulIOp>(op)) {
      if (std::optional<int64_t> factor = getConstant(mul.getRhs()))
        return recurse(mul.getLhs(), *factor);
      if (std::optional<int64_t> factor = getConstant(mul.getLhs()))
        return recurse(mul.getRhs(), *factor);
    }
    if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
      std::optional<int64_t> amount = getConstant(shift.getRhs());
      if (amount && *amount >= 0 && *amount < 31)
        return recurse(shift.getLhs(), int64_t(1) << *amount);
    }
    // Coordinates are small: index and i32 hold the same numbers.
    if (isa<arith::IndexCastOp>(op))
      return recurse(op->getOperand(0), 1);
  }
  addTerm(sum, {value, scale, uniformity.isUniform(value)});
}

CoordinateSum fly::splitCoordinate(Value coordinate,
                                   const Uniformity &uniformity) {
  CoordinateSum sum;
  split(coordinate, 1, sum, uniformity, 0);
  llvm::erase_if(sum.terms, [](const AddressTerm &t) { return t.scale == 0; });
  return sum;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static bool isNonNegative(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstant(value))
    return *constant >= 0;
  if (depth >= maxDepth)
    return false;
  auto both = [&](Operation *op) {
    return isNonNegative(op->getOperand(0), depth + 1) &&
           isNonNegative(op->getOperand(1), depth + 1);
  };
  auto either = [&](Operation *op) {
    return isNonNegative(op->getOperand(0), depth + 1) ||
           isNonNegative(op->getOperand(1), depth + 1);
  };
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    return loop && arg == loop.getInductionVar() &&
           isNonNegative(loop.getLowerBound(), depth + 1);
  }
  Operation *op = value.getDefiningOp();
  if (isa<LaneOp, WaveOp, gpu::ThreadIdOp, gpu::BlockIdOp, gpu::LaneIdOp,
          gpu::SubgroupIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return true;
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::RemSIOp,
          arith::MinSIOp, arith::OrIOp, arith::XOrIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp>(op))
    return both(op);
  if (isa<arith::AndIOp, arith::MaxSIOp>(op))
    return either(op);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::IndexCastOp, arith::ExtSIOp>(
          op))
    return isNonNegative(op->getOperand(0), depth + 1);
  if (isa<arith::ExtUIOp>(op))
    return true;
  // Unsigned results are below what they are divided by, or smaller than the
  // dividend.
  if (isa<arith::DivUIOp, arith::ShRUIOp, arith::CeilDivUIOp>(op))
    return isNonNegative(op->getOperand(0), depth + 1);
  if (isa<arith::RemUIOp>(op))
    return either(op);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isNonNegative(select.getTrueValue(), depth + 1) &&
           isNonNegative(select.getFalseValue(), depth + 1);
  return false;
}

bool fly::isNonNegative(Value value) { return ::isNonNegative(value, 0); }

static uint64_t knownDivisor(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstant(value))
    return std::abs(*constant);
  if (depth >= maxDepth)
    return 1;
  auto of = [&](Value operand) { return knownDivisor(operand, depth + 1); };
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(owner)) {
      auto multiple = function.getArgAttrOfType<IntegerAttr>(
          arg.getArgNumber(), multipleOfAttrName);
      return multiple ? std::max<int64_t>(multiple.getInt(), 1) : 1;
    }
    auto loop = dyn_cast<scf::ForOp>(owner);
    if (!loop || arg != loop.getInductionVar())
      return 1;
    return std::gcd(of(loop.getLowerBound()), of(loop.getStep()));
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::gcd(of(op->getOperand(0)), of(op->getOperand(1)));
  if (isa<arith::MulIOp>(op)) {
    uint64_t a = of(op->getOperand(0)), b = of(op->getOperand(1));
    // Large products keep a factor, which is still true.
    return a > UINT32_MAX || b > UINT32_MAX ? std::max(a, b) : a * b;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return of(op->getOperand(0));
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    std::optional<int64_t> amount = getConstant(shift.getRhs());
    uint64_t divisor = of(shift.getLhs());
    if (amount && *amount >= 0 && *amount < 31 && divisor <= UINT32_MAX)
      return divisor << *amount;
    return 1;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return std::gcd(of(select.getTrueValue()), of(select.getFalseValue()));
  return 1;
}

uint64_t fly::knownDivisor(Value value) { return ::knownDivisor(value, 0); }
