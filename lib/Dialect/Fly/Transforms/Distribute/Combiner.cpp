//===- Combiner.cpp - How reductions and scans combine --------------------===//
//
// By a kind narrow floats combine in f32 and narrow integers in i32, and the
// result is rounded once; a combiner computes in the elements' own types. Lanes
// exchange whole registers.
//
//===----------------------------------------------------------------------===//
#include "Combiner.h"

#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

Type Combiner::wideType(Type type) {
  if (!kind || type.getIntOrFloatBitWidth() >= 32)
    return type;
  return isa<FloatType>(type) ? Type(builder.getF32Type())
                              : Type(builder.getI32Type());
}

/// Whether integers of the kind widen by their sign.
static bool isSigned(ReduceKind kind) {
  return kind == ReduceKind::Max || kind == ReduceKind::Min;
}

Value Combiner::widen(Value value) {
  Type type = value.getType(), wide = wideType(type);
  if (wide == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, wide, value);
  if (isSigned(*kind))
    return arith::ExtSIOp::create(builder, loc, wide, value);
  return arith::ExtUIOp::create(builder, loc, wide, value);
}

Value Combiner::narrow(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

Combiner::Elements Combiner::combine(const Elements &a, const Elements &b) {
  if (kind)
    return {combineByKind(a[0], b[0])};
  IRMapping mapping;
  Block &block = region.front();
  for (auto [argument, value] :
       llvm::zip(block.getArguments(), llvm::concat<const Value>(a, b)))
    mapping.map(argument, value);
  for (Operation &inner : block.without_terminator())
    builder.clone(inner, mapping);
  Elements results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

Value Combiner::combineByKind(Value a, Value b) {
  bool isFloat = isa<FloatType>(a.getType());
  switch (*kind) {
  case ReduceKind::Add:
    return isFloat ? make<arith::AddFOp>(a, b) : make<arith::AddIOp>(a, b);
  case ReduceKind::Mul:
    return isFloat ? make<arith::MulFOp>(a, b) : make<arith::MulIOp>(a, b);
  case ReduceKind::Max:
    return isFloat ? make<arith::MaxNumFOp>(a, b) : make<arith::MaxSIOp>(a, b);
  case ReduceKind::Min:
    return isFloat ? make<arith::MinNumFOp>(a, b) : make<arith::MinSIOp>(a, b);
  case ReduceKind::MaxNan:
    return make<arith::MaximumFOp>(a, b);
  case ReduceKind::MinNan:
    return make<arith::MinimumFOp>(a, b);
  case ReduceKind::UMax:
    return make<arith::MaxUIOp>(a, b);
  case ReduceKind::UMin:
    return make<arith::MinUIOp>(a, b);
  case ReduceKind::And:
    return make<arith::AndIOp>(a, b);
  case ReduceKind::Or:
    return make<arith::OrIOp>(a, b);
  case ReduceKind::Xor:
    return make<arith::XOrIOp>(a, b);
  }
  llvm_unreachable("all kinds are listed");
}

/// The neutral element of a kind on floats of these semantics; the outermost
/// finite number where they have no infinity.
static APFloat getNeutralFloat(ReduceKind kind,
                               const llvm::fltSemantics &semantics) {
  if (kind == ReduceKind::Add)
    return APFloat::getZero(semantics);
  if (kind == ReduceKind::Mul)
    return APFloat::getOne(semantics);
  bool isMax = kind == ReduceKind::Max || kind == ReduceKind::MaxNan;
  return APFloat::semanticsHasInf(semantics)
             ? APFloat::getInf(semantics, /*Negative=*/isMax)
             : APFloat::getLargest(semantics, /*Negative=*/isMax);
}

static APInt getNeutralInteger(ReduceKind kind, unsigned bits) {
  switch (kind) {
  case ReduceKind::Mul:
    return APInt(bits, 1);
  case ReduceKind::Max:
    return APInt::getSignedMinValue(bits);
  case ReduceKind::Min:
    return APInt::getSignedMaxValue(bits);
  case ReduceKind::UMin:
  case ReduceKind::And:
    return APInt::getAllOnes(bits);
  default:
    return APInt::getZero(bits);
  }
}

Value Combiner::makeNeutral(Type type) {
  Type wide = wideType(type);
  if (auto floats = dyn_cast<FloatType>(type)) {
    APFloat value = getNeutralFloat(*kind, floats.getFloatSemantics());
    bool losesInfo;
    value.convert(cast<FloatType>(wide).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    return arith::ConstantOp::create(builder, loc, FloatAttr::get(wide, value));
  }
  APInt value = getNeutralInteger(*kind, type.getIntOrFloatBitWidth());
  unsigned bits = wide.getIntOrFloatBitWidth();
  value = isSigned(*kind) ? value.sext(bits) : value.zext(bits);
  return arith::ConstantOp::create(builder, loc, IntegerAttr::get(wide, value));
}

Value Combiner::makeIgnored(Type type) {
  auto wide = dyn_cast<FloatType>(wideType(type));
  if (!wide)
    return makeNeutral(type);
  const llvm::fltSemantics &semantics = wide.getFloatSemantics();
  APFloat value = getNeutralFloat(*kind, semantics);
  // A sum of zeros keeps their sign; a NaN loses against any number.
  if (*kind == ReduceKind::Add)
    value = APFloat::getZero(semantics, /*Negative=*/true);
  else if (*kind == ReduceKind::Max || *kind == ReduceKind::Min)
    value = APFloat::getNaN(semantics);
  return arith::ConstantOp::create(builder, loc, FloatAttr::get(wide, value));
}

Value distribute::exchangeLanes(OpBuilder &builder, Location loc, Value value,
                                unsigned bit) {
  auto number = [&](int32_t n) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(n));
  };
  auto shuffle = [&](Value whole) {
    return gpu::ShuffleOp::create(builder, loc, whole, number(1 << bit),
                                  number(arch::waveLanes),
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Type type = value.getType(), word = builder.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits >= 32)
    return shuffle(value);
  // Lanes exchange whole registers. A combiner computes in the type itself, so
  // what it gets may be narrower.
  Type integer = builder.getIntegerType(bits);
  if (type != integer)
    value = arith::BitcastOp::create(builder, loc, integer, value);
  value = arith::ExtUIOp::create(builder, loc, word, value);
  value = arith::TruncIOp::create(builder, loc, integer, shuffle(value));
  if (type != integer)
    value = arith::BitcastOp::create(builder, loc, type, value);
  return value;
}
