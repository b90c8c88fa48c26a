//===- Fences.cpp - Orders and scopes -------------------------------------===//
//
// Orders and scopes are LLVM's, and so are the instructions that keep them:
// waits, the write-back of an L2 that other XCDs do not see, the invalidation
// of caches. [LLVM22] AMDGPU memory model, gfx942.
//
// The write-back must be done before what follows releases anything. LLVM asks
// for a wait behind it, but drops that wait where it counts no access as
// outstanding, and it does not count the write-back itself: behind barriers,
// where all stores have been waited for, none would be left. So a wait that
// LLVM keeps stands behind every release that crosses a workgroup.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

StringRef fly::getSyncScope(MemoryScope scope) {
  switch (scope) {
  case MemoryScope::Workgroup:
    return "workgroup";
  case MemoryScope::Agent:
    return "agent";
  case MemoryScope::System:
    return "";
  }
  llvm_unreachable("a scope without a name");
}

bool fly::releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}

bool fly::acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}

/// The one side of `order`, or both where all must agree on one order.
static LLVM::AtomicOrdering getSide(MemoryOrder order,
                                    LLVM::AtomicOrdering side) {
  return order == MemoryOrder::SeqCst ? LLVM::AtomicOrdering::seq_cst : side;
}

void fly::emitRelease(OpBuilder &builder, Location loc, MemoryOrder order,
                      MemoryScope scope) {
  LLVM::FenceOp::create(builder, loc,
                        getSide(order, LLVM::AtomicOrdering::release),
                        getSyncScope(scope));
  if (scope != MemoryScope::Workgroup)
    WaitOp::create(builder, loc, builder.getI32IntegerAttr(0), IntegerAttr());
}

void fly::emitAcquire(OpBuilder &builder, Location loc, MemoryOrder order,
                      MemoryScope scope) {
  LLVM::FenceOp::create(builder, loc,
                        getSide(order, LLVM::AtomicOrdering::acquire),
                        getSyncScope(scope));
}

void fly::lowerFences(gpu::GPUFuncOp kernel) {
  kernel.walk([](FenceOp op) {
    OpBuilder builder(op);
    // Of all waves: each orders what it did, all meet, and each orders what it
    // does next.
    if (releases(op.getOrder()))
      emitRelease(builder, op.getLoc(), op.getOrder(), op.getScope());
    BarrierOp::create(builder, op.getLoc(), BarrierKind::All);
    if (acquires(op.getOrder()))
      emitAcquire(builder, op.getLoc(), op.getOrder(), op.getScope());
    op.erase();
  });
}

bool fly::hasAcquire(gpu::GPUFuncOp kernel) {
  WalkResult walk = kernel.walk([](Operation *op) {
    std::optional<MemoryOrder> order;
    if (auto fence = dyn_cast<FenceOp>(op))
      order = fence.getOrder();
    else if (auto atomic = dyn_cast<AtomicRmwOp>(op))
      order = atomic.getOrder();
    else if (auto update = dyn_cast<UpdateOp>(op))
      order = update.getOrder();
    return order && acquires(*order) ? WalkResult::interrupt()
                                     : WalkResult::advance();
  });
  return walk.wasInterrupted();
}
