//===- PlanGrid.cpp - The launch contract and the walk of the grid --------===//
//
// Two things leave the IR here: what the host must know (it becomes the
// attribute fly.contract) and the grid as a parallel loop (it becomes
// arithmetic on the workgroup's number, include/fly/Plan/GridWalk.h). The grid
// is one-dimensional, so that the order of the walk is ours and not the
// dispatcher's. A persistent grid is a loop over positions of the walk. The
// contract is made first; where the host cannot compute something from the
// arguments, that is one error and nothing has changed.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Products.h"
#include "fly/Dialect/Fly/IR/ArgumentAttributes.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/Fly/Transforms/SignProof.h"
#include "fly/Plan/GridWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

namespace {
/// The arithmetic of a walk, on values of the kernel. Counts of tiles and their
/// products stay below 2^26, since 64 work items of each are below 2^32, so
/// nothing wraps.
class WalkBuilder {
public:
  WalkBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value add(Value l, Value r) { return make<arith::AddIOp>(l, r); }
  Value sub(Value l, Value r) { return make<arith::SubIOp>(l, r); }
  Value mul(Value l, Value r) { return make<arith::MulIOp>(l, r); }
  Value div(Value l, Value r) { return make<arith::DivUIOp>(l, r); }
  Value rem(Value l, Value r) { return make<arith::RemUIOp>(l, r); }
  Value min(Value l, Value r) { return make<arith::MinUIOp>(l, r); }

private:
  template <typename OpT>
  Value make(Value l, Value r) {
    if constexpr (OpT::template hasTrait<
                      arith::ArithIntegerOverflowFlagsInterface::Trait>())
      return builder.createOrFold<OpT>(loc, l, r,
                                       arith::IntegerOverflowFlags::nsw |
                                           arith::IntegerOverflowFlags::nuw);
    else
      return builder.createOrFold<OpT>(loc, l, r);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

static plan::GridWalk getWalk(const GridPolicy &policy,
                              const arch::ArchInfo &chip) {
  plan::GridWalk walk;
  walk.order = plan::GridWalk::Order(policy.order);
  walk.group = policy.group;
  walk.slowest = policy.by;
  const arch::Product *product = arch::defaultProduct(chip.chip);
  if (policy.xcd && product && product->xcds)
    walk.xcds = *product->xcds;
  return walk;
}

/// Has everything behind `grid` done for each position from `id` below `total`
/// in steps of `workgroups`; returns the position.
static Value makePersistent(GridOp grid, Value id, Value total,
                            Value workgroups) {
  OpBuilder builder(grid);
  auto loop = scf::ForOp::create(builder, grid.getLoc(), id, total, workgroups);
  Block *block = grid->getBlock();
  Block *body = loop.getBody();
  body->getOperations().splice(body->getTerminator()->getIterator(),
                               block->getOperations(), grid->getIterator(),
                               block->getTerminator()->getIterator());
  return loop.getInductionVar();
}

/// The workgroup's number becomes its position in the walk, that its
/// coordinates in the grid of tiles, and those become origins.
static void lowerGrid(GridOp grid, const GridPolicy &policy,
                      const plan::GridWalk &walk) {
  OpBuilder builder(grid);
  Location loc = grid.getLoc();
  WalkBuilder numbers(builder, loc);
  auto materialize = [&](OpFoldResult value) {
    std::optional<int64_t> number = getNumber(value);
    return number ? numbers.number(*number) : cast<Value>(value);
  };
  unsigned rank = grid.getNumResults();
  SmallVector<OpFoldResult> bounds = grid.getMixedBounds();
  SmallVector<Value, 3> steps(rank), counts(rank);
  auto getStep = [&](unsigned dim) {
    if (!steps[dim])
      steps[dim] = materialize(grid.getMixedSteps()[dim]);
    return steps[dim];
  };
  auto getCount = [&](unsigned dim) {
    if (counts[dim])
      return counts[dim];
    // Bounds are below 2^31, so the sum fits 32 bits without a sign.
    Value step = getStep(dim);
    std::optional<int64_t> width = getNumber(step);
    Value last = width ? numbers.number(*width - 1)
                       : numbers.sub(step, numbers.number(1));
    Value sum = builder.createOrFold<arith::AddIOp>(
        loc, materialize(bounds[dim]), last);
    return counts[dim] = numbers.div(sum, step);
  };
  auto getTotal = [&] {
    Value total = getCount(0);
    for (unsigned dim = 1; dim < rank; ++dim)
      total = numbers.mul(total, getCount(dim));
    return total;
  };
  Value id = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  id = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
  if (policy.workgroups) {
    id = makePersistent(grid, id, getTotal(),
                        numbers.number(*policy.workgroups));
    builder.setInsertionPoint(grid);
  }
  if (walk.xcds > 1)
    id = plan::getPosition<WalkBuilder, Value>(numbers, id, getTotal(), walk);
  SmallVector<Value, 3> at = plan::getCoordinates<WalkBuilder, Value>(
      numbers, id, rank, getCount, walk);
  // Later passes want to see that coordinates have no sign; of a difference
  // with a count that is an argument they do not.
  if (policy.order == GridOrder::LongestFirst && !isNonNegative(at[0]))
    at[0] = numbers.min(at[0], numbers.number(INT32_MAX));
  for (unsigned i = 0; i < rank; ++i) {
    unsigned dim = policy.order == GridOrder::MFastest ? i : rank - 1 - i;
    // The last origin lies below the bound, so the product does not wrap.
    Value origin = builder.createOrFold<arith::MulIOp>(
        loc, at[dim], getStep(dim), arith::IntegerOverflowFlags::nsw);
    grid.getResult(dim).replaceAllUsesWith(origin);
  }
  grid.erase();
}

/// Arguments keep what later passes need of the contract: of which numbers a
/// launch has them multiples, because the author requires it or because rows
/// are whole bytes.
static void keepMultiples(gpu::GPUFuncOp kernel,
                          const contract::LaunchContract &contract) {
  Builder builder(kernel.getContext());
  StringRef name = FlyDialect::getMultipleOfAttrName();
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    auto known = kernel.getArgAttrOfType<IntegerAttr>(index, name);
    uint64_t multiple = known ? known.getInt() : 1;
    std::string argument = getArgumentName(kernel, index);
    for (const contract::Requirement &requirement : contract.requirements)
      if (multiple <= INT32_MAX && requirement.multipleOf &&
          requirement.expr.kind() == contract::Expr::Kind::Argument &&
          requirement.expr.name() == argument &&
          requirement.multipleOf->kind() == contract::Expr::Kind::Constant)
        multiple =
            std::lcm(multiple, uint64_t(requirement.multipleOf->value()));
    if (multiple > 1)
      kernel.setArgAttr(index, name, builder.getI64IntegerAttr(multiple));
  }
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
    keepMultiples(kernel, planner.getContract());
    for (Operation *op : planner.getRequirements())
      op->erase();
    // Last: a persistent grid moves what is behind it into a loop.
    if (GridOp grid = planner.getGrid())
      lowerGrid(grid, planner.getWalk(), getWalk(planner.getWalk(), *chip));
    kernel->removeAttr(FlyDialect::getChecksAttrName());
    ++numKernels;
    numRequirements += planner.getContract().requirements.size();
    return success();
  }
};
} // namespace
