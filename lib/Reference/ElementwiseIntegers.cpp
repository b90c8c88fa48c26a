//===- ElementwiseIntegers.cpp - arith on integers ------------------------===//
//
// Integers are kept sign-extended (i1 as 0 or 1) and wrap at their width. An op
// of which an operand is uncertain gives an unbounded error, but for those that
// pass it through.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

#include "Rounding.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

Element fly::reference::withoutBound(const Element *x, unsigned count,
                                     Element result) {
  for (unsigned i = 0; i < count; ++i)
    if (x[i].error != 0)
      result.error = kUnbounded;
  return result;
}

/// Signed 64-bit arithmetic wraps, so the functions work on unsigned numbers.
template <typename Fn>
static ElementFn binaryInteger(ElementType type, Fn fn) {
  return [fn, type](const Element *x, const char *&) {
    return withoutBound(x, 2,
                        makeInteger(type.wrap(
                            int64_t(fn(uint64_t(x[0].i), uint64_t(x[1].i))))));
  };
}

/// Sums pass errors on, unless they wrap.
template <typename Fn>
static ElementFn sumOfIntegers(ElementType type, Fn fn) {
  return [fn, type](const Element *x, const char *&) {
    Element result =
        makeInteger(type.wrap(int64_t(fn(uint64_t(x[0].i), uint64_t(x[1].i)))));
    result.error = x[0].error + x[1].error;
    return result;
  };
}

template <typename Fn>
static ElementFn unsignedInteger(ElementType type, Fn fn) {
  unsigned bits = type.bits();
  return [fn, type, bits](const Element *x, const char *&) {
    return withoutBound(
        x, 2,
        makeInteger(type.wrap(
            int64_t(fn(zeroExtend(x[0].i, bits), zeroExtend(x[1].i, bits))))));
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
    return withoutBound(x, 2, makeInteger(type.wrap(int64_t(fn(lhs, rhs)))));
  };
}

static ElementFn compareIntegers(arith::CmpIPredicate predicate,
                                 unsigned bits) {
  return [=](const Element *x, const char *&) {
    bool value = arith::applyCmpPredicate(
        predicate, APInt(64, zeroExtend(x[0].i, bits)).trunc(bits),
        APInt(64, zeroExtend(x[1].i, bits)).trunc(bits));
    double error = x[0].error + x[1].error;
    double apart = std::fabs(double(x[0].i) - double(x[1].i));
    return makeBit(value, error != 0 && apart <= error);
  };
}

/// Logic on i1: uncertain where a flip of an uncertain operand flips it.
template <typename Fn>
static ElementFn logic(Fn fn) {
  return [=](const Element *x, const char *&) {
    bool value = fn(x[0].i, x[1].i) & 1, isUncertain = false;
    for (int flips = 1; flips < 4; ++flips) {
      bool isPossible = (!(flips & 1) || x[0].error != 0) &&
                        (!(flips & 2) || x[1].error != 0);
      bool other = fn(x[0].i ^ (flips & 1), x[1].i ^ (flips >> 1)) & 1;
      isUncertain |= isPossible && other != value;
    }
    return makeBit(value, isUncertain);
  };
}

/// Of two integers the one that `fn` takes.
template <typename Fn>
static ElementFn choiceOfIntegers(Fn takesFirst) {
  return [=](const Element *x, const char *&) {
    Element result = takesFirst(x[0].i, x[1].i) ? x[0] : x[1];
    result.error = std::max(x[0].error, x[1].error);
    return result;
  };
}

ElementFn fly::reference::lookupInteger(Operation *op, ElementType type) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareIntegers(compare.getPredicate(), type.bits());
  unsigned bits = type.bits();
  return llvm::TypeSwitch<Operation *, ElementFn>(op)
      .Case<arith::AddIOp>([=](auto) {
        return sumOfIntegers(type,
                             [](uint64_t l, uint64_t r) { return l + r; });
      })
      .Case<arith::SubIOp>([=](auto) {
        return sumOfIntegers(type,
                             [](uint64_t l, uint64_t r) { return l - r; });
      })
      .Case<arith::MulIOp>([=](auto) {
        return binaryInteger(type,
                             [](uint64_t l, uint64_t r) { return l * r; });
      })
      .Case<arith::AndIOp>([=](auto) {
        auto fn = [](uint64_t l, uint64_t r) { return l & r; };
        return bits == 1 ? logic(fn) : binaryInteger(type, fn);
      })
      .Case<arith::OrIOp>([=](auto) {
        auto fn = [](uint64_t l, uint64_t r) { return l | r; };
        return bits == 1 ? logic(fn) : binaryInteger(type, fn);
      })
      .Case<arith::XOrIOp>([=](auto) {
        auto fn = [](uint64_t l, uint64_t r) { return l ^ r; };
        return bits == 1 ? logic(fn) : binaryInteger(type, fn);
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
        return choiceOfIntegers([](int64_t l, int64_t r) { return l < r; });
      })
      .Case<arith::MaxSIOp>([=](auto) {
        return choiceOfIntegers([](int64_t l, int64_t r) { return l > r; });
      })
      .Case<arith::MinUIOp>([=](auto) {
        return choiceOfIntegers([=](int64_t l, int64_t r) {
          return zeroExtend(l, bits) < zeroExtend(r, bits);
        });
      })
      .Case<arith::MaxUIOp>([=](auto) {
        return choiceOfIntegers([=](int64_t l, int64_t r) {
          return zeroExtend(l, bits) > zeroExtend(r, bits);
        });
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
