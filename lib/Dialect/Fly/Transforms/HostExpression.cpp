//===- HostExpression.cpp - Scalars that the host can compute -------------===//
//
// The host evaluates in checked 64-bit arithmetic, where the device wraps, so
// an expression is right wherever it has a value. Unsigned ops have the form of
// their signed twins; that their operands are not negative is recorded and
// becomes a requirement of the launch.
//
// Values may share operands where the text of an expression repeats them, so n
// ops may need 2^n operators: expressions are bounded, well below what their
// parser takes.
//
//===----------------------------------------------------------------------===//
#include "HostExpression.h"

#include "fly/Dialect/Fly/IR/Contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

/// Operators of one expression; the planner combines several.
static constexpr unsigned kMaxOperators = 100;
/// Ops that lead to a value one after another; some leave no operator.
static constexpr unsigned kMaxDepth = 2 * kMaxOperators;

bool fly::isNumber(const Expr &expr, int64_t value) {
  return expr.kind() == Kind::Constant && expr.value() == value;
}

Expr fly::foldBinary(Kind kind, const Expr &lhs, const Expr &rhs) {
  if (kind == Kind::Add && isNumber(lhs, 0))
    return rhs;
  if (kind == Kind::Add && isNumber(rhs, 0))
    return lhs;
  if (kind == Kind::Mul && (isNumber(lhs, 0) || isNumber(rhs, 0)))
    return Expr::constant(0);
  if (kind == Kind::Mul && isNumber(lhs, 1))
    return rhs;
  if ((kind == Kind::Mul || kind == Kind::CeilDiv) && isNumber(rhs, 1))
    return lhs;
  Expr expr = Expr::binary(kind, lhs, rhs);
  if (lhs.kind() != Kind::Constant || rhs.kind() != Kind::Constant)
    return expr;
  llvm::Expected<int64_t> value =
      expr.evaluate([](llvm::StringRef) { return std::nullopt; });
  if (value)
    return Expr::constant(*value);
  llvm::consumeError(value.takeError()); // Overflow shows at the launch.
  return expr;
}

Expr fly::addUp(ArrayRef<Expr> terms) {
  Expr rest = Expr::constant(0), numbers = Expr::constant(0);
  for (const Expr &term : terms) {
    Expr &sum = term.kind() == Kind::Constant ? numbers : rest;
    sum = foldBinary(Kind::Add, sum, term);
  }
  return foldBinary(Kind::Add, rest, numbers);
}

std::optional<Expr> HostExpressions::get(OpFoldResult value) {
  if (std::optional<int64_t> number = getNumber(value)) {
    // i1 constants are -1 as signed numbers.
    auto operand = dyn_cast<Value>(value);
    bool isBit = operand && operand.getType().isInteger(1);
    return Expr::constant(isBit ? *number & 1 : *number);
  }
  auto operand = dyn_cast<Value>(value);
  if (!operand)
    return std::nullopt;
  auto it = known.find(operand);
  if (it != known.end())
    return it->second;
  std::optional<Expr> result = getBounded(operand);
  if (result)
    known.try_emplace(operand, *result);
  return result;
}

std::optional<Expr> HostExpressions::getBounded(Value value) {
  std::optional<Expr> result;
  isTooLong = depth == kMaxDepth;
  if (!isTooLong) {
    ++depth;
    result = compute(value);
    --depth;
    if (!result || result->numOperators() <= kMaxOperators)
      return result;
    isTooLong = true;
  }
  culprit = value.getDefiningOp();
  return std::nullopt;
}

void HostExpressions::noteCulprit(InFlightDiagnostic &diag) const {
  if (!culprit)
    return;
  Diagnostic &note = diag.attachNote(culprit->getLoc());
  note << "'" << culprit->getName() << "' has ";
  if (isTooLong)
    note << "a form of more than " << kMaxOperators
         << " operators on the host: make its value an argument";
  else
    note << "no form on the host";
}

std::optional<Expr> HostExpressions::getUnsigned(Value value, Operation *user) {
  std::optional<Expr> result = get(value);
  if (result && result->kind() != Kind::Constant)
    nonNegative.insert({{value, user->getBlock()}, *result});
  return result;
}

/// The expression's operator of an op, and whether the op is unsigned.
static std::optional<std::pair<Kind, bool>> getKind(Operation *op) {
  using Result = std::optional<std::pair<Kind, bool>>;
  auto is = [](Kind kind, bool isUnsigned = false) {
    return [=](auto) -> Result { return std::pair(kind, isUnsigned); };
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>(is(Kind::Add))
      .Case<arith::SubIOp>(is(Kind::Sub))
      .Case<arith::MulIOp>(is(Kind::Mul))
      .Case<arith::FloorDivSIOp>(is(Kind::FloorDiv))
      .Case<arith::CeilDivSIOp>(is(Kind::CeilDiv))
      .Case<arith::DivUIOp>(is(Kind::FloorDiv, true))
      // Signed division and remainder round towards zero, which floordiv and
      // mod do for operands that are not negative.
      .Case<arith::DivSIOp>(is(Kind::FloorDiv, true))
      .Case<arith::CeilDivUIOp>(is(Kind::CeilDiv, true))
      .Case<arith::RemUIOp, arith::RemSIOp>(is(Kind::Mod, true))
      .Case<arith::MinSIOp>(is(Kind::Min))
      .Case<arith::MaxSIOp>(is(Kind::Max))
      .Case<arith::MinUIOp>(is(Kind::Min, true))
      .Case<arith::MaxUIOp>(is(Kind::Max, true))
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) -> Result {
        switch (compare.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return std::pair(Kind::Eq, false);
        case arith::CmpIPredicate::ne:
          return std::pair(Kind::Ne, false);
        case arith::CmpIPredicate::slt:
          return std::pair(Kind::Lt, false);
        case arith::CmpIPredicate::sle:
          return std::pair(Kind::Le, false);
        case arith::CmpIPredicate::sgt:
          return std::pair(Kind::Gt, false);
        case arith::CmpIPredicate::sge:
          return std::pair(Kind::Ge, false);
        case arith::CmpIPredicate::ult:
          return std::pair(Kind::Lt, true);
        case arith::CmpIPredicate::ule:
          return std::pair(Kind::Le, true);
        case arith::CmpIPredicate::ugt:
          return std::pair(Kind::Gt, true);
        case arith::CmpIPredicate::uge:
          return std::pair(Kind::Ge, true);
        }
        return std::nullopt;
      })
      .Case<arith::AndIOp, arith::OrIOp>([&](auto) -> Result {
        if (!op->getResult(0).getType().isInteger(1))
          return std::nullopt;
        return std::pair(isa<arith::AndIOp>(op) ? Kind::And : Kind::Or, false);
      })
      .Case<arith::XOrIOp>([&](auto) -> Result {
        if (!op->getResult(0).getType().isInteger(1))
          return std::nullopt;
        return std::pair(Kind::Ne, false);
      })
      .Default(std::nullopt);
}

std::optional<Expr> HostExpressions::computeBinary(Operation *op) {
  auto kind = getKind(op);
  if (!kind)
    return std::nullopt;
  bool isUnsigned = kind->second;
  Value left = op->getOperand(0), right = op->getOperand(1);
  std::optional<Expr> lhs = isUnsigned ? getUnsigned(left, op) : get(left);
  if (!lhs)
    return std::nullopt;
  std::optional<Expr> rhs = isUnsigned ? getUnsigned(right, op) : get(right);
  if (!rhs)
    return std::nullopt;
  return foldBinary(kind->first, *lhs, *rhs);
}

std::optional<Expr> HostExpressions::compute(Value value) {
  culprit = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isScalar = argument.getOwner()->getParentOp() == kernel &&
                    value.getType().isSignlessInteger();
    if (!isScalar)
      return std::nullopt;
    return Expr::argument(getArgumentName(kernel, argument.getArgNumber()));
  }
  return llvm::TypeSwitch<Operation *, std::optional<Expr>>(culprit)
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](auto cast) { return get(cast->getOperand(0)); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto cast) {
        // A condition is 0 or 1 already.
        Value operand = cast->getOperand(0);
        return operand.getType().isInteger(1) ? get(operand)
                                              : getUnsigned(operand, cast);
      })
      .Case([&](arith::SelectOp select) -> std::optional<Expr> {
        std::optional<Expr> parts[3];
        for (auto [part, operand] : llvm::zip(parts, select->getOperands()))
          if (!(part = get(operand)))
            return std::nullopt;
        if (parts[0]->kind() == Kind::Constant)
          return parts[0]->value() ? *parts[1] : *parts[2];
        return Expr::select(*parts[0], *parts[1], *parts[2]);
      })
      .Default([&](Operation *op) { return computeBinary(op); });
}
