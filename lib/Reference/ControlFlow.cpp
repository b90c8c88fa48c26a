//===- ControlFlow.cpp - Blocks, loops, calls -----------------------------===//
//
// Dispatch of one op, and the ops that run regions. fly.pipeline is the plain
// loop that its definition says; barriers and hints have nothing to do, since
// a workgroup is one thread here.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/TypeSwitch.h"

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

LogicalResult Interpreter::runBlock(Block &block, Results &results) {
  for (Operation &op : block.without_terminator())
    if (failed(execute(&op)))
      return failure();
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(get(operand));
  return success();
}

LogicalResult Interpreter::runRegion(Region &region,
                                     ArrayRef<RuntimeValue> arguments,
                                     Results &results) {
  if (!region.hasOneBlock())
    return region.getParentOp()->emitError()
           << "the reference executor runs structured control flow only, got "
              "a region of "
           << region.getBlocks().size() << " blocks";
  for (auto [argument, value] : llvm::zip(region.getArguments(), arguments))
    set(argument, value);
  results.clear();
  return runBlock(region.front(), results);
}

void Interpreter::warnUncertain(Operation *at) {
  if (uncertain.insert(at).second)
    at->emitWarning() << "the reference goes by a value that its error bound "
                         "leaves open: a correct kernel may go another way, "
                         "and bounds do not cover that";
}

int64_t Interpreter::getCertain(Value value, Operation *at) {
  const Integer &integer = std::get<Integer>(get(value));
  if (integer.error != 0)
    warnUncertain(at);
  return integer.value;
}

const Tile &Interpreter::getCertainTile(Value value, Operation *at) {
  const Tile &tile = getTile(value);
  if (llvm::any_of(tile.errors, [](double error) { return error != 0; }))
    warnUncertain(at);
  return tile;
}

/// Loop bounds as a number of iterations.
static uint64_t tripCount(int64_t lower, int64_t upper, int64_t step) {
  if (upper <= lower)
    return 0;
  return (uint64_t(upper) - uint64_t(lower) + step - 1) / step;
}

static LogicalResult checkLoop(Operation *op, int64_t step, uint64_t trips,
                               uint64_t limit) {
  if (step < 1)
    return op->emitError() << "loop step is " << step
                           << ", expected a positive one";
  if (trips > limit)
    return op->emitError() << "loop of " << trips
                           << " iterations, the limit is " << limit;
  return success();
}

LogicalResult Interpreter::executeFor(scf::ForOp op) {
  int64_t lower = getCertain(op.getLowerBound(), op);
  int64_t upper = getCertain(op.getUpperBound(), op);
  int64_t step = getCertain(op.getStep(), op);
  if (op.getUnsignedCmp()) {
    unsigned bits = typeOf(op.getInductionVar().getType())->bits();
    lower = int64_t(zeroExtend(lower, bits));
    upper = int64_t(zeroExtend(upper, bits));
    step = int64_t(zeroExtend(step, bits));
  }
  uint64_t trips = step < 1 ? 0 : tripCount(lower, upper, step);
  if (failed(checkLoop(op, step, trips, options.maxLoopIterations)))
    return failure();
  Results carried;
  for (Value init : op.getInitArgs())
    carried.push_back(get(init));
  for (uint64_t trip = 0; trip < trips; ++trip) {
    Results arguments = {RuntimeValue(int64_t(lower + trip * step))};
    arguments.append(carried);
    if (failed(runRegion(op.getRegion(), arguments, carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::executeWhile(scf::WhileOp op) {
  Results carried, condition;
  for (Value init : op.getInits())
    carried.push_back(get(init));
  for (uint64_t trip = 0;; ++trip) {
    if (failed(checkLoop(op, 1, trip, options.maxLoopIterations)) ||
        failed(runRegion(op.getBefore(), carried, condition)))
      return failure();
    Integer proceeds = std::get<Integer>(condition.front());
    if (proceeds.error != 0)
      warnUncertain(op);
    bool proceed = proceeds.value != 0;
    condition.erase(condition.begin());
    if (!proceed)
      break;
    if (failed(runRegion(op.getAfter(), condition, carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip(op.getResults(), condition))
    set(result, value);
  return success();
}

LogicalResult Interpreter::executePipeline(PipelineOp op) {
  FailureOr<int64_t> lower = resolve(op.getMixedLower(), op);
  FailureOr<int64_t> upper = resolve(op.getMixedUpper(), op);
  FailureOr<int64_t> step = resolve(op.getMixedStep(), op);
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  uint64_t trips = *step < 1 ? 0 : tripCount(*lower, *upper, *step);
  if (failed(checkLoop(op, *step, trips, options.maxLoopIterations)))
    return failure();
  Results carried, handed;
  SmallVector<Region *, 3> stages = op.getStages();
  for (Value init : op.getInits())
    carried.push_back(get(init));
  for (uint64_t trip = 0; trip < trips; ++trip) {
    RuntimeValue inductionVar = int64_t(*lower + trip * *step);
    handed.clear();
    for (Region *stage : stages) {
      Results arguments = {inductionVar};
      arguments.append(handed);
      bool isLast = stage == stages.back();
      if (isLast)
        arguments.append(carried);
      if (failed(runRegion(*stage, arguments, isLast ? carried : handed)))
        return failure();
    }
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::executeStaticFor(StaticForOp op) {
  FailureOr<SmallVector<int64_t, 4>> numbers =
      resolveAll(llvm::to_vector_of<OpFoldResult>(op.getStaticBounds()), op);
  if (failed(numbers))
    return failure();
  int64_t lower = (*numbers)[0], step = (*numbers)[2];
  uint64_t trips = step < 1 ? 0 : tripCount(lower, (*numbers)[1], step);
  if (failed(checkLoop(op, step, trips, options.maxLoopIterations)))
    return failure();
  Results carried;
  for (Value init : op.getInits())
    carried.push_back(get(init));
  for (uint64_t trip = 0; trip < trips; ++trip) {
    Results arguments = {RuntimeValue(int64_t(lower + trip * step))};
    arguments.append(carried);
    if (failed(runRegion(op.getBody(), arguments, carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::executeCall(Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      op, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return op->emitError() << "calls '" << call.getCallee()
                           << "', which has no body here";
  if (callDepth == kMaxCallDepth)
    return op->emitError() << "calls nest deeper than " << kMaxCallDepth
                           << ": helpers must not recurse";
  Results arguments, results;
  for (Value operand : call.getOperands())
    arguments.push_back(get(operand));
  ++callDepth;
  LogicalResult ran = runRegion(callee.getFunctionBody(), arguments, results);
  --callDepth;
  if (failed(ran))
    return failure();
  for (auto [result, value] : llvm::zip(call.getResults(), results))
    set(result, value);
  return success();
}

/// Ops that order or hint and compute nothing.
static bool hasNoMeaningHere(Operation *op) {
  return isa<BarrierOp, FenceOp, WaitOp, SetPrioOp, SchedBarrierOp, SchedMfmaOp,
             SchedDsrdOp, SchedDswrOp, SchedVmemOp, SchedVmemWriteOp,
             SchedValuOp, SchedSaluOp, SchedTransOp, gpu::BarrierOp, LdsAllocOp,
             RequireOp, RequireMultipleOp>(op);
}

LogicalResult Interpreter::execute(Operation *op) {
  auto [it, isNew] = elementwise.try_emplace(op);
  if (isNew)
    it->second = lookupElementwise(op);
  if (it->second)
    return executeElementwise(op, it->second);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp>([&](auto op) { return executeFor(op); })
      .Case<scf::WhileOp>([&](auto op) { return executeWhile(op); })
      .Case<scf::IfOp>([&](scf::IfOp op) -> LogicalResult {
        Region &region = getCertain(op.getCondition(), op) ? op.getThenRegion()
                                                           : op.getElseRegion();
        Results results;
        if (region.empty())
          return success();
        if (failed(runRegion(region, {}, results)))
          return failure();
        for (auto [result, value] : llvm::zip(op.getResults(), results))
          set(result, value);
        return success();
      })
      .Case<arith::SelectOp>([&](arith::SelectOp op) -> LogicalResult {
        set(op, get(getCertain(op.getCondition(), op) ? op.getTrueValue()
                                                      : op.getFalseValue()));
        return success();
      })
      .Case<PipelineOp>([&](auto op) { return executePipeline(op); })
      .Case<StaticForOp>([&](auto op) { return executeStaticFor(op); })
      .Case<func::CallOp>([&](auto op) { return executeCall(op); })
      .Case<SizeOp>([&](SizeOp op) -> LogicalResult {
        FailureOr<int64_t> value = sizeOf(op.getName(), op);
        if (failed(value))
          return failure();
        set(op, *value);
        return success();
      })
      .Case<GridOp>([&](GridOp op) -> LogicalResult {
        for (auto [dim, origin] : llvm::enumerate(op.getOrigins())) {
          FailureOr<int64_t> step = resolve(op.getMixedSteps()[dim], op);
          if (failed(step))
            return failure();
          set(origin, workgroup[dim] * *step);
        }
        return success();
      })
      .Case<gpu::BlockIdOp>([&](gpu::BlockIdOp op) -> LogicalResult {
        size_t dim = size_t(op.getDimension());
        set(op, dim < workgroup.size() ? workgroup[dim] : int64_t(0));
        return success();
      })
      .Case<ViewOp>([&](ViewOp op) -> LogicalResult {
        FailureOr<View> view = makeView(op);
        if (failed(view))
          return failure();
        set(op, *view);
        return success();
      })
      .Case<LdsFieldOp>([&](LdsFieldOp op) -> LogicalResult {
        FailureOr<View> view = makeLdsView(op);
        if (failed(view))
          return failure();
        set(op, *view);
        return success();
      })
      .Case<LoadOp>([&](auto op) { return executeLoad(op); })
      .Case<StoreOp>([&](auto op) { return executeStore(op); })
      .Case<SplatOp>([&](auto op) { return executeSplat(op); })
      .Case<BroadcastOp>([&](auto op) { return executeBroadcast(op); })
      .Case<BitcastOp>([&](auto op) { return executeBitcast(op); })
      .Case<RepeatOp>([&](auto op) { return executeRepeat(op); })
      .Case<DotOp>([&](auto op) { return executeDot(op); })
      .Case<CastOp>([&](auto op) { return executeCast(op); })
      .Case<MapOp>([&](auto op) { return executeMap(op); })
      .Case<IotaOp>([&](auto op) { return executeIota(op); })
      .Case<TransposeOp>([&](auto op) { return executeTranspose(op); })
      .Case<ReduceOp>([&](auto op) { return executeReduce(op); })
      .Case<ScanOp>([&](auto op) { return executeScan(op); })
      .Case<LoadScalarOp>([&](auto op) { return executeLoadScalar(op); })
      .Case<GatherOp>([&](auto op) { return executeGather(op); })
      .Case<ScatterOp>([&](auto op) { return executeScatter(op); })
      .Case<AtomicOp>([&](auto op) { return executeAtomic(op); })
      .Case<AtomicRmwOp>([&](auto op) { return executeAtomicRmw(op); })
      .Case<LanesOp>([&](auto op) { return executeLanes(op); })
      .Case<DotScaledOp>([&](auto op) { return executeDotScaled(op); })
      .Case<vector::ExtractOp, vector::InsertOp, vector::BroadcastOp,
            vector::FromElementsOp>([&](auto op) { return executeVector(op); })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
            tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) { return executeShape(op); })
      .Case<LaneOp, WaveOp>([&](auto op) { return executeLaneNumber(op); })
      // Memory has no addresses here.
      .Case<IsAlignedOp>([&](IsAlignedOp op) -> LogicalResult {
        set(op, int64_t(1));
        return success();
      })
      .Case<AssertOp>([&](auto op) { return executeAssert(op); })
      .Case<PrintOp>([&](auto op) { return executePrint(op); })
      .Case<ConvertLayoutOp>([&](ConvertLayoutOp op) -> LogicalResult {
        set(op, get(op.getSource()));
        return success();
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (hasNoMeaningHere(op))
          return success();
        if (isa<ConstantOp, ub::PoisonOp>(op) ||
            op->hasTrait<OpTrait::ConstantLike>())
          return executeConstant(op);
        return op->emitError()
               << "the reference executor runs tile IR and does not know '"
               << op->getName() << "'";
      });
}
