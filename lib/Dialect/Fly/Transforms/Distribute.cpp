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
// Refuses, with the op: tiles without a layout, conversions between layouts
// that would move elements between lanes, masks, views of a higher rank than
// the tile, and origins that cannot be shown to be at least 0.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "Distribute/Distributor.h"

namespace fly {
#define GEN_PASS_DEF_FLYDISTRIBUTEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

LogicalResult Distributor::distribute(scf::ForOp op) {
  SmallVector<Value> inits;
  for (Value init : op.getInitArgs())
    inits.push_back(lookup(init));
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), lookup(op.getLowerBound()),
      lookup(op.getUpperBound()), lookup(op.getStep()), inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  mapping.map(op.getBody()->getArguments(), loop.getBody()->getArguments());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  if (failed(distributeBlock(*op.getBody())))
    return failure();
  mapping.map(op.getResults(), loop.getResults());
  return success();
}

LogicalResult Distributor::distribute(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(tileType(result) ? Type(getRegisterType(tileType(result)))
                                     : result.getType());
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(builder, op.getLoc(), types,
                                  lookup(op.getCondition()), hasElse);
  branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(op.getRegions(), branch.getRegions())) {
    if (from->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to->front();
    if (!block.empty())
      block.back().erase();
    builder.setInsertionPointToStart(&block);
    if (failed(distributeBlock(from->front())))
      return failure();
  }
  mapping.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult Distributor::distribute(Operation *op) {
  for (Value result : op->getResults())
    if (tileType(result)) {
      if (!tileType(result).getEncoding() ||
          !isa<LayoutAttrInterface>(tileType(result).getEncoding()))
        return op->emitOpError() << "has a tile without a distributed layout, "
                                 << result.getType();
      ++numTiles;
    }
  if (auto load = dyn_cast<LoadOp>(op))
    return distribute(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return distribute(store);
  if (auto dot = dyn_cast<DotOp>(op))
    return distribute(dot);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return distribute(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return distribute(branch);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return distribute(constant);
  if (auto splat = dyn_cast<SplatOp>(op))
    return distribute(splat);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return distribute(broadcast);
  if (auto castOp = dyn_cast<CastOp>(op))
    return distribute(castOp);
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return distribute(convert);
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  if (isa<PipelineOp>(op))
    return op->emitOpError() << "must be lowered first: run fly-pipeline";
  if (isa<scf::YieldOp>(op)) {
    builder.clone(*op, mapping);
    return success();
  }
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
  Block &old = body.front();
  for (BlockArgument argument : old.getArguments())
    mapping.map(argument,
                entry->addArgument(argument.getType(), argument.getLoc()));
  // Lane coordinates go to the front of the new entry, the body behind them.
  Block *fresh = entry.release();
  body.push_back(fresh);
  builder.setInsertionPointToEnd(fresh);
  if (failed(distributeBlock(old))) {
    fresh->erase();
    return failure();
  }
  old.dropAllDefinedValueUses();
  old.erase();
  return success();
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
    for (FunctionOpInterface kernel : kernels) {
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      const arch::ArchInfo *chip = getArch(kernel);
      if (failed(schedule) || !chip)
        return signalPassFailure();
      Distributor distributor(kernel, *chip);
      if (failed(distributor.run()))
        return signalPassFailure();
      numTiles += distributor.numTiles;
      Builder builder(&getContext());
      kernel->setAttr(
          FlyDialect::getWavesAttrName(),
          builder.getI32IntegerAttr(schedule->waves[0] * schedule->waves[1]));
      if (schedule->wavesPerEu)
        kernel->setAttr(FlyDialect::getWavesPerEuAttrName(),
                        builder.getI32IntegerAttr(schedule->wavesPerEu));
      kernel->removeAttr(FlyDialect::getScheduleAttrName());
    }
  }
};
} // namespace
