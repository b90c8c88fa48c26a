//===- LoopOps.cpp - Pipelines --------------------------------------------===//
//
// Syntax and rules of fly.pipeline. The regions share one induction variable
// in the text; in the IR each region has its own copy. Labels C1.. are those of
// the definition (FlyLoopOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include "CarriedTypes.h"
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

SmallVector<Region *, 3> PipelineOp::getStages() {
  SmallVector<Region *, 3> stages = {&getPrefetch()};
  for (Region &middle : getMiddles())
    stages.push_back(&middle);
  stages.push_back(&getCompute());
  return stages;
}

SmallVector<int64_t, 3> PipelineOp::getDistances() {
  SmallVector<int64_t, 3> distances;
  if (getAhead())
    distances.assign(getAhead()->begin(), getAhead()->end());
  else
    for (int64_t behind = getMiddles().size() + 1; behind > 0; --behind)
      distances.push_back(behind);
  distances.push_back(0);
  return distances;
}

unsigned PipelineOp::getStageOf(Region *region) {
  SmallVector<Region *, 3> stages = getStages();
  return llvm::find(stages, region) - stages.begin();
}

Block::BlockArgListType PipelineOp::getHandedArgs(unsigned stage) {
  Block::BlockArgListType arguments =
      getStages()[stage]->getArguments().drop_front();
  return stage == getMiddles().size() + 1
             ? arguments.drop_back(getInits().size())
             : arguments;
}

ValueRange PipelineOp::getYielded(unsigned stage) {
  return getStages()[stage]->front().getTerminator()->getOperands();
}

Value PipelineOp::getHandedValue(BlockArgument argument) {
  Region *region = argument.getOwner()->getParent();
  if (region->getParentOp() != getOperation())
    return {};
  unsigned stage = getStageOf(region), index = argument.getArgNumber();
  if (stage == 0 || index < 1 || index > getHandedArgs(stage).size())
    return {};
  return getYielded(stage - 1)[index - 1];
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
  SmallVector<int64_t> ahead;
  unsigned numStages = 1;
  SMLoc aheadLoc = parser.getCurrentLocation();
  auto parseAhead = [&]() -> ParseResult {
    return failed(parser.parseOptionalKeyword("ahead"))
               ? success()
               : parser.parseInteger(ahead.emplace_back());
  };
  Region *prefetch = result.addRegion(), *compute = result.addRegion();
  if (parseAhead() || parser.parseRegion(*prefetch, inductionVar))
    return failure();
  ensureTerminator(*prefetch, builder, result.location);
  auto parseStage = [&](Region *region, bool isLast) -> ParseResult {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments,
                                 OpAsmParser::Delimiter::OptionalParen,
                                 /*allowType=*/true))
      return failure();
    OpAsmParser::Argument own = inductionVar;
    if (succeeded(parser.parseOptionalKeyword("at"))) {
      if (parser.parseArgument(own))
        return failure();
      own.type = i32;
    }
    if (!isLast && parseAhead())
      return failure();
    arguments.insert(arguments.begin(), own);
    if (isLast)
      llvm::append_range(arguments, iterArgs);
    if (parser.parseRegion(*region, arguments))
      return failure();
    ensureTerminator(*region, builder, result.location);
    return success();
  };
  for (; succeeded(parser.parseOptionalKeyword("stage")); ++numStages)
    if (parseStage(result.addRegion(), /*isLast=*/false))
      return failure();
  if (parser.parseKeyword("compute") || parseStage(compute, /*isLast=*/true))
    return failure();
  if (!ahead.empty() && ahead.size() != numStages)
    return parser.emitError(aheadLoc)
           << "expected 'ahead' on each of the " << numStages
           << " stages before compute, or on none, got " << ahead.size();
  if (!ahead.empty())
    properties.setAhead(builder.getDenseI64ArrayAttr(ahead));
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
      (*this)->getAttrs(),
      {"label", "static_bounds", "operandSegmentSizes", "ahead"});
  SmallVector<Region *, 3> stages = getStages();
  for (auto [index, region] : llvm::enumerate(stages)) {
    bool isLast = index + 1 == stages.size();
    printer << (index == 0 ? " prefetch" : isLast ? " compute" : " stage");
    if (index > 0 && !getHandedArgs(index).empty()) {
      printer << '(';
      llvm::interleaveComma(
          getHandedArgs(index), printer,
          [&](BlockArgument arg) { printer << arg << ": " << arg.getType(); });
      printer << ')';
    }
    if (index > 0 && !region->getArgument(0).use_empty())
      printer << " at " << region->getArgument(0);
    if (!isLast && getAhead())
      printer << " ahead " << (*getAhead())[index];
    printer << ' ';
    printer.printRegion(*region, /*printEntryBlockArgs=*/false);
  }
}

LogicalResult fly::detail::verifyCarriedTypes(Operation *op, StringRef what,
                                              TypeRange got,
                                              TypeRange expected) {
  if (got.size() != expected.size())
    return op->emitOpError() << what << ": expected " << expected.size()
                             << " values, got " << got.size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(got, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError()
             << what << " " << index << ": expected " << std::get<1>(pair)
             << ", got " << std::get<0>(pair);
  return success();
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
  if (!getAhead())
    return success();
  ArrayRef<int64_t> ahead = *getAhead(); // C4
  if (ahead.size() != getMiddles().size() + 1)
    return emitOpError() << "expects 'ahead' for each of the "
                         << getMiddles().size() + 1
                         << " stages before compute, got " << ahead.size();
  for (auto [stage, distance] : llvm::enumerate(ahead)) {
    if (distance < 1)
      return emitOpError() << "has stage " << stage << " run " << distance
                           << " iterations ahead of compute, expected 1 at "
                              "least";
    if (stage > 0 && distance >= ahead[stage - 1])
      return emitOpError() << "has stage " << stage << " run " << distance
                           << " iterations ahead of compute, expected less "
                              "than the "
                           << ahead[stage - 1] << " of the stage before it";
  }
  return success();
}

/// C1: an error at the first op of a stage that may write memory.
static LogicalResult verifyWritesNothing(PipelineOp pipeline, Region &stage,
                                         StringRef name) {
  WalkResult walk = stage.walk([&](Operation *op) {
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
                              << name << ": move it to compute";
    diag.attachNote(pipeline.getLoc()) << "in this pipeline";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
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
  for (Region &middle : getMiddles())
    if (middle.getNumArguments() < 1 ||
        !middle.getArgument(0).getType().isInteger(32))
      return emitOpError() << "expects a stage to take an i32 induction "
                              "variable and what the stage before it yields";
  // C2
  unsigned last = getMiddles().size() + 1;
  for (unsigned stage = 0; stage < last; ++stage) {
    Operation *yield = getStages()[stage]->front().getTerminator();
    if (failed(detail::verifyCarriedTypes(
            yield, stage == 0 ? "prefetched value" : "handed value",
            yield->getOperandTypes(), TypeRange(getHandedArgs(stage + 1)))))
      return failure();
  }
  if (failed(detail::verifyCarriedTypes(getComputeYield(), "carried value",
                                        getComputeYield().getOperandTypes(),
                                        getResultTypes())) ||
      failed(detail::verifyCarriedTypes(
          *this, "iter_arg", TypeRange(getIterArgs()), getResultTypes())) ||
      failed(detail::verifyCarriedTypes(
          *this, "initial value", getInits().getTypes(), getResultTypes())))
    return failure();
  for (unsigned stage = 0; stage < last; ++stage)
    if (failed(verifyWritesNothing(*this, *getStages()[stage],
                                   stage == 0 ? "prefetch" : "a stage")))
      return failure();
  return success();
}
