//===- Uniformity.cpp - Which values a whole wave agrees on ---------------===//
//
// A forward fixpoint over structured control flow: sources diverge, elementwise
// ops hand divergence on, and the results of a loop or branch diverge where its
// bounds or condition do. Ops that are not known to work lane by lane (matrix
// instructions, cross-lane moves, anything foreign) give divergent results.
// Branches of unstructured control flow are treated as divergent.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fly;

namespace {

enum class Kind {
  Source,  ///< Differs between lanes by nature.
  Uniform, ///< The same in all lanes, whatever the operands.
  Lanewise ///< As divergent as its operands.
};

Kind classify(Operation *op) {
  if (isa<LaneOp, gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return Kind::Source;
  if (isa<WaveOp, SizeOp, LdsAllocOp, LdsFieldOp, AtomicRmwOp, EventOp,
          gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::SubgroupIdOp,
          ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp>(op))
    return Kind::Uniform;
  // Of a block, each lane reads another part.
  if (auto read = dyn_cast<ReadOp>(op); read && read.getBlock())
    return Kind::Source;
  // A read at one address gives every lane the same.
  if (isa<ReadOp, LoadScalarOp, ViewOp, SwizzleOp, IsAlignedOp,
          UnrealizedConversionCastOp>(op))
    return Kind::Lanewise;
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                      vector::VectorDialect, ub::UBDialect>(dialect))
    return Kind::Lanewise;
  return Kind::Source;
}

} // namespace

bool Uniformity::markDivergent(Value value, Value cause) {
  if (!divergent.insert(value).second)
    return false;
  if (cause)
    causes[value] = cause;
  return true;
}

bool Uniformity::joinInto(Value to, Value from) {
  return divergent.contains(from) && markDivergent(to, from);
}

bool Uniformity::visitRegionOp(Operation *op) {
  bool changed = false;
  // What decides about the way through the regions.
  Value divergentControl;
  for (Value operand : op->getOperands())
    if (divergent.contains(operand) && operand.getType().isIntOrIndex())
      divergentControl = operand;

  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    divergentControl = {};
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (divergent.contains(bound))
        divergentControl = bound;
    for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
      Value arg = loop.getRegionIterArg(i), result = loop.getResult(i);
      Value yielded = loop.getYieldedValues()[i];
      changed |= joinInto(arg, init);
      changed |= joinInto(arg, yielded);
      changed |= joinInto(result, arg);
    }
    if (divergentControl) {
      changed |= markDivergent(loop.getInductionVar(), divergentControl);
      for (Value result : loop.getResults())
        changed |= markDivergent(result, divergentControl);
    }
    return changed;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      if (divergentControl)
        changed |= markDivergent(result, divergentControl);
      changed |= joinInto(result, branch.thenYield().getOperand(i));
      changed |= joinInto(result, branch.elseYield().getOperand(i));
    }
    return changed;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Value condition = loop.getConditionOp().getCondition();
    for (auto [arg, init, yielded] :
         llvm::zip(loop.getBeforeArguments(), loop.getInits(),
                   loop.getYieldOp().getOperands())) {
      changed |= joinInto(arg, init);
      changed |= joinInto(arg, yielded);
    }
    for (auto [arg, result, passed] :
         llvm::zip(loop.getAfterArguments(), loop.getResults(),
                   loop.getConditionOp().getArgs())) {
      changed |= joinInto(arg, passed);
      changed |= joinInto(result, passed);
      changed |= joinInto(result, condition);
    }
    return changed;
  }
  // Unknown control flow: nothing in it or out of it is certain.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value arg : block.getArguments())
        changed |= markDivergent(arg, {});
  for (Value result : op->getResults())
    changed |= markDivergent(result, {});
  return changed;
}

bool Uniformity::visit(Operation *op) {
  known.insert_range(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      known.insert_range(block.getArguments());
  if (op->getNumRegions() != 0)
    return visitRegionOp(op);
  bool changed = false;
  switch (classify(op)) {
  case Kind::Uniform:
    break;
  case Kind::Source:
    for (Value result : op->getResults())
      changed |= markDivergent(result, {});
    break;
  case Kind::Lanewise:
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        changed |= joinInto(result, operand);
    break;
  }
  return changed;
}

Uniformity::Uniformity(Operation *function) {
  for (Region &region : function->getRegions())
    for (Block &block : region) {
      known.insert_range(block.getArguments());
      // Values that come in over edges of a flow graph.
      if (!block.isEntryBlock())
        for (Value arg : block.getArguments())
          markDivergent(arg, {});
    }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Region &region : function->getRegions())
      region.walk<WalkOrder::PreOrder>(
          [&](Operation *op) { changed |= visit(op); });
  }
}
