//===- InsertWaits.cpp - Waits before bare barriers -----------------------===//
//
// `fly.barrier lds` and `all` stand between fences, for which LLVM waits.
// `fly.barrier bare` waits for nothing: an LDS access that a wave issued before
// it may still be under way when another wave goes on. That is a race for reads
// after writes, and for writes after reads too, since a read is done only when
// its data is back. This pass follows what may be outstanding through
// structured control flow and puts a wait before each bare barrier that needs
// one. Afterwards this holds: when a wave arrives at a barrier, every LDS
// access and every copy to LDS that it issued before is done.
//
// Register dependences (a use of loaded data) are LLVM's to wait for; so are
// global accesses, which a bare barrier does not order. Counts above 0 are not
// relied on, because LLVM merges neighbouring accesses: a remark says so.
//
// Refuses bare barriers in flow graphs, which it cannot follow.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYINSERTWAITSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

/// What a wave may have issued and not waited for.
struct Outstanding {
  bool lds = false; ///< LDS reads or writes, counted by lgkmcnt.
  bool dma = false; ///< Copies from global memory to LDS, counted by vmcnt.

  void join(Outstanding other) {
    lds |= other.lds;
    dma |= other.dma;
  }
  bool operator==(Outstanding other) const {
    return lds == other.lds && dma == other.dma;
  }
  bool any() const { return lds || dma; }
};

class WaitInserter {
public:
  /// Follows `block` from `state`; with `insert` also puts the waits.
  Outstanding follow(Block &block, Outstanding state, bool insert);
  unsigned numWaits = 0;

private:
  Outstanding follow(Operation *op, Outstanding state, bool insert);
  Outstanding followRegions(Operation *op, Outstanding state, bool insert);
  Outstanding atBarrier(BarrierOp op, Outstanding state, bool insert);
};

bool isLdsPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() ==
                        ROCDL::ROCDLDialect::kSharedMemoryAddressSpace;
}

/// Ops that touch no LDS although they have effects.
bool leavesLdsAlone(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return !read.getView().getType().getInLds();
  if (auto write = dyn_cast<WriteOp>(op))
    return !write.getView().getType().getInLds();
  if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::CallIntrinsicOp>(op))
    return llvm::none_of(op->getOperandTypes(), isLdsPointer);
  // Atomics of the workgroup leave nothing outstanding: they end in barriers.
  return isa<LoadScalarOp, UpdateOp, AtomicRmwOp, EventOp, SchedMfmaOp,
             SchedDsrdOp, SchedDswrOp, SchedVmemOp, SchedVmemWriteOp,
             SchedValuOp, SchedSaluOp, SchedTransOp, SchedBarrierOp, SetPrioOp,
             RequireOp, RequireMultipleOp, LdsAllocOp,
             ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferStoreOp,
             ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::SetPrioOp,
             ROCDL::SNopOp, ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
}

bool copiesToLds(Operation *op) {
  return isa<DmaOp, amdgpu::GatherToLDSOp, ROCDL::LoadToLDSOp,
             ROCDL::GlobalLoadLDSOp, ROCDL::RawPtrBufferLoadLdsOp>(op);
}

Outstanding WaitInserter::atBarrier(BarrierOp op, Outstanding state,
                                    bool insert) {
  if (op.getKind() == BarrierKind::Bare && state.any() && insert) {
    OpBuilder builder(op);
    IntegerAttr zero = builder.getI32IntegerAttr(0);
    WaitOp::create(builder, op.getLoc(), state.dma ? zero : IntegerAttr(),
                   state.lds ? zero : IntegerAttr());
    remarkPassed(op, "fly-insert-waits", "Inserted",
                 Twine("waits for ") + (state.lds ? "LDS accesses" : "") +
                     (state.lds && state.dma ? " and " : "") +
                     (state.dma ? "copies to LDS" : "") +
                     " before a bare barrier");
    ++numWaits;
  }
  return Outstanding();
}

Outstanding WaitInserter::followRegions(Operation *op, Outstanding state,
                                        bool insert) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Outstanding after;
    after.join(follow(*branch.thenBlock(), state, insert));
    after.join(branch.elseBlock() ? follow(*branch.elseBlock(), state, insert)
                                  : state);
    return after;
  }
  // A loop's regions see what earlier iterations left: a fixpoint, reached at
  // once since the state only grows.
  Outstanding entry = state;
  for (unsigned round = 0; round < 3; ++round) {
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
    if (wait.getVm() && *wait.getVm() == 0)
      state.dma = false;
    return state;
  }
  if (copiesToLds(op))
    state.dma = true;
  else if (!leavesLdsAlone(op))
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
      WaitInserter inserter;
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
