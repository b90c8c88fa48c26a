//===- StageLds.cpp - LDS buffers and barriers for staged tiles -----------===//
//
// Gives every staged tile (#fly.staged<label, slot>), every conversion, slice,
// concatenation and reshape that moves elements between lanes
// (StageLds/Exchanges.cpp) and every scan across waves its field of one LDS
// struct of the kernel, turns the conversions into stores and loads, and drops
// the staged values from loops and branches. What is not needed together shares
// a field (StageLds/Overlay.cpp). StageLds/Barriers.cpp then orders the lanes
// that meet, in the fields and in global memory.
//
// Before any kernel is changed, StageLds/Contents.cpp proves that every read
// sees the tile it names: the last one written to its slot. Refused are also
// two tiles of one label and slot that differ in type, tiles in flow graphs,
// and more bytes than the chip has.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

#include <vector>

#include "Instantiated.h"
#include "PassRemark.h"
#include "StageLds/Staging.h"

#define DEBUG_TYPE "fly-stage-lds"

namespace fly {
#define GEN_PASS_DEF_FLYSTAGELDSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::stage;

LogicalResult Staging::verify() {
  if (!kernel.getFunctionBody().hasOneBlock())
    return kernel->emitOpError() << "has tiles in a flow graph; control flow "
                                    "at tile level is scf";
  return success(succeeded(collectSlots()) &&
                 succeeded(verifyContents(kernel)) && succeeded(layOut()));
}

void Staging::apply() {
  if (!buffers.empty()) {
    createStruct();
    rewriteExchanges();
    rewriteConversions();
    dropStagedValues();
  }
  numBarriers = insertBarriers(kernel);
}

namespace {
struct FlyStageLdsPass : fly::impl::FlyStageLdsPassBase<FlyStageLdsPass> {
  using FlyStageLdsPassBase::FlyStageLdsPassBase;

  // It makes symbols beside kernels.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && hasTiles(function))
        kernels.push_back(function);
    });
    std::vector<Staging> stagings;
    for (FunctionOpInterface kernel : kernels) {
      stagings.emplace_back(kernel);
      if (failed(checkIsInstantiated(kernel)) ||
          failed(stagings.back().verify()))
        return signalPassFailure();
    }
    for (auto [kernel, staging] : llvm::zip(kernels, stagings)) {
      bool isOwn =
          kernel->walk([](LdsAllocOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      staging.apply();
      if (!isOwn && staging.numBarriers)
        kernel->setDiscardableAttr(madeLdsAttrName,
                                   UnitAttr::get(&getContext()));
      numFields += staging.numFields;
      numExchanges += staging.numExchanges;
      numBarriers += staging.numBarriers;
      if (staging.numFields || staging.numBarriers)
        remarkPassed(kernel, DEBUG_TYPE, "Staged",
                     Twine(staging.numFields) + " LDS fields of " +
                         Twine(staging.getBytes()) + " bytes, " +
                         Twine(staging.numBarriers) + " barriers");
    }
  }
};
} // namespace
