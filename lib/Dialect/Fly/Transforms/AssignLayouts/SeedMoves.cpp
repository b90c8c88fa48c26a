//===- SeedMoves.cpp - Layouts of reductions and of memory ----------------===//
//
// Reductions and scans want lanes that hold runs of their dimension; stores
// that the schedule writes row by row, the copy layout of their memory; gathers
// and scatters, their row numbers where the rows are.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/TypeSwitch.h"

#include "../LayoutMoves.h"
#include "../ScanOrder.h"
#include "../TileRegisters.h"
#include "CopyLayout.h"
#include "ExchangeParts.h"
#include "LayoutAssignment.h"

using namespace mlir;
using namespace fly;

LogicalResult LayoutAssignment::seedReductions() {
  WalkResult walk = kernel->walk([&](ReduceOp op) {
    Value source = op.getSources().front();
    RankedTensorType type = tileType(source);
    Attribute layout = getLayout(source);
    if (!canReduce(op, layout)) {
      layout = getOwnCopyLayout(source);
      for (OpOperand &use : op->getOpOperands())
        need(use, layout);
    }
    Attribute slice =
        getSlice(op.getDim(), type.getDimSize(op.getDim()), layout);
    for (OpResult result : op->getResults()) {
      if (failed(seed(op, result, slice)))
        return WalkResult::interrupt();
      give(result, slice);
    }
    int64_t parts = getDimSpread(cast<LayoutAttrInterface>(layout).getLaneMap(
                                     type.getShape()),
                                 op.getDim())
                        ->numParts;
    if (parts > 1)
      exchanges.push_back({op, parts});
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A scan takes layouts that give lanes runs in the order of coordinates.
LogicalResult LayoutAssignment::checkScans() {
  kernel->walk([&](ScanOp op) {
    Value source = op.getSources().front();
    if (canScan(op, getLayout(source), schedule.threads()))
      return;
    Attribute layout = getOwnCopyLayout(source);
    for (OpOperand &use : op.getSourcesMutable())
      need(use, layout);
    for (OpResult result : op->getResults())
      give(result, layout);
  });
  return success();
}

/// What a schedule writes row by row takes the copy layout of its memory alone:
/// lanes with vectors of 16 bytes, neighbours next to each other.
void LayoutAssignment::seedStores() {
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<StoreOp, ScatterOp>([&](auto store) {
      StringAttr label = store.getLabelAttr();
      if (!label || schedule.store(label) != Epilogue::CShuffle)
        return;
      CopyTraits traits;
      traits.addAccess(tileType(store.getTile()), store.getView().getType());
      Attribute layout =
          getCopyLayout(tileType(store.getTile()), traits, schedule);
      moved[op] = layout;
      reads.push_back({&store.getTileMutable(), layout});
      for (OpOperand &mask : store.getMaskMutable())
        reads.push_back({&mask, layout});
    });
  });
}

/// Row numbers are wanted where the rows are: in the slice of the tile's
/// layout. What has no layout yet takes it; the rest is converted.
void LayoutAssignment::seedRows() {
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<GatherOp, ScatterOp>([&](auto move) {
      RankedTensorType type = tileType(move.getTile());
      Attribute layout = getMovedLayout(op, move.getTile());
      if (type.getRank() == 2)
        layout =
            SliceAttr::get(op->getContext(), 1, type.getDimSize(1), layout);
      layouts.try_emplace(classes.leader(move.getRows()), layout);
      rows.push_back({&move.getRowsMutable(), layout});
    });
  });
}
