//===- UnloweredOps.cpp - Forms of ops that no pass lowers ----------------===//
//
// Every op of the language is lowered, but a few not in each form that the
// reference executor runs. Passes further down would refuse those for what they
// look like there, so they are refused by name where a kernel enters the
// pipeline, and again where one enters in the middle.
//
//===----------------------------------------------------------------------===//
#include "UnloweredOps.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include "ShapeOps.h"

using namespace mlir;
using namespace fly;

LogicalResult fly::checkIsLowered(Operation *op) {
  return isShapeOp(op) ? checkShapeOp(op) : success();
}

/// Global memory whose layout only the reference executor knows.
static LogicalResult checkLayoutIsLowered(Operation *op) {
  auto view = dyn_cast<ViewOp>(op);
  if (!view ||
      !isa_and_nonnull<MemoryLayoutAttr>(view.getView().getType().getLayout()))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "cannot be compiled: no pass lowers the layout "
                            << view.getView().getType().getLayout()
                            << " of global memory";
  diag.attachNote() << "strides of the view say what is contiguous: "
                       "#fly.strided; the reference executor runs it: "
                       "fly-run --device=reference";
  return diag;
}

/// Tiles of truth values in memory, where a lane's part may be any number of
/// bits.
static LogicalResult checkMovesBytes(Operation *op) {
  auto check = [&](ViewType view, StringRef verb) -> LogicalResult {
    if (!view.getElementType().isInteger(1))
      return success();
    return op->emitOpError()
           << "cannot " << verb << " elements of " << view.getElementType()
           << ", which are no whole bytes: keep truth values as i8 and compare "
              "with 0";
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<LoadOp, GatherOp>(
          [&](auto load) { return check(load.getView().getType(), "read"); })
      .Case<StoreOp, ScatterOp>(
          [&](auto store) { return check(store.getView().getType(), "write"); })
      .Default([](Operation *) { return success(); });
}

LogicalResult fly::checkAreLowered(Operation *root) {
  WalkResult walk = root->walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(checkIsLowered(op)) || failed(checkLayoutIsLowered(op)) ||
                   failed(checkMovesBytes(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
