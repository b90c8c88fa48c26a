//===- Distribute.cpp - Tiles to lanes ------------------------------------===//
//
// Rewrites a kernel on tiles, all of which have layouts, to what each lane
// does: a tile becomes a register array (`vector<4x8x4xf32>`), a load or store
// the reads or writes of contiguous groups, a dot the matrix instructions. The
// result is the explicit level: no tensor is left, and the launch parameters
// stand on the kernel (`fly.waves`, `fly.waves_per_eu`).
//
// The tile's origin moves into the view's base in 64-bit scalar arithmetic for
// every dimension but the contiguous one, so that lane offsets stay small. A
// dot reads its LDS operands micro-step by micro-step, next to the instructions
// that use them.
//
// Refuses, with the op: tiles without a layout, conversions and slices that
// would move elements between lanes, views of a higher rank than
// the tile, origins in preshuffled views that cannot be shown to be at least 0,
// tiles of LDS that cannot be shown to lie inside, tiles beyond the registers
// of a lane, and tiles in unknown control flow.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Support/CodegenForms.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distribute/Distributor.h"
#include "Instantiated.h"
#include "LlvmAttributes.h"
#include "PassRemark.h"
#include "ShapeOps.h"
#include "TileRegisters.h"
#include "UnloweredOps.h"

#define DEBUG_TYPE "fly-distribute"

namespace fly {
#define GEN_PASS_DEF_FLYDISTRIBUTEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// An error unless the tile, if it is one, is distributed.
static LogicalResult verifyDistributed(Operation *op, Value value) {
  RankedTensorType tile = tileType(value);
  if (!tile || isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()))
    return success();
  return op->emitOpError() << "has a tile without a distributed layout, "
                           << tile;
}

static Type getDistributedType(Value value) {
  RankedTensorType tile = tileType(value);
  return tile ? Type(getRegisterType(tile)) : value.getType();
}

LogicalResult Distributor::distributeRegions(Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return lookup(value); });
  SmallVector<Type> types =
      llvm::map_to_vector(op->getResults(), [](OpResult result) {
        return getDistributedType(result);
      });
  // Properties and attributes stay what they are.
  Operation *by = builder.insert(Operation::create(
      op->getLoc(), op->getName(), types, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      /*successors=*/{}, op->getNumRegions()));
  for (auto [from, to] : llvm::zip(op->getRegions(), by->getRegions())) {
    if (from.empty())
      continue;
    Block &block = to.emplaceBlock();
    for (BlockArgument argument : from.getArguments()) {
      if (failed(verifyDistributed(op, argument)))
        return failure();
      mapping.map(argument, block.addArgument(getDistributedType(argument),
                                              argument.getLoc()));
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    if (failed(distributeBlock(from.front())))
      return failure();
  }
  mapping.map(op->getResults(), by->getResults());
  return success();
}

LogicalResult Distributor::distribute(Operation *op) {
  if (failed(checkIsLowered(op)))
    return failure();
  for (Value result : op->getResults()) {
    if (failed(verifyDistributed(op, result)))
      return failure();
    numTiles += bool(tileType(result));
  }
  if (auto load = dyn_cast<LoadOp>(op))
    return distribute(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return distribute(store);
  if (auto copy = dyn_cast<CopyOp>(op))
    return distribute(copy);
  if (auto gather = dyn_cast<GatherOp>(op))
    return distribute(gather);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return distribute(scatter);
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return distribute(atomic);
  if (auto record = dyn_cast<RecordOp>(op))
    return distribute(record);
  if (auto dot = dyn_cast<ProductOpInterface>(op))
    return distribute(dot);
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
    return distributeRegions(op);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return distribute(constant);
  if (auto splat = dyn_cast<SplatOp>(op))
    return distribute(splat);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return distribute(broadcast);
  if (auto bitcast = dyn_cast<BitcastOp>(op))
    return distribute(bitcast);
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return distribute(repeat);
  if (auto castOp = dyn_cast<CastOp>(op))
    return distribute(castOp);
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return distribute(convert);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return distribute(transpose);
  if (auto iota = dyn_cast<IotaOp>(op))
    return distribute(iota);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return distribute(reduce);
  if (auto scan = dyn_cast<ScanOp>(op))
    return distribute(scan);
  if (auto lanes = dyn_cast<LanesOp>(op))
    return distribute(lanes);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && tileType(select))
    return distribute(select);
  if (isShapeOp(op))
    return distributeShape(op);
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  if (isa<PipelineOp>(op))
    return op->emitOpError() << "must be lowered first: run fly-pipeline-loops";
  if (isa<AssertOp, PrintOp>(op))
    return op->emitOpError() << "must be lowered first: run fly-lower-checks";
  if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
    builder.clone(*op, mapping);
    return success();
  }
  if (op->getNumRegions() != 0 && hasTiles(op))
    return op->emitOpError() << "has tiles in its regions, but is no control "
                                "flow that fly-distribute knows: scf.for, "
                                "scf.if, scf.while";
  if (llvm::any_of(op->getOperandTypes(), isTile) ||
      llvm::any_of(op->getResultTypes(), isTile))
    return distributeElementwise(op);
  builder.clone(*op, mapping);
  return success();
}

LogicalResult Distributor::distributeBlock(Block &from) {
  for (Operation &op : from)
    if (failed(distribute(&op)))
      return failure();
  return success();
}

LogicalResult Distributor::run() {
  Region &body = kernel.getFunctionBody();
  if (!body.hasOneBlock())
    return kernel.emitError("kernel must be structured: one block, scf inside");
  if (failed(checkAreLowered(kernel)))
    return failure();
  Block &old = body.front();
  for (BlockArgument argument : old.getArguments())
    if (tileType(argument))
      return kernel.emitError("kernel has a tile as argument ")
             << argument.getArgNumber()
             << ", which no launch can pass: pass a pointer and load it";
  for (BlockArgument argument : old.getArguments())
    mapping.map(argument,
                entry->addArgument(argument.getType(), argument.getLoc()));
  // Lane coordinates go to the front of the new entry, the body behind them.
  fresh = entry.release();
  body.push_back(fresh);
  builder.setInsertionPointToEnd(fresh);
  return distributeBlock(old);
}

void Distributor::commit() {
  Block &old = kernel.getFunctionBody().front();
  old.dropAllDefinedValueUses();
  old.erase();
  fresh = nullptr;
}

Distributor::~Distributor() {
  if (fresh)
    fresh->erase();
}

/// An error where a tile is beyond the registers of a lane, before anything is
/// unrolled. What a dot may read piece by piece from LDS need not fit.
static LogicalResult checkTilesFit(FunctionOpInterface kernel,
                                   const arch::ArchInfo &chip,
                                   const Schedule &schedule) {
  auto check = [&](Value value) {
    RankedTensorType tile = tileType(value);
    auto transpose = value.getDefiningOp<TransposeOp>();
    auto load =
        (transpose ? transpose.getSource() : value).getDefiningOp<LoadOp>();
    if (!tile || !isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()) ||
        (load && load.getView().getType().getInLds()))
      return success();
    return checkTileFits(value.getLoc(), tile, tile.getEncoding(), chip,
                         schedule);
  };
  WalkResult walk = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<Value> values(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
    return llvm::all_of(values,
                        [&](Value value) { return succeeded(check(value)); })
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct FlyDistributePass : fly::impl::FlyDistributePassBase<FlyDistributePass> {
  using FlyDistributePassBase::FlyDistributePassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function->hasAttr(FlyDialect::getScheduleAttrName()))
        kernels.push_back(function);
    });
    // A kernel that is refused leaves all of them as they were.
    SmallVector<std::unique_ptr<Distributor>> distributors;
    SmallVector<Schedule> schedules;
    for (FunctionOpInterface kernel : kernels) {
      const arch::ArchInfo *chip = getCompiledArch(kernel);
      if (!chip || failed(checkIsInstantiated(kernel)))
        return signalPassFailure();
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule) || failed(checkTilesFit(kernel, *chip, *schedule)))
        return signalPassFailure();
      distributors.push_back(
          std::make_unique<Distributor>(kernel, *chip, schedule->threads()));
      distributors.back()->carried = schedule->getCarriedLabels();
      schedules.push_back(std::move(*schedule));
      if (failed(distributors.back()->run()))
        return signalPassFailure();
    }
    for (auto [kernel, distributor, schedule] :
         llvm::zip(kernels, distributors, schedules)) {
      distributor->commit();
      numTiles += distributor->numTiles;
      setLaunch(kernel, schedule);
      remarkPassed(kernel, DEBUG_TYPE, "Distributed",
                   Twine(distributor->numTiles) + " tiles over " +
                       Twine(schedule.threads()) + " threads");
    }
  }

private:
  /// The schedule has been applied; what the launch needs of it stays.
  void setLaunch(FunctionOpInterface kernel, const Schedule &schedule) {
    Builder builder(&getContext());
    kernel->setAttr(
        FlyDialect::getWavesAttrName(),
        builder.getI32IntegerAttr(schedule.threads() / arch::waveLanes));
    if (schedule.wavesPerEu)
      kernel->setAttr(FlyDialect::getWavesPerEuAttrName(),
                      builder.getI32IntegerAttr(schedule.wavesPerEu));
    if (schedule.codegen != codegenAuto)
      setLlvmAttribute(kernel, codegenAttrName, schedule.codegen);
    kernel->removeAttr(FlyDialect::getScheduleAttrName());
  }
};
} // namespace
