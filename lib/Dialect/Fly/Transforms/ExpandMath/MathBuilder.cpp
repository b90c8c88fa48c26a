//===- MathBuilder.cpp - Arithmetic of one expansion ----------------------===//
#include "MathBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fly;

Type MathBuilder::shaped(Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

Value MathBuilder::constantOf(Type element, double value) {
  FloatAttr number = builder.getFloatAttr(element, value);
  if (isa<VectorType>(shape))
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<VectorType>(shaped(element)),
                               Attribute(number)));
  return arith::ConstantOp::create(builder, loc, number);
}

Value MathBuilder::integer(int32_t value) {
  IntegerAttr number = builder.getI32IntegerAttr(value);
  if (isa<VectorType>(shape))
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<VectorType>(shaped(number.getType())),
                               Attribute(number)));
  return arith::ConstantOp::create(builder, loc, number);
}

Value MathBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}
Value MathBuilder::sub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b);
}
Value MathBuilder::mul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b);
}
Value MathBuilder::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(builder, loc, a, b, c);
}
Value MathBuilder::rem(Value a, Value b) {
  return arith::RemFOp::create(builder, loc, a, b);
}
Value MathBuilder::neg(Value a) {
  return arith::NegFOp::create(builder, loc, a);
}
Value MathBuilder::abs(Value a) {
  return math::AbsFOp::create(builder, loc, a);
}
Value MathBuilder::min(Value a, Value b) {
  return arith::MinNumFOp::create(builder, loc, a, b);
}
Value MathBuilder::max(Value a, Value b) {
  return arith::MaxNumFOp::create(builder, loc, a, b);
}
Value MathBuilder::copysign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}
Value MathBuilder::roundEven(Value a) {
  return math::RoundEvenOp::create(builder, loc, a);
}
Value MathBuilder::floor(Value a) {
  return math::FloorOp::create(builder, loc, a);
}
Value MathBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}

Value MathBuilder::polynomial(Value x, ArrayRef<double> coefficients) {
  Type element = getElementTypeOrSelf(x.getType());
  Value sum = constantOf(element, coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constantOf(element, c));
  return sum;
}

Value MathBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}
Value MathBuilder::logicalAnd(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}
Value MathBuilder::logicalOr(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}
Value MathBuilder::logicalXor(Value a, Value b) {
  return arith::XOrIOp::create(builder, loc, a, b);
}
Value MathBuilder::shiftLeft(Value a, int32_t bits) {
  return arith::ShLIOp::create(builder, loc, a, integer(bits));
}
Value MathBuilder::addInteger(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value MathBuilder::compareInteger(arith::CmpIPredicate predicate, Value a,
                                  Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

Value MathBuilder::toWide(Value value) {
  return arith::ExtFOp::create(builder, loc, shaped(f64()), value);
}
Value MathBuilder::toSingle(Value value) {
  return arith::TruncFOp::create(builder, loc, shaped(f32()), value);
}
Value MathBuilder::toInteger(Value value) {
  return arith::FPToSIOp::create(builder, loc, shaped(builder.getI32Type()),
                                 value);
}
Value MathBuilder::integerToWide(Value value) {
  return arith::SIToFPOp::create(builder, loc, shaped(f64()), value);
}
Value MathBuilder::bitsOf(Value value) {
  return arith::BitcastOp::create(builder, loc, shaped(builder.getI32Type()),
                                  value);
}
Value MathBuilder::fromBits(Value value) {
  return arith::BitcastOp::create(builder, loc, shaped(f32()), value);
}

Value MathBuilder::each(ValueRange operands, Type element,
                        function_ref<Value(ValueRange)> make) {
  auto vector = dyn_cast<VectorType>(shape);
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
  return vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(shaped(element)), results);
}

/// One instruction on every element.
static Value callIntrinsic(OpBuilder &builder, Location loc, Type element,
                           StringRef intrinsic, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, element,
             builder.getStringAttr(("llvm.amdgcn." + intrinsic).str()),
             operands)
      .getResult(0);
}
Value MathBuilder::native(StringRef intrinsic, Value x) {
  return each({x}, f32(), [&](ValueRange e) {
    return callIntrinsic(builder, loc, f32(), intrinsic, e);
  });
}
Value MathBuilder::exp2(Value x) {
  // llvm.amdgcn.exp2 is v_exp_f32; amdgcn.exp would be an export.
  return native("exp2", x);
}
Value MathBuilder::log2(Value x) { return native("log", x); }
Value MathBuilder::rcp(Value x) { return native("rcp", x); }
Value MathBuilder::rsq(Value x) { return native("rsq", x); }
Value MathBuilder::sqrt(Value x) { return native("sqrt", x); }
Value MathBuilder::sinRevolutions(Value x) { return native("sin", x); }
Value MathBuilder::cosRevolutions(Value x) { return native("cos", x); }
Value MathBuilder::fract(Value x) { return native("fract", x); }
Value MathBuilder::frexpMantissa(Value x) { return native("frexp.mant", x); }
Value MathBuilder::frexpExponent(Value x) {
  Type i32 = builder.getI32Type();
  return each({x}, i32, [&](ValueRange e) {
    return callIntrinsic(builder, loc, i32, "frexp.exp", e);
  });
}
Value MathBuilder::ldexp(Value x, Value e) {
  return each({x, e}, f32(), [&](ValueRange pair) -> Value {
    return LLVM::LoadExpOp::create(builder, loc, f32(), pair[0], pair[1]);
  });
}
