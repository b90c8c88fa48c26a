//===- TileOps.cpp - Requirements, the grid, values of tiles --------------===//
//
// Syntax that the declarative format cannot express, and the constraints of
// the tile ops but accesses (AccessOps.cpp) and fly.map (MapOp.cpp). Labels
// C1.. are those of the definitions (FlyGridOps.td, FlyTileOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "ConstantElement.h"
#include "MixedList.h"
#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// RequireMultipleOp, IsAlignedOp, GridOp
//===----------------------------------------------------------------------===//

LogicalResult RequireMultipleOp::verify() {
  if (auto number = dyn_cast<IntegerAttr>(getMultiple())) // C1
    if (number.getInt() < 1 || number.getInt() > INT32_MAX)
      return emitOpError() << "expects a multiple from 1 to " << INT32_MAX
                           << ", got " << number.getInt();
  return success();
}

SmallVector<OpFoldResult> GridOp::getMixedBounds() {
  return getMixed(getStaticBounds(), getBounds());
}
SmallVector<OpFoldResult> GridOp::getMixedSteps() {
  return getMixed(getStaticSteps(), getSteps());
}

LogicalResult IsAlignedOp::verify() {
  int64_t bytes = getBytes();
  if (bytes < 1 || bytes > int64_t(1) << 31 ||
      !llvm::isPowerOf2_64(bytes)) // C1
    return emitOpError() << "expects a power of two of bytes, got " << bytes;
  return success();
}

ParseResult GridOp::parse(OpAsmParser &parser, OperationState &result) {
  UnresolvedList bounds, steps;
  ArrayAttr staticBounds, staticSteps;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseKeyword("to") ||
      parseMixedList(parser, OpAsmParser::Delimiter::Paren, bounds,
                     staticBounds) ||
      parser.parseKeyword("step") ||
      parseMixedList(parser, OpAsmParser::Delimiter::Paren, steps,
                     staticSteps) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(bounds, i32, result.operands) ||
      parser.resolveOperands(steps, i32, result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setStaticBounds(staticBounds);
  properties.setStaticSteps(staticSteps);
  properties.operandSegmentSizes = {int32_t(bounds.size()),
                                    int32_t(steps.size())};
  result.addTypes(SmallVector<Type>(staticBounds.size(), i32));
  return success();
}

void GridOp::print(OpAsmPrinter &printer) {
  printer << " to (";
  printMixedList(printer, getMixedBounds());
  printer << ") step (";
  printMixedList(printer, getMixedSteps());
  printer << ')';
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {"static_bounds", "static_steps", "operandSegmentSizes"});
}

LogicalResult GridOp::verify() {
  size_t rank = getNumResults();
  if (rank < 1 || rank > 3) // C1
    return emitOpError() << "expects 1 to 3 dimensions, got " << rank;
  if (failed(
          verifyMixed(*this, "bounds", getStaticBounds(), getBounds(), rank)) ||
      failed(verifyMixed(*this, "steps", getStaticSteps(), getSteps(), rank)))
    return failure();
  for (auto [dim, step] : llvm::enumerate(getStaticSteps())) { // C2
    auto number = dyn_cast<IntegerAttr>(step);
    if (number && number.getInt() < 1)
      return emitOpError() << "expects positive steps, dimension " << dim
                           << " has " << number.getInt();
  }
  if (!isa<FunctionOpInterface>((*this)->getParentOp())) // C3
    return emitOpError() << "must stand at the top level of a function, since "
                            "it is the launch of all workgroups";
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    if (!isa<GridOp>(op))
      continue;
    InFlightDiagnostic diag = emitOpError()
                              << "is the second grid of this function";
    diag.attachNote(op->getLoc()) << "the first is here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ConstantOp, SplatOp, BroadcastOp
//===----------------------------------------------------------------------===//

TypedAttr fly::detail::makeElementAttr(Type type, Attribute constant) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    auto number = dyn_cast<IntegerAttr>(constant);
    if (!number)
      return {};
    unsigned width = integer.getWidth();
    APInt wide = number.getValue().sextOrTrunc(64);
    if (width < 64 && !wide.isSignedIntN(width) && !wide.isIntN(width))
      return {};
    return IntegerAttr::get(type, wide.sextOrTrunc(width));
  }
  auto floating = dyn_cast<FloatType>(type);
  if (!floating)
    return {};
  const llvm::fltSemantics &semantics = floating.getFloatSemantics();
  if (auto word = dyn_cast<StringAttr>(constant)) {
    bool isInf = word.getValue().ends_with("_inf");
    bool known = isInf || word == "lowest" || word == "nan";
    if (!known || (isInf && !APFloat::semanticsHasInf(semantics)))
      return {};
    if (word == "nan" && !APFloat::semanticsHasNaN(semantics))
      return {};
    if (word == "lowest" && !APFloat::semanticsHasSignedRepr(semantics))
      return {};
    APFloat value = word == "neg_inf"   ? APFloat::getInf(semantics, true)
                    : word == "pos_inf" ? APFloat::getInf(semantics)
                    : word == "lowest"  ? APFloat::getLargest(semantics, true)
                                        : APFloat::getNaN(semantics);
    return FloatAttr::get(type, value);
  }
  // A number is rounded, but never to an infinity or NaN.
  APFloat::opStatus status;
  APFloat value(semantics);
  if (auto number = dyn_cast<FloatAttr>(constant)) {
    bool losesInfo;
    value = number.getValue();
    status = value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  } else {
    status =
        value.convertFromAPInt(cast<IntegerAttr>(constant).getValue(),
                               /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  }
  if (!value.isFinite() ||
      (status & (APFloat::opOverflow | APFloat::opInvalidOp)))
    return {};
  return FloatAttr::get(type, value);
}

LogicalResult fly::detail::verifyConstant(Operation *op, Type type,
                                          Attribute constant) {
  if (makeElementAttr(type, constant))
    return success();
  auto number = dyn_cast<FloatAttr>(constant);
  if (number && !number.getValue().isFinite())
    return op->emitOpError() << "writes infinities and NaN by name: neg_inf, "
                                "pos_inf, nan";
  return op->emitOpError() << "value " << constant << " does not exist in "
                           << type;
}

TypedAttr ConstantOp::getElementAttr() {
  return makeElementAttr(cast<RankedTensorType>(getType()).getElementType(),
                         getValue());
}

LogicalResult ConstantOp::verify() { // C1
  return verifyConstant(
      *this, cast<RankedTensorType>(getType()).getElementType(), getValue());
}

LogicalResult SplatOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (getScalar().getType() != type.getElementType()) // C1
    return emitOpError() << "expects a scalar of " << type.getElementType()
                         << ", got " << getScalar().getType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  int64_t dim = getDim();
  bool agree = source.getRank() + 1 == result.getRank() && dim >= 0 &&
               dim < result.getRank() &&
               source.getElementType() == result.getElementType();
  for (int64_t d = 0; agree && d < source.getRank(); ++d)
    agree = extentsAgree(source, d, result, d < dim ? d : d + 1);
  if (agree) // C1
    return success();
  if (failed(verifySizesKnown(*this, {source, result})))
    return failure();
  return emitOpError() << "along " << dim << " cannot turn "
                       << describeShape(source) << " of "
                       << source.getElementType() << " into "
                       << describeShape(result) << " of "
                       << result.getElementType();
}

//===----------------------------------------------------------------------===//
// DotOp, CastOp, ConvertLayoutOp
//===----------------------------------------------------------------------===//

static bool isFp8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType,
             Float8E5M2FNUZType>(type);
}

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getType());
  if (failed(verifyDotShapes(*this, a, b, acc))) // C1
    return failure();
  Type ta = a.getElementType(), tb = b.getElementType();
  bool bothFp8 = isFp8(ta) && isFp8(tb);
  if (ta != tb && !bothFp8) // C2
    return emitOpError() << "expects A and B of one type, got " << ta << " and "
                         << tb;
  bool isI8 = ta.isInteger(8);
  if (!bothFp8 && !isI8 && !ta.isF16() && !ta.isBF16() && !ta.isF32() &&
      !ta.isF64())
    return emitOpError() << "expects operands of f16, bf16, f32, f64, i8 or "
                            "fp8, got "
                         << ta
                         << (isa<FloatType>(ta) &&
                                     ta.getIntOrFloatBitWidth() < 8
                                 ? "; formats of MX take fly.dot_scaled"
                                 : "");
  if (getXf32() && !ta.isF32()) // C3
    return emitOpError() << "cuts f32 to xf32, but its operands are " << ta;
  Type expected = isI8         ? Type(IntegerType::get(getContext(), 32))
                  : ta.isF64() ? ta
                               : Type(Float32Type::get(getContext()));
  if (acc.getElementType() != expected)
    return emitOpError() << "expects an accumulator of " << expected
                         << " for operands of " << ta << ", got "
                         << acc.getElementType();
  return success();
}

LogicalResult CastOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  if (failed(verifyShapesAgree(*this, "result", result, source))) // C1
    return failure();
  if (source.getEncoding() != result.getEncoding())
    return emitOpError() << "must keep the layout; change it with "
                            "fly.convert_layout";
  for (Type type : {source.getElementType(), result.getElementType()})
    if (!type.isIntOrFloat())
      return emitOpError() << "expects numeric elements, got " << type;
  if (source.getElementType() == result.getElementType())
    return emitOpError() << "converts " << source.getElementType()
                         << " to itself: drop it";
  if (getRounding() != Rounding::Sr) { // C2
    if (getSeed())
      return emitOpError() << "has a seed, which is for 'rounding sr' alone";
    return success();
  }
  auto narrow = dyn_cast<FloatType>(result.getElementType());
  if (!source.getElementType().isF32() || !narrow || narrow.getWidth() >= 32 ||
      isa<Float8E8M0FNUType>(narrow))
    return emitOpError() << "rounds at random from f32 to a narrower float "
                            "with a sign, got "
                         << source.getElementType() << " to "
                         << result.getElementType();
  if (!getSeed())
    return emitOpError() << "rounds at random, so it needs a seed, as in "
                            "'rounding sr seed %s'";
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  if (source.getShape() != result.getShape() || // C1
      source.getElementType() != result.getElementType())
    return emitOpError() << "changes the layout alone, got " << source
                         << " and " << result;
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}
