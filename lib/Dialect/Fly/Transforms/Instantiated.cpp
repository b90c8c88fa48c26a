//===- Instantiated.cpp - Kernels in which names are numbers --------------===//
//
// Every pass behind fly-instantiate counts with the extents of tiles, and sees
// one body. Where a pass runs by itself on a source, the extents would count as
// whatever stands for "unknown" and the tiles of helpers would not count at
// all, so the source is refused before anything is decided.
//
//===----------------------------------------------------------------------===//
#include "Instantiated.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kFix = ": run fly-instantiate first";

/// A tile among `types` whose extents are not all numbers, or null.
static Type findUnknownTile(TypeRange types) {
  for (Type type : types) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (tile && !tile.hasStaticShape())
      return tile;
  }
  return {};
}

static LogicalResult checkOp(Operation *op) {
  StringAttr name;
  forEachName(op, [&](StringAttr found) { name = name ? name : found; });
  if (name)
    return op->emitOpError() << "has the size '" << name.getValue()
                             << "' in place of a number" << kFix;
  Type unknown = findUnknownTile(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!unknown)
        unknown = findUnknownTile(block.getArgumentTypes());
  if (unknown)
    return op->emitOpError() << "has the tile " << unknown
                             << ", whose extents are not numbers" << kFix;
  if (isa<StaticForOp>(op))
    return op->emitOpError() << "is not unrolled" << kFix;
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.emitOpError() << "calls the helper '" << call.getCallee()
                              << "', which is not inlined" << kFix;
  return success();
}

LogicalResult fly::checkIsInstantiated(Operation *kernel) {
  if (isa_and_nonnull<SchedulesAttr>(
          kernel->getAttr(FlyDialect::getScheduleAttrName())))
    return kernel->emitOpError()
           << "has a schedule for each of several chips" << kFix;
  WalkResult walk = kernel->walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(checkOp(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
