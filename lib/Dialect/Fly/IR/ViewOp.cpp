//===- ViewOp.cpp - Views of global memory --------------------------------===//
//
// Syntax and rules of fly.view. Labels C1.. are those of the definition
// (FlyViewOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

SmallVector<OpFoldResult> ViewOp::getMixedExtents() {
  return getMixed(getStaticExtents(), getExtents());
}
SmallVector<OpFoldResult> ViewOp::getMixedStrides() {
  if (!getStaticStrides())
    return {};
  return getMixed(*getStaticStrides(), getStrides());
}

ParseResult ViewOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand ptr, offset;
  UnresolvedList extents, strides;
  ArrayAttr staticExtents, staticStrides;
  bool hasOffset = false;
  SMLoc typeLoc;
  Type type;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(ptr) ||
      parseMixedList(parser, OpAsmParser::Delimiter::Square, extents,
                     staticExtents))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("strides")) &&
      parseMixedList(parser, OpAsmParser::Delimiter::Square, strides,
                     staticStrides))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    hasOffset = true;
    if (parser.parseOperand(offset))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&typeLoc) || parser.parseType(type))
    return failure();
  auto view = dyn_cast<ViewType>(type);
  if (!view)
    return parser.emitError(typeLoc) << "expected a view type, got " << type;
  Type i32 = builder.getI32Type();
  if (parser.resolveOperand(ptr, PtrType::get(view.getElementType()),
                            result.operands) ||
      parser.resolveOperands(extents, i32, result.operands) ||
      parser.resolveOperands(strides, i32, result.operands) ||
      (hasOffset &&
       parser.resolveOperand(offset, builder.getI64Type(), result.operands)))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setStaticExtents(staticExtents);
  if (staticStrides)
    properties.setStaticStrides(staticStrides);
  properties.operandSegmentSizes = {
      1, int32_t(extents.size()), int32_t(strides.size()), int32_t(hasOffset)};
  result.addTypes(view);
  return success();
}

void ViewOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr() << '[';
  printMixedList(printer, getMixedExtents());
  printer << ']';
  if (getStaticStrides()) {
    printer << " strides [";
    printMixedList(printer, getMixedStrides());
    printer << ']';
  }
  if (getOffset())
    printer << " at " << getOffset();
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {"static_extents", "static_strides", "operandSegmentSizes"});
  printer << " : " << getType();
}

/// Static entries of the op must be those of the type.
static LogicalResult verifyStatics(ViewOp op, StringRef what,
                                   ArrayRef<OpFoldResult> mixed,
                                   ArrayRef<int64_t> fromType) {
  for (auto [dim, entry] : llvm::enumerate(mixed)) {
    if (ShapedType::isDynamic(fromType[dim]))
      continue;
    auto attr = dyn_cast<Attribute>(entry);
    auto number = dyn_cast_or_null<IntegerAttr>(attr);
    if (number && number.getInt() == fromType[dim])
      continue;
    if (isa_and_nonnull<StringAttr>(attr))
      continue; // A name; its value is checked once it is known.
    if (number)
      return op.emitOpError() << what << " " << dim << " is " << number.getInt()
                              << ", but the type says " << fromType[dim];
    return op.emitOpError()
           << what << " " << dim << " is a value, but the type says "
           << fromType[dim] << ": write the number";
  }
  return success();
}

LogicalResult ViewOp::verify() {
  ViewType type = getType();
  if (type.getInLds()) // C3
    return emitOpError() << "makes views of global memory; a view of LDS is "
                            "taken by fly.lds.field";
  if (getPtr().getType().getElementType() != type.getElementType())
    return emitOpError() << "expects a pointer to " << type.getElementType()
                         << ", got " << getPtr().getType();
  size_t rank = type.getRank();
  if (failed(verifyMixed(*this, "extents", getStaticExtents(), getExtents(),
                         rank)) || // C1
      failed(verifyStatics(*this, "extent", getMixedExtents(),
                           type.getShape()))) // C2
    return failure();
  for (auto [dim, extent] : llvm::enumerate(getStaticExtents()))
    if (auto number = dyn_cast<IntegerAttr>(extent))
      if (number.getInt() < 0)
        return emitOpError() << "expects extents of at least 0, dimension "
                             << dim << " has " << number.getInt();
  if (auto layout = dyn_cast_or_null<PreshuffleAttr>(type.getLayout())) { // C4
    if (getStaticStrides())
      return emitOpError() << "has strides, but " << layout
                           << " says where its elements lie: leave them out";
    SmallVector<int64_t, 4> extents;
    for (Attribute extent : getStaticExtents()) {
      auto number = dyn_cast<IntegerAttr>(extent);
      extents.push_back(number ? number.getInt() : ShapedType::kDynamic);
    }
    return layout.verifyExtents(extents, type.getElementType(),
                                [&] { return emitOpError(); });
  }
  if (isa_and_nonnull<MemoryLayoutAttr>(type.getLayout())) { // C5
    if (getStaticStrides())
      return emitOpError() << "has strides, but " << type.getLayout()
                           << " says where its elements lie: leave them out";
    return success();
  }
  auto strided = dyn_cast_or_null<StridedAttr>(type.getLayout());
  if (!getStaticStrides()) {
    if (!getStrides().empty())
      return emitOpError() << "has " << getStrides().size()
                           << " strides as values, but no list of strides";
    if (strided && type.getContiguousDim() != unsigned(rank - 1))
      return emitOpError() << "needs 'strides': its type says " << strided
                           << ", which is not row-major";
    return success();
  }
  if (failed(verifyMixed(*this, "strides", *getStaticStrides(), getStrides(),
                         rank)))
    return failure();
  if (strided)
    return verifyStatics(*this, "stride", getMixedStrides(),
                         strided.getStrides());
  // Row-major by type: the last dimension must be contiguous.
  auto last = dyn_cast<IntegerAttr>(getStaticStrides()->getValue().back());
  if (!last || last.getInt() != 1)
    return emitOpError() << "has a last stride that is not 1: say which "
                            "dimension is contiguous in the type, as in "
                            "#fly.strided<[1, ?]>";
  return success();
}
