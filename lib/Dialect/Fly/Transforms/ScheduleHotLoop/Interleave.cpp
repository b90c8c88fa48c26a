//===- Interleave.cpp - Memory operations between matrix ones -------------===//
//
// What hints ask LLVM for, as a real order: one wave a SIMD has nobody beside
// it, so each of its memory operations must stand behind a matrix instruction
// that covers it. Operations of each class keep their order; each stands where
// its group is, right behind what it takes. Fences behind those of memory keep
// LLVM from changing that; among the matrix instructions in front it may move
// them, and finds there the room that the base of a copy needs.
//
// Refused: stretches that write where they read or copy, since the order of the
// two is not known to be free; writes of global memory; and every op with
// effects whose place is not known to be free, such as atomics and events.
//
//===----------------------------------------------------------------------===//
#include "Interleave.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "llvm/ADT/DenseSet.h"

#include <deque>

#include "../InsertWaits/LdsPlaces.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// The ops of a stretch, in the order of the program.
static SmallVector<Operation *> getOps(const Stretch &stretch) {
  SmallVector<Operation *> ops;
  for (Operation *op = stretch.end->getPrevNode(); op && !isa<BarrierOp>(op);
       op = op->getPrevNode())
    ops.push_back(op);
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// Whether `op` may stand anywhere between what gives its operands and what
/// takes its results, as long as nothing around it writes what it reads.
/// Atomics, events and what writes global memory are none of these.
static bool isFreeToMove(Operation *op) {
  return isMemoryEffectFree(op) || isMatrixOp(op) ||
         isa<ReadOp, ReadTransposedOp, WriteOp, DmaOp, LoadScalarOp, SetPrioOp,
             RequireOp, RequireMultipleOp>(op);
}

static bool meet(const waits::LdsPlaces &a, const waits::LdsPlaces &b) {
  auto isEmpty = [](const waits::LdsPlaces &each) {
    return !each.anywhere && each.places.empty();
  };
  if (isEmpty(a) || isEmpty(b))
    return false;
  return a.anywhere || b.anywhere ||
         llvm::any_of(b.places,
                      [&](Attribute place) { return a.meets(place); });
}

bool hotloop::canInterleave(const Stretch &stretch, std::string &why) {
  waits::LdsPlaces read, written, copied;
  for (Operation *op : getOps(stretch)) {
    std::optional<SchedGroup> group = getMachineOps(op);
    if (group && group->schedClass == SchedClass::VmemWrite) {
      why = "the loop writes global memory";
      return false;
    }
    if (!isFreeToMove(op)) {
      why = "the loop has '" + op->getName().getStringRef().str() +
            "', whose place among the others is not known to be free";
      return false;
    }
    bool isRead = isa<ReadOp, ReadTransposedOp>(op);
    (isRead                   ? read
     : waits::copiesToLds(op) ? copied
                              : written)
        .join(waits::getAccessed(op));
  }
  if (meet(read, written) || meet(read, copied)) {
    why = "the loop reads and writes one buffer without a barrier in between";
    return false;
  }
  // Writes keep their order among themselves, and so do copies.
  if (meet(written, copied)) {
    why = "the loop writes and copies to one buffer without a barrier in "
          "between";
    return false;
  }
  return true;
}

namespace {
/// Puts ops before the end of their stretch, each behind what it takes.
class Placer {
public:
  Placer(ArrayRef<Operation *> ops, Operation *end)
      : unplaced(ops.begin(), ops.end()), end(end) {}

  void place(Operation *op) {
    if (!unplaced.erase(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        place(source);
    op->moveBefore(end);
  }

private:
  llvm::DenseSet<Operation *> unplaced;
  Operation *end;
};
} // namespace

void hotloop::placeInOrder(const Stretch &stretch,
                           ArrayRef<SchedGroup> groups) {
  SmallVector<Operation *> ops = getOps(stretch);
  std::array<std::deque<std::pair<Operation *, unsigned>>, schedClassCount>
      queues;
  Placer placer(ops, stretch.end);
  for (Operation *op : ops) {
    std::optional<SchedGroup> group = getMachineOps(op);
    if (group)
      queues[size_t(group->schedClass)].push_back({op, group->count});
    // What has effects and is none of these stays in front.
    else if (!isMemoryEffectFree(op))
      placer.place(op);
  }
  // Accesses of each class that groups have asked for and no op has brought
  // yet. An op of several accesses comes with the first of them.
  std::array<int64_t, schedClassCount> asked = {};
  OpBuilder builder(stretch.end);
  for (const SchedGroup &group : groups) {
    auto &queue = queues[size_t(group.schedClass)];
    int64_t &left = asked[size_t(group.schedClass)];
    left += group.count;
    for (; left > 0 && !queue.empty(); queue.pop_front()) {
      placer.place(queue.front().first);
      left -= queue.front().second;
    }
    if (group.schedClass != SchedClass::Mfma)
      SchedBarrierOp::create(builder, stretch.end->getLoc());
  }
  for (Operation *op : ops)
    placer.place(op);
}

bool hotloop::fillsRegisterFile(scf::ForOp loop) {
  constexpr unsigned registerBits = 32;
  const arch::ArchInfo *chip = lookupArchOrNull(loop);
  if (!chip || !chip->registers.maxAccVgprs)
    return false;
  Type sum;
  loop.getBody()->walk([&](Operation *op) {
    if (isMatrixOp(op))
      sum = getElementTypeOrSelf(op->getResult(0));
  });
  unsigned bits = 0;
  for (Type type : loop.getResultTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      continue;
    if (vector.getElementType() != sum)
      return false;
    bits += unsigned(vector.getNumElements() * sum.getIntOrFloatBitWidth());
  }
  return bits >= *chip->registers.maxAccVgprs * registerBits;
}

unsigned hotloop::countLoadSlots(scf::ForOp loop, const Stretch &stretch) {
  const arch::ArchInfo *chip = lookupArchOrNull(loop);
  unsigned cycles = 0;
  if (chip)
    loop.getBody()->walk([&](Operation *op) {
      if (isMatrixOp(op) && !cycles)
        cycles = getMatrixCycles(op, *chip);
    });
  if (!cycles || !chip->latency.hbm)
    return 0;
  uint64_t wait = llvm::divideCeil(uint64_t(*chip->latency.hbm), cycles);
  unsigned mfmas = stretch.counts[size_t(SchedClass::Mfma)];
  unsigned loads = stretch.counts[size_t(SchedClass::VmemRead)];
  return mfmas > wait + loads ? unsigned(mfmas - wait) : 0;
}
