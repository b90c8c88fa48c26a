//===- HandedTiles.cpp - Tiles that are handed over otherwise -------------===//
//
// What a pass makes of a load (bytes for elements, rows of memory for rows
// along K) shall go through the stages of a pipeline as it is, since it is what
// lies in LDS between them. Uses want the tile that was there before.
//
//===----------------------------------------------------------------------===//
#include "HandedTiles.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace fly;

static SmallVector<OpOperand *> getUses(Value tile) {
  return llvm::map_to_vector(tile.getUses(),
                             [](OpOperand &use) { return &use; });
}

/// `uses` are those of a tile of `type`.
static void replaceUses(ArrayRef<OpOperand *> uses, Location loc, Type type,
                        Value by, MakeTile make) {
  for (OpOperand *use : uses) {
    Operation *owner = use->getOwner();
    auto pipeline = isa<YieldOp>(owner)
                        ? dyn_cast<PipelineOp>(owner->getParentOp())
                        : PipelineOp();
    unsigned stage =
        pipeline ? pipeline.getStageOf(owner->getParentRegion()) : 0;
    if (!pipeline || stage > pipeline.getMiddles().size()) {
      OpBuilder builder(owner);
      use->set(make(builder, loc, type, by));
      continue;
    }
    Value argument = pipeline.getHandedArgs(stage + 1)[use->getOperandNumber()];
    use->set(by);
    SmallVector<OpOperand *> handed = getUses(argument);
    argument.setType(by.getType());
    replaceUses(handed, argument.getLoc(), type, argument, make);
  }
}

void fly::replaceHandedTile(Value tile, Value by, MakeTile make) {
  replaceUses(getUses(tile), tile.getLoc(), tile.getType(), by, make);
}
