//===- ExpandMath.cpp - Our own math functions ----------------------------===//
//
// Upstream lowers math ops to calls of device libraries, which Fly does not
// have, and LLVM expands some of them at length. Here each becomes a sequence
// of vector arithmetic around one instruction of the transcendental unit. `afn`
// means that instruction alone (with its scaling of the argument where the
// function is another). f16 and bf16 compute in f32 and round once. Vectors of
// any rank keep their shape; only the instruction itself works element by
// element.
//
// Left to LLVM, which does them right: sqrt and division without `afn`, and
// rounding, fma, abs, copysign. Refused, by name, by fly-check-legal: what this
// table lacks, and f64.
//
// Error bounds, against exact values, are in docs/Guide/Math.md and are tested
// on the simulator (test/Unit/Conversion/MathAccuracyTest.cpp).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/TypeSwitch.h"

#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDMATHPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

/// Arithmetic on f32, or vectors of f32 of one shape, at a place.
class F32Math {
public:
  F32Math(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Value constant(double value) {
    FloatAttr element = builder.getF32FloatAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(vector, Attribute(element)));
    return arith::ConstantOp::create(builder, loc, element);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value min(Value a, Value b) {
    return arith::MinNumFOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) {
    return arith::MaxNumFOp::create(builder, loc, a, b);
  }
  Value copysign(Value magnitude, Value sign) {
    return math::CopySignOp::create(builder, loc, magnitude, sign);
  }
  Value roundEven(Value a) {
    return math::RoundEvenOp::create(builder, loc, a);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value less(Value a, Value b) {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// c0 + x (c1 + x (c2 + ...)).
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(c));
    return sum;
  }

  /// One instruction of the transcendental unit on every element.
  Value native(StringRef intrinsic, Value x) {
    return each({x}, [&](ValueRange e) -> Value {
      return LLVM::CallIntrinsicOp::create(
                 builder, loc, builder.getF32Type(),
                 builder.getStringAttr(("llvm.amdgcn." + intrinsic).str()), e)
          .getResult(0);
    });
  }
  Value exp2(Value x) {
    // llvm.amdgcn.exp2 is v_exp_f32; amdgcn.exp would be an export.
    return native("exp2", x);
  }
  Value log2(Value x) { return native("log", x); }
  Value rcp(Value x) { return native("rcp", x); }
  Value rsq(Value x) { return native("rsq", x); }
  Value sqrt(Value x) { return native("sqrt", x); }

  /// x * 2^e for an integral e.
  Value scaleByPowerOfTwo(Value x, Value e) {
    return each({x, e}, [&](ValueRange pair) -> Value {
      Value power =
          arith::FPToSIOp::create(builder, loc, builder.getI32Type(), pair[1]);
      return LLVM::LoadExpOp::create(builder, loc, builder.getF32Type(),
                                     pair[0], power);
    });
  }

private:
  Value each(ValueRange operands, function_ref<Value(ValueRange)> make) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return make(operands);
    SmallVector<ValueRange> elements;
    for (Value operand : operands)
      elements.push_back(
          vector::ToElementsOp::create(builder, loc, operand).getElements());
    SmallVector<Value> results;
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      SmallVector<Value, 2> arguments;
      for (ValueRange list : elements)
        arguments.push_back(list[i]);
      results.push_back(make(arguments));
    }
    return vector::FromElementsOp::create(builder, loc, vector, results);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

constexpr double kLog2E = 1.44269502162933349609375; // nearest f32
constexpr double kLog2ELow = 1.92596299112661746e-8; // log2(e) minus it
constexpr double kLn2 = 0.693147180559945309417;
constexpr double kTwoLog2E = 2.88539008177792681472;
constexpr double kSmallestNormal = 0x1p-126;

/// The instruction flushes results below the normal range: compute 2^(x + 64)
/// there and scale back.
Value expandExp2(F32Math &m, Value x, bool approximate) {
  if (approximate)
    return m.exp2(x);
  Value small = m.less(x, m.constant(-126.0));
  Value shifted = m.add(x, m.select(small, m.constant(64.0), m.constant(0.0)));
  return m.mul(m.exp2(shifted),
               m.select(small, m.constant(0x1p-64), m.constant(1.0)));
}

/// 2^(x log2 e) with the product in two parts: its error would otherwise grow
/// with x.
Value expandExp(F32Math &m, Value x, bool approximate) {
  if (approximate)
    return m.exp2(m.mul(x, m.constant(kLog2E)));
  // Beyond these the result is 0 or infinity; the clamp drops NaN.
  Value clamped = m.min(m.max(x, m.constant(-105.0)), m.constant(90.0));
  Value high = m.mul(clamped, m.constant(kLog2E));
  Value low = m.fma(clamped, m.constant(kLog2E), m.neg(high));
  low = m.fma(clamped, m.constant(kLog2ELow), low);
  Value whole = m.roundEven(high);
  Value fraction = m.add(m.sub(high, whole), low);
  Value result = m.scaleByPowerOfTwo(m.exp2(fraction), whole);
  Value isNan = m.compare(arith::CmpFPredicate::UNO, x, x);
  return m.select(isNan, x, result);
}

/// Denormal arguments count as zero in the instruction: scale them up.
Value expandLog2(F32Math &m, Value x, bool approximate) {
  if (approximate)
    return m.log2(x);
  Value small = m.less(x, m.constant(kSmallestNormal));
  Value scaled = m.mul(x, m.select(small, m.constant(0x1p32), m.constant(1.0)));
  return m.sub(m.log2(scaled),
               m.select(small, m.constant(32.0), m.constant(0.0)));
}

Value expandLog(F32Math &m, Value x, bool approximate) {
  return m.mul(expandLog2(m, x, approximate), m.constant(kLn2));
}

Value expandRsqrt(F32Math &m, Value x, bool approximate) {
  if (approximate)
    return m.rsq(x);
  Value small = m.less(x, m.constant(kSmallestNormal));
  Value scaled = m.mul(x, m.select(small, m.constant(0x1p24), m.constant(1.0)));
  return m.mul(m.rsq(scaled),
               m.select(small, m.constant(0x1p12), m.constant(1.0)));
}

/// 1 - 2 / (e^2x + 1); near zero, where that cancels, a polynomial.
Value expandTanh(F32Math &m, Value x, bool approximate) {
  Value magnitude = approximate ? x : m.abs(x);
  Value e = m.exp2(m.mul(magnitude, m.constant(kTwoLog2E)));
  Value large = m.fma(m.constant(-2.0), m.rcp(m.add(e, m.constant(1.0))),
                      m.constant(1.0));
  if (approximate)
    return large;
  Value square = m.mul(magnitude, magnitude);
  // tanh(x) = x + x^3 P(x^2) on [0, 0.625]: weighted minimax fit, 2^-27.9.
  Value p = m.polynomial(square, {-0.33333283695826915, 0.13331486127238434,
                                  -0.05374312246095323, 0.020649487725652556,
                                  -0.005715922670323234});
  Value small = m.fma(m.mul(square, magnitude), p, magnitude);
  Value isSmall = m.less(magnitude, m.constant(0.625));
  return m.copysign(m.select(isSmall, small, large), x);
}

/// x P(x^2) below 1, 1 - 2^-Q(|x|) above; 1 from 4 on.
Value expandErf(F32Math &m, Value x, bool) {
  Value magnitude = m.abs(x);
  Value square = m.mul(x, x);
  // Minimax fits: relative 2^-29.7 on [0, 1], and on [1, 4], weighted by
  // erfc, 2^-29.8.
  Value small = m.mul(
      x, m.polynomial(square, {1.12837916591142, -0.3761262711955839,
                               0.11283599983731755, -0.026854436342268386,
                               0.005189519377761312, -0.000802069903602168,
                               7.888644410314298e-05}));
  Value beyond = m.less(m.constant(4.0), magnitude);
  Value clamped = m.select(beyond, m.constant(4.0), magnitude);
  Value q = m.polynomial(clamped, {0.0005083128989875562, 1.6259833852802583,
                                   0.9207508485511141, 0.14866414139646159,
                                   -0.0314646427648384, 0.00424255503458098,
                                   -0.00026789424369963113});
  Value large = m.sub(m.constant(1.0), m.exp2(m.neg(q)));
  Value isSmall = m.less(magnitude, m.constant(1.0));
  return m.select(isSmall, small, m.copysign(large, x));
}

Value expandSqrt(F32Math &m, Value x, bool) { return m.sqrt(x); }

using Expansion = Value (*)(F32Math &, Value, bool);

/// The expansion of a unary op; null for ops that stay.
Expansion getExpansion(Operation *op, bool approximate) {
  return llvm::TypeSwitch<Operation *, Expansion>(op)
      .Case<math::ExpOp>([](auto) { return expandExp; })
      .Case<math::Exp2Op>([](auto) { return expandExp2; })
      .Case<math::LogOp>([](auto) { return expandLog; })
      .Case<math::Log2Op>([](auto) { return expandLog2; })
      .Case<math::RsqrtOp>([](auto) { return expandRsqrt; })
      .Case<math::TanhOp>([](auto) { return expandTanh; })
      .Case<math::ErfOp>([](auto) { return expandErf; })
      .Case<math::SqrtOp>(
          [&](auto) -> Expansion { return approximate ? expandSqrt : nullptr; })
      .Default([](auto) -> Expansion { return nullptr; });
}

Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// Replaces `op` if it is in the table; true if it was.
bool expand(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type type = op->getResult(0).getType();
  Type element = getElementTypeOrSelf(type);
  if (isa<TensorType>(type) ||
      !(element.isF32() || element.isF16() || element.isBF16()))
    return false;
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  bool approximate = fast && fast.getFastMathFlagsAttr() &&
                     bitEnumContainsAll(fast.getFastMathFlagsAttr().getValue(),
                                        arith::FastMathFlags::afn);
  bool isDivision = isa<arith::DivFOp>(op) && approximate;
  Expansion expansion = isDivision ? nullptr : getExpansion(op, approximate);
  if (!isDivision && !expansion)
    return false;

  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type wide = withElement(type, builder.getF32Type());
  F32Math m(builder, loc, wide);
  auto widen = [&](Value value) -> Value {
    return element.isF32()
               ? value
               : Value(arith::ExtFOp::create(builder, loc, wide, value));
  };
  Value x = widen(op->getOperand(0));
  Value result = isDivision ? m.mul(x, m.rcp(widen(op->getOperand(1))))
                            : expansion(m, x, approximate);
  if (!element.isF32())
    result = arith::TruncFOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return true;
}

struct ExpandMath : public fly::impl::FlyExpandMathPassBase<ExpandMath> {
  using FlyExpandMathPassBase::FlyExpandMathPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::GPUFuncOp function) {
      SmallVector<Operation *> ops;
      function.walk([&](Operation *op) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
            isa<arith::DivFOp>(op))
          ops.push_back(op);
      });
      unsigned count = 0;
      for (Operation *op : ops)
        count += expand(op);
      numExpanded += count;
      if (count)
        remarkPassed(function, "fly-expand-math", "Expanded",
                     Twine(count) + " math ops became our own sequences");
    });
  }
};

} // namespace
