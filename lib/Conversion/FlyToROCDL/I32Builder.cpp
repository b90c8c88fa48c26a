//===- I32Builder.cpp - Folding 32-bit arithmetic -------------------------===//
//
// Address arithmetic is 32 bits wide and full of constants. These builders fold
// them away at once, so that no later simplification is needed.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

Value I32Builder::constant(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                      int32_t(uint32_t(value)));
}

Value I32Builder::cast(Value value) {
  Type i32 = builder.getI32Type();
  if (value.getType() == i32)
    return value;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  // An index made from an i32 is that i32: indices are 32 bits wide here.
  if (auto made = value.getDefiningOp<arith::IndexCastOp>())
    if (made.getIn().getType() == i32)
      return made.getIn();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, i32, value);
  if (value.getType().getIntOrFloatBitWidth() > 32)
    return arith::TruncIOp::create(builder, loc, i32, value);
  return arith::ExtSIOp::create(builder, loc, i32, value);
}

Value I32Builder::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}

Value I32Builder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value I32Builder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value I32Builder::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value I32Builder::mul(Value a, int64_t b) {
  if (b == 1)
    return a;
  // Instruction selection makes a multiplication of a small product by a power
  // of two where a shift would fold.
  if (b > 1 && llvm::isPowerOf2_64(b) && !matchPattern(a, m_Constant()))
    return builder.createOrFold<arith::ShLIOp>(loc, a,
                                               constant(llvm::Log2_64(b)));
  return mul(a, constant(b));
}

Value I32Builder::get(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return constant(mlir::cast<IntegerAttr>(attr).getInt());
  return cast(mlir::cast<Value>(value));
}

Value I32Builder::addImmediate(Value a, int64_t value) {
  if (value == 0)
    return a;
  if (matchPattern(a, m_Constant()))
    return add(a, constant(value));
  auto sum = arith::AddIOp::create(builder, loc, a, constant(value));
  sum->setDiscardableAttr(keepInPlaceAttrName, builder.getUnitAttr());
  return sum;
}

unsigned fly::getElementBytes(Type type) {
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return 0;
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  return llvm::isPowerOf2_32(bytes) && bytes <= 8 ? bytes : 0;
}
