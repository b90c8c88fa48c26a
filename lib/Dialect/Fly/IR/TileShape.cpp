//===- TileShape.cpp - Extents of tiles as text and in comparisons --------===//
#include "TileShape.h"

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

std::string fly::detail::extentName(RankedTensorType type, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return std::to_string(type.getDimSize(dim));
  if (auto tile = dyn_cast_or_null<TileAttr>(type.getEncoding()))
    if (auto name = dyn_cast<StringAttr>(tile.getSizes()[dim]))
      return name.getValue().str();
  return "?";
}

bool fly::detail::extentsAgree(RankedTensorType lhs, unsigned lhsDim,
                               RankedTensorType rhs, unsigned rhsDim) {
  std::string l = extentName(lhs, lhsDim), r = extentName(rhs, rhsDim);
  if (l == r || l == "?" || r == "?")
    return true;
  // A name may stand for any number, but two names are two sizes.
  return llvm::isDigit(l.front()) != llvm::isDigit(r.front());
}

/// The names that have values where `op` is: those of its kernel's schedule; in
/// a helper, those of any kernel beside it, which may call it.
static SmallVector<StringRef> getKnownSizes(Operation *op) {
  SmallVector<StringRef> known;
  auto add = [&](Operation *function) {
    ScheduleAttr schedule = getScheduleOf(function);
    auto sizes = schedule
                     ? dyn_cast_or_null<DictionaryAttr>(schedule.get("sizes"))
                     : DictionaryAttr();
    for (NamedAttribute entry :
         sizes ? sizes.getValue() : ArrayRef<NamedAttribute>())
      if (!llvm::is_contained(known, entry.getName().getValue()))
        known.push_back(entry.getName());
    return bool(schedule);
  };
  auto function = op->getParentOfType<FunctionOpInterface>();
  // A copy of a function may stand nowhere.
  if (!function || add(function) || !function->getBlock())
    return known;
  for (Operation &other : *function->getBlock())
    if (isa<FunctionOpInterface>(other))
      add(&other);
  return known;
}

LogicalResult fly::detail::verifySizesKnown(Operation *op,
                                            ArrayRef<Type> types) {
  SmallVector<StringRef> known = getKnownSizes(op);
  if (known.empty())
    return success();
  for (Type type : types) {
    auto tile = cast<RankedTensorType>(type);
    auto names = dyn_cast_or_null<TileAttr>(tile.getEncoding());
    for (Attribute size : names ? names.getSizes() : ArrayRef<Attribute>()) {
      auto name = dyn_cast<StringAttr>(size);
      if (!name || llvm::is_contained(known, name.getValue()))
        continue;
      return op->emitOpError()
             << "uses the size '" << name.getValue() << "', which has no value"
             << suggestWord(name, known)
             << "; known sizes: " << llvm::join(known, ", ");
    }
  }
  return success();
}

std::string fly::detail::describeShape(RankedTensorType type) {
  std::string text;
  for (unsigned d = 0; d < type.getRank(); ++d)
    text += (d ? "x" : "") + extentName(type, d);
  return text;
}

LogicalResult fly::detail::verifyShapesAgree(Operation *op, StringRef what,
                                             RankedTensorType lhs,
                                             RankedTensorType rhs) {
  bool agree = lhs.getRank() == rhs.getRank();
  for (unsigned d = 0; agree && d < lhs.getRank(); ++d)
    agree = extentsAgree(lhs, d, rhs, d);
  if (agree)
    return success();
  if (failed(verifySizesKnown(op, {lhs, rhs})))
    return failure();
  return op->emitOpError() << what << ": expected a tile of "
                           << describeShape(rhs) << ", got "
                           << describeShape(lhs);
}

LogicalResult fly::detail::verifyDotShapes(Operation *op, RankedTensorType a,
                                           RankedTensorType b,
                                           RankedTensorType acc) {
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2 ||
      !extentsAgree(a, 0, acc, 0) || !extentsAgree(b, 0, acc, 1) ||
      !extentsAgree(a, 1, b, 1)) {
    if (failed(verifySizesKnown(op, {a, b, acc})))
      return failure();
    return op->emitOpError() << "expects A of M x K, B of N x K and an "
                                "accumulator of M x N, got "
                             << describeShape(a) << ", " << describeShape(b)
                             << " and " << describeShape(acc);
  }
  return success();
}

LogicalResult fly::detail::verifyMask(Operation *op, Value mask,
                                      RankedTensorType tile) {
  if (!mask)
    return success();
  auto type = cast<RankedTensorType>(mask.getType());
  if (!type.getElementType().isInteger(1))
    return op->emitOpError()
           << "expects a mask of i1, got " << type.getElementType();
  return verifyShapesAgree(op, "mask", type, tile);
}

LogicalResult fly::detail::verifyPad(Operation *op, Pad pad,
                                     RankedTensorType tile) {
  auto type = dyn_cast<FloatType>(tile.getElementType());
  bool hasLowest =
      !type || APFloat::semanticsHasSignedRepr(type.getFloatSemantics());
  if (pad == Pad::Lowest && !hasLowest)
    return op->emitOpError() << "pads with lowest, but " << type
                             << " has no negative numbers: use zero or one";
  if (pad != Pad::NegInf && pad != Pad::PosInf)
    return success();
  if (type && APFloat::semanticsHasInf(type.getFloatSemantics()))
    return success();
  return op->emitOpError() << "pads with " << stringifyPad(pad) << ", but "
                           << tile.getElementType() << " has no infinity: use "
                           << (hasLowest ? "lowest" : "zero or one");
}

TypedAttr fly::getPadElement(Pad pad, Type type) {
  Builder builder(type.getContext());
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    switch (pad) {
    case Pad::Zero:
      return builder.getIntegerAttr(type, 0);
    case Pad::One:
      return builder.getIntegerAttr(type, 1);
    case Pad::Lowest:
      return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
    default:
      return {};
    }
  }
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  switch (pad) {
  case Pad::Zero: // All bits are 0, also in a type that has no zero.
    return builder.getFloatAttr(
        type, APFloat(semantics, APInt(type.getIntOrFloatBitWidth(), 0)));
  case Pad::One:
    return builder.getFloatAttr(type, APFloat::getOne(semantics));
  case Pad::Lowest:
    if (!APFloat::semanticsHasSignedRepr(semantics))
      return {};
    return builder.getFloatAttr(type, APFloat::getLargest(semantics, true));
  case Pad::NegInf:
  case Pad::PosInf:
    if (!APFloat::semanticsHasInf(semantics))
      return {};
    return builder.getFloatAttr(type,
                                APFloat::getInf(semantics, pad == Pad::NegInf));
  }
  return {};
}
