//===- PlanPrograms.cpp - The launch contract of programs -----------------===//
//
// What a launcher must know of a program becomes its attribute fly.contract.
// The contract is made first; where the host cannot compute something from the
// arguments, that is one error and nothing has changed.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/SymbolTable.h"

#include "ProgramPlanner.h"

namespace fly {
#define GEN_PASS_DEF_FLYPLANPROGRAMSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
class PlanPrograms : public fly::impl::FlyPlanProgramsPassBase<PlanPrograms> {
public:
  // A program reads the contracts of kernels beside it.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](FunctionOpInterface function) {
      bool isPlanned = function->hasAttr(FlyDialect::getContractAttrName());
      if (isPlanned || !function->hasAttr(FlyDialect::getProgramAttrName()))
        return WalkResult::advance();
      ProgramPlanner planner(function);
      if (failed(planner.plan()))
        return WalkResult::interrupt();
      function->setAttr(FlyDialect::getContractAttrName(),
                        makeContractAttr(&getContext(), planner.getContract()));
      ++numPrograms;
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
