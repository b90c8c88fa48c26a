//===- InsertWaits.cpp - Waits before bare barriers -----------------------===//
//
// `fly.barrier lds` and `all` stand between fences, for which LLVM waits.
// `fly.barrier bare` waits for nothing: an LDS access that a wave issued before
// it may still be under way when another wave goes on. That is a race for reads
// after writes, and for writes after reads too, since a read is done only when
// its data is back. This pass follows what may be outstanding through
// structured control flow and puts a wait before each bare barrier that needs
// one. Afterwards this holds: when a wave arrives at a barrier, every LDS
// access that it issued before is done, and so is every copy to LDS whose place
// is accessed behind the barrier and before the next one; or the next but one,
// where other waves are a barrier ahead (fly.staggered).
//
// What is younger stays under way: the wait lets as many copies and loads to
// registers go on as are certainly behind those it is for. LLVM neither merges
// nor splits copies, and moves none over a barrier or a full fence
// (fly.sched.barrier); between two of those it may exchange them. So counted is
// what stands behind a later one, never other copies of the same stretch. A
// load counts with its whole accesses of the widest kind, which LLVM has
// nothing to merge with; it may be exchanged with copies that stand before it,
// so a fence for accesses of memory alone comes in between, and everything else
// still moves over it; that LLVM keeps to it to the end is seen to in
// lib/Target/FencedBundles.cpp. That LLVM drops no load that is counted cannot
// be known here: the kernel says that it has counted waits (fly.counted_waits),
// and what they are for is proved on the final bytes, or refused.
//
// Register dependences (a use of loaded data) are LLVM's to wait for; so are
// global accesses, which a bare barrier does not order. Counts of LDS accesses
// above 0 are not relied on, because LLVM merges neighbours: a remark says so.
//
// Refuses bare barriers in flow graphs, which it cannot follow.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/WaitCount.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include "InsertWaits/LdsPlaces.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYINSERTWAITSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::waits;

namespace {

/// Matrix instructions behind a copy are counted up to here.
constexpr unsigned kMostCover = 4096;
/// What moves over a fence for accesses of global memory: arithmetic of all
/// units, matrix instructions and accesses of LDS. [LLVM22] sched.barrier
constexpr int32_t kMayPassMemoryFence = 0x78F;
/// Bits of such a mask that stand for accesses of global memory.
constexpr uint32_t kMemoryClasses = 0x70;

/// Copies to one place that may be under way.
struct PendingCopies {
  /// Of the youngest of them: whether it was issued since the last barrier.
  bool isFresh = false;
  /// Accesses of global memory that were issued behind the barrier or fence
  /// that followed it, before the last one; at least so many.
  unsigned later = 0;
  /// Matrix instructions behind the youngest; at least so many.
  unsigned cover = 0;

  bool operator==(const PendingCopies &other) const {
    return isFresh == other.isFresh && later == other.later &&
           cover == other.cover;
  }
};

/// What a wave may have issued and not waited for.
struct Outstanding {
  bool lds = false; ///< LDS reads or writes, counted by lgkmcnt.
  /// Copies from global memory to LDS, counted by vmcnt, by place.
  llvm::MapVector<Attribute, PendingCopies> copies;
  /// Accesses of global memory since the last barrier or fence, at least.
  unsigned issued = 0;

  /// Whether copies may still be exchanged with what is issued next.
  bool hasFresh() const {
    return llvm::any_of(copies,
                        [](const auto &entry) { return entry.second.isFresh; });
  }
  void issue(unsigned count) {
    issued = std::min(issued + count, arch::WaitCount::maxVm);
  }
  /// Accesses that are younger than the copies to a place, at least.
  unsigned getYounger(const PendingCopies &pending) const {
    return pending.isFresh ? 0 : pending.later + issued;
  }
  /// All but the last `count` accesses of global memory are done.
  void waitFor(unsigned count) {
    copies.remove_if([&](const auto &entry) {
      return count == 0 ||
             (!entry.second.isFresh && getYounger(entry.second) >= count);
    });
  }
  void passBarrier() {
    for (auto &[place, pending] : copies) {
      pending.later = std::min(getYounger(pending), arch::WaitCount::maxVm);
      pending.isFresh = false;
    }
    issued = 0;
  }
  void join(const Outstanding &other) {
    lds |= other.lds;
    issued = std::min(issued, other.issued);
    for (const auto &[place, pending] : other.copies) {
      auto [it, isNew] = copies.try_emplace(place, pending);
      it->second.isFresh |= pending.isFresh;
      it->second.later = std::min(it->second.later, pending.later);
      it->second.cover = std::min(it->second.cover, pending.cover);
    }
  }
  bool operator==(const Outstanding &other) const {
    return lds == other.lds && issued == other.issued &&
           copies.size() == other.copies.size() &&
           llvm::all_of(copies, [&](const auto &entry) {
             auto it = other.copies.find(entry.first);
             return it != other.copies.end() && it->second == entry.second;
           });
  }
};

/// Whether another read, but one behind `read` in its block, is the same: LLVM
/// may make one load of both, whatever stands in between.
static bool isRepeated(ReadOp read) {
  return llvm::any_of(read.getView().getUsers(), [&](Operation *user) {
    if (user == read || !isa<ReadOp>(user) ||
        user->getOperands() != read->getOperands() ||
        user->getResultTypes() != read->getResultTypes())
      return false;
    return user->getBlock() != read->getBlock() || user->isBeforeInBlock(read);
  });
}

/// What a load to registers becomes at least: accesses of the widest kind.
/// Nothing where that is not certain: of views of each lane's own there may be
/// no access at all, what nobody takes is not loaded, what is the same in each
/// round may be loaded once before the loop, and what stands twice once.
static unsigned countLoads(ReadOp read, const Uniformity &uniformity) {
  if (read.getView().getType().getInLds() || read.use_empty() ||
      !uniformity.isUniform(read.getView()) || isRepeated(read))
    return 0;
  if (auto loop = read->getParentOfType<LoopLikeOpInterface>()) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    auto changes = [&](auto &self, Value value) -> bool {
      if (loop.isDefinedOutsideOfLoop(value))
        return false;
      Operation *maker = value.getDefiningOp();
      if (!maker || !isMemoryEffectFree(maker) || maker->getNumRegions())
        return true;
      return seen.insert(maker).second &&
             llvm::any_of(maker->getOperands(),
                          [&](Value operand) { return self(self, operand); });
    };
    if (llvm::none_of(read->getOperands(),
                      [&](Value operand) { return changes(changes, operand); }))
      return 0;
  }
  auto vector = dyn_cast<VectorType>(read.getValue().getType());
  if (!vector)
    return 0;
  return unsigned(vector.getNumElements() * vector.getElementTypeBitWidth() /
                  (8 * arch::widestAccessBytes));
}

class WaitInserter {
public:
  WaitInserter(gpu::GPUFuncOp kernel)
      : ahead(kernel.getBody().front()), uniformity(kernel) {}
  /// Follows `block` from `state`; with `insert` also puts the waits.
  Outstanding follow(Block &block, Outstanding state, bool insert);
  unsigned numWaits = 0;
  /// Whether a wait lets younger accesses go on.
  bool counts = false;

private:
  Outstanding follow(Operation *op, Outstanding state, bool insert);
  Outstanding followRegions(Operation *op, Outstanding state, bool insert);
  Outstanding atBarrier(BarrierOp op, Outstanding state, bool insert);

  AccessesAhead ahead;
  Uniformity uniformity;
};

Outstanding WaitInserter::atBarrier(BarrierOp op, Outstanding state,
                                    bool insert) {
  if (op.getKind() != BarrierKind::Bare)
    return Outstanding();
  // All that is behind the barrier accessed must be there; of younger copies
  // nothing is known but their number, in the order of the barriers.
  std::optional<unsigned> count;
  unsigned cover = kMostCover;
  for (const auto &[place, pending] : state.copies)
    if (ahead[op].meets(place)) {
      count = std::min(count.value_or(arch::WaitCount::maxVm - 1),
                       state.getYounger(pending));
      cover = std::min(cover, pending.cover);
    }
  if (insert && (state.lds || count)) {
    OpBuilder builder(op);
    // What the copies wait behind stays before the wait: LLVM would move matrix
    // instructions over a barrier, where they cover nothing.
    if (count)
      SchedBarrierOp::create(builder, op.getLoc());
    WaitOp::create(builder, op.getLoc(),
                   count ? builder.getI32IntegerAttr(*count) : IntegerAttr(),
                   state.lds ? builder.getI32IntegerAttr(0) : IntegerAttr());
    counts |= count && *count;
    std::string text = "waits for ";
    text += state.lds ? "LDS accesses" : "";
    text += state.lds && count ? " and " : "";
    text += count ? "copies to LDS" : "";
    text += count && *count ? " but the last " + std::to_string(*count) : "";
    text += " before a bare barrier";
    if (count)
      text += "; " + std::to_string(cover) +
              " matrix instructions are behind the copies";
    remarkPassed(op, "fly-insert-waits", "Inserted", text);
    ++numWaits;
  }
  state.lds = false;
  if (count)
    state.waitFor(*count);
  state.passBarrier();
  return state;
}

Outstanding WaitInserter::followRegions(Operation *op, Outstanding state,
                                        bool insert) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Outstanding after = follow(*branch.thenBlock(), state, insert);
    after.join(branch.elseBlock() ? follow(*branch.elseBlock(), state, insert)
                                  : state);
    return after;
  }
  // A region sees what was before the op and what any region left, since which
  // follows which is the op's matter: more accesses, fewer younger copies. So
  // does what is behind the op, which may be left behind any of them, as an
  // scf.while is behind its first.
  auto followAll = [&](const Outstanding &entry, bool insert) {
    Outstanding exit = state;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        exit.join(follow(block, entry, insert));
    return exit;
  };
  Outstanding entry = state;
  while (true) {
    Outstanding joined = entry;
    joined.join(followAll(entry, /*insert=*/false));
    if (joined == entry)
      return followAll(entry, insert);
    entry = joined;
  }
}

Outstanding WaitInserter::follow(Operation *op, Outstanding state,
                                 bool insert) {
  if (op->getNumRegions() != 0)
    return followRegions(op, state, insert);
  if (auto barrier = dyn_cast<BarrierOp>(op))
    return atBarrier(barrier, state, insert);
  if (isa<FenceOp, gpu::BarrierOp, amdgpu::LDSBarrierOp>(op))
    return Outstanding();
  // LLVM moves nothing over a full fence of the order.
  auto fence = dyn_cast<ROCDL::SchedBarrier>(op);
  if (isa<SchedBarrierOp>(op) ||
      (fence && (fence.getMask() & kMemoryClasses) == 0)) {
    state.passBarrier();
    return state;
  }
  if (auto wait = dyn_cast<WaitOp>(op)) {
    if (wait.getLgkm()) {
      if (*wait.getLgkm() == 0)
        state.lds = false;
      else if (state.lds && insert)
        remarkMissed(op, "fly-insert-waits", "CountNotUsed",
                     "lgkm(" + Twine(*wait.getLgkm()) +
                         ") is not relied on before a barrier: LLVM merges "
                         "neighbouring LDS accesses, so only 0 is certain");
    }
    if (wait.getVm())
      state.waitFor(*wait.getVm());
    return state;
  }
  if (isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op))
    for (auto &[place, pending] : state.copies)
      pending.cover = std::min(pending.cover + 1, kMostCover);
  if (copiesToLds(op)) {
    auto dma = dyn_cast<DmaOp>(op);
    Attribute place = dma ? getPlace(dma.getTarget()) : Attribute();
    state.copies[place] = {/*isFresh=*/true, /*later=*/0, /*cover=*/0};
    state.issue(1);
    return state;
  }
  auto read = dyn_cast<ReadOp>(op);
  if (unsigned loads = read ? countLoads(read, uniformity) : 0) {
    if (state.hasFresh()) {
      if (insert) {
        OpBuilder builder(op);
        ROCDL::SchedBarrier::create(
            builder, op->getLoc(),
            builder.getI32IntegerAttr(kMayPassMemoryFence));
      }
      state.passBarrier();
    }
    state.issue(loads);
  } else if (!leavesLdsAlone(op))
    state.lds = true;
  return state;
}

Outstanding WaitInserter::follow(Block &block, Outstanding state, bool insert) {
  for (Operation &op : block)
    state = follow(&op, state, insert);
  return state;
}

struct InsertWaits : public fly::impl::FlyInsertWaitsPassBase<InsertWaits> {
  using FlyInsertWaitsPassBase::FlyInsertWaitsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    FlyInsertWaitsPassBase::getDependentDialects(registry);
    registry.insert<ROCDL::ROCDLDialect>(); // Fences for some accesses.
  }

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      SmallVector<BarrierOp> bare;
      kernel.walk([&](BarrierOp barrier) {
        if (barrier.getKind() == BarrierKind::Bare)
          bare.push_back(barrier);
      });
      if (bare.empty() || kernel.getBody().empty())
        return WalkResult::skip();
      if (!kernel.getBody().hasOneBlock()) {
        bare.front().emitOpError()
            << "stands in a kernel with a flow graph, where waits cannot be "
               "placed; use 'fly.barrier lds', or scf for control flow";
        return WalkResult::interrupt();
      }
      WaitInserter inserter(kernel);
      inserter.follow(kernel.getBody().front(), Outstanding(),
                      /*insert=*/true);
      numWaits += inserter.numWaits;
      if (inserter.counts)
        kernel->setDiscardableAttr(countedWaitsAttrName,
                                   UnitAttr::get(&getContext()));
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
