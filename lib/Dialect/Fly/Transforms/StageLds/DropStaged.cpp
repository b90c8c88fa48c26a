//===- DropStaged.cpp - Control flow without staged tiles -----------------===//
//
// Staged tiles travel through loops and branches as values as long as passes
// reason about them. Once their reads name fields, those values go.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Staging.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// Operands of `op` that are no staged tiles.
static SmallVector<Value> withoutStaged(ValueRange values) {
  return llvm::to_vector(
      llvm::make_filter_range(values, [](Value v) { return !isStaged(v); }));
}

/// Rebuilds loops and branches without their staged values. Staged values have
/// no other users left once the conversions are rewritten.
void Staging::dropStagedValues() {
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) &&
        llvm::any_of(op->getResults(), isStaged))
      ops.push_back(op);
  });
  auto replaceResults = [](Operation *op, Operation *by) {
    unsigned next = 0;
    for (Value result : op->getResults())
      if (!isStaged(result))
        result.replaceAllUsesWith(by->getResult(next++));
  };
  // Terminators first: they are the last users inside.
  for (Operation *op : ops)
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *terminator = block.getTerminator();
        terminator->setOperands(withoutStaged(terminator->getOperands()));
      }
  // Outer ops first: their staged results are the users of inner ones.
  for (Operation *op : llvm::reverse(ops)) {
    OpBuilder builder(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      SmallVector<Type> types =
          llvm::map_to_vector(withoutStaged(branch.getResults()),
                              [](Value value) { return value.getType(); });
      auto by =
          scf::IfOp::create(builder, op->getLoc(), types, branch.getCondition(),
                            /*withElseRegion=*/false);
      by.getThenRegion().takeBody(branch.getThenRegion());
      by.getElseRegion().takeBody(branch.getElseRegion());
      by->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      replaceResults(op, by);
      op->dropAllDefinedValueUses();
      op->erase();
      continue;
    }
    auto loop = cast<scf::ForOp>(op);
    auto by = scf::ForOp::create(builder, op->getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(),
                                 withoutStaged(loop.getInitArgs()));
    by.setUnsignedCmp(loop.getUnsignedCmp());
    by->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (!by.getBody()->empty())
      by.getBody()->back().erase();
    SmallVector<Value> arguments = {by.getInductionVar()};
    unsigned next = 0;
    // A staged argument has no user: its reads name the field now.
    for (BlockArgument argument : loop.getRegionIterArgs())
      arguments.push_back(isStaged(argument) ? Value()
                                             : by.getRegionIterArg(next++));
    for (auto [argument, value] :
         llvm::zip(loop.getBody()->getArguments(), arguments))
      if (value)
        argument.replaceAllUsesWith(value);
      else
        argument.dropAllUses();
    by.getBody()->getOperations().splice(by.getBody()->end(),
                                         loop.getBody()->getOperations());
    replaceResults(op, by);
    op->dropAllDefinedValueUses();
    op->erase();
  }
  SmallVector<Operation *> dead;
  kernel->walk([&](ConvertLayoutOp op) {
    if (isStaged(op))
      dead.push_back(op);
  });
  llvm::append_range(dead, copied);
  for (Operation *op : dead) {
    op->dropAllDefinedValueUses();
    op->erase();
  }
}
