//===- ExpandCast.cpp - Rounding at random as arithmetic ------------------===//
//
// The rule of fly.cast's `rounding sr`, written out on tiles, so that no later
// pass has to know it: the random bits of an element from its place and the
// seed, the magnitude as a fixed-point number of units in the last place of the
// result's type, and a carry from the part below. What comes out is a number of
// the type, or beyond its range, which the cast that is left deals with.
//
//===----------------------------------------------------------------------===//
#include "ExpandCast.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

namespace {
/// Arithmetic on tiles of one shape.
class TileBuilder {
public:
  TileBuilder(OpBuilder &builder, Location loc, RankedTensorType tile)
      : builder(builder), loc(loc), tile(tile) {}

  RankedTensorType type(Type element) const {
    return RankedTensorType::get(tile.getShape(), element, tile.getEncoding());
  }
  RankedTensorType i32() const { return type(builder.getI32Type()); }
  RankedTensorType i64() const { return type(builder.getI64Type()); }
  RankedTensorType f32() const { return type(builder.getF32Type()); }

  /// A number in every element.
  Value constant(RankedTensorType of, int64_t number) {
    return ConstantOp::create(builder, loc, of,
                              builder.getI64IntegerAttr(number));
  }
  /// An i32 whose bits may be above those of a positive number.
  Value word(uint32_t bits) { return constant(i32(), int32_t(bits)); }

  template <typename OpT>
  Value binary(Value lhs, Value rhs) {
    return OpT::create(builder, loc, lhs, rhs);
  }
  template <typename OpT>
  Value convert(RankedTensorType to, Value value) {
    return OpT::create(builder, loc, to, value);
  }
  Value add(Value a, Value b) { return binary<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return binary<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return binary<arith::MulIOp>(a, b); }
  Value bits(Value a, uint32_t mask) {
    return binary<arith::AndIOp>(a, word(mask));
  }
  Value right(Value a, uint32_t by) {
    return binary<arith::ShRUIOp>(a, word(by));
  }
  Value bitcast(RankedTensorType to, Value value) {
    return convert<arith::BitcastOp>(to, value);
  }
  Value isEqual(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }

  /// The 32 random bits of each element.
  Value randomBits(Value seed);

private:
  OpBuilder &builder;
  Location loc;
  RankedTensorType tile;
};
} // namespace

Value TileBuilder::randomBits(Value seed) {
  Value place;
  int64_t stride = 1;
  for (int64_t dim = tile.getRank() - 1; dim >= 0; --dim) {
    Value along = IotaOp::create(builder, loc, i32(), Value(), dim);
    if (stride != 1)
      along = mul(along, word(uint32_t(stride)));
    place = place ? add(along, place) : along;
    stride *= tile.getDimSize(dim);
  }
  if (!place) // A tile of rank 0 has one element.
    place = word(0);
  Value r = add(mul(place, word(0x9E3779B9)),
                SplatOp::create(builder, loc, i32(), seed));
  auto mix = [&](uint32_t shift) {
    return binary<arith::XOrIOp>(r, right(r, shift));
  };
  r = mul(mix(16), word(0x85EBCA6B));
  r = mul(mix(13), word(0xC2B2AE35));
  return mix(16);
}

void fly::expandCast(CastOp cast) {
  OpBuilder builder(cast);
  Location loc = cast.getLoc();
  auto source = mlir::cast<RankedTensorType>(cast.getSource().getType());
  auto element = mlir::cast<FloatType>(
      mlir::cast<RankedTensorType>(cast.getType()).getElementType());
  const llvm::fltSemantics &to = element.getFloatSemantics();
  const llvm::fltSemantics &from = APFloat::IEEEsingle();
  int32_t mantissa = APFloat::semanticsPrecision(to) - 1;
  int32_t lowest = APFloat::semanticsMinExponent(to);
  int32_t wide = APFloat::semanticsPrecision(from) - 1;
  int32_t bias = APFloat::semanticsMaxExponent(from);
  TileBuilder t(builder, loc, source);

  Value random = t.randomBits(cast.getSeed());
  Value x = t.bitcast(t.i32(), cast.getSource());
  Value sign = t.bits(x, 0x80000000);
  Value magnitude = t.bits(x, 0x7fffffff);
  Value exponent = t.right(magnitude, wide);
  Value rounded;
  if (lowest == APFloat::semanticsMinExponent(from)) {
    // The same exponents: all numbers have their last place at the same bit.
    uint32_t dropped = wide - mantissa;
    Value sum = t.add(magnitude, t.right(random, 32 - dropped));
    rounded = t.bits(sum, ~((uint32_t(1) << dropped) - 1));
  } else {
    // Numbers of f32 without a leading one are far below any of the type.
    Value one = t.word(1), least = t.word(lowest);
    Value isSmall = t.isEqual(exponent, t.word(0));
    Value fraction = t.bits(magnitude, (uint32_t(1) << wide) - 1);
    Value leading = t.select(isSmall, t.word(0), t.word(uint32_t(1) << wide));
    Value scale = t.sub(t.select(isSmall, one, exponent), t.word(bias));
    Value unit = t.sub(t.binary<arith::MaxSIOp>(scale, least),
                       t.word(mantissa)); // Weight of the last place.
    // Bits below it; so many that nothing is left are as good as 60.
    Value dropped = t.binary<arith::MinSIOp>(
        t.add(t.sub(unit, scale), t.word(wide)), t.word(60));
    auto widen = [&](Value value) {
      return t.convert<arith::ExtUIOp>(t.i64(), value);
    };
    Value half = t.constant(t.i64(), 32);
    Value fixed = t.binary<arith::ShRUIOp>(
        t.binary<arith::ShLIOp>(widen(t.add(fraction, leading)), half),
        widen(dropped));
    Value units = t.convert<arith::TruncIOp>(
        t.i32(), t.binary<arith::ShRUIOp>(t.add(fixed, widen(random)), half));
    Value weight =
        t.binary<arith::ShLIOp>(t.add(unit, t.word(bias)), t.word(wide));
    Value value = t.binary<arith::MulFOp>(
        t.convert<arith::SIToFPOp>(t.f32(), units), t.bitcast(t.f32(), weight));
    rounded = t.bitcast(t.i32(), value);
  }
  // Infinities and NaN have no last place.
  Value isSpecial = t.isEqual(exponent, t.word(2 * bias + 1));
  rounded = t.select(isSpecial, magnitude, rounded);
  Value result = t.bitcast(t.f32(), t.binary<arith::OrIOp>(rounded, sign));
  Value made = CastOp::create(builder, loc, cast.getType(), result,
                              cast.getOverflow(), Rounding::Rne, Value());
  cast.replaceAllUsesWith(made);
  cast.erase();
}
