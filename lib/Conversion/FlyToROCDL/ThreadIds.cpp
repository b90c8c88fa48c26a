//===- ThreadIds.cpp - Lane, wave and workgroup numbers -------------------===//
//
// A workgroup is a row of waves: thread t is lane t % 64 of wave t / 64. The
// wave's number is read from the first lane, so that everything computed from
// it is in scalar registers. All of it stands at the kernel's entry.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "llvm/Support/MathExtras.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

FailureOr<int64_t> fly::getThreads(gpu::GPUFuncOp kernel,
                                   const arch::ArchInfo &arch) {
  auto waves =
      kernel->getAttrOfType<IntegerAttr>(FlyDialect::getWavesAttrName());
  if (waves)
    return waves.getInt() * *arch.waveSize;
  if (std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize()) {
    if ((*block)[1] == 1 && (*block)[2] == 1)
      return (*block)[0];
    return kernel.emitOpError()
           << "has a block of " << (*block)[0] << 'x' << (*block)[1] << 'x'
           << (*block)[2] << " threads; workgroups are one row of waves";
  }
  return kernel.emitOpError() << "needs '" << FlyDialect::getWavesAttrName()
                              << "', the waves of a workgroup";
}

namespace {

/// Numbers at the entry of a kernel, each made when first asked for.
class EntryNumbers {
public:
  EntryNumbers(gpu::GPUFuncOp kernel, int64_t threads)
      : builder(OpBuilder::atBlockBegin(&kernel.getBody().front())),
        loc(kernel.getLoc()), i32(builder, loc), threads(threads) {
    // The block's first op may be one of those that are erased: what is made
    // here goes before an op of our own.
    builder.setInsertionPoint(i32.constant(0).getDefiningOp());
  }

  Value thread() {
    if (!threadValue)
      threadValue = make<ROCDL::ThreadIdXOp>(threads);
    return threadValue;
  }
  Value lane() {
    if (!laneValue)
      laneValue = threads <= arch::waveLanes
                      ? thread()
                      : builder.createOrFold<arith::AndIOp>(
                            loc, thread(), i32.constant(arch::waveLanes - 1));
    return laneValue;
  }
  Value wave() {
    if (waveValue)
      return waveValue;
    if (threads <= arch::waveLanes)
      return waveValue = i32.constant(0);
    Value shifted = builder.createOrFold<arith::ShRUIOp>(
        loc, thread(), i32.constant(llvm::Log2_64(arch::waveLanes)));
    waveValue = ROCDL::ReadfirstlaneOp::create(builder, loc,
                                               builder.getI32Type(), shifted);
    return waveValue;
  }
  Value block(gpu::Dimension dim) {
    Value &value = blocks[static_cast<unsigned>(dim)];
    if (!value)
      value = dim == gpu::Dimension::x   ? make<ROCDL::BlockIdXOp>(0)
              : dim == gpu::Dimension::y ? make<ROCDL::BlockIdYOp>(0)
                                         : make<ROCDL::BlockIdZOp>(0);
    return value;
  }
  Value constant(int64_t value) { return i32.constant(value); }

  /// Gives `value`, an i32, to the users of `op`, which has an index.
  void replace(Operation *op, Value value) {
    Value index =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    op->getResult(0).replaceAllUsesWith(index);
    op->erase();
  }

private:
  template <typename OpT>
  Value make(int64_t upperBound) {
    auto range = upperBound ? LLVM::ConstantRangeAttr::get(builder.getContext(),
                                                           32, 0, upperBound)
                            : LLVM::ConstantRangeAttr();
    return OpT::create(builder, loc, builder.getI32Type(), range);
  }

  OpBuilder builder;
  Location loc;
  I32Builder i32;
  int64_t threads;
  Value threadValue, laneValue, waveValue, blocks[3];
};

} // namespace

LogicalResult fly::lowerThreadIds(gpu::GPUFuncOp kernel, int64_t threads) {
  EntryNumbers numbers(kernel, threads);
  WalkResult result = kernel.walk([&](Operation *op) {
    if (isa<LaneOp, gpu::LaneIdOp>(op))
      numbers.replace(op, numbers.lane());
    else if (isa<WaveOp, gpu::SubgroupIdOp>(op))
      numbers.replace(op, numbers.wave());
    else if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      numbers.replace(op, id.getDimension() == gpu::Dimension::x
                              ? numbers.thread()
                              : numbers.constant(0));
    else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
      numbers.replace(op, numbers.block(id.getDimension()));
    else if (auto size = dyn_cast<gpu::BlockDimOp>(op))
      numbers.replace(
          op, numbers.constant(
                  size.getDimension() == gpu::Dimension::x ? threads : 1));
    else if (isa<gpu::GridDimOp>(op)) {
      op->emitOpError() << "is not available: pass the size of the grid as an "
                           "argument";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
