//===- PlanGrid.cpp - The launch contract and the walk of the grid --------===//
//
// Two things leave the IR here: what the host must know (it becomes the
// attribute fly.contract) and the grid as a parallel loop (it becomes
// arithmetic on the workgroup's number). The grid is one-dimensional, so that
// the order of the walk is ours and not the dispatcher's. The contract is made
// first; where the host cannot compute something from the arguments, that is
// one error and nothing has changed.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/ArgumentAttributes.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <numeric>

#include "ContractPlanner.h"
#include "Instantiated.h"
#include "IntegerFacts.h"

namespace fly {
#define GEN_PASS_DEF_FLYPLANGRIDPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// The workgroup's number becomes its coordinates in the grid of tiles, the
/// fastest dimension first, and those become origins.
static void lowerGrid(GridOp grid, GridOrder order) {
  OpBuilder builder(grid);
  Location loc = grid.getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(number));
  };
  auto materialize = [&](OpFoldResult value) {
    std::optional<int64_t> number = getNumber(value);
    return number ? constant(*number) : cast<Value>(value);
  };
  unsigned rank = grid.getNumResults();
  SmallVector<OpFoldResult> bounds = grid.getMixedBounds();
  SmallVector<OpFoldResult> steps = grid.getMixedSteps();
  Value id = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value rest =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
  for (unsigned i = 0; i < rank; ++i) {
    unsigned dim = order == GridOrder::NFastest ? rank - 1 - i : i;
    Value step = materialize(steps[dim]);
    Value coordinate = rest;
    if (i + 1 < rank) {
      // Bounds are below 2^31, so the sum fits 32 bits without a sign.
      std::optional<int64_t> width = getNumber(steps[dim]);
      Value last = width
                       ? constant(*width - 1)
                       : arith::SubIOp::create(builder, loc, step, constant(1));
      Value sum = builder.createOrFold<arith::AddIOp>(
          loc, materialize(bounds[dim]), last);
      Value count = builder.createOrFold<arith::DivUIOp>(loc, sum, step);
      coordinate = builder.createOrFold<arith::RemUIOp>(loc, rest, count);
      rest = builder.createOrFold<arith::DivUIOp>(loc, rest, count);
    }
    // The last origin lies below the bound, so the product does not wrap.
    Value origin = builder.createOrFold<arith::MulIOp>(
        loc, coordinate, step, arith::IntegerOverflowFlags::nsw);
    grid.getResult(dim).replaceAllUsesWith(origin);
  }
  grid.erase();
}

/// The requirement goes, its argument keeps what later passes need of it.
static void keepMultiple(gpu::GPUFuncOp kernel, RequireMultipleOp require) {
  auto argument = dyn_cast<BlockArgument>(require.getValue());
  auto number = dyn_cast<IntegerAttr>(require.getMultiple());
  // A requirement in a branch says nothing about the rest of the kernel.
  if (!argument || !number || require->getParentOp() != kernel ||
      argument.getOwner()->getParentOp() != kernel)
    return;
  unsigned index = argument.getArgNumber();
  uint64_t multiple = number.getInt();
  if (auto known = kernel.getArgAttrOfType<IntegerAttr>(
          index, FlyDialect::getMultipleOfAttrName()))
    multiple = std::lcm(multiple, uint64_t(known.getInt()));
  Builder builder(kernel.getContext());
  kernel.setArgAttr(index, FlyDialect::getMultipleOfAttrName(),
                    builder.getI64IntegerAttr(multiple));
}

namespace {
class PlanGrid : public fly::impl::FlyPlanGridPassBase<PlanGrid> {
public:
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel())
        return WalkResult::skip();
      return failed(plan(kernel)) ? WalkResult::interrupt()
                                  : WalkResult::skip();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult plan(gpu::GPUFuncOp kernel) {
    // Planned already, unless somebody gave it a grid again.
    bool hasGrid = false;
    kernel.walk([&](GridOp) { hasGrid = true; });
    if (kernel->hasAttr(FlyDialect::getContractAttrName()) && !hasGrid)
      return success();
    const arch::ArchInfo *chip = getCompiledArch(kernel);
    if (!chip)
      return failure();
    ContractPlanner planner(kernel, *chip);
    if (failed(checkIsInstantiated(kernel)) || failed(planner.plan()))
      return failure();
    kernel->setAttr(
        FlyDialect::getContractAttrName(),
        makeContractAttr(kernel.getContext(), planner.getContract()));
    for (Operation *op : planner.getExactSums())
      op->setAttr("overflowFlags",
                  arith::IntegerOverflowFlagsAttr::get(
                      &getContext(), arith::IntegerOverflowFlags::nsw));
    for (BlockArgument argument : planner.getNonNegative())
      kernel.setArgAttr(argument.getArgNumber(), nonNegativeAttrName,
                        UnitAttr::get(&getContext()));
    if (GridOp grid = planner.getGrid())
      lowerGrid(grid, planner.getOrder());
    for (Operation *op : planner.getRequirements()) {
      if (auto multiple = dyn_cast<RequireMultipleOp>(op))
        keepMultiple(kernel, multiple);
      op->erase();
    }
    kernel->removeAttr(FlyDialect::getChecksAttrName());
    ++numKernels;
    numRequirements += planner.getContract().requirements.size();
    return success();
  }
};
} // namespace
