//===- LanesOp.cpp - A tile as its lanes hold it --------------------------===//
//
// Syntax and rules of fly.lanes. Labels C1.. are those of the definition
// (FlyLanesOps.td). The types of the region's arguments follow from tiles and
// layout, so the text does not repeat them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

using EmitError = function_ref<InFlightDiagnostic()>;

/// C1: what a lane holds of the tile, a vector; one error where the layout does
/// not hold it.
static FailureOr<VectorType> getRegisters(Type type, Attribute layout,
                                          EmitError emitError) {
  auto distributed = dyn_cast<LayoutAttrInterface>(layout);
  if (!distributed)
    return emitError() << "expects a distributed layout, as in "
                          "#fly.blocked<threads = [64, 4], vector = 8>, got "
                       << layout;
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.hasStaticShape() ||
      !VectorType::isValidElementType(tile.getElementType()))
    return emitError() << "expects static tiles of numbers, got " << type;
  if (tile.getEncoding() && tile.getEncoding() != layout)
    return emitError() << "expects tiles without a layout or in " << layout
                       << ", got " << type;
  for (int64_t extent : tile.getShape())
    if (extent < 1)
      return emitError() << "expects tiles that are not empty, got " << type;
  if (failed(distributed.verifyShape(tile.getShape(), emitError)))
    return failure();
  return VectorType::get(distributed.getLaneMap(tile.getShape()).registers,
                         tile.getElementType());
}

ParseResult LanesOp::parse(OpAsmParser &parser, OperationState &result) {
  Attribute layout;
  SMLoc layoutLoc, typesLoc;
  SmallVector<OpAsmParser::Argument> arguments;
  UnresolvedList operands;
  FunctionType types;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseKeyword("in") || parser.getCurrentLocation(&layoutLoc) ||
      parser.parseAttribute(layout) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parsePair) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&typesLoc) || parser.parseType(types))
    return failure();
  result.getOrAddProperties<Properties>().setLayout(layout);
  if (types.getNumInputs() != operands.size())
    return parser.emitError(typesLoc)
           << "expected " << operands.size() << " types of tiles, got "
           << types.getNumInputs();
  for (auto [argument, type] : llvm::zip(arguments, types.getInputs())) {
    auto registers =
        getRegisters(type, layout, [&] { return parser.emitError(layoutLoc); });
    if (failed(registers))
      return failure();
    argument.type = *registers;
  }
  result.addTypes(types.getResults());
  if (parser.resolveOperands(operands, types.getInputs(), typesLoc,
                             result.operands))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void LanesOp::print(OpAsmPrinter &printer) {
  printer << " in " << getLayout() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getSources()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"layout"});
  printer << " : (";
  llvm::interleaveComma(getSources().getTypes(), printer);
  printer << ") -> ";
  if (getNumResults() == 1)
    printer << getResultTypes().front();
  else {
    printer << '(';
    llvm::interleaveComma(getResultTypes(), printer);
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult LanesOp::verify() {
  for (Type type :
       llvm::concat<Type>(getSources().getTypes(), getResultTypes()))
    if (failed(getRegisters(type, getLayout(), [&] { return emitOpError(); })))
      return failure(); // C1
  return success();
}

LogicalResult LanesOp::verifyRegions() {
  // C2
  auto check = [&](Operation *at, StringRef what, TypeRange tiles,
                   TypeRange got) -> LogicalResult {
    if (tiles.size() != got.size())
      return at->emitOpError() << "expects " << tiles.size() << ' ' << what
                               << "s, got " << got.size();
    for (auto [index, tile, type] : llvm::enumerate(tiles, got)) {
      auto expected =
          getRegisters(tile, getLayout(), [&] { return emitOpError(); });
      if (failed(expected))
        return failure();
      if (*expected != type)
        return at->emitOpError() << what << ' ' << index << ": expected "
                                 << *expected << ", got " << type;
    }
    return success();
  };
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError() << "expects its region to end with fly.yield";
  if (failed(check(*this, "argument", getSources().getTypes(),
                   getBody().getArgumentTypes())) ||
      failed(check(yield, "yielded value", getResultTypes(),
                   yield.getOperandTypes())))
    return failure();
  WalkResult walk = getBody().walk([&](Operation *op) { // C3
    bool isPlain = isa<YieldOp>(op) ||
                   op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                   isMemoryEffectFree(op);
    if (!isPlain) {
      op->emitOpError() << "has a side effect, in a region of fly.lanes";
      return WalkResult::interrupt();
    }
    auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isTile) ||
        llvm::any_of(op->getResultTypes(), isTile)) {
      op->emitOpError() << "has a tile, in a region of fly.lanes: hand it in";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
