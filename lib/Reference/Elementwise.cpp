//===- Elementwise.cpp - arith and math on one element --------------------===//
//
// Floats are computed in double. Types narrower than f32 cannot hold more than
// their own bits, so their results are rounded; f32 results stay wide until
// the IR rounds them. Integers are kept sign-extended (i1 as 0 or 1).
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

namespace {
Element makeFloat(double value) {
  Element element;
  element.f = value;
  return element;
}
Element makeInteger(int64_t value) {
  Element element;
  element.i = value;
  return element;
}
} // namespace

template <typename Fn>
static ElementFn unaryFloat(Fn fn) {
  return
      [fn](const Element *x, const char *&) { return makeFloat(fn(x[0].f)); };
}
template <typename Fn>
static ElementFn binaryFloat(Fn fn) {
  return [fn](const Element *x, const char *&) {
    return makeFloat(fn(x[0].f, x[1].f));
  };
}
/// Signed 64-bit arithmetic wraps, so the functions work on unsigned numbers.
template <typename Fn>
static ElementFn binaryInteger(ElementType type, Fn fn) {
  return [fn, type](const Element *x, const char *&) {
    return makeInteger(
        type.wrap(int64_t(fn(uint64_t(x[0].i), uint64_t(x[1].i)))));
  };
}

/// An integer without its sign extension.
static uint64_t zeroExtend(int64_t value, unsigned bits) {
  return bits == 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

template <typename Fn>
static ElementFn unsignedInteger(ElementType type, Fn fn) {
  unsigned bits = type.bits();
  return [fn, type, bits](const Element *x, const char *&) {
    return makeInteger(type.wrap(
        int64_t(fn(zeroExtend(x[0].i, bits), zeroExtend(x[1].i, bits)))));
  };
}

/// A division: refuses the divisor 0; `fn` sees signed or unsigned operands.
template <typename Number, typename Fn>
static ElementFn division(ElementType type, Fn fn) {
  unsigned bits = type.bits();
  return [fn, type, bits](const Element *x, const char *&fault) {
    if (x[1].i == 0) {
      fault = "division by zero";
      return makeInteger(0);
    }
    if (std::is_signed_v<Number> && x[1].i == -1 && x[0].i == INT64_MIN) {
      fault = "overflow of a signed division";
      return makeInteger(0);
    }
    Number lhs = std::is_signed_v<Number> ? Number(x[0].i)
                                          : Number(zeroExtend(x[0].i, bits));
    Number rhs = std::is_signed_v<Number> ? Number(x[1].i)
                                          : Number(zeroExtend(x[1].i, bits));
    return makeInteger(type.wrap(int64_t(fn(lhs, rhs))));
  };
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

static ElementFn compareIntegers(arith::CmpIPredicate predicate,
                                 unsigned bits) {
  return [=](const Element *x, const char *&) {
    return makeInteger(arith::applyCmpPredicate(
        predicate, APInt(64, zeroExtend(x[0].i, bits)).trunc(bits),
        APInt(64, zeroExtend(x[1].i, bits)).trunc(bits)));
  };
}

static double maximum(double l, double r) {
  return std::isnan(l) || std::isnan(r) ? l + r : std::fmax(l, r);
}
static double minimum(double l, double r) {
  return std::isnan(l) || std::isnan(r) ? l + r : std::fmin(l, r);
}

static ElementFn lookupFloat(Operation *op) {
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::AddFOp>([](auto) {
        return binaryFloat([](double l, double r) { return l + r; });
      })
      .Case<arith::SubFOp>([](auto) {
        return binaryFloat([](double l, double r) { return l - r; });
      })
      .Case<arith::MulFOp>([](auto) {
        return binaryFloat([](double l, double r) { return l * r; });
      })
      .Case<arith::DivFOp>([](auto) {
        return binaryFloat([](double l, double r) { return l / r; });
      })
      .Case<arith::RemFOp>([](auto) {
        return binaryFloat([](double l, double r) { return std::fmod(l, r); });
      })
      .Case<arith::NegFOp>(
          [](auto) { return unaryFloat([](double v) { return -v; }); })
      .Case<arith::MaximumFOp>([](auto) { return binaryFloat(maximum); })
      .Case<arith::MinimumFOp>([](auto) { return binaryFloat(minimum); })
      .Case<arith::MaxNumFOp>([](auto) {
        return binaryFloat([](double l, double r) { return std::fmax(l, r); });
      })
      .Case<arith::MinNumFOp>([](auto) {
        return binaryFloat([](double l, double r) { return std::fmin(l, r); });
      })
      .Case<arith::CmpFOp>([](arith::CmpFOp compare) -> ElementFn {
        return [p = compare.getPredicate()](const Element *x, const char *&) {
          return makeInteger(compareFloats(p, x[0].f, x[1].f));
        };
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [](auto) { return unaryFloat([](double v) { return v; }); })
      .Default(ElementFn());
}

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

double fly::reference::activate(Activation kind, double x) {
  bool vanishes = x == -std::numeric_limits<double>::infinity();
  switch (kind) {
  case Activation::Sigmoid:
    return sigmoid(x);
  case Activation::Silu:
    return vanishes ? -0.0 : x * sigmoid(x);
  case Activation::GeluTanh:
    return vanishes
               ? -0.0
               : x * sigmoid(2 * 0.7978845608 * x * (1.0 + 0.044715 * x * x));
  case Activation::GeluErf:
    return vanishes ? -0.0 : 0.5 * x * std::erfc(-x * std::sqrt(0.5));
  }
  llvm_unreachable("all activations handled");
}

static ElementFn lookupMath(Operation *op) {
  using UnaryFn = double (*)(double);
  UnaryFn unary =
      llvm::TypeSwitch<Operation *, UnaryFn>(op)
          .Case<math::ExpOp>([](auto) { return UnaryFn(std::exp); })
          .Case<math::Exp2Op>([](auto) { return UnaryFn(std::exp2); })
          .Case<math::ExpM1Op>([](auto) { return UnaryFn(std::expm1); })
          .Case<math::LogOp>([](auto) { return UnaryFn(std::log); })
          .Case<math::Log2Op>([](auto) { return UnaryFn(std::log2); })
          .Case<math::Log10Op>([](auto) { return UnaryFn(std::log10); })
          .Case<math::Log1pOp>([](auto) { return UnaryFn(std::log1p); })
          .Case<math::TanhOp>([](auto) { return UnaryFn(std::tanh); })
          .Case<math::SqrtOp>([](auto) { return UnaryFn(std::sqrt); })
          .Case<math::SinOp>([](auto) { return UnaryFn(std::sin); })
          .Case<math::CosOp>([](auto) { return UnaryFn(std::cos); })
          .Case<math::ErfOp>([](auto) { return UnaryFn(std::erf); })
          .Case<math::AbsFOp>([](auto) { return UnaryFn(std::fabs); })
          .Case<math::FloorOp>([](auto) { return UnaryFn(std::floor); })
          .Case<math::CeilOp>([](auto) { return UnaryFn(std::ceil); })
          .Case<math::TruncOp>([](auto) { return UnaryFn(std::trunc); })
          .Case<math::RoundOp>([](auto) { return UnaryFn(std::round); })
          .Case<math::RoundEvenOp>([](auto) { return UnaryFn(std::nearbyint); })
          .Default(UnaryFn(nullptr));
  if (unary)
    return unaryFloat(unary);
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<math::RsqrtOp>([](auto) {
        return unaryFloat([](double v) { return 1.0 / std::sqrt(v); });
      })
      .Case([](ActivateOp activation) {
        return unaryFloat([kind = activation.getKind()](double v) {
          return activate(kind, v);
        });
      })
      .Case<math::PowFOp>([](auto) {
        return binaryFloat([](double l, double r) { return std::pow(l, r); });
      })
      .Case<math::CopySignOp>([](auto) {
        return binaryFloat(
            [](double l, double r) { return std::copysign(l, r); });
      })
      .Case<math::FmaOp>([](auto) -> ElementFn {
        return [](const Element *x, const char *&) {
          return makeFloat(std::fma(x[0].f, x[1].f, x[2].f));
        };
      })
      .Default(ElementFn());
}

static ElementFn lookupInteger(Operation *op, ElementType type) {
  unsigned bits = type.bits();
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::AddIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l + r; });
      })
      .Case<arith::SubIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l - r; });
      })
      .Case<arith::MulIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l * r; });
      })
      .Case<arith::AndIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l & r; });
      })
      .Case<arith::OrIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l | r; });
      })
      .Case<arith::XOrIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l ^ r; });
      })
      .Case<arith::ShLIOp>([=](auto) {
        return unsignedInteger(type, [=](uint64_t l, uint64_t r) {
          return r < bits ? l << r : 0;
        });
      })
      .Case<arith::ShRUIOp>([=](auto) {
        return unsignedInteger(type, [=](uint64_t l, uint64_t r) {
          return r < bits ? l >> r : 0;
        });
      })
      .Case<arith::ShRSIOp>([=](auto) {
        return binaryInteger(type, [=](uint64_t l, uint64_t r) {
          return uint64_t(int64_t(l) >> std::min<uint64_t>(r, 63));
        });
      })
      .Case<arith::MinSIOp>([=](auto) {
        return binaryInteger(type, [](uint64_t l, uint64_t r) {
          return int64_t(l) < int64_t(r) ? l : r;
        });
      })
      .Case<arith::MaxSIOp>([=](auto) {
        return binaryInteger(type, [](uint64_t l, uint64_t r) {
          return int64_t(l) > int64_t(r) ? l : r;
        });
      })
      .Case<arith::MinUIOp>([=](auto) {
        return unsignedInteger(
            type, [](uint64_t l, uint64_t r) { return std::min(l, r); });
      })
      .Case<arith::MaxUIOp>([=](auto) {
        return unsignedInteger(
            type, [](uint64_t l, uint64_t r) { return std::max(l, r); });
      })
      .Case<arith::DivSIOp>([=](auto) {
        return division<int64_t>(type,
                                 [](int64_t l, int64_t r) { return l / r; });
      })
      .Case<arith::RemSIOp>([=](auto) {
        return division<int64_t>(type,
                                 [](int64_t l, int64_t r) { return l % r; });
      })
      .Case<arith::FloorDivSIOp>([=](auto) {
        return division<int64_t>(type, [](int64_t l, int64_t r) {
          return l / r - (l % r != 0 && (l < 0) != (r < 0));
        });
      })
      .Case<arith::CeilDivSIOp>([=](auto) {
        return division<int64_t>(type, [](int64_t l, int64_t r) {
          return l / r + (l % r != 0 && (l < 0) == (r < 0));
        });
      })
      .Case<arith::DivUIOp>([=](auto) {
        return division<uint64_t>(type,
                                  [](uint64_t l, uint64_t r) { return l / r; });
      })
      .Case<arith::RemUIOp>([=](auto) {
        return division<uint64_t>(type,
                                  [](uint64_t l, uint64_t r) { return l % r; });
      })
      .Case<arith::CeilDivUIOp>([=](auto) {
        return division<uint64_t>(
            type, [](uint64_t l, uint64_t r) { return l / r + (l % r != 0); });
      })
      .Default(ElementFn());
}

/// Conversions between types, and what does not fit the other groups.
static ElementFn lookupConversion(Operation *op, ElementType from,
                                  ElementType to) {
  unsigned fromBits = from.bits();
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::ExtSIOp, arith::IndexCastOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          // i1 is kept as 0 or 1, its sign extension is 0 or -1.
          return makeInteger(to.wrap(fromBits == 1 ? -x[0].i : x[0].i));
        };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return makeInteger(to.wrap(int64_t(zeroExtend(x[0].i, fromBits))));
        };
      })
      .Case<arith::TruncIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return makeInteger(to.wrap(x[0].i));
        };
      })
      .Case<arith::SIToFPOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return makeFloat(double(fromBits == 1 ? -x[0].i : x[0].i));
        };
      })
      .Case<arith::UIToFPOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          return makeFloat(double(zeroExtend(x[0].i, fromBits)));
        };
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&fault) {
          if (!(std::fabs(x[0].f) < 0x1p63)) {
            fault = "float out of the integer's range";
            return makeInteger(0);
          }
          return makeInteger(to.wrap(int64_t(x[0].f)));
        };
      })
      .Case<arith::BitcastOp>([=](auto) -> ElementFn {
        return [=](const Element *x, const char *&) {
          uint64_t code = from.isFloat() ? from.encode(x[0].f)
                                         : zeroExtend(x[0].i, fromBits);
          return to.isFloat() ? makeFloat(to.decode(code))
                              : makeInteger(to.wrap(int64_t(code)));
        };
      })
      .Default(ElementFn());
}

/// Rounds the results of a type that cannot hold a wide value.
static ElementFn rounded(ElementFn fn, ElementType type) {
  return [fn = std::move(fn), type](const Element *x, const char *&fault) {
    return makeFloat(type.round(fn(x, fault).f));
  };
}

ElementFn fly::reference::lookupElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return {};
  std::optional<ElementType> result = typeOf(op->getResult(0).getType());
  std::optional<ElementType> operand =
      typeOf(op->getOperand(op->getNumOperands() - 1).getType());
  if (!result || !operand)
    return {};
  if (isa<arith::SelectOp>(op))
    return [](const Element *x, const char *&) { return x[0].i ? x[1] : x[2]; };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareIntegers(compare.getPredicate(), operand->bits());

  ElementFn fn = lookupFloat(op);
  if (!fn)
    fn = lookupMath(op);
  if (!fn && result->isInteger())
    fn = lookupInteger(op, *result);
  if (!fn)
    fn = lookupConversion(op, *operand, *result);
  if (!fn)
    return {};
  bool mustRound =
      result->isFloat() && (result->bits() < 32 || isa<arith::TruncFOp>(op));
  return mustRound ? rounded(std::move(fn), *result) : fn;
}
