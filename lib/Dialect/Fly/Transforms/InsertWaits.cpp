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
// Copies of later tiles stay under way: the wait lets as many go on as are
// certainly younger than those it is for. LLVM neither merges nor splits
// copies, and moves none over a barrier or a full fence (fly.sched.barrier);
// between two of those it may exchange them. So counted are copies behind a
// later one, never others of the same stretch, and never loads to registers,
// which LLVM merges and moves: where those are under way too, the wait is for a
// few more than it need be.
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
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"

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

/// Copies to one place that may be under way.
struct PendingCopies {
  /// Of the youngest of them: whether it was issued since the last barrier.
  bool isFresh = false;
  /// Copies that were issued behind the barrier that followed it, before the
  /// last one; at least so many.
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
  /// Copies since the last barrier, at least.
  unsigned issued = 0;

  /// Copies that are younger than those to a place, at least.
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

class WaitInserter {
public:
  explicit WaitInserter(Block &body) : ahead(body) {}
  /// Follows `block` from `state`; with `insert` also puts the waits.
  Outstanding follow(Block &block, Outstanding state, bool insert);
  unsigned numWaits = 0;

private:
  Outstanding follow(Operation *op, Outstanding state, bool insert);
  Outstanding followRegions(Operation *op, Outstanding state, bool insert);
  Outstanding atBarrier(BarrierOp op, Outstanding state, bool insert);

  AccessesAhead ahead;
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
  // A loop's regions see what earlier iterations left: more accesses, fewer
  // younger copies.
  Outstanding entry = state;
  while (true) {
    Outstanding exit = entry;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        exit = follow(block, exit, /*insert=*/false);
    Outstanding joined = entry;
    joined.join(exit);
    if (joined == entry)
      break;
    entry = joined;
  }
  Outstanding exit = entry;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      exit = follow(block, exit, insert);
  // A loop may run not at all.
  exit.join(state);
  return exit;
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
  if (isa<SchedBarrierOp>(op)) {
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
    state.issued = std::min(state.issued + 1, arch::WaitCount::maxVm);
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
      WaitInserter inserter(kernel.getBody().front());
      inserter.follow(kernel.getBody().front(), Outstanding(),
                      /*insert=*/true);
      numWaits += inserter.numWaits;
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
