//===- TileCopies.cpp - Tiles made once more in another layout ------------===//
//
// Walks back over ops that are cheap to repeat: loads of global memory,
// constants, splats, coordinates, and elementwise ops on tiles of one shape.
// What a loop carries, a reduction or a dot gives is not repeated.
//
//===----------------------------------------------------------------------===//
#include "TileCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "../TileFlow.h"

using namespace mlir;
using namespace fly;

/// Ops behind a tile that are repeated at most; beyond, moving it is cheaper.
static constexpr unsigned maxOps = 32;

/// Whether the op can be repeated, given its tiles in another layout.
static bool isRepeatable(Operation *op) {
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  if (auto load = dyn_cast<LoadOp>(op))
    return !load.getView().getType().getInLds();
  if (isa<ConstantOp, SplatOp, IotaOp>(op))
    return true;
  return (isElementwise(op) || isa<arith::ConstantOp>(op)) &&
         isMemoryEffectFree(op);
}

static bool canRepeat(Value tile, unsigned &ops) {
  Operation *op = tile.getDefiningOp();
  if (!isRepeatable(op) || ++ops > maxOps)
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !tileType(operand) || canRepeat(operand, ops);
  });
}

Value TileCopies::make(Value tile, Attribute layout) {
  RankedTensorType type = tileType(tile);
  if (type.getEncoding() == layout)
    return tile;
  Value &copy =
      copies[{tile.getAsOpaquePointer(), layout.getAsOpaquePointer()}];
  if (copy)
    return copy;
  Operation *op = tile.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (tileType(operand))
      mapping.map(operand, make(operand, layout));
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Operation *repeated = builder.clone(*op, mapping);
  RankedTensorType to = type.cloneWithEncoding(layout);
  if (auto constant = dyn_cast<arith::ConstantOp>(repeated))
    constant.setValueAttr(
        cast<DenseElementsAttr>(constant.getValue()).reshape(to));
  repeated->getResult(0).setType(to);
  return copy = repeated->getResult(0);
}

Value TileCopies::get(Value tile, Attribute layout) {
  unsigned ops = 0;
  return canRepeat(tile, ops) ? make(tile, layout) : Value();
}
