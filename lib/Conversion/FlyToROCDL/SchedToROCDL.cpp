//===- SchedToROCDL.cpp - Hints, priorities, barriers, waits --------------===//
//
// Ops that steer the order of instructions become the intrinsics of the same
// meaning. `fly.barrier lds` is a barrier between fences that are restricted to
// LDS: LLVM then waits for LDS operations alone, and register prefetch stays in
// flight. [LLVM22] AMDGPU memory model, amdgpu-synchronize-as.
// Waits before a bare barrier come from fly-insert-waits.
//
// The wait that LLVM asks for at a fence is one that it may drop, and it looks
// at a loop first without what the loop's own end leaves outstanding: where
// nothing is when the loop is entered, the wait is gone for all rounds, and the
// barrier of the second round lets others read what is not written yet. So a
// wait that LLVM keeps stands in front of every barrier that is more than bare.
// [LLVM22] SIInsertWaitcnts, test/Regress/barrier-waits-in-loops.mlir
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/SchedMask.h"
#include "fly/Arch/WaitCount.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

using arch::SchedMask;

static void hint(Operation *op, SchedMask mask, uint32_t count) {
  OpBuilder builder(op);
  // One group of the pipeline that LLVM solves: hints of a region belong
  // together.
  ROCDL::SchedGroupBarrier::create(builder, op->getLoc(),
                                   static_cast<uint32_t>(mask), count,
                                   /*groupId=*/0);
  op->erase();
}

static void lowerBarrier(BarrierOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto fence = [&](LLVM::AtomicOrdering ordering) {
    // A fence of one thread makes no instruction and waits for nothing, but
    // LLVM moves no access over it.
    bool bare = op.getKind() == BarrierKind::Bare;
    auto made = LLVM::FenceOp::create(builder, loc, ordering,
                                      bare ? "singlethread" : "workgroup");
    if (op.getKind() == BarrierKind::Lds)
      made->setDiscardableAttr(LLVM::LLVMDialect::getMmraAttrName(),
                               LLVM::MMRATagAttr::get(op.getContext(),
                                                      "amdgpu-synchronize-as",
                                                      "local"));
  };
  fence(LLVM::AtomicOrdering::release);
  arch::WaitCount wait;
  if (op.getKind() != BarrierKind::Bare)
    wait.lgkm = 0;
  if (op.getKind() == BarrierKind::All)
    wait.vm = 0;
  if (!wait.waitsForNothing())
    ROCDL::SWaitcntOp::create(builder, loc, wait.encode());
  ROCDL::SBarrierOp::create(builder, loc);
  fence(LLVM::AtomicOrdering::acquire);
  op.erase();
}

static void lowerWait(WaitOp op) {
  OpBuilder builder(op);
  arch::WaitCount wait;
  if (op.getVm())
    wait.vm = *op.getVm();
  if (op.getLgkm())
    wait.lgkm = *op.getLgkm();
  ROCDL::SWaitcntOp::create(builder, op.getLoc(), wait.encode());
  op.erase();
}

void fly::lowerScheduling(gpu::GPUFuncOp kernel) {
  kernel.walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([](SchedMfmaOp h) { hint(h, SchedMask::Mfma, h.getCount()); })
        .Case([](SchedDsrdOp h) { hint(h, SchedMask::DsRead, h.getCount()); })
        .Case([](SchedDswrOp h) { hint(h, SchedMask::DsWrite, h.getCount()); })
        .Case([](SchedVmemOp h) { hint(h, SchedMask::VmemRead, h.getCount()); })
        .Case([](SchedVmemWriteOp h) {
          hint(h, SchedMask::VmemWrite, h.getCount());
        })
        .Case([](SchedValuOp h) { hint(h, SchedMask::Valu, h.getCount()); })
        .Case([](SchedSaluOp h) { hint(h, SchedMask::Salu, h.getCount()); })
        .Case([](SchedTransOp h) { hint(h, SchedMask::Trans, h.getCount()); })
        .Case([](SchedBarrierOp fence) {
          OpBuilder builder(fence);
          ROCDL::SchedBarrier::create(builder, fence.getLoc(),
                                      static_cast<uint32_t>(SchedMask::Fence));
          fence.erase();
        })
        .Case([](SetPrioOp prio) {
          OpBuilder builder(prio);
          ROCDL::SetPrioOp::create(builder, prio.getLoc(), prio.getPriority());
          prio.erase();
        })
        .Case([](BarrierOp barrier) { lowerBarrier(barrier); })
        .Case([](WaitOp wait) { lowerWait(wait); });
  });
}
