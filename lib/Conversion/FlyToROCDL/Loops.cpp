//===- Loops.cpp - Invariants out, loops as a flow graph ------------------===//
//
// Two steps at the end of the lowering. Invariant address arithmetic leaves the
// loops, except constant addends, which fold into an instruction only in its
// own block: where they are shared with other blocks, each gets its own. Then
// each scf.for becomes a rotated loop: one test before it, and one at the end
// of the body, so that a hot loop without branches is a single block for
// instruction selection and scheduling.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#include "llvm/ADT/MapVector.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

/// Gives each block that uses a constant addend of another block one of its
/// own: shared, it would take a register instead of an immediate.
static void placeAddends(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> addends;
  kernel.walk([&](Operation *op) {
    if (op->hasAttr(keepInPlaceAttrName))
      addends.push_back(op);
  });
  for (Operation *op : addends) {
    llvm::MapVector<Block *, SmallVector<OpOperand *>> elsewhere;
    for (OpOperand &use : op->getUses())
      if (use.getOwner()->getBlock() != op->getBlock())
        elsewhere[use.getOwner()->getBlock()].push_back(&use);
    for (auto &[block, uses] : elsewhere) {
      Operation *first = uses.front()->getOwner();
      for (OpOperand *use : uses)
        if (use->getOwner()->isBeforeInBlock(first))
          first = use->getOwner();
      OpBuilder builder(first);
      Operation *own = builder.clone(*op);
      for (OpOperand *use : uses)
        use->set(own->getResult(0));
    }
  }
}

void fly::hoistInvariants(gpu::GPUFuncOp kernel) {
  kernel.walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [](Operation *op, Region *) {
          return isMemoryEffectFree(op) && isSpeculatable(op) &&
                 !op->hasAttr(keepInPlaceAttrName);
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  placeAddends(kernel);
  // Users first, so that a dead chain goes as a whole.
  kernel.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    op->removeDiscardableAttr(keepInPlaceAttrName);
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// `lower < upper` is certain.
static bool runsAtLeastOnce(scf::ForOp loop) {
  APInt lower, upper;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         (loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper));
}

static void lowerLoop(scf::ForOp loop) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  Block *before = loop->getBlock();
  Block *after = before->splitBlock(std::next(Block::iterator(loop)));
  for (Value result : loop.getResults())
    after->addArgument(result.getType(), result.getLoc());
  Block *first = loop.getBody();
  Block *last = &loop.getRegion().back();
  auto yield = cast<scf::YieldOp>(last->getTerminator());
  SmallVector<Value> next(yield.getOperands());

  // Entry: bounds are values of `before`.
  builder.setInsertionPoint(loop);
  SmallVector<Value> entry{loop.getLowerBound()};
  llvm::append_range(entry, loop.getInitArgs());
  if (runsAtLeastOnce(loop)) {
    cf::BranchOp::create(builder, loc, first, entry);
  } else {
    Value enter = arith::CmpIOp::create(
        builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    cf::CondBranchOp::create(builder, loc, enter, first, entry, after,
                             loop.getInitArgs());
  }
  // Latch.
  builder.setInsertionPoint(yield);
  Value step = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                     loop.getStep());
  // The sum may leave the signed numbers where the bound is near their end, but
  // from a lower bound of at least 0 not the unsigned ones. Else what is left
  // is compared, which is an unsigned number.
  Value again;
  if (!loop.getUnsignedCmp() && isNonNegative(loop.getLowerBound())) {
    again = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, step,
                                  loop.getUpperBound());
  } else {
    Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                       loop.getInductionVar());
    again = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left,
                                  loop.getStep());
  }
  SmallVector<Value> back{step};
  llvm::append_range(back, next);
  cf::CondBranchOp::create(builder, loc, again, first, back, after, next);
  yield.erase();

  for (auto [result, arg] :
       llvm::zip_equal(loop.getResults(), after->getArguments()))
    result.replaceAllUsesWith(arg);
  before->getParent()->getBlocks().splice(Region::iterator(after),
                                          loop.getRegion().getBlocks());
  loop.erase();
}

void fly::lowerLoops(gpu::GPUFuncOp kernel) {
  // Inner loops first: an outer body may then be several blocks. Loops within
  // scf.if and scf.while stay in a region of one block, which those need; the
  // whole nest is left to upstream's patterns.
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    for (Operation *parent = loop->getParentOp(); parent != kernel;
         parent = parent->getParentOp())
      if (!isa<scf::ForOp>(parent))
        return;
    loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    lowerLoop(loop);
}
