//===- TileFlow.cpp - Where tiles come from and go to ---------------------===//
//
// Follows values through the regions of fly.pipeline and of upstream loops and
// branches. Nothing is refused; what cannot be followed is an end.
//
//===----------------------------------------------------------------------===//
#include "TileFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly;

bool fly::isElementwise(Operation *op) {
  return op->getNumResults() == 1 &&
         (OpTrait::hasElementwiseMappableTraits(op) || isa<CastOp>(op));
}

bool fly::isTileLoad(Operation *op) {
  return isa_and_nonnull<LoadOp, GatherOp>(op);
}

Operation *fly::findLoad(Value tile) {
  while (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto pipeline = dyn_cast<PipelineOp>(argument.getOwner()->getParentOp());
    Value handed = pipeline ? pipeline.getHandedValue(argument) : Value();
    if (!handed)
      return {};
    tile = handed;
  }
  Operation *op = tile.getDefiningOp();
  return isTileLoad(op) ? op : nullptr;
}

bool fly::isTakenByDots(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    Operation *owner = use.getOwner();
    if (auto dot = dyn_cast<ProductOpInterface>(owner))
      return &use == &dot.getLhs() || &use == &dot.getRhs();
    auto pipeline = isa<YieldOp>(owner)
                        ? dyn_cast<PipelineOp>(owner->getParentOp())
                        : PipelineOp();
    if (!pipeline)
      return false;
    unsigned stage = pipeline.getStageOf(owner->getParentRegion());
    return stage <= pipeline.getMiddles().size() &&
           isTakenByDots(
               pipeline.getHandedArgs(stage + 1)[use.getOperandNumber()]);
  });
}

/// The values that stand for `use` after its owner, appended to `next`.
static void followUse(OpOperand &use, llvm::SetVector<Value> &next) {
  Operation *owner = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto yield = dyn_cast<YieldOp>(owner)) {
    auto pipeline = dyn_cast<PipelineOp>(yield->getParentOp());
    if (!pipeline)
      return; // Of a combiner.
    unsigned stage = pipeline.getStageOf(yield->getParentRegion());
    if (stage <= pipeline.getMiddles().size()) {
      next.insert(pipeline.getHandedArgs(stage + 1)[index]);
      return;
    }
    next.insert(pipeline.getResults()[index]);
    next.insert(pipeline.getIterArgs()[index]);
  } else if (isa<scf::YieldOp>(owner)) {
    Operation *parent = owner->getParentOp();
    if (index < parent->getNumResults())
      next.insert(parent->getResult(index));
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      next.insert(loop.getRegionIterArg(index));
  } else if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    if (index >= loop.getNumControlOperands())
      next.insert(loop.getTiedLoopRegionIterArg(&use));
  } else if (auto pipeline = dyn_cast<PipelineOp>(owner)) {
    unsigned bounds = owner->getNumOperands() - pipeline.getInits().size();
    if (index >= bounds)
      next.insert(pipeline.getIterArgs()[index - bounds]);
  } else if (isElementwise(owner) || isa<ConvertLayoutOp>(owner)) {
    next.insert(owner->getResult(0));
  } else if (auto dot = dyn_cast<ProductOpInterface>(owner)) {
    if (&use == &dot.getAccumulator())
      next.insert(owner->getResult(0));
  }
}

SmallVector<Operation *> fly::findStores(Value tile) {
  llvm::SetVector<Value> reached;
  llvm::SetVector<Operation *> stores;
  reached.insert(tile);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      llvm::TypeSwitch<Operation *>(use.getOwner())
          .Case<StoreOp, ScatterOp, AtomicOp>([&](auto store) {
            if (&use == &store.getTileMutable())
              stores.insert(store);
          });
      followUse(use, reached);
    }
  return stores.takeVector();
}

ViewType fly::getMovedView(Operation *move) {
  return llvm::TypeSwitch<Operation *, ViewType>(move)
      .Case<LoadOp, GatherOp, StoreOp, ScatterOp, AtomicOp>(
          [](auto op) { return op.getView().getType(); })
      .Default(ViewType());
}
