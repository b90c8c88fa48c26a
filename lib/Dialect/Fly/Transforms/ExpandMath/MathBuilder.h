//===- MathBuilder.h - Arithmetic of one expansion --------------*- C++ -*-===//
//
// What the expansions of math functions are written with: arithmetic on f32,
// f64, i32 and i1 values of one shape (scalars, or vectors of a few elements)
// at one place. Each function makes one op; instructions of the transcendental
// unit work element by element.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_MATHBUILDER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fly {

class MathBuilder {
public:
  /// `shape` is f32 or a vector of f32; `result` is the element type (f32, f16
  /// or bf16) that the value computed is rounded to in the end.
  MathBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape,
              mlir::Type result, bool isApproximate)
      : builder(builder), loc(loc), shape(shape), result(result),
        approximate(isApproximate) {}

  /// `afn`: the bare instruction, or the shortest sequence around one.
  bool isApproximate() const { return approximate; }
  /// f32 arithmetic with errors of some units is exact enough.
  bool isNarrow() const { return !result.isF32(); }
  /// Arguments and results are far from f32's range of denormals, which the
  /// instructions of the transcendental unit flush.
  bool isF16() const { return result.isF16(); }

  using Value = mlir::Value;
  Value constant(double value) { return constantOf(f32(), value); }
  Value wide(double value) { return constantOf(f64(), value); }
  Value integer(int32_t value);

  // On f32 or f64.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c);
  /// As C's fmod.
  Value rem(Value a, Value b);
  Value neg(Value a);
  Value abs(Value a);
  /// A number wins over NaN.
  Value min(Value a, Value b);
  Value max(Value a, Value b);
  Value copysign(Value magnitude, Value sign);
  Value roundEven(Value a);
  Value floor(Value a);
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value less(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, b);
  }
  Value isNan(Value a) {
    return compare(mlir::arith::CmpFPredicate::UNO, a, a);
  }
  /// c0 + x (c1 + x (c2 + ...)), in the type of x.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);

  Value select(Value condition, Value a, Value b);
  Value logicalAnd(Value a, Value b);
  Value logicalOr(Value a, Value b);
  Value logicalXor(Value a, Value b);
  Value shiftLeft(Value a, int32_t bits);
  Value addInteger(Value a, Value b);
  Value compareInteger(mlir::arith::CmpIPredicate predicate, Value a, Value b);

  Value toWide(Value f32);
  Value toSingle(Value f64);
  /// Of a float that holds an integer of at most 31 bits.
  Value toInteger(Value value);
  Value integerToWide(Value value);
  Value bitsOf(Value f32);
  Value fromBits(Value i32);

  // Instructions of the transcendental unit, on f32. They flush denormal
  // arguments (exp2, log2, rcp, rsq, sqrt) or results.
  Value exp2(Value x);
  Value log2(Value x);
  Value rcp(Value x);
  Value rsq(Value x);
  Value sqrt(Value x);
  /// Of x revolutions.
  Value sinRevolutions(Value x);
  Value cosRevolutions(Value x);
  /// x - floor(x)
  Value fract(Value x);
  /// x = mantissa * 2^exponent with a mantissa from 0.5 to 1; denormals too.
  Value frexpMantissa(Value x);
  Value frexpExponent(Value x);
  /// x * 2^e, rounded once; `e` as i32.
  Value ldexp(Value x, Value e);
  /// x * 2^e for an integral float e.
  Value scaleByPowerOfTwo(Value x, Value e) { return ldexp(x, toInteger(e)); }

private:
  mlir::Type f32() { return builder.getF32Type(); }
  mlir::Type f64() { return builder.getF64Type(); }
  /// `element` in the shape of the values.
  mlir::Type shaped(mlir::Type element);
  Value constantOf(mlir::Type element, double value);
  Value native(llvm::StringRef intrinsic, Value x);
  Value each(mlir::ValueRange operands, mlir::Type element,
             llvm::function_ref<Value(mlir::ValueRange)> make);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type shape, result;
  bool approximate;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMATH_MATHBUILDER_H
