//===- ExpandMath.cpp - Our own math functions ----------------------------===//
//
// Upstream lowers math ops to calls of device libraries, which Fly does not
// have, and LLVM expands some of them at length. Here each becomes a sequence
// of vector arithmetic around the instructions of the transcendental unit (the
// folder ExpandMath, one file a family of functions). `afn` means that
// instruction alone, or the shortest sequence around one. f16 and bf16 compute
// in f32 and round once.
//
// A vector is cut into pieces of a few elements, each computed from beginning
// to end: if every step covered the whole vector instead, all intermediate
// values of all elements would be alive at once, and LLVM spilled hundreds of
// registers and took minutes for it (256 elements a lane).
//
// Left to LLVM, which does them right: sqrt and division of f32 without `afn`,
// and rounding, fma, abs, copysign. Refused, by name, by fly-check-legal: what
// this table lacks, and f64.
//
// The error bounds are in Support/MathTable.h, measured on the simulator by
// fly-math-table; docs/Guide/Math.md shows them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include "ExpandMath/Expansions.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDMATHPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// Elements computed together: pairs for the packed instructions, and two of
/// them to hide latencies.
static constexpr int64_t kElementsAtOnce = 4;

using Expansion = Value (*)(MathBuilder &, ValueRange);

static Expansion getActivation(Activation kind) {
  switch (kind) {
  case Activation::Sigmoid:
    return expandSigmoid;
  case Activation::Silu:
    return expandSilu;
  case Activation::GeluTanh:
    return expandGeluTanh;
  case Activation::GeluErf:
    return expandGeluErf;
  }
  llvm_unreachable("all activations handled");
}

/// The expansion of an op; null for ops that stay.
static Expansion getExpansion(Operation *op, bool isApproximate) {
  bool isF32 = getElementTypeOrSelf(op->getResult(0).getType()).isF32();
  return llvm::TypeSwitch<Operation *, Expansion>(op)
      .Case([](math::ExpOp) { return expandExp; })
      .Case([](math::Exp2Op) { return expandExp2; })
      .Case([](math::ExpM1Op) { return expandExpM1; })
      .Case([](math::TanhOp) { return expandTanh; })
      .Case([](math::LogOp) { return expandLog; })
      .Case([](math::Log2Op) { return expandLog2; })
      .Case([](math::Log10Op) { return expandLog10; })
      .Case([](math::Log1pOp) { return expandLog1p; })
      .Case([](math::RsqrtOp) { return expandRsqrt; })
      .Case([](math::ErfOp) { return expandErf; })
      .Case([](math::SinOp) { return expandSin; })
      .Case([](math::CosOp) { return expandCos; })
      .Case([](math::PowFOp) { return expandPow; })
      .Case([](ActivateOp op) { return getActivation(op.getKind()); })
      .Case([&](math::SqrtOp) -> Expansion {
        return isApproximate || !isF32 ? expandSqrt : nullptr;
      })
      .Case([&](arith::DivFOp) -> Expansion {
        return isApproximate ? expandDivision : nullptr;
      })
      .Case([&](arith::RemFOp op) -> Expansion {
        return getElementTypeOrSelf(op.getType()).isBF16() ? expandRemainder
                                                           : nullptr;
      })
      .Default([](Operation *) -> Expansion { return nullptr; });
}

namespace {

/// Replaces one op.
class Expander {
public:
  Expander(Operation *op, Expansion expansion, bool isApproximate)
      : op(op), expansion(expansion), isApproximate(isApproximate), builder(op),
        loc(op->getLoc()), element(getElementTypeOrSelf(op->getResult(0))) {}

  void run() {
    Type type = op->getResult(0).getType();
    auto vector = dyn_cast<VectorType>(type);
    Value result = vector
                       ? expandVector(vector)
                       : expandPiece(op->getOperands(), builder.getF32Type());
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

private:
  /// Values of one shape, `wide` being that shape of f32.
  Value expandPiece(ValueRange operands, Type wide) {
    SmallVector<Value, 2> arguments;
    for (Value operand : operands)
      arguments.push_back(
          element.isF32()
              ? operand
              : arith::ExtFOp::create(builder, loc, wide, operand).getResult());
    MathBuilder m(builder, loc, wide, element, isApproximate);
    Value result = expansion(m, arguments);
    if (element.isF32())
      return result;
    return arith::TruncFOp::create(builder, loc, operands[0].getType(), result);
  }

  Value expandVector(VectorType type) {
    SmallVector<ValueRange, 2> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          vector::ToElementsOp::create(builder, loc, operand).getElements());
    SmallVector<Value> results;
    for (int64_t at = 0, end = type.getNumElements(); at < end;
         at += kElementsAtOnce) {
      int64_t count = std::min(kElementsAtOnce, end - at);
      auto piece = VectorType::get(count, element);
      SmallVector<Value, 2> pieces;
      for (ValueRange elements : operands)
        pieces.push_back(vector::FromElementsOp::create(
            builder, loc, piece, elements.slice(at, count)));
      Value result = expandPiece(pieces, piece.clone(builder.getF32Type()));
      llvm::append_range(
          results,
          vector::ToElementsOp::create(builder, loc, result).getElements());
    }
    return vector::FromElementsOp::create(builder, loc, type, results);
  }

  Operation *op;
  Expansion expansion;
  bool isApproximate;
  OpBuilder builder;
  Location loc;
  Type element;
};

struct ExpandMath : public fly::impl::FlyExpandMathPassBase<ExpandMath> {
  using FlyExpandMathPassBase::FlyExpandMathPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::GPUFuncOp function) {
      SmallVector<Operation *> ops;
      function.walk([&](Operation *op) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
            isa<arith::DivFOp, arith::RemFOp, ActivateOp>(op))
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

  /// True if the op was in the table, and is replaced.
  static bool expand(Operation *op) {
    if (op->getNumResults() != 1)
      return false;
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    if (isa<TensorType>(type) ||
        !(element.isF32() || element.isF16() || element.isBF16()))
      return false;
    auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
    bool isApproximate =
        fast && fast.getFastMathFlagsAttr() &&
        bitEnumContainsAll(fast.getFastMathFlagsAttr().getValue(),
                           arith::FastMathFlags::afn);
    Expansion expansion = getExpansion(op, isApproximate);
    if (!expansion)
      return false;
    Expander(op, expansion, isApproximate).run();
    return true;
  }
};

} // namespace
