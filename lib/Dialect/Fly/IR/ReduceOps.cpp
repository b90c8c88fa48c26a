//===- ReduceOps.cpp - Ops along a dimension of a tile --------------------===//
//
// Syntax and rules of fly.iota, fly.transpose, fly.reduce and fly.scan. Labels
// C1.. are those of the definitions (FlyReduceOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (!type.getElementType().isInteger(32)) // C1
    return emitOpError() << "counts in i32, got a tile of "
                         << type.getElementType();
  int64_t dim = getDim();
  if (dim < 0 || dim >= type.getRank())
    return emitOpError() << "runs along dimension " << dim
                         << " of a tile of rank " << type.getRank();
  return success();
}

LogicalResult TransposeOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> permutation = getPermutation();
  SmallVector<bool> seen(source.getRank());
  bool isPermutation = int64_t(permutation.size()) == source.getRank();
  for (int64_t dim : permutation) {
    isPermutation &= dim >= 0 && dim < source.getRank() && !seen[dim];
    if (!isPermutation)
      break;
    seen[dim] = true;
  }
  if (!isPermutation) // C1
    return emitOpError() << "expects a permutation of the " << source.getRank()
                         << " dimensions of its source, got [" << permutation
                         << "]";
  bool agree = result.getRank() == source.getRank() &&
               result.getElementType() == source.getElementType();
  for (auto [d, from] : llvm::enumerate(permutation))
    agree = agree && extentsAgree(result, d, source, from);
  if (agree)
    return success();
  return emitOpError() << "by [" << permutation << "] cannot turn "
                       << describeShape(source) << " of "
                       << source.getElementType() << " into "
                       << describeShape(result) << " of "
                       << result.getElementType();
}

//===----------------------------------------------------------------------===//
// ReduceOp, ScanOp: what they share
//===----------------------------------------------------------------------===//

bool fly::hasKind(Type element, ReduceKind kind) {
  if (isa<FloatType>(element))
    return kind <= ReduceKind::MinNan;
  // The sign of a truth value: true would be the lesser one.
  if (element.isInteger(1) &&
      (kind == ReduceKind::Max || kind == ReduceKind::Min))
    return false;
  return element.isSignlessInteger() && kind != ReduceKind::MaxNan &&
         kind != ReduceKind::MinNan;
}

namespace {
/// What may stand between the dimension and the types, in any order.
struct AlongClauses {
  std::optional<int64_t> parts;
  bool exclusive = false, reverse = false, hasScratch = false;
  SmallVector<OpAsmParser::UnresolvedOperand> scratch;
  SmallVector<Type> scratchTypes;
  SMLoc scratchLoc;
};
} // namespace

/// An error at `loc` for a word that is no clause here.
static ParseResult refuseClause(OpAsmParser &parser, SMLoc loc, StringRef word,
                                bool isScan) {
  auto diag = parser.emitError(loc);
  if (word == "combine")
    return diag << "'combine' and its region stand behind the types of the "
                   "results";
  return diag << "unknown clause '" << word << "' of "
              << (isScan
                      ? "a scan, expected one of: exclusive, reverse, scratch"
                      : "a reduction, expected: parts")
              << "; then ':' and the types";
}

static ParseResult parseClauses(OpAsmParser &parser, bool isScan,
                                AlongClauses &clauses) {
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      return success();
    bool isAgain = false;
    if (!isScan && word == "parts") {
      isAgain = clauses.parts.has_value();
      if (parser.parseInteger(clauses.parts.emplace()))
        return failure();
    } else if (isScan && word == "exclusive") {
      isAgain = std::exchange(clauses.exclusive, true);
    } else if (isScan && word == "reverse") {
      isAgain = std::exchange(clauses.reverse, true);
    } else if (isScan && word == "scratch") {
      isAgain = std::exchange(clauses.hasScratch, true);
      clauses.scratchLoc = loc;
      if (parser.parseLParen() || parser.parseOperandList(clauses.scratch) ||
          parser.parseColonTypeList(clauses.scratchTypes) ||
          parser.parseRParen())
        return failure();
    } else {
      return refuseClause(parser, loc, word, isScan);
    }
    if (isAgain)
      return parser.emitError(loc) << "clause '" << word << "' is given twice";
  }
}

/// `[kind] %t, ... along d clause*`, types, `[combine(..) {..}]`.
template <typename OpT>
static ParseResult parseAlong(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> sources;
  SmallVector<Type> sourceTypes, resultTypes;
  auto &properties = result.getOrAddProperties<typename OpT::Properties>();
  Builder &builder = parser.getBuilder();
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    std::optional<ReduceKind> kind = symbolizeReduceKind(word);
    if (!kind)
      return parser.emitError(loc)
             << "unknown kind '" << word
             << "', expected one of: add, mul, max, min, max_nan, min_nan, "
                "umax, umin, and, or, xor";
    properties.setKind(ReduceKindAttr::get(parser.getContext(), *kind));
  }
  int64_t dim;
  SMLoc sourcesLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(sources))
    return failure();
  SMLoc alongLoc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("along")))
    return parser.emitError(alongLoc) << "expected 'along' and a dimension "
                                         "behind the tiles; clauses stand "
                                         "behind that";
  if (parser.parseInteger(dim))
    return failure();
  properties.setDim(builder.getI64IntegerAttr(dim));
  AlongClauses clauses;
  if (parseClauses(parser, std::is_same_v<OpT, ScanOp>, clauses))
    return failure();
  if constexpr (std::is_same_v<OpT, ReduceOp>) {
    if (clauses.parts)
      properties.setParts(builder.getI64IntegerAttr(*clauses.parts));
  } else {
    if (clauses.exclusive)
      properties.setExclusive(builder.getUnitAttr());
    if (clauses.reverse)
      properties.setReverse(builder.getUnitAttr());
  }
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonTypeList(sourceTypes) ||
      parser.parseArrowTypeList(resultTypes) ||
      parser.resolveOperands(sources, sourceTypes, sourcesLoc,
                             result.operands) ||
      parser.resolveOperands(clauses.scratch, clauses.scratchTypes,
                             clauses.scratchLoc, result.operands))
    return failure();
  if constexpr (std::is_same_v<OpT, ScanOp>)
    llvm::copy(ArrayRef<int32_t>(
                   {int32_t(sources.size()), int32_t(clauses.scratch.size())}),
               properties.operandSegmentSizes.begin());
  result.addTypes(resultTypes);
  Region *combiner = result.addRegion();
  if (failed(parser.parseOptionalKeyword("combine")))
    return success();
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true) ||
                 parser.parseRegion(*combiner, arguments));
}

template <typename OpT>
static void printAlong(OpAsmPrinter &printer, OpT op) {
  if (op.getKind())
    printer << ' ' << stringifyReduceKind(*op.getKind());
  printer << ' ' << op.getSources() << " along " << op.getDim();
  SmallVector<StringRef> printed = {"kind", "dim", "parts"};
  if constexpr (std::is_same_v<OpT, ReduceOp>)
    if (op.getParts())
      printer << " parts " << *op.getParts();
  if constexpr (std::is_same_v<OpT, ScanOp>) {
    if (op.getExclusive())
      printer << " exclusive";
    if (op.getReverse())
      printer << " reverse";
    printed.append({"exclusive", "reverse", "operandSegmentSizes"});
    if (!op.getScratch().empty())
      printer << " scratch(" << op.getScratch() << " : "
              << op.getScratch().getTypes() << ')';
  }
  printer.printOptionalAttrDict(op->getAttrs(), printed);
  printer << " : " << op.getSources().getTypes();
  printer.printArrowTypeList(op.getResultTypes());
  if (!op.hasCombiner())
    return;
  printer << " combine(";
  llvm::interleaveComma(
      op.getCombiner().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(op.getCombiner(), /*printEntryBlockArgs=*/false);
}

template <typename OpT>
static LogicalResult verifyAlong(OpT op) {
  OperandRange sources = op.getSources();
  if (sources.empty() || op->getNumResults() != sources.size())
    return op.emitOpError()
           << "expects a result for each tile, got " << sources.size()
           << " tiles and " << op->getNumResults() << " results";
  auto first = cast<RankedTensorType>(sources.front().getType());
  int64_t dim = op.getDim();
  if (dim < 0 || dim >= first.getRank())
    return op.emitOpError() << "runs along dimension " << dim
                            << " of a tile of rank " << first.getRank();
  if (bool(op.getKind()) == op.hasCombiner()) // C1
    return op.emitOpError() << (op.getKind() ? "has a kind and a region: "
                                               "give one of them"
                                             : "needs a kind or a region");
  if (op.getKind() && sources.size() != 1)
    return op.emitOpError()
           << "by a kind takes one tile, got " << sources.size();
  if (op.getKind() && !hasKind(first.getElementType(), *op.getKind()))
    return op.emitOpError()
           << "has no kind " << stringifyReduceKind(*op.getKind()) << " on "
           << first.getElementType();
  for (Value source : sources.drop_front()) // C2
    if (failed(verifyShapesAgree(
            op, "tile", cast<RankedTensorType>(source.getType()), first)))
      return failure();
  return success();
}

template <typename OpT>
static LogicalResult verifyCombiner(OpT op) {
  if (!op.hasCombiner())
    return success();
  Region &region = op.getCombiner(); // C3
  if (!region.hasOneBlock())
    return op.emitOpError()
           << "combines in one block, got " << region.getBlocks().size();
  SmallVector<Type> elements;
  for (Type type : op.getSources().getTypes())
    elements.push_back(cast<RankedTensorType>(type).getElementType());
  SmallVector<Type> expected(elements);
  expected.append(elements);
  if (SmallVector<Type>(region.getArgumentTypes()) != expected)
    return op.emitOpError()
           << "combines elements (" << expected << "), but its region takes ("
           << region.getArgumentTypes() << ")";
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield || SmallVector<Type>(yield->getOperandTypes()) != elements) {
    InFlightDiagnostic diag = op.emitOpError()
                              << "combines to (" << elements
                              << "): end its region with fly.yield of those";
    diag.attachNote(region.front().getTerminator()->getLoc())
        << "ends with this";
    return diag;
  }
  WalkResult walk = region.walk([&](Operation *inner) {
    if (inner == yield ||
        (isPure(inner) && inner->getNumRegions() == 0 &&
         llvm::none_of(inner->getResultTypes(), llvm::IsaPred<ShapedType>)))
      return WalkResult::advance();
    InFlightDiagnostic diag = op.emitOpError()
                              << "combines elements with pure scalar ops only";
    diag.attachNote(inner->getLoc()) << "'" << inner->getName() << "' is none";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAlong<ReduceOp>(parser, result);
}
void ReduceOp::print(OpAsmPrinter &printer) { printAlong(printer, *this); }

LogicalResult ReduceOp::verify() {
  if (failed(verifyAlong(*this)))
    return failure();
  int64_t dim = getDim(), removed = getParts() ? 0 : 1;
  if (getParts() && int64_t(*getParts()) < 1)
    return emitOpError() << "expects at least 1 part, got "
                         << int64_t(*getParts());
  for (auto [from, to] : llvm::zip(getSources(), getResults())) { // C2
    auto source = cast<RankedTensorType>(from.getType());
    auto result = cast<RankedTensorType>(to.getType());
    bool agree = source.getRank() == result.getRank() + removed &&
                 source.getElementType() == result.getElementType();
    for (int64_t d = 0; agree && d < source.getRank(); ++d) {
      if (d != dim)
        agree = extentsAgree(result, d < dim ? d : d - removed, source, d);
      else if (getParts())
        agree = result.getDimSize(d) == int64_t(*getParts());
    }
    if (!agree && failed(verifySizesKnown(*this, {source, result})))
      return failure();
    if (!agree)
      return emitOpError() << "along " << dim << " cannot turn "
                           << describeShape(source) << " of "
                           << source.getElementType() << " into "
                           << describeShape(result) << " of "
                           << result.getElementType();
  }
  return success();
}
LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this); }

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAlong<ScanOp>(parser, result);
}
void ScanOp::print(OpAsmPrinter &printer) { printAlong(printer, *this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyAlong(*this)))
    return failure();
  if (getExclusive() && !getKind())
    return emitOpError() << "by a region cannot be exclusive: a region has no "
                            "neutral element";
  for (auto [from, to] : llvm::zip(getSources(), getResults())) { // C2
    auto source = cast<RankedTensorType>(from.getType());
    auto result = cast<RankedTensorType>(to.getType());
    if (failed(verifyShapesAgree(*this, "result", result, source)))
      return failure();
    if (result.getElementType() != source.getElementType())
      return emitOpError() << "keeps the element type, got "
                           << source.getElementType() << " and "
                           << result.getElementType();
  }
  if (!getScratch().empty() && getScratch().size() != getSources().size()) // C4
    return emitOpError() << "expects no scratch or a view for each tile, got "
                         << getScratch().size() << " views and "
                         << getSources().size() << " tiles";
  for (Value scratch : getScratch())
    if (auto view = cast<ViewType>(scratch.getType());
        !view.getInLds() || view.getRank() != 2)
      return emitOpError() << "expects scratch in LDS of rank 2, got " << view;
  return success();
}
void ScanOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &scratch : getScratchMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &scratch);
    effects.emplace_back(MemoryEffects::Write::get(), &scratch);
  }
}
LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this); }
