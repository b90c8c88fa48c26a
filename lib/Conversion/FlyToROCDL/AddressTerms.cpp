//===- AddressTerms.cpp - Coordinates as sums of terms --------------------===//
//
// Recursion over the defining ops of an index value, of bounded depth: what it
// does not see through is a term and a multiple of 1.
//
//===----------------------------------------------------------------------===//
#include "AddressTerms.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopeExit.h"

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

namespace {

/// Proofs by recursion over defining ops. Of a value that a loop carries a
/// divisor is assumed, at first anything, while its next value is looked at;
/// what that has is assumed next, until it is what was assumed (induction).
class FactFinder {
public:
  FactFinder() = default;
  /// Also takes what the conditions of branches around `op` say.
  explicit FactFinder(Operation *op);

  uint64_t getDivisor(Value value);

private:
  void assumeCondition(Value condition);
  uint64_t computeDivisor(Value value);
  /// Calls `visit` for each value that may become `value` through structured
  /// control flow; false if the sources are not all known.
  bool visitSources(Value value, function_ref<void(Value)> visit);

  /// Divisors that branches have tested.
  llvm::SmallDenseMap<Value, uint64_t, 4> tested;
  /// Divisors of carried values that are being looked at.
  llvm::SmallDenseMap<Value, uint64_t, 8> assumed;
  unsigned depth = 0;
};

} // namespace

bool FactFinder::visitSources(Value value, function_ref<void(Value)> visit) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop || arg == loop.getInductionVar())
      return false;
    unsigned index = arg.getArgNumber() - 1;
    visit(loop.getInitArgs()[index]);
    visit(loop.getYieldedValues()[index]);
    return true;
  }
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    visit(loop.getInitArgs()[result.getResultNumber()]);
    visit(loop.getYieldedValues()[result.getResultNumber()]);
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    visit(branch.thenYield().getOperand(result.getResultNumber()));
    visit(branch.elseYield().getOperand(result.getResultNumber()));
    return true;
  }
  return false;
}

FactFinder::FactFinder(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
        branch && op->getParentRegion() == &branch.getThenRegion())
      assumeCondition(branch.getCondition());
}

void FactFinder::assumeCondition(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    assumeCondition(both.getLhs());
    assumeCondition(both.getRhs());
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      getConstant(compare.getRhs()) != 0)
    return;
  Operation *rest = compare.getLhs().getDefiningOp();
  if (!rest || !isa<arith::RemUIOp, arith::RemSIOp>(rest))
    return;
  std::optional<int64_t> number = getConstant(rest->getOperand(1));
  // As an unsigned number a negative one keeps its powers of two alone.
  if (!number || *number < 1 ||
      (isa<arith::RemUIOp>(rest) && !llvm::isPowerOf2_64(*number)))
    return;
  uint64_t &known = tested[rest->getOperand(0)];
  known = std::lcm(std::max<uint64_t>(known, 1), uint64_t(*number));
}

uint64_t FactFinder::getDivisor(Value value) {
  uint64_t divisor = computeDivisor(value);
  auto it = tested.find(value);
  if (it == tested.end() || divisor > UINT32_MAX || it->second > UINT32_MAX)
    return divisor;
  return std::lcm(divisor, it->second);
}

uint64_t FactFinder::computeDivisor(Value value) {
  if (std::optional<int64_t> constant = getConstant(value))
    return std::abs(*constant);
  if (depth >= maxDepth)
    return 1;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(owner)) {
      auto multiple = function.getArgAttrOfType<IntegerAttr>(
          arg.getArgNumber(), FlyDialect::getMultipleOfAttrName());
      return multiple ? std::max<int64_t>(multiple.getInt(), 1) : 1;
    }
    if (auto loop = dyn_cast<scf::ForOp>(owner);
        loop && arg == loop.getInductionVar())
      return std::gcd(getDivisor(loop.getLowerBound()),
                      getDivisor(loop.getStep()));
  }
  if (auto it = assumed.find(value); it != assumed.end())
    return it->second;
  // Each round leaves a proper divisor of what was assumed, so the loop ends.
  for (uint64_t common = 0;;) {
    uint64_t before = assumed[value] = common;
    bool carried = visitSources(value, [&](Value source) {
      common = std::gcd(common, getDivisor(source));
    });
    assumed.erase(value);
    if (!carried)
      break;
    if (common == before)
      return common;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return 1;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::gcd(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  if (isa<arith::MulIOp>(op)) {
    uint64_t a = getDivisor(op->getOperand(0));
    uint64_t b = getDivisor(op->getOperand(1));
    // Large products keep a factor, which is still true.
    return a > UINT32_MAX || b > UINT32_MAX ? std::max(a, b) : a * b;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return getDivisor(op->getOperand(0));
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    std::optional<int64_t> amount = getConstant(shift.getRhs());
    uint64_t divisor = getDivisor(shift.getLhs());
    if (amount && *amount >= 0 && *amount < 31 && divisor <= UINT32_MAX)
      return divisor << *amount;
    return 1;
  }
  if (isa<arith::RemUIOp>(op)) // What is taken away is a multiple, too.
    return std::gcd(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  if (isa<arith::XOrIOp, arith::OrIOp>(op)) // Low bits that neither has.
    return std::min(lowestBit(getDivisor(op->getOperand(0))),
                    lowestBit(getDivisor(op->getOperand(1))));
  if (isa<arith::AndIOp>(op))
    return std::max(lowestBit(getDivisor(op->getOperand(0))),
                    lowestBit(getDivisor(op->getOperand(1))));
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op)) {
    std::optional<int64_t> amount = getConstant(op->getOperand(1));
    uint64_t divisor = lowestBit(getDivisor(op->getOperand(0)));
    return amount && *amount >= 0 && *amount < 31
               ? std::max<uint64_t>(divisor >> *amount, 1)
               : 1;
  }
  // An exact quotient. What wraps keeps its powers of two alone: 12 n need not
  // be a multiple of 3, so that 12 n / 3 need not be one of 4.
  if (isa<arith::DivSIOp, arith::DivUIOp>(op)) {
    std::optional<int64_t> by = getConstant(op->getOperand(1));
    uint64_t divisor = getDivisor(op->getOperand(0));
    bool isExact = by && *by > 0 && llvm::isPowerOf2_64(*by) && divisor != 0 &&
                   divisor % *by == 0;
    return isExact ? divisor / *by : 1;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return std::gcd(getDivisor(select.getTrueValue()),
                    getDivisor(select.getFalseValue()));
  return 1;
}

bool fly::isSmall(Value value) {
  // Of few ops: what lanes are numbered by is simple.
  constexpr unsigned maxSmallDepth = 8;
  auto visit = [](auto &self, Value each, unsigned depth) -> bool {
    if (std::optional<int64_t> constant = getConstant(each))
      return *constant >= 0 && *constant < smallLimit;
    Operation *op = each.getDefiningOp();
    if (!op || depth == 0)
      return false;
    if (isa<LaneOp, WaveOp, gpu::ThreadIdOp, gpu::LaneIdOp>(op))
      return true;
    auto isOperandSmall = [&](Value operand) {
      return self(self, operand, depth - 1);
    };
    // Not more than the first operand, not more than either.
    if (isa<arith::DivUIOp, arith::ShRUIOp, arith::IndexCastOp>(op))
      return isOperandSmall(op->getOperand(0));
    if (isa<arith::RemUIOp, arith::AndIOp, arith::MinUIOp>(op))
      return llvm::any_of(op->getOperands(), isOperandSmall);
    if (isa<arith::XOrIOp, arith::OrIOp>(op)) // No bit that neither has.
      return llvm::all_of(op->getOperands(), isOperandSmall);
    return false;
  };
  return visit(visit, value, maxSmallDepth);
}

uint64_t fly::knownDivisor(Value value) {
  return FactFinder().getDivisor(value);
}

uint64_t fly::knownDivisor(Value value, Operation *op) {
  return FactFinder(op).getDivisor(value);
}
