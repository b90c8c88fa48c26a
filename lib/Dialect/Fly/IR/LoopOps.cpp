//===- LoopOps.cpp - Pipelines --------------------------------------------===//
//
// Syntax and rules of fly.pipeline. The regions share one induction variable
// in the text; in the IR each region has its own copy.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

YieldOp PipelineOp::getPrefetchYield() {
  return cast<YieldOp>(getPrefetch().front().getTerminator());
}
YieldOp PipelineOp::getComputeYield() {
  return cast<YieldOp>(getCompute().front().getTerminator());
}

/// Entry `index` of lower, upper, step: the operand where it is a value.
static OpFoldResult getBound(ArrayAttr entries, unsigned index, Value operand) {
  Attribute entry = entries[index];
  if (isa<UnitAttr>(entry))
    return operand;
  return entry;
}
OpFoldResult PipelineOp::getMixedLower() {
  return getBound(getStaticBounds(), 0, getLower());
}
OpFoldResult PipelineOp::getMixedUpper() {
  return getBound(getStaticBounds(), 1, getUpper());
}
OpFoldResult PipelineOp::getMixedStep() {
  return getBound(getStaticBounds(), 2, getStep());
}

void PipelineOp::getAsmBlockArgumentNames(Region &region,
                                          OpAsmSetValueNameFn setNameFn) {
  if (!region.empty() && region.getNumArguments() > 0)
    setNameFn(region.getArgument(0), "k");
}

ParseResult PipelineOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type i32 = builder.getI32Type();
  auto &properties = result.getOrAddProperties<Properties>();
  StringAttr label;
  if (succeeded(parser.parseOptionalSymbolName(label)))
    properties.setLabel(label);

  OpAsmParser::Argument inductionVar;
  UnresolvedList operands;
  SmallVector<Attribute> bounds;
  SmallVector<int32_t, 4> segments;
  auto parseBound = [&]() -> ParseResult {
    size_t before = operands.size();
    if (parseMixed(parser, operands, bounds))
      return failure();
    segments.push_back(operands.size() - before);
    return success();
  };
  if (parser.parseArgument(inductionVar) || parser.parseEqual() ||
      parseBound() || parser.parseKeyword("to") || parseBound() ||
      parser.parseKeyword("step") || parseBound())
    return failure();
  inductionVar.type = i32;
  properties.setStaticBounds(builder.getArrayAttr(bounds));

  SmallVector<OpAsmParser::Argument> iterArgs;
  UnresolvedList inits;
  SMLoc typesLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    auto parsePair = [&]() -> ParseResult {
      return failure(parser.parseArgument(iterArgs.emplace_back()) ||
                     parser.parseEqual() ||
                     parser.parseOperand(inits.emplace_back()));
    };
    typesLoc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                       parsePair) ||
        parser.parseColonTypeList(result.types))
      return failure();
  }
  if (result.types.size() != inits.size())
    return parser.emitError(typesLoc)
           << "expected " << inits.size() << " types of iter_args, got "
           << result.types.size();
  for (auto [argument, type] : llvm::zip(iterArgs, result.types))
    argument.type = type;
  if (parser.resolveOperands(operands, i32, result.operands) ||
      parser.resolveOperands(inits, result.types, typesLoc, result.operands))
    return failure();
  segments.push_back(inits.size());
  llvm::copy(segments, properties.operandSegmentSizes.begin());

  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("prefetch"))
    return failure();
  Region *prefetch = result.addRegion();
  if (parser.parseRegion(*prefetch, inductionVar) ||
      parser.parseKeyword("compute"))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::OptionalParen,
                               /*allowType=*/true))
    return failure();
  OpAsmParser::Argument computeInductionVar = inductionVar;
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    if (parser.parseArgument(computeInductionVar))
      return failure();
    computeInductionVar.type = i32;
  }
  arguments.insert(arguments.begin(), computeInductionVar);
  llvm::append_range(arguments, iterArgs);
  Region *compute = result.addRegion();
  if (parser.parseRegion(*compute, arguments))
    return failure();
  ensureTerminator(*prefetch, builder, result.location);
  ensureTerminator(*compute, builder, result.location);
  return success();
}

void PipelineOp::print(OpAsmPrinter &printer) {
  if (getLabelAttr()) {
    printer << ' ';
    printer.printSymbolName(getLabelAttr().getValue());
  }
  printer << ' ' << getPrefetchInductionVar() << " = ";
  printMixed(printer, getMixedLower());
  printer << " to ";
  printMixed(printer, getMixedUpper());
  printer << " step ";
  printMixed(printer, getMixedStep());
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(
        llvm::zip(getIterArgs(), getInits()), printer, [&](auto pair) {
          printer << std::get<0>(pair) << " = " << std::get<1>(pair);
        });
    printer << ") : ";
    llvm::interleaveComma(getResultTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"label", "static_bounds", "operandSegmentSizes"});
  printer << " prefetch ";
  printer.printRegion(getPrefetch(), /*printEntryBlockArgs=*/false);
  printer << " compute";
  if (getNumPrefetched() > 0) {
    printer << '(';
    llvm::interleaveComma(getPrefetchedArgs(), printer, [&](BlockArgument arg) {
      printer << arg << ": " << arg.getType();
    });
    printer << ')';
  }
  if (!getComputeInductionVar().use_empty())
    printer << " at " << getComputeInductionVar();
  printer << ' ';
  printer.printRegion(getCompute(), /*printEntryBlockArgs=*/false);
}

LogicalResult PipelineOp::verify() {
  if (getLabel() && getLabel()->empty())
    return emitOpError() << "has an empty label: leave it out, or name the "
                            "entry of the schedule that it takes";
  if (failed(verifyMixed(*this, "bounds (lower, upper, step)",
                         getStaticBounds(),
                         getOperands().drop_back(getInits().size()), 3)))
    return failure();
  const Value operands[] = {getLower(), getUpper(), getStep()};
  const StringRef names[] = {"lower bound", "upper bound", "step"};
  for (auto [entry, operand, what] :
       llvm::zip(getStaticBounds(), operands, names))
    if (isa<UnitAttr>(entry) != bool(operand))
      return emitOpError() << "expects its " << what
                           << " either as a value or in the attribute";
  auto step = dyn_cast<IntegerAttr>(getStaticBounds()[2]); // C3
  if (step && step.getInt() < 1)
    return emitOpError() << "expects a positive step, got " << step.getInt();
  return success();
}

LogicalResult PipelineOp::verifyRegions() {
  if (getPrefetch().getNumArguments() != 1 ||
      !getPrefetchInductionVar().getType().isInteger(32))
    return emitOpError() << "expects one i32 argument of prefetch, its "
                            "induction variable";
  if (getCompute().getNumArguments() < 1 + getInits().size() ||
      !getComputeInductionVar().getType().isInteger(32))
    return emitOpError() << "expects compute to take an i32 induction "
                            "variable, what prefetch yields, and the "
                            "iter_args";
  auto verifyTypes = [&](Operation *at, StringRef what, TypeRange got,
                         TypeRange expected) -> LogicalResult {
    if (got.size() != expected.size())
      return at->emitOpError() << what << ": expected " << expected.size()
                               << " values, got " << got.size();
    for (auto [index, pair] : llvm::enumerate(llvm::zip(got, expected)))
      if (std::get<0>(pair) != std::get<1>(pair))
        return at->emitOpError()
               << what << " " << index << ": expected " << std::get<1>(pair)
               << ", got " << std::get<0>(pair);
    return success();
  };
  // C2
  if (failed(verifyTypes(getPrefetchYield(), "prefetched value",
                         getPrefetchYield().getOperandTypes(),
                         TypeRange(getPrefetchedArgs()))) ||
      failed(verifyTypes(getComputeYield(), "carried value",
                         getComputeYield().getOperandTypes(),
                         getResultTypes())) ||
      failed(verifyTypes(*this, "iter_arg", TypeRange(getIterArgs()),
                         getResultTypes())) ||
      failed(verifyTypes(*this, "initial value", getInits().getTypes(),
                         getResultTypes())))
    return failure();
  // C1
  WalkResult walk = getPrefetch().walk([&](Operation *op) {
    // What a helper does is known once fly-instantiate has inlined it.
    if (isa<YieldOp, CallOpInterface>(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    auto effects = getEffectsRecursively(op);
    if (effects && llvm::none_of(*effects, [](const auto &effect) {
          return isa<MemoryEffects::Write, MemoryEffects::Free>(
              effect.getEffect());
        }))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError()
                              << "may write memory, so it cannot run ahead in "
                                 "prefetch: move it to compute";
    diag.attachNote(getLoc()) << "in this pipeline";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}
