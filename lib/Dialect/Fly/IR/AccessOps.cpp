//===- AccessOps.cpp - Loads and stores of tiles --------------------------===//
//
// Syntax and rules of fly.load and fly.store. Labels C1.. are those of the
// definitions (FlyTileOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "MixedList.h"
#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

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
