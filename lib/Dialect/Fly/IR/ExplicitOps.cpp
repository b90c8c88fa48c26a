//===- ExplicitOps.cpp - Unrolling, copies to LDS, transposing reads ------===//
//
// Syntax and rules of the ops that only hand-written kernels and late passes
// have. Labels C1.. are those of the definitions (FlyExplicitOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "AccessClauses.h"
#include "CarriedTypes.h"
#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// StaticForOp
//===----------------------------------------------------------------------===//

YieldOp StaticForOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

std::optional<std::array<int64_t, 3>> StaticForOp::getNumbers() {
  std::array<int64_t, 3> numbers;
  for (auto [number, bound] : llvm::zip_equal(numbers, getStaticBounds())) {
    auto integer = dyn_cast<IntegerAttr>(bound);
    if (!integer)
      return std::nullopt;
    number = integer.getInt();
  }
  return numbers;
}

uint64_t StaticForOp::getTripCount(const std::array<int64_t, 3> &numbers) {
  auto [lower, upper, step] = numbers;
  if (upper <= lower)
    return 0;
  // Without a sign the distance of any two numbers fits.
  return (uint64_t(upper) - uint64_t(lower) - 1) / uint64_t(step) + 1;
}

void StaticForOp::getAsmBlockArgumentNames(Region &region,
                                           OpAsmSetValueNameFn setNameFn) {
  if (!region.empty() && region.getNumArguments() > 0)
    setNameFn(region.getArgument(0), "i");
}

ParseResult StaticForOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::Argument inductionVar;
  SmallVector<Attribute> bounds;
  auto parseBound = [&]() -> ParseResult {
    UnresolvedList operands;
    SMLoc loc = parser.getCurrentLocation();
    if (parseMixed(parser, operands, bounds))
      return failure();
    if (operands.empty())
      return success();
    return parser.emitError(loc, "expected a number or the name of a size: the "
                                 "loop is unrolled; scf.for takes values");
  };
  if (parser.parseArgument(inductionVar) || parser.parseEqual() ||
      parseBound() || parser.parseKeyword("to") || parseBound())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("step"))) {
    if (parseBound())
      return failure();
  } else {
    bounds.push_back(builder.getI64IntegerAttr(1));
  }
  inductionVar.type = builder.getIndexType();
  result.getOrAddProperties<Properties>().setStaticBounds(
      builder.getArrayAttr(bounds));

  SmallVector<OpAsmParser::Argument> arguments;
  UnresolvedList inits;
  SMLoc typesLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    auto parsePair = [&]() -> ParseResult {
      return failure(parser.parseArgument(arguments.emplace_back()) ||
                     parser.parseEqual() ||
                     parser.parseOperand(inits.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                       parsePair))
      return failure();
    typesLoc = parser.getCurrentLocation();
    if (parser.parseColonTypeList(result.types))
      return failure();
  }
  if (result.types.size() != inits.size())
    return parser.emitError(typesLoc)
           << "expected " << inits.size() << " types of iter_args, got "
           << result.types.size();
  for (auto [argument, type] : llvm::zip(arguments, result.types))
    argument.type = type;
  arguments.insert(arguments.begin(), inductionVar);
  Region *body = result.addRegion();
  if (parser.resolveOperands(inits, result.types, typesLoc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void StaticForOp::print(OpAsmPrinter &printer) {
  ArrayAttr bounds = getStaticBounds();
  printer << ' ' << getInductionVar() << " = ";
  printMixed(printer, bounds[0]);
  printer << " to ";
  printMixed(printer, bounds[1]);
  auto step = dyn_cast<IntegerAttr>(bounds[2]);
  if (!step || step.getInt() != 1) {
    printer << " step ";
    printMixed(printer, bounds[2]);
  }
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(
        llvm::zip(getIterArgs(), getInits()), printer, [&](auto pair) {
          printer << std::get<0>(pair) << " = " << std::get<1>(pair);
        });
    printer << ") : ";
    llvm::interleaveComma(getResultTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"static_bounds"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

LogicalResult StaticForOp::verify() {
  if (getStaticBounds().size() != 3) // C1
    return emitOpError() << "expects a lower bound, an upper bound and a step, "
                            "got "
                         << getStaticBounds().size() << " entries";
  for (Attribute bound : getStaticBounds())
    if (!isa<IntegerAttr, StringAttr>(bound))
      return emitOpError() << "expects numbers or names of sizes as bounds and "
                              "step, got "
                           << bound;
  auto step = dyn_cast<IntegerAttr>(getStaticBounds()[2]);
  if (step && step.getInt() < 1)
    return emitOpError() << "expects a positive step, got " << step.getInt();
  return success();
}

LogicalResult StaticForOp::verifyRegions() {
  // C2
  if (getBody().getNumArguments() == 0 ||
      !getInductionVar().getType().isIndex())
    return emitOpError() << "expects the body to take an index first";
  TypeRange types = getResultTypes();
  if (failed(detail::verifyCarriedTypes(*this, "initial value",
                                        getInits().getTypes(), types)) ||
      failed(detail::verifyCarriedTypes(*this, "iter_arg",
                                        TypeRange(getIterArgs()), types)))
    return failure();
  return detail::verifyCarriedTypes(getYield(), "carried value",
                                    getYield().getOperandTypes(), types);
}

//===----------------------------------------------------------------------===//
// DmaOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyCoordinates(Operation *op, StringRef what,
                                       ValueRange coordinates, ViewType view) {
  if (coordinates.size() == size_t(view.getRank()))
    return success();
  return op->emitOpError() << "expects " << view.getRank() << " " << what
                           << ", got " << coordinates.size();
}

LogicalResult DmaOp::verify() {
  ViewType from = getSource().getType(), to = getTarget().getType();
  if (from.getInLds() || !to.getInLds()) // C1
    return emitOpError() << "copies from global memory to LDS, got " << from
                         << " to " << to;
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "copies between views of one element, got "
                         << from.getElementType() << " and "
                         << to.getElementType();
  if (failed(verifyCoordinates(*this, "coordinates", getCoordinates(), from)) ||
      failed(verifyCoordinates(*this, "coordinates of the target",
                               getTargetCoordinates(), to)))
    return failure();
  // C2
  auto vector = dyn_cast<VectorType>(getType());
  Type element = vector ? vector.getElementType() : getType();
  if (element != from.getElementType())
    return emitOpError() << "copies " << element << " through views of "
                         << from.getElementType();
  if (vector && (vector.getRank() != 1 || vector.isScalable()))
    return emitOpError() << "expects a vector of rank 1, got " << vector;
  int64_t bits = element.getIntOrFloatBitWidth();
  int64_t elements = vector ? vector.getNumElements() : 1;
  constexpr int64_t widths[] = {1, 2, 4, 12, 16};
  if (elements > arch::widestAccessBytes * 8 || elements * bits % 8 != 0 ||
      !llvm::is_contained(widths, elements * bits / 8))
    return emitOpError() << "copies 1, 2, 4, 12 or 16 bytes a lane, got "
                         << getType();
  if (vector && !from.getContiguousDim())
    return emitOpError() << "needs a source with a contiguous dimension to "
                            "copy a vector, got "
                         << from;
  if (getFlat() && getInBounds())
    return emitOpError() << "is 'flat', which counts no dimension, and has "
                            "in_bounds";
  return verifyPlacement(*this, from.getRank());
}

void DmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

//===----------------------------------------------------------------------===//
// ReadTransposedOp, SwizzleOp
//===----------------------------------------------------------------------===//

LogicalResult ReadTransposedOp::verify() {
  ViewType view = getView().getType();
  if (!view.getInLds() || !view.getContiguousDim()) // C1
    return emitOpError() << "reads LDS along a contiguous dimension, got "
                         << view;
  if (failed(verifyCoordinates(*this, "coordinates", getCoordinates(), view)))
    return failure();
  // C2
  auto vector = dyn_cast<VectorType>(getValue().getType());
  Type element = vector ? vector.getElementType() : Type();
  int64_t bits =
      element && element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isKnown = vector && vector.getRank() == 1 && !vector.isScalable() &&
                 llvm::is_contained({4, 6, 8, 16}, bits) &&
                 vector.getNumElements() == (bits == 6 ? 16 : 64 / bits);
  if (!isKnown)
    return emitOpError() << "gives 4 elements of 16 bits, 8 of 8 bits, 16 of 6 "
                            "or of 4 bits, got "
                         << getValue().getType();
  if (bits < 8 ? view.getElementType().isInteger(8)
               : view.getElementType() == element)
    return success();
  return emitOpError() << "reads " << element << " through a view of "
                       << view.getElementType()
                       << (bits < 8 ? ": needs a view of i8" : "");
}

void ReadTransposedOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
}

LogicalResult SwizzleOp::verify() {
  if (getLayout().getShift() >= getLayout().getBits()) // C1
    return success();
  return emitOpError() << "needs a swizzle that is its own inverse (S >= M), "
                          "got "
                       << getLayout();
}
