//===- CarryReads.cpp - First LDS reads right behind their barrier --------===//
//
// The matrix instructions behind a barrier wait for the first pack that they
// read from LDS. So reads that are marked (`fly.first_pack`) are made right
// behind the barrier that they need, and the barrier as early as what it orders
// allows: above the loads of global memory that an iteration begins with, whose
// issue then covers the read. Where that is the head of a loop, barrier and
// reads move to the end of the iteration before, and the packs are carried
// round the loop; before it they are made once, and a last time for the
// iteration that is not there, whose reads meet LDS that nobody writes.
//
// A mark without a barrier in its block before it, a read whose address is made
// in between by more than arithmetic, or whose place is written in between,
// stays where it is: a remark says so.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FirstPack.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#include "InsertWaits/LdsPlaces.h"
#include "PassRemark.h"

#define DEBUG_TYPE "fly-carry-reads"

namespace fly {
#define GEN_PASS_DEF_FLYCARRYREADSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
/// A barrier and the marked reads that it comes before.
struct Group {
  BarrierOp barrier;
  SmallVector<ReadOp> reads;
};
} // namespace

static bool isMarked(Operation *op) {
  return isa<ReadOp>(op) && op->hasAttr(firstPackAttrName);
}

static void decline(Operation *op, const Twine &why) {
  remarkMissed(op, DEBUG_TYPE, "NotCarried",
               "the first pack is read where it is used: " + why);
}

/// Arithmetic that may be made anywhere where its operands are.
static bool isArithmetic(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op);
}

/// Moves what `op` needs of its block to before `place`; false, and nothing
/// moved, where that is more than arithmetic.
static bool moveOperandsBefore(Operation *op, Operation *place) {
  SmallVector<Operation *> slice;
  auto collect = [&](auto &self, Operation *user) -> bool {
    for (Value operand : user->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!maker || maker->getBlock() != place->getBlock() ||
          maker->isBeforeInBlock(place) || llvm::is_contained(slice, maker))
        continue;
      if (!isArithmetic(maker) || !self(self, maker))
        return false;
      slice.push_back(maker);
    }
    return true;
  };
  if (!collect(collect, op))
    return false;
  for (Operation *maker : slice)
    maker->moveBefore(place);
  return true;
}

/// Whether `op` may write the place of LDS that `read` reads.
static bool mayWrite(Operation *op, ReadOp read) {
  if (waits::leavesLdsAlone(op))
    return false;
  if (auto other = dyn_cast<ReadOp>(op))
    return false;
  return op->getNumRegions() != 0 ||
         waits::getAccessed(op).meets(waits::getPlace(read.getView()));
}

/// The groups of a block; reads have moved to right behind their barriers.
static SmallVector<Group> collectGroups(Block &block) {
  SmallVector<Group> groups;
  BarrierOp barrier;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto next = dyn_cast<BarrierOp>(op)) {
      barrier = next;
      continue;
    }
    if (op.getNumRegions() != 0)
      barrier = {};
    if (!isMarked(&op))
      continue;
    auto read = cast<ReadOp>(op);
    op.removeAttr(firstPackAttrName);
    if (!barrier) {
      decline(read, "no barrier comes before it in its block");
      continue;
    }
    bool isWritten = false;
    for (Operation *between = barrier->getNextNode(); between != read;
         between = between->getNextNode())
      isWritten |= mayWrite(between, read);
    if (isWritten) {
      decline(read, "its place is written behind the barrier");
      continue;
    }
    if (!moveOperandsBefore(read, barrier)) {
      decline(read, "its address is not known before the barrier");
      continue;
    }
    if (groups.empty() || groups.back().barrier != barrier)
      groups.push_back({barrier, {}});
    Operation *last = groups.back().reads.empty()
                          ? barrier.getOperation()
                          : groups.back().reads.back().getOperation();
    read->moveAfter(last);
    groups.back().reads.push_back(read);
  }
  return groups;
}

/// Moves a group above loads of global memory and arithmetic, which the barrier
/// does not order.
static void hoist(Group &group) {
  if (group.barrier.getKind() == BarrierKind::All)
    return;
  Operation *place = group.barrier;
  while (Operation *before = place->getPrevNode()) {
    auto read = dyn_cast<ReadOp>(before);
    bool mayPass =
        isArithmetic(before) || (read && !read.getView().getType().getInLds());
    bool isNeeded = llvm::any_of(group.reads, [&](ReadOp each) {
      return llvm::is_contained(each->getOperands(), before->getNumResults()
                                                         ? before->getResult(0)
                                                         : Value());
    });
    if (!mayPass || isNeeded)
      break;
    place = before;
  }
  Operation *barrier = group.barrier;
  if (place == barrier)
    return;
  barrier->moveBefore(place);
  Operation *last = barrier;
  for (ReadOp read : group.reads) {
    read->moveAfter(last);
    last = read;
  }
}

/// Moves the group at the head of a loop to the end of the iteration before.
static bool rotate(scf::ForOp loop, Group &group) {
  if (&loop.getBody()->front() != group.barrier.getOperation())
    return false;
  for (ReadOp read : group.reads)
    if (!llvm::all_of(read->getOperands(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        })) {
      decline(read, "its address changes in the loop");
      return false;
    }
  IRRewriter rewriter(loop.getContext());
  auto repeat = [&](OpBuilder &builder) {
    builder.clone(*group.barrier);
    return llvm::map_to_vector(group.reads, [&](ReadOp read) -> Value {
      return builder.clone(*read)->getResult(0);
    });
  };
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first = repeat(rewriter);
  SmallVector<Value> packs;
  auto rotated = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
        packs.assign(arguments.begin(), arguments.end());
        return repeat(builder);
      });
  if (failed(rotated))
    return false;
  unsigned registers = 0;
  for (auto [read, pack] : llvm::zip(group.reads, packs)) {
    auto vector = dyn_cast<VectorType>(read.getType());
    Type element = getElementTypeOrSelf(read.getType());
    registers += llvm::divideCeil(element.getIntOrFloatBitWidth() *
                                      (vector ? vector.getNumElements() : 1),
                                  32);
    read.replaceAllUsesWith(pack);
    read->erase();
  }
  Operation *barrier = group.barrier;
  barrier->erase();
  remarkPassed(*rotated, DEBUG_TYPE, "Carried",
               Twine(packs.size()) +
                   " first packs are read at the end of the "
                   "iteration before and carried in " +
                   Twine(registers) + " registers");
  return true;
}

namespace {
struct FlyCarryReadsPass : fly::impl::FlyCarryReadsPassBase<FlyCarryReadsPass> {
  using FlyCarryReadsPassBase::FlyCarryReadsPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](ReadOp read) {
      if (isMarked(read) && !llvm::is_contained(blocks, read->getBlock()))
        blocks.push_back(read->getBlock());
    });
    for (Block *block : blocks)
      if (auto loop = dyn_cast<LoopLikeOpInterface>(block->getParentOp()))
        moveLoopInvariantCode(loop);
    for (Block *block : blocks) {
      SmallVector<Group> groups = collectGroups(*block);
      for (Group &group : groups) {
        hoist(group);
        numReads += group.reads.size();
      }
      auto loop = dyn_cast<scf::ForOp>(block->getParentOp());
      if (loop && !groups.empty() && rotate(loop, groups.front()))
        ++numLoops;
    }
  }
};
} // namespace
