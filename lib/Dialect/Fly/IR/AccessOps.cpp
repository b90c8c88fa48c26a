//===- AccessOps.cpp - Views of global memory, loads and stores -----------===//
//
// Syntax and rules of fly.view, fly.load and fly.store. Labels C1.. are those
// of the definitions (FlyTileOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "MixedList.h"
#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

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
  auto strided = dyn_cast_or_null<StridedAttr>(type.getLayout());
  if (!getStaticStrides()) {
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

//===----------------------------------------------------------------------===//
// LoadOp, StoreOp
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> LoadOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}
SmallVector<OpFoldResult> StoreOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}

namespace {
/// The clauses that load and store share, as parsed.
struct AccessClauses {
  UnresolvedList coordinates;
  ArrayAttr staticCoordinates;
  std::optional<OpAsmParser::UnresolvedOperand> mask;
  PadAttr pad;
  CacheAttr cache;
  StringAttr label;
  DenseBoolArrayAttr inBounds;
  IntegerAttr align;
};
} // namespace

template <typename Enum>
static ParseResult parseEnumClause(OpAsmParser &parser, StringRef clause,
                                   std::optional<Enum> (*symbolize)(StringRef),
                                   StringRef known,
                                   std::optional<Enum> &value) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  value = symbolize(word);
  if (value)
    return success();
  return parser.emitError(loc) << "unknown " << clause << " '" << word
                               << "', expected one of: " << known;
}

/// `[coordinates] {pad w | cache w | label "l" | mask %m | in_bounds [..] |
/// align n}` in any order.
static ParseResult parseAccessClauses(OpAsmParser &parser, bool isLoad,
                                      AccessClauses &clauses) {
  MLIRContext *context = parser.getContext();
  if (parseMixedList(parser, OpAsmParser::Delimiter::Square,
                     clauses.coordinates, clauses.staticCoordinates))
    return failure();
  while (true) {
    if (isLoad && succeeded(parser.parseOptionalKeyword("pad"))) {
      std::optional<Pad> pad;
      if (parseEnumClause<Pad>(parser, "pad", symbolizePad,
                               "zero, one, neg_inf, pos_inf, lowest", pad))
        return failure();
      clauses.pad = PadAttr::get(context, *pad);
    } else if (succeeded(parser.parseOptionalKeyword("cache"))) {
      std::optional<Cache> cache;
      if (parseEnumClause<Cache>(parser, "cache policy", symbolizeCache,
                                 "default, stream", cache))
        return failure();
      clauses.cache = CacheAttr::get(context, *cache);
    } else if (succeeded(parser.parseOptionalKeyword("label"))) {
      if (parser.parseAttribute(clauses.label,
                                parser.getBuilder().getNoneType()))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("mask"))) {
      if (parser.parseOperand(clauses.mask.emplace()))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("in_bounds"))) {
      clauses.inBounds = dyn_cast_or_null<DenseBoolArrayAttr>(
          DenseBoolArrayAttr::parse(parser, {}));
      if (!clauses.inBounds)
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("align"))) {
      int64_t align;
      if (parser.parseInteger(align))
        return failure();
      clauses.align = parser.getBuilder().getI64IntegerAttr(align);
    } else {
      return success();
    }
  }
}

template <typename OpT>
static void setAccessProperties(OperationState &result,
                                const AccessClauses &clauses) {
  auto &properties = result.getOrAddProperties<typename OpT::Properties>();
  properties.setStaticCoordinates(clauses.staticCoordinates);
  if (clauses.cache)
    properties.setCache(clauses.cache);
  if (clauses.label)
    properties.setLabel(clauses.label);
  if (clauses.inBounds)
    properties.setInBounds(clauses.inBounds);
  if (clauses.align)
    properties.setAlign(clauses.align);
}

template <typename OpT>
static void printAccessClauses(OpAsmPrinter &printer, OpT op) {
  printer << '[';
  printMixedList(printer, op.getMixedCoordinates());
  printer << ']';
  if constexpr (std::is_same_v<OpT, LoadOp>)
    if (op.getPad() != Pad::Zero)
      printer << " pad " << stringifyPad(op.getPad());
  if (op.getCache() != Cache::Default)
    printer << " cache " << stringifyCache(op.getCache());
  if (op.getLabelAttr())
    printer << " label " << op.getLabelAttr();
  if (op.getMask())
    printer << " mask " << op.getMask();
  if (op.getInBoundsAttr()) {
    printer << " in_bounds ";
    op.getInBoundsAttr().print(printer);
  }
  if (op.getAlignAttr())
    printer << " align " << op.getAlignAttr().getInt();
  printer.printOptionalAttrDict(op->getAttrs(),
                                {"static_coordinates", "pad", "cache", "label",
                                 "in_bounds", "align", "operandSegmentSizes"});
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand view;
  AccessClauses clauses;
  Type viewType, maskType, tileType;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseOperand(view) ||
      parseAccessClauses(parser, /*isLoad=*/true, clauses) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(viewType) ||
      (clauses.mask && (parser.parseComma() || parser.parseType(maskType))) ||
      parser.parseArrow() || parser.parseType(tileType) ||
      parser.resolveOperand(view, viewType, result.operands) ||
      parser.resolveOperands(clauses.coordinates, i32, result.operands) ||
      (clauses.mask &&
       parser.resolveOperand(*clauses.mask, maskType, result.operands)))
    return failure();
  setAccessProperties<LoadOp>(result, clauses);
  auto &properties = result.getOrAddProperties<Properties>();
  if (clauses.pad)
    properties.setPad(clauses.pad);
  properties.operandSegmentSizes = {1, int32_t(clauses.coordinates.size()),
                                    int32_t(clauses.mask.has_value())};
  result.addTypes(tileType);
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView();
  printAccessClauses(printer, *this);
  printer << " : " << getView().getType();
  if (getMask())
    printer << ", " << getMask().getType();
  printer << " -> " << getTile().getType();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tile, view;
  AccessClauses clauses;
  Type tileType, viewType, maskType;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseOperand(tile) || parser.parseComma() ||
      parser.parseOperand(view) ||
      parseAccessClauses(parser, /*isLoad=*/false, clauses) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(tileType) || parser.parseComma() ||
      parser.parseType(viewType) ||
      (clauses.mask && (parser.parseComma() || parser.parseType(maskType))) ||
      parser.resolveOperand(tile, tileType, result.operands) ||
      parser.resolveOperand(view, viewType, result.operands) ||
      parser.resolveOperands(clauses.coordinates, i32, result.operands) ||
      (clauses.mask &&
       parser.resolveOperand(*clauses.mask, maskType, result.operands)))
    return failure();
  setAccessProperties<StoreOp>(result, clauses);
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, 1, int32_t(clauses.coordinates.size()),
                                    int32_t(clauses.mask.has_value())};
  return success();
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTile() << ", " << getView();
  printAccessClauses(printer, *this);
  printer << " : " << getTile().getType() << ", " << getView().getType();
  if (getMask())
    printer << ", " << getMask().getType();
}

template <typename OpT>
static LogicalResult verifyAccess(OpT op) {
  auto tile = cast<RankedTensorType>(op.getTile().getType());
  ViewType view = op.getView().getType();
  size_t rank = view.getRank();
  if (failed(verifyMixed(op, "coordinates", op.getStaticCoordinates(),
                         op.getCoordinates(), rank))) // C1
    return failure();
  if (size_t(tile.getRank()) > rank)
    return op.emitOpError() << "has a tile of rank " << tile.getRank()
                            << " in a view of rank " << rank;
  if (tile.getElementType() != view.getElementType()) // C2
    return op.emitOpError()
           << "has a tile of " << tile.getElementType() << " in a view of "
           << view.getElementType() << ": convert with fly.cast";
  if (failed(verifyMask(op, op.getMask(), tile))) // C3
    return failure();
  if (op.getInBounds() && op.getInBounds()->size() != rank)
    return op.emitOpError() << "expects " << rank << " in_bounds flags, got "
                            << op.getInBounds()->size();
  if (op.getAlign() && int64_t(*op.getAlign()) < 1)
    return op.emitOpError()
           << "expects an align of at least 1, got " << int64_t(*op.getAlign());
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyPad(*this, getPad(),
                       cast<RankedTensorType>(getTile().getType()))))
    return failure();
  return verifyAccess(*this);
}
LogicalResult StoreOp::verify() { return verifyAccess(*this); }

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
}
void StoreOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}
