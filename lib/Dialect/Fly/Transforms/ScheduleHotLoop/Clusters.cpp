//===- Clusters.cpp - Memory and matrix operations by turns ---------------===//
//
// The program's order is kept but for one thing. Where two memory clusters
// follow each other, as the writes of the next tile and the reads of it behind
// a barrier, the first one goes into the middle of the matrix cluster before
// it; where it takes what that cluster computes, an empty matrix cluster comes
// between.
//
//===----------------------------------------------------------------------===//
#include "Clusters.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "../InsertWaits/LdsPlaces.h"
#include "Hints.h"
#include "Stretches.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// Cycles of the matrix unit in one turn beyond which it is halved where that
/// divides the reads, too: longer turns leave copies too little time before
/// the wait for them, shorter ones lose more at barriers. Measured on the
/// timing model for 128, 256, 512 and 1024 (docs/Rationale/Turns.md).
static constexpr unsigned kMostCycles = 512;

static bool isAccess(Operation *op) {
  return isa<ReadOp, ReadTransposedOp, WriteOp, DmaOp>(op);
}

/// An access, or a branch of some lanes to accesses, as of a copy whose last
/// round is not for all threads.
static bool isMemoryOp(Operation *op) {
  if (isAccess(op))
    return true;
  bool accesses = false;
  WalkResult result = op->walk([&](Operation *inner) {
    accesses |= isAccess(inner);
    bool isKnown = isa<scf::IfOp, scf::YieldOp>(inner) || isAccess(inner) ||
                   isMemoryEffectFree(inner);
    return isKnown && !isMatrixOp(inner) ? WalkResult::advance()
                                         : WalkResult::interrupt();
  });
  return isa<scf::IfOp>(op) && accesses && !result.wasInterrupted();
}

/// Whether `op` or an op in it accesses LDS.
static bool touchesLds(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return inner->getNumRegions() || waits::leavesLdsAlone(inner)
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

namespace {
/// Cuts a body in the order of the program.
class Cutter {
public:
  Cutter(Clusters &result, const arch::ArchInfo &chip)
      : result(result), chip(chip) {}

  LogicalResult add(Operation *op, std::string &why);
  LogicalResult finish(std::string &why);

private:
  void addMemory(Operation *op);
  Cluster &open(bool isMatrix);
  void count(Cluster &cluster, Operation *op) const;
  Cluster takeSecondHalf(Cluster &matrix) const;
  bool moveIntoMatrix(size_t index);
  bool halve(size_t index);

  Clusters &result;
  const arch::ArchInfo &chip;
  /// What stands before the first cluster.
  SmallVector<Operation *> front;
  /// A barrier came since the last access of LDS.
  bool sawBarrier = false;
  /// One came before the first access.
  bool startsApart = false, touchedLds = false;
};
} // namespace

void Cutter::count(Cluster &cluster, Operation *op) const {
  if (!isMatrixOp(op))
    return;
  ++cluster.mfmas;
  cluster.cycles += getMatrixCycles(op, chip);
}

Cluster &Cutter::open(bool isMatrix) {
  result.all.emplace_back();
  result.all.back().isMatrix = isMatrix;
  result.all.back().ops = std::move(front);
  front.clear();
  return result.all.back();
}

void Cutter::addMemory(Operation *op) {
  bool isLds = touchesLds(op);
  bool goesOn = !result.all.empty() && !result.all.back().isMatrix;
  bool isApart = goesOn && isLds && sawBarrier && result.all.back().touchesLds;
  Cluster &cluster = goesOn && !isApart ? result.all.back() : open(false);
  cluster.ops.push_back(op);
  if (!isLds)
    return;
  cluster.touchesLds = true;
  if (!touchedLds)
    startsApart = sawBarrier;
  touchedLds = true;
  sawBarrier = false;
}

LogicalResult Cutter::add(Operation *op, std::string &why) {
  if (isHint(op)) {
    why = "the loop has hints of its author";
    return failure();
  }
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    if (barrier.getKind() == BarrierKind::All) {
      why = "a barrier of the loop orders global memory ('fly.barrier all')";
      return failure();
    }
    result.barriers.push_back(barrier);
    sawBarrier = true;
    return success();
  }
  if (isMatrixOp(op)) {
    Cluster &cluster = !result.all.empty() && result.all.back().isMatrix
                           ? result.all.back()
                           : open(true);
    cluster.ops.push_back(op);
    count(cluster, op);
    return success();
  }
  if (isMemoryOp(op)) {
    addMemory(op);
    return success();
  }
  if (op->getNumRegions()) {
    why = "control flow in the loop (" + op->getName().getStringRef().str() +
          ") with more than accesses of memory in it";
    return failure();
  }
  bool ordersWaves =
      isa<FenceOp, AtomicRmwOp, UpdateOp, EventOp, gpu::BarrierOp>(op);
  if (ordersWaves || !waits::leavesLdsAlone(op)) {
    why = "the loop has '" + op->getName().getStringRef().str() +
          "', which cannot be told to be of one of the two kinds";
    return failure();
  }
  (result.all.empty() ? front : result.all.back().ops).push_back(op);
  return success();
}

/// What of `from` the ops of `users` take, directly or not.
static llvm::DenseSet<Operation *> findSources(ArrayRef<Operation *> users,
                                               ArrayRef<Operation *> from) {
  llvm::DenseSet<Operation *> there(from.begin(), from.end()), taken;
  SmallVector<Operation *> open(users);
  while (!open.empty())
    open.pop_back_val()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *source = operand.getDefiningOp();
        if (source && there.contains(source) && taken.insert(source).second)
          open.push_back(source);
      }
    });
  return taken;
}

/// Moves the ops of `moved` to the end of `to`, in their order.
static void move(const llvm::DenseSet<Operation *> &moved,
                 SmallVectorImpl<Operation *> &from,
                 SmallVectorImpl<Operation *> &to) {
  auto isMoved = [&](Operation *op) { return moved.contains(op); };
  llvm::copy_if(from, std::back_inserter(to), isMoved);
  llvm::erase_if(from, isMoved);
}

/// The second half of the matrix instructions, and what stands behind.
Cluster Cutter::takeSecondHalf(Cluster &matrix) const {
  unsigned all = matrix.mfmas;
  Cluster first, second;
  first.isMatrix = second.isMatrix = true;
  for (Operation *op : matrix.ops) {
    Cluster &half =
        first.mfmas + isMatrixOp(op) > all / 2 || second.mfmas ? second : first;
    half.ops.push_back(op);
    count(half, op);
  }
  matrix = std::move(first);
  return second;
}

/// Puts the memory cluster `index` into the middle of the matrix cluster before
/// it; false where that cannot be.
bool Cutter::moveIntoMatrix(size_t index) {
  SmallVectorImpl<Cluster> &all = result.all;
  if (index == 0 || !all[index - 1].isMatrix || all[index - 1].mfmas < 2)
    return false;
  Cluster first = all[index - 1];
  Cluster second = takeSecondHalf(first);
  // What it takes of the second half goes to the first one.
  llvm::DenseSet<Operation *> sources = findSources(all[index].ops, second.ops);
  // It comes to stand before all of the second half.
  if (llvm::any_of(sources, isMatrixOp) ||
      llvm::any_of(second.ops, [](Operation *op) {
        return !isMatrixOp(op) && !isMemoryEffectFree(op);
      }))
    return false;
  move(sources, second.ops, first.ops);
  all[index - 1] = std::move(first);
  all.insert(all.begin() + index + 1, std::move(second));
  return true;
}

/// Whether `op` only reads LDS, of which nothing in `cluster` is written.
static bool isFreeRead(Operation *op, const Cluster &cluster) {
  if (!isa<ReadOp, ReadTransposedOp>(op) || waits::leavesLdsAlone(op))
    return false;
  waits::LdsPlaces read = waits::getAccessed(op);
  return llvm::none_of(cluster.ops, [&](Operation *other) {
    if (isa<ReadOp, ReadTransposedOp>(other) || !touchesLds(other))
      return false;
    if (other->getNumRegions())
      return true;
    waits::LdsPlaces written = waits::getAccessed(other);
    return read.anywhere || written.anywhere ||
           llvm::any_of(written.places,
                        [&](Attribute place) { return read.meets(place); });
  });
}

/// Halves the matrix cluster behind the memory cluster `index`; what only the
/// second half takes is read between the two. False where that is nothing.
bool Cutter::halve(size_t index) {
  SmallVectorImpl<Cluster> &all = result.all;
  Cluster first = all[index + 1];
  Cluster second = takeSecondHalf(first);
  Cluster &memory = all[index];
  SmallVector<Operation *> roots(first.ops);
  for (Operation *op : memory.ops)
    if (!isFreeRead(op, memory) && !isMemoryEffectFree(op))
      roots.push_back(op);
  llvm::DenseSet<Operation *> moved(memory.ops.begin(), memory.ops.end());
  for (Operation *op : findSources(roots, memory.ops))
    moved.erase(op);
  for (Operation *op : roots)
    moved.erase(op);
  if (llvm::none_of(moved, isMemoryOp))
    return false;
  Cluster between;
  between.touchesLds = true;
  move(moved, memory.ops, between.ops);
  all[index + 1] = std::move(first);
  all.insert(all.begin() + index + 2, {std::move(between), std::move(second)});
  return true;
}

LogicalResult Cutter::finish(std::string &why) {
  SmallVectorImpl<Cluster> &all = result.all;
  bool hasMatrix = llvm::any_of(all, [](auto &each) { return each.isMatrix; });
  bool hasMemory = llvm::any_of(all, [](auto &each) { return !each.isMatrix; });
  if (!hasMatrix || !hasMemory) {
    why = hasMatrix ? "the loop has no memory operations"
                    : "the loop has no matrix instructions";
    return failure();
  }
  // The way round: the first cluster follows the last one. A barrier at the end
  // may order the last one against what stands behind the loop, too.
  bool isRoundApart = all.back().touchesLds &&
                      (sawBarrier || (startsApart && all.front().touchesLds));
  result.joinsRound =
      all.front().isMatrix == all.back().isMatrix && !isRoundApart;
  for (size_t i = 0; i < all.size(); ++i) {
    bool isLast = i + 1 == all.size();
    bool followsMemory = !all[i].isMatrix && !all[isLast ? 0 : i + 1].isMatrix;
    if (!followsMemory || (isLast && result.joinsRound) || moveIntoMatrix(i))
      continue;
    Cluster empty;
    empty.isMatrix = true;
    all.insert(all.begin() + i + 1, std::move(empty));
  }
  for (size_t i = 0; i + 1 < all.size(); ++i)
    while (!all[i].isMatrix && all[i + 1].cycles > kMostCycles && halve(i))
      ;
  return success();
}

FailureOr<Clusters> hotloop::formClusters(Block &body,
                                          const arch::ArchInfo &chip,
                                          std::string &why) {
  Clusters result;
  Cutter cutter(result, chip);
  for (Operation &op : body.without_terminator())
    if (failed(cutter.add(&op, why)))
      return failure();
  if (failed(cutter.finish(why)))
    return failure();
  return result;
}
