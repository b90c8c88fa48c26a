//===- UnrollLoops.cpp - Copies of loop bodies ----------------------------===//
//
// `unroll = N` of a loop: its body N times, and a loop for the iterations that
// are left. Fewer branches and more operations to order, for more code; the
// instruction cache is shared, so nobody does it unasked.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

#include "PassRemark.h"

#define DEBUG_TYPE "fly-unroll-loops"

namespace fly {
#define GEN_PASS_DEF_FLYUNROLLLOOPSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
struct UnrollLoops : public fly::impl::FlyUnrollLoopsPassBase<UnrollLoops> {
  using FlyUnrollLoopsPassBase::FlyUnrollLoopsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(unrollAttrName))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto factor = loop->getAttrOfType<IntegerAttr>(unrollAttrName);
      // The rest of the iterations gets a copy of the attributes.
      loop->removeAttr(unrollAttrName);
      if (!factor || factor.getInt() <= 1)
        continue;
      Location loc = loop.getLoc();
      Operation *kernel = loop->getParentOfType<gpu::GPUFuncOp>();
      if (failed(loopUnrollByFactor(loop, factor.getInt()))) {
        emitError(loc) << "loop cannot be unrolled by " << factor.getInt();
        return signalPassFailure();
      }
      ++numUnrolled;
      if (kernel)
        remarkPassed(kernel, DEBUG_TYPE, "Unrolled",
                     "a loop by " + Twine(factor.getInt()) +
                         ", with a loop for the iterations that are left");
    }
  }
};
} // namespace
