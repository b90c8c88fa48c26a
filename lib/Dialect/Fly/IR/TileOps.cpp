//===- TileOps.cpp - Ops on tiles, views and the grid ---------------------===//
//
// Syntax that the declarative format cannot express, and the constraints of
// the tile ops. Labels C1.. are those of the definitions (FlyTileOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Shapes with names
//===----------------------------------------------------------------------===//

/// One extent as text: a number, a name, or `?`.
static std::string extentName(RankedTensorType type, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return std::to_string(type.getDimSize(dim));
  if (auto tile = dyn_cast_or_null<TileAttr>(type.getEncoding()))
    if (auto name = dyn_cast<StringAttr>(tile.getSizes()[dim]))
      return name.getValue().str();
  return "?";
}

/// Whether two extents may be equal: names and unknowns agree with anything
/// that is not provably another.
static bool extentsAgree(RankedTensorType lhs, unsigned lhsDim,
                         RankedTensorType rhs, unsigned rhsDim) {
  std::string l = extentName(lhs, lhsDim), r = extentName(rhs, rhsDim);
  if (l == r || l == "?" || r == "?")
    return true;
  // A name may stand for any number, but two names are two sizes.
  return llvm::isDigit(l.front()) != llvm::isDigit(r.front());
}

static std::string describeShape(RankedTensorType type) {
  std::string text;
  for (unsigned d = 0; d < type.getRank(); ++d)
    text += (d ? "x" : "") + extentName(type, d);
  return text;
}

static LogicalResult verifyShapesAgree(Operation *op, StringRef what,
                                       RankedTensorType lhs,
                                       RankedTensorType rhs) {
  bool agree = lhs.getRank() == rhs.getRank();
  for (unsigned d = 0; agree && d < lhs.getRank(); ++d)
    agree = extentsAgree(lhs, d, rhs, d);
  if (agree)
    return success();
  return op->emitOpError() << what << ": expected a tile of "
                           << describeShape(rhs) << ", got "
                           << describeShape(lhs);
}

//===----------------------------------------------------------------------===//
// RequireMultipleOp, GridOp
//===----------------------------------------------------------------------===//

LogicalResult RequireMultipleOp::verify() {
  if (auto number = dyn_cast<IntegerAttr>(getMultiple())) // C1
    if (number.getInt() < 1)
      return emitOpError() << "expects a positive multiple, got "
                           << number.getInt();
  return success();
}

SmallVector<OpFoldResult> GridOp::getMixedBounds() {
  return getMixed(getStaticBounds(), getBounds());
}
SmallVector<OpFoldResult> GridOp::getMixedSteps() {
  return getMixed(getStaticSteps(), getSteps());
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
  if (op.getMask()) { // C3
    auto mask = cast<RankedTensorType>(op.getMask().getType());
    if (!mask.getElementType().isInteger(1))
      return op.emitOpError()
             << "expects a mask of i1, got " << mask.getElementType();
    if (failed(verifyShapesAgree(op, "mask", mask, tile)))
      return failure();
  }
  if (op.getInBounds() && op.getInBounds()->size() != rank)
    return op.emitOpError() << "expects " << rank << " in_bounds flags, got "
                            << op.getInBounds()->size();
  if (op.getAlign() && int64_t(*op.getAlign()) < 1)
    return op.emitOpError()
           << "expects an align of at least 1, got " << int64_t(*op.getAlign());
  return success();
}

LogicalResult LoadOp::verify() {
  if (getPad() == Pad::NegInf || getPad() == Pad::PosInf) {
    auto type = dyn_cast<FloatType>(
        cast<RankedTensorType>(getTile().getType()).getElementType());
    if (!type || !APFloat::semanticsHasInf(type.getFloatSemantics()))
      return emitOpError()
             << "pads with " << stringifyPad(getPad()) << ", but "
             << cast<RankedTensorType>(getTile().getType()).getElementType()
             << " has no infinity: use lowest";
  }
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

//===----------------------------------------------------------------------===//
// ConstantOp, SplatOp, BroadcastOp
//===----------------------------------------------------------------------===//

TypedAttr ConstantOp::getElementAttr() {
  Type type = cast<RankedTensorType>(getType()).getElementType();
  Builder builder(getContext());
  if (auto integer = dyn_cast<IntegerType>(type)) {
    auto number = dyn_cast<IntegerAttr>(getValue());
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
  if (auto word = dyn_cast<StringAttr>(getValue())) {
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
  APFloat value(0.0);
  if (auto number = dyn_cast<FloatAttr>(getValue()))
    value = number.getValue();
  else
    value = APFloat(double(cast<IntegerAttr>(getValue()).getInt()));
  bool losesInfo;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return FloatAttr::get(type, value);
}

LogicalResult ConstantOp::verify() {
  if (getElementAttr()) // C1
    return success();
  return emitOpError() << "value " << getValue() << " does not exist in "
                       << cast<RankedTensorType>(getType()).getElementType();
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
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2 || // C1
      !extentsAgree(a, 0, acc, 0) || !extentsAgree(b, 0, acc, 1) ||
      !extentsAgree(a, 1, b, 1))
    return emitOpError() << "expects A of M x K, B of N x K and an "
                            "accumulator of M x N, got "
                         << describeShape(a) << ", " << describeShape(b)
                         << " and " << describeShape(acc);
  Type ta = a.getElementType(), tb = b.getElementType();
  bool bothFp8 = isFp8(ta) && isFp8(tb);
  if (ta != tb && !bothFp8) // C2
    return emitOpError() << "expects A and B of one type, got " << ta << " and "
                         << tb;
  bool isI8 = ta.isInteger(8);
  if (!bothFp8 && !isI8 && !ta.isF16() && !ta.isBF16() && !ta.isF32())
    return emitOpError() << "expects operands of f16, bf16, f32, i8 or fp8, "
                            "got "
                         << ta;
  Type expected = isI8 ? Type(IntegerType::get(getContext(), 32))
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

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr expression;
  UnresolvedList inputs;
  SmallVector<Attribute> names, roles;
  Builder &builder = parser.getBuilder();
  auto parseBinding = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    StringRef role = "tile";
    if (succeeded(parser.parseOptionalKeyword("rows")))
      role = "rows";
    else if (succeeded(parser.parseOptionalKeyword("cols")))
      role = "cols";
    names.push_back(builder.getStringAttr(name));
    roles.push_back(builder.getStringAttr(role));
    return parser.parseOperand(inputs.emplace_back());
  };
  SMLoc loc = parser.getCurrentLocation();
  FunctionType types;
  if (parser.parseAttribute(expression) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBinding) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(types) ||
      parser.resolveOperands(inputs, types.getInputs(), loc, result.operands))
    return failure();
  if (types.getNumResults() != 1)
    return parser.emitError(loc, "fly.map has one result");
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setExpression(expression);
  properties.setNames(builder.getArrayAttr(names));
  properties.setRoles(builder.getArrayAttr(roles));
  result.addTypes(types.getResults());
  return success();
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getExpressionAttr() << " (";
  llvm::interleaveComma(llvm::zip(getNames(), getRoles(), getInputs()), printer,
                        [&](auto it) {
                          auto [name, role, input] = it;
                          printer << cast<StringAttr>(name).getValue() << " = ";
                          if (cast<StringAttr>(role) != "tile")
                            printer << cast<StringAttr>(role).getValue() << ' ';
                          printer << input;
                        });
  printer << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"expression", "names", "roles"});
  printer << " : (";
  llvm::interleaveComma(getInputs().getTypes(), printer);
  printer << ") -> " << getType();
}

/// The expression with a caret under the offending character.
static void attachCaret(InFlightDiagnostic &diag, StringRef text,
                        size_t offset) {
  diag.attachNote() << "in \"" << text << "\" at column " << offset + 1 << ": "
                    << text.take_front(offset) << " <-- here --> "
                    << text.drop_front(std::min(offset, text.size()));
}

static LogicalResult verifyNames(MapOp op, const MapNode &node,
                                 const llvm::StringSet<> &bound) {
  if (node.kind == MapNode::Name && !bound.contains(node.text)) {
    SmallVector<StringRef> known;
    for (Attribute name : op.getNames())
      known.push_back(cast<StringAttr>(name).getValue());
    InFlightDiagnostic diag = op.emitOpError() << "name '" << node.text
                                               << "' is not bound, bound are: "
                                               << llvm::join(known, ", ");
    attachCaret(diag, op.getExpression(), node.offset);
    return diag;
  }
  for (const auto &child : node.children)
    if (failed(verifyNames(op, *child, bound)))
      return failure();
  return success();
}

LogicalResult MapOp::verify() {
  if (getNames().size() != getInputs().size() ||
      getRoles().size() != getInputs().size())
    return emitOpError() << "expects one name and one role an input";
  MapSyntaxError error;
  std::unique_ptr<MapNode> root = parseMapExpression(getExpression(), error);
  if (!root) { // C1
    InFlightDiagnostic diag = emitOpError() << "expression: " << error.message;
    attachCaret(diag, getExpression(), error.offset);
    return diag;
  }
  llvm::StringSet<> bound;
  for (Attribute name : getNames())
    if (!bound.insert(cast<StringAttr>(name).getValue()).second)
      return emitOpError() << "binds " << name << " twice";
  if (failed(verifyNames(*this, *root, bound)))
    return failure();
  auto result = cast<RankedTensorType>(getType());
  if (!isa<FloatType>(result.getElementType()))
    return emitOpError() << "computes floating-point tiles, got "
                         << result.getElementType();
  for (auto [name, role, input] :
       llvm::zip(getNames(), getRoles(), getInputs())) { // C2
    StringRef which = cast<StringAttr>(role).getValue();
    auto tile = dyn_cast<RankedTensorType>(input.getType());
    Type element = tile ? tile.getElementType() : input.getType();
    if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() > 32)
      return emitOpError() << "input " << name
                           << " must have floats of at most 32 bits, got "
                           << element;
    if (which == "tile") {
      if (tile &&
          failed(verifyShapesAgree(
              *this,
              (Twine("input ") + cast<StringAttr>(name).getValue()).str(), tile,
              result)))
        return failure();
      continue;
    }
    unsigned dim = which == "rows" ? 0 : 1;
    if (!tile || tile.getRank() != 1 || result.getRank() != 2 ||
        !extentsAgree(tile, 0, result, dim))
      return emitOpError() << "input " << name << " (" << which
                           << ") must be a tile of extent "
                           << (dim < result.getRank() ? extentName(result, dim)
                                                      : std::string("?"))
                           << ", got " << input.getType();
  }
  return success();
}
