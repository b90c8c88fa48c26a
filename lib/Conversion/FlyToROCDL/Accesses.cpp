//===- Accesses.cpp - All reads and writes of a kernel --------------------===//
//
// Takes the accesses in program order to the lowering of their memory and
// removes the views. One analysis of uniformity serves all of them, so it is
// made before anything changes.
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fly;

/// fly.swizzle is three instructions, which share and fold with others.
static void expandSwizzle(SwizzleOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SwizzleAttr layout = op.getLayout();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value steering = arith::AndIOp::create(
      builder, loc, op.getOffset(),
      constant(((int64_t(1) << layout.getBits()) - 1)
               << (layout.getBase() + layout.getShift())));
  Value flips = arith::ShRUIOp::create(builder, loc, steering,
                                       constant(layout.getShift()));
  op.getResult().replaceAllUsesWith(
      arith::XOrIOp::create(builder, loc, op.getOffset(), flips));
  op.erase();
}

/// Lowers one access to the memory that it is of.
static LogicalResult lowerAccess(Operation *op, GlobalAccessLowering &global,
                                 LdsAccessLowering &lds) {
  if (auto load = dyn_cast<LoadScalarOp>(op))
    return global.lower(load);
  if (auto update = dyn_cast<UpdateOp>(op))
    return global.lower(update);
  if (auto atomic = dyn_cast<AtomicRmwOp>(op))
    return global.lower(atomic);
  if (auto read = dyn_cast<ReadTransposedOp>(op))
    return lds.lower(read);
  if (auto copy = dyn_cast<DmaOp>(op)) {
    FailureOr<GlobalAccessLowering::CopySource> source =
        global.getCopySource(copy);
    return failed(source) ? failure() : lds.lower(copy, *source);
  }
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getView().getType().getInLds() ? lds.lower(read)
                                               : global.lower(read);
  auto write = cast<WriteOp>(op);
  return write.getView().getType().getInLds() ? lds.lower(write)
                                              : global.lower(write);
}

FailureOr<AccessCounts> fly::lowerAccesses(gpu::GPUFuncOp kernel,
                                           const arch::ArchInfo &arch,
                                           LdsGlobals &globals) {
  SmallVector<SwizzleOp> swizzles;
  kernel.walk([&](SwizzleOp op) { swizzles.push_back(op); });
  llvm::for_each(swizzles, expandSwizzle);
  Uniformity uniformity(kernel);
  FailureOr<int64_t> threads = getThreads(kernel, arch);
  if (failed(threads))
    return failure();
  GlobalAccessLowering global(arch, uniformity, *threads, hasAcquire(kernel),
                              globals);
  LdsAccessLowering lds(kernel, uniformity, globals);
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<ReadOp, WriteOp, LoadScalarOp, UpdateOp, AtomicRmwOp, DmaOp,
            ReadTransposedOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(lowerAccess(op, global, lds)))
      return failure();
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
             << "takes a view, which only reads, writes, copies and atomics "
                "may "
                "do here";
    op->erase();
  }
  return AccessCounts{global.count, lds.count()};
}
