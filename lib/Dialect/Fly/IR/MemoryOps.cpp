//===- MemoryOps.cpp - Scalars, gathered rows -----------------------------===//
//
// Syntax and rules of fly.load_scalar, fly.gather and fly.scatter. Labels C1..
// are those of the definitions (FlyMemoryOps.td).
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

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// LoadScalarOp
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> LoadScalarOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}

LogicalResult LoadScalarOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyMixed(*this, "coordinates", getStaticCoordinates(),
                         getCoordinates(), view.getRank()))) // C1
    return failure();
  if (getResult().getType() != view.getElementType()) // C2
    return emitOpError() << "gives a " << view.getElementType()
                         << " of its view, got " << getResult().getType();
  return success();
}

void LoadScalarOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
}

//===----------------------------------------------------------------------===//
// GatherOp, ScatterOp
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> GatherOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}
SmallVector<OpFoldResult> ScatterOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}

namespace {
/// Row numbers, and the clauses of all accesses.
struct RowsClauses : AccessClauses {
  OpAsmParser::UnresolvedOperand rows;
};
} // namespace

/// `rows(%r) at [..]` and the clauses behind them.
static ParseResult parseRowsClauses(OpAsmParser &parser, bool isRead,
                                    RowsClauses &clauses) {
  return failure(parser.parseKeyword("rows") || parser.parseLParen() ||
                 parser.parseOperand(clauses.rows) || parser.parseRParen() ||
                 parser.parseKeyword("at") ||
                 parseMixedList(parser, OpAsmParser::Delimiter::Square,
                                clauses.coordinates,
                                clauses.staticCoordinates) ||
                 parseAccessClauses(parser, isRead, clauses));
}

template <typename OpT>
static void printRowsClauses(OpAsmPrinter &printer, OpT op) {
  printer << " rows(" << op.getRows() << ") at [";
  printMixedList(printer, op.getMixedCoordinates());
  printer << ']';
  printAccessClauses(printer, op);
  printer << " : ";
}

ParseResult GatherOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand view;
  RowsClauses clauses;
  Type viewType, rowsType, maskType, tileType;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseOperand(view) ||
      parseRowsClauses(parser, /*isRead=*/true, clauses) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(viewType) || parser.parseComma() ||
      parser.parseType(rowsType) ||
      (clauses.mask && (parser.parseComma() || parser.parseType(maskType))) ||
      parser.parseArrow() || parser.parseType(tileType) ||
      parser.resolveOperand(view, viewType, result.operands) ||
      parser.resolveOperand(clauses.rows, rowsType, result.operands) ||
      parser.resolveOperands(clauses.coordinates, i32, result.operands) ||
      (clauses.mask &&
       parser.resolveOperand(*clauses.mask, maskType, result.operands)))
    return failure();
  setAccessProperties<GatherOp>(result, clauses);
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, 1, int32_t(clauses.coordinates.size()),
                                    int32_t(clauses.mask.has_value())};
  result.addTypes(tileType);
  return success();
}

void GatherOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView();
  printRowsClauses(printer, *this);
  printer << getView().getType() << ", " << getRows().getType();
  if (getMask())
    printer << ", " << getMask().getType();
  printer << " -> " << getTile().getType();
}

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tile, view;
  RowsClauses clauses;
  Type tileType, viewType, rowsType, maskType;
  Type i32 = parser.getBuilder().getI32Type();
  if (parser.parseOperand(tile) || parser.parseComma() ||
      parser.parseOperand(view) ||
      parseRowsClauses(parser, /*isRead=*/false, clauses) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(tileType) || parser.parseComma() ||
      parser.parseType(viewType) || parser.parseComma() ||
      parser.parseType(rowsType) ||
      (clauses.mask && (parser.parseComma() || parser.parseType(maskType))) ||
      parser.resolveOperand(tile, tileType, result.operands) ||
      parser.resolveOperand(view, viewType, result.operands) ||
      parser.resolveOperand(clauses.rows, rowsType, result.operands) ||
      parser.resolveOperands(clauses.coordinates, i32, result.operands) ||
      (clauses.mask &&
       parser.resolveOperand(*clauses.mask, maskType, result.operands)))
    return failure();
  setAccessProperties<ScatterOp>(result, clauses);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, 1, 1, int32_t(clauses.coordinates.size()),
      int32_t(clauses.mask.has_value())};
  return success();
}

void ScatterOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTile() << ", " << getView();
  printRowsClauses(printer, *this);
  printer << getTile().getType() << ", " << getView().getType() << ", "
          << getRows().getType();
  if (getMask())
    printer << ", " << getMask().getType();
}

template <typename OpT>
static LogicalResult verifyRows(OpT op) {
  auto tile = cast<RankedTensorType>(op.getTile().getType());
  auto rows = cast<RankedTensorType>(op.getRows().getType());
  ViewType view = op.getView().getType();
  if (rows.getRank() != 1 || !rows.getElementType().isInteger(32)) // C1
    return op.emitOpError() << "expects row numbers as a tile of i32 of rank "
                               "1, got "
                            << rows;
  if (tile.getRank() != int64_t(view.getRank())) // C2
    return op.emitOpError() << "has a tile of rank " << tile.getRank()
                            << " in a view of rank " << view.getRank();
  if (!extentsAgree(rows, 0, tile, 0))
    return op.emitOpError()
           << "has " << describeShape(rows) << " row numbers for a tile of "
           << describeShape(tile);
  if (tile.getElementType() != view.getElementType())
    return op.emitOpError()
           << "has a tile of " << tile.getElementType() << " in a view of "
           << view.getElementType() << ": convert with fly.cast";
  if (failed(verifyMixed(op, "coordinates behind the rows",
                         op.getStaticCoordinates(), op.getCoordinates(),
                         view.getRank() - 1)))
    return failure();
  if (failed(verifyMask(op, op.getMask(), tile))) // C3
    return failure();
  return verifyPlacement(op, view.getRank()); // C4
}

LogicalResult GatherOp::verify() {
  if (failed(verifyPad(*this, getPad(),
                       cast<RankedTensorType>(getTile().getType()))))
    return failure();
  return verifyRows(*this);
}
LogicalResult ScatterOp::verify() { return verifyRows(*this); }

void GatherOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
}
void ScatterOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}
