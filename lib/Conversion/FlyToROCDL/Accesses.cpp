//===- Accesses.cpp - All reads and writes of a kernel --------------------===//
//
// Takes the accesses in program order to the lowering of their memory and
// removes the views. One analysis of uniformity serves all of them, so it is
// made before anything changes.
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"

using namespace mlir;
using namespace fly;

FailureOr<AccessCounts> fly::lowerAccesses(gpu::GPUFuncOp kernel,
                                           const arch::ArchInfo &arch,
                                           LdsGlobals &globals) {
  Uniformity uniformity(kernel);
  FailureOr<int64_t> threads = getThreads(kernel, arch);
  if (failed(threads))
    return failure();
  GlobalAccessLowering global(arch, uniformity, *threads, hasAcquire(kernel),
                              globals);
  LdsAccessLowering lds(kernel, uniformity, globals);
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<ReadOp, WriteOp, LoadScalarOp, UpdateOp, AtomicRmwOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LogicalResult done = success();
    if (auto read = dyn_cast<ReadOp>(op)) {
      done = read.getView().getType().getInLds() ? lds.lower(read)
                                                 : global.lower(read);
    } else if (auto load = dyn_cast<LoadScalarOp>(op)) {
      done = global.lower(load);
    } else if (auto update = dyn_cast<UpdateOp>(op)) {
      done = global.lower(update);
    } else if (auto atomic = dyn_cast<AtomicRmwOp>(op)) {
      done = global.lower(atomic);
    } else {
      auto write = cast<WriteOp>(op);
      done = write.getView().getType().getInLds() ? lds.lower(write)
                                                  : global.lower(write);
    }
    if (failed(done))
      return failure();
  }
  lds.attachScopes();
  lds.reserveStructs();
  // What is left of views and handles has no use.
  SmallVector<Operation *> handles;
  kernel.walk([&](Operation *op) {
    if (isa<ViewOp, LdsFieldOp, LdsAllocOp>(op))
      handles.push_back(op);
  });
  for (Operation *op : llvm::reverse(handles)) {
    if (!op->use_empty())
      return (*op->user_begin())->emitOpError()
             << "takes a view, which only fly.read, fly.write and atomics may "
                "do here";
    op->erase();
  }
  return AccessCounts{global.count, lds.count()};
}
