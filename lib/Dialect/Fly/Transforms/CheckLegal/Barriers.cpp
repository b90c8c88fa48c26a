//===- Barriers.cpp - Barriers where the wave agrees ----------------------===//
//
// A barrier that only some lanes of a wave reach is no barrier at all: the wave
// arrives once, or never. So no barrier may stand under a condition, or in a
// loop with a bound, that differs between lanes. What differs between waves is
// legal, as long as the counts agree: that is for the simulator to see.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "CheckLegal.h"

using namespace mlir;
using namespace fly;

/// A fence, and an atomic of the workgroup, have barriers in them.
static bool isBarrier(Operation *op) {
  return isa<BarrierOp, FenceOp, AtomicRmwOp, gpu::BarrierOp,
             amdgpu::LDSBarrierOp, ROCDL::SBarrierOp, ROCDL::BarrierOp>(op);
}

/// A value that decides whether, or how often, the regions of `op` run and that
/// differs between lanes; null if there is none.
static Value getDivergentControl(Operation *op, const Uniformity &uniformity) {
  SmallVector<Value> deciding;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    deciding = {branch.getCondition()};
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    deciding = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    deciding = {loop.getConditionOp().getCondition()};
  else
    llvm::append_range(deciding, op->getOperands());
  for (Value value : deciding)
    if (!uniformity.isUniform(value))
      return value;
  return {};
}

LogicalResult fly::checkBarriers(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> barriers;
  kernel.walk([&](Operation *op) {
    if (isBarrier(op))
      barriers.push_back(op);
  });
  if (barriers.empty())
    return success();
  Uniformity uniformity(kernel);
  bool failed = false;
  for (Operation *barrier : barriers) {
    if (!kernel.getBody().hasOneBlock()) {
      barrier->emitOpError()
          << "stands in a flow graph, where Fly does not see whether the wave "
             "agrees; use scf for control flow";
      return failure();
    }
    for (Operation *parent = barrier->getParentOp(); parent != kernel;
         parent = parent->getParentOp()) {
      Value control = getDivergentControl(parent, uniformity);
      if (!control)
        continue;
      failed = true;
      InFlightDiagnostic diag =
          barrier->emitOpError()
          << "is reached by some lanes of a wave only: every lane must arrive";
      diag.attachNote(parent->getLoc())
          << "under this '" << parent->getName() << "'";
      // The source: a lane's number, or data that a lane read.
      Value source = control;
      while (Value cause = uniformity.getCause(source))
        source = cause;
      diag.attachNote(source.getLoc())
          << "its condition differs between lanes because of this value; "
             "conditions on fly.wave and on workgroup numbers are uniform";
      break;
    }
  }
  return failure(failed);
}
