//===- Elementwise.cpp - arith and math on one element --------------------===//
//
// Floats are computed in double, and rounded where the device has no choice
// (Rounding.h). Integers are kept sign-extended (i1 as 0 or 1);
// ElementwiseIntegers.cpp has their arithmetic.
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

#include "MathFunctions.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// A correctly rounded op; `propagate` says what errors of the operands do to
/// the wide result.
template <typename Fn, typename Propagate>
static ElementFn binaryFloat(ElementType type, Order order, Fn fn,
                             Propagate propagate) {
  return [=](const Element *x, const char *&) {
    double wide = fn(x[0].f, x[1].f);
    bool isExact = x[0].error == 0 && x[1].error == 0;
    return roundResult(type, wide, isExact ? 0 : propagate(x[0], x[1], wide),
                       order);
  };
}
/// One of the operands, or something between them: nothing is rounded.
template <typename Fn>
static ElementFn choiceOfFloats(Fn fn) {
  return [=](const Element *x, const char *&) {
    Element result = makeFloat(fn(x[0].f, x[1].f));
    result.error = std::max(x[0].error, x[1].error);
    return result;
  };
}

static Element withErrorOf(Element operand, Element result) {
  result.error = operand.error;
  return result;
}

static bool compareFloats(arith::CmpFPredicate predicate, double l, double r) {
  bool unordered = std::isnan(l) || std::isnan(r);
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return l == r;
  case P::OGT:
    return l > r;
  case P::OGE:
    return l >= r;
  case P::OLT:
    return l < r;
  case P::OLE:
    return l <= r;
  case P::ONE:
    return !unordered && l != r;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || l == r;
  case P::UGT:
    return unordered || l > r;
  case P::UGE:
    return unordered || l >= r;
  case P::ULT:
    return unordered || l < r;
  case P::ULE:
    return unordered || l <= r;
  case P::UNE:
    return unordered || l != r;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates handled");
}

static double maximum(double l, double r) {
  return std::isnan(l) || std::isnan(r) ? l + r : std::fmax(l, r);
}
static double minimum(double l, double r) {
  return std::isnan(l) || std::isnan(r) ? l + r : std::fmin(l, r);
}

/// Combiners and some fastmath flags leave the order of roundings open.
static Order orderOf(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
  bool mayContract =
      flags &&
      bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::contract |
                                               arith::FastMathFlags::reassoc);
  bool isCombiner =
      op->getParentOfType<ReduceOp>() || op->getParentOfType<ScanOp>();
  return mayContract || isCombiner ? Order::Any : Order::Fixed;
}

static ElementFn lookupFloat(Operation *op, ElementType type, Order order) {
  auto sum = [](Element a, Element b, double) { return a.error + b.error; };
  auto product = [](Element a, Element b, double) {
    return productError(a, b);
  };
  // The remainder jumps where the quotient passes an integer.
  auto remainder = [](Element a, Element b, double) {
    return b.error == 0 ? std::fabs(b.f) + a.error : kUnbounded;
  };
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::AddFOp>([&](auto) {
        return binaryFloat(
            type, order, [](double l, double r) { return l + r; }, sum);
      })
      .Case<arith::SubFOp>([&](auto) {
        return binaryFloat(
            type, order, [](double l, double r) { return l - r; }, sum);
      })
      .Case<arith::MulFOp>([&](auto) {
        return binaryFloat(
            type, order, [](double l, double r) { return l * r; }, product);
      })
      .Case<arith::RemFOp>([&](auto) {
        return binaryFloat(
            type, order, [](double l, double r) { return std::fmod(l, r); },
            remainder);
      })
      .Case<arith::NegFOp>([](auto) -> ElementFn {
        return [](const Element *x, const char *&) {
          Element result = x[0];
          result.f = -x[0].f;
          return result;
        };
      })
      .Case<arith::MaximumFOp>([](auto) { return choiceOfFloats(maximum); })
      .Case<arith::MinimumFOp>([](auto) { return choiceOfFloats(minimum); })
      .Case<arith::MaxNumFOp>([](auto) {
        return choiceOfFloats(
            [](double l, double r) { return std::fmax(l, r); });
      })
      .Case<arith::MinNumFOp>([](auto) {
        return choiceOfFloats(
            [](double l, double r) { return std::fmin(l, r); });
      })
      .Case<arith::CmpFOp>([](arith::CmpFOp compare) -> ElementFn {
        return [p = compare.getPredicate()](const Element *x, const char *&) {
          return makeBit(compareFloats(p, x[0].f, x[1].f),
                         isUncertain(x[0], x[1]));
        };
      })
      .Case<arith::ExtFOp>([](auto) -> ElementFn {
        return [](const Element *x, const char *&) { return x[0]; };
      })
      .Case<arith::TruncFOp>([&](auto) -> ElementFn {
        return [type](const Element *x, const char *&) {
          if (x[0].error != 0)
            return roundToType(type, x[0], /*saturate=*/false);
          return makeFloat(type.round(x[0].f));
        };
      })
      .Case<math::FmaOp>([&](auto) -> ElementFn {
        return [type, order](const Element *x, const char *&) {
          double wide = std::fma(x[0].f, x[1].f, x[2].f);
          double error = productError(x[0], x[1]) + x[2].error;
          return roundResult(type, wide, error, order);
        };
      })
      .Case<math::CopySignOp>([](auto) -> ElementFn {
        return [](const Element *x, const char *&) {
          Element result = makeFloat(std::copysign(x[0].f, x[1].f));
          bool isSignUncertain =
              x[1].error != 0 && std::fabs(x[1].f) <= x[1].error;
          result.error =
              x[0].error + (isSignUncertain ? 2 * std::fabs(x[0].f) : 0);
          return result;
        };
      })
      .Default(ElementFn());
}

/// A function with a name in MathFunctions.h.
static ElementFn lookupFunction(Operation *op, ElementType type) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
  bool isApproximate =
      flags && bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn);
  StringRef name = op->getName().stripDialect();
  if (auto activation = dyn_cast<ActivateOp>(op))
    name = stringifyActivation(activation.getKind());
  else if (!isa<arith::DivFOp>(op) && !isa<math::MathDialect>(op->getDialect()))
    return {};
  return makeFloatFunction(name, type, isApproximate, orderOf(op));
}

/// Conversions between types, and what does not fit the other groups.
static ElementFn lookupConversion(Operation *op, ElementType from,
                                  ElementType to) {
  unsigned fromBits = from.bits();
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::ExtSIOp, arith::IndexCastOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          // i1 is kept as 0 or 1, its sign extension is 0 or -1.
          return withErrorOf(
              x[0], makeInteger(to.wrap(fromBits == 1 ? -x[0].i : x[0].i)));
        };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return withErrorOf(x[0], makeInteger(to.wrap(
                                       int64_t(zeroExtend(x[0].i, fromBits)))));
        };
      })
      .Case<arith::TruncIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return withErrorOf(x[0], makeInteger(to.wrap(x[0].i)));
        };
      })
      .Case<arith::SIToFPOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return roundResult(to, double(fromBits == 1 ? -x[0].i : x[0].i),
                             x[0].error);
        };
      })
      .Case<arith::UIToFPOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return roundResult(to, double(zeroExtend(x[0].i, fromBits)),
                             x[0].error);
        };
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&fault) {
          if (!(std::fabs(x[0].f) < 0x1p63)) {
            fault = "float out of the integer's range";
            return makeInteger(0);
          }
          Element result = makeInteger(to.wrap(int64_t(x[0].f)));
          result.error =
              stepError(x[0], [](double v) { return std::trunc(v); });
          return result;
        };
      })
      .Case<arith::BitcastOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          uint64_t code = from.isFloat() ? from.encode(x[0].f)
                                         : zeroExtend(x[0].i, fromBits);
          return withoutBound(x, 1,
                              to.isFloat()
                                  ? makeFloat(to.decode(code))
                                  : makeInteger(to.wrap(int64_t(code))));
        };
      })
      .Default(ElementFn());
}

ElementFn fly::reference::lookupElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return {};
  std::optional<ElementType> result = typeOf(op->getResult(0).getType());
  std::optional<ElementType> operand =
      typeOf(op->getOperand(op->getNumOperands() - 1).getType());
  if (!result || !operand)
    return {};
  // Of pointers and views there is nothing to compute: the interpreter chooses.
  if (isa<PtrType, ViewType>(op->getResult(0).getType()))
    return {};
  if (isa<arith::SelectOp>(op))
    return [isFloat = result->isFloat()](const Element *x, const char *&) {
      const Element &chosen = x[0].i ? x[1] : x[2];
      const Element &other = x[0].i ? x[2] : x[1];
      return x[0].error == 0 ? chosen : unite(isFloat, chosen, other);
    };
  if (isa<arith::CmpIOp>(op))
    return lookupInteger(op, *operand);

  ElementFn fn = lookupFloat(op, *result, orderOf(op));
  if (!fn)
    fn = lookupFunction(op, *result);
  if (!fn && result->isInteger())
    fn = lookupInteger(op, *result);
  if (!fn)
    fn = lookupConversion(op, *operand, *result);
  return fn;
}
