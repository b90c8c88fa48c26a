//===- AccessOps.cpp - Loads and stores of tiles --------------------------===//
//
// Syntax and rules of fly.load and fly.store. Labels C1.. are those of the
// definitions (FlyViewOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "AccessClauses.h"
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

/// `[coordinates]` and the clauses behind them.
static ParseResult parseAccess(OpAsmParser &parser, bool isRead,
                               AccessClauses &clauses) {
  return failure(parseMixedList(parser, OpAsmParser::Delimiter::Square,
                                clauses.coordinates,
                                clauses.staticCoordinates) ||
                 parseAccessClauses(parser, isRead, clauses));
}

template <typename OpT>
static void printAccess(OpAsmPrinter &printer, OpT op) {
  printer << '[';
  printMixedList(printer, op.getMixedCoordinates());
  printer << ']';
  printAccessClauses(printer, op);
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand view;
  AccessClauses clauses;
  Type viewType, maskType, tileType;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseOperand(view) ||
      parseAccess(parser, /*isRead=*/true, clauses) ||
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
  properties.operandSegmentSizes = {1, int32_t(clauses.coordinates.size()),
                                    int32_t(clauses.mask.has_value())};
  result.addTypes(tileType);
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView();
  printAccess(printer, *this);
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
      parseAccess(parser, /*isRead=*/false, clauses) ||
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
  printAccess(printer, *this);
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
  return verifyPlacement(op, rank);
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
