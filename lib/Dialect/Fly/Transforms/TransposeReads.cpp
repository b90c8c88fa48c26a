//===- TransposeReads.cpp - Tiles in LDS as memory has them ---------------===//
//
// Matrix instructions read along K. Where K does not run along the rows of
// memory, a chip with transposing LDS reads can leave the tile as it is: it
// moves in whole rows, and the exchange of rows and columns happens when lanes
// read it. So the load becomes that of the transposed view, and each use gets
// the transpose of the tile, which costs nothing by itself. Which loads, the
// schedule says (fly-resolve-schedule).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "HandedTiles.h"
#include "LabelledOps.h"
#include "MixedLists.h"
#include "PassRemark.h"
#include "TileFlow.h"

#define DEBUG_TYPE "fly-transpose-reads"

namespace fly {
#define GEN_PASS_DEF_FLYTRANSPOSEREADSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// The list with its two last entries exchanged.
template <typename T>
static SmallVector<T> exchange(ArrayRef<T> list) {
  SmallVector<T> result(list);
  std::swap(result[result.size() - 1], result[result.size() - 2]);
  return result;
}

/// The view of the same elements with the two last dimensions exchanged.
static ViewOp exchangeView(ViewOp view) {
  OpBuilder builder(view);
  builder.setInsertionPointAfter(view);
  ViewType type = view.getType();
  auto strided = cast<StridedAttr>(type.getLayout());
  auto layout =
      StridedAttr::get(builder.getContext(), exchange(strided.getStrides()));
  auto exchanged =
      ViewType::get(exchange(type.getShape()), type.getElementType(),
                    /*inLds=*/false, layout);
  SmallVector<Value> extents, strides;
  ArrayAttr staticExtents = splitMixed(
      builder, exchange<OpFoldResult>(view.getMixedExtents()), extents);
  ArrayAttr staticStrides = splitMixed(
      builder, exchange<OpFoldResult>(view.getMixedStrides()), strides);
  return ViewOp::create(builder, view.getLoc(), exchanged, view.getPtr(),
                        extents, strides, view.getOffset(), staticExtents,
                        staticStrides);
}

/// Why the tile of `load` cannot keep the rows of memory; empty where it can.
static StringRef whyNot(LoadOp load) {
  ViewType type = load.getView().getType();
  auto view = load.getView().getDefiningOp<ViewOp>();
  if (!view || tileType(load.getTile()).getRank() != 2)
    return "its view is not made in this kernel, or its tile is no matrix";
  if (load.getMask())
    return "a mask chooses elements";
  if (!isa_and_nonnull<StridedAttr>(type.getLayout()) ||
      type.getContiguousDim() != unsigned(type.getRank() - 2))
    return "its view is not contiguous along the last dimension but one";
  return "";
}

/// The load of the transposed tile, in the place of `load`.
static void exchangeLoad(LoadOp load, ViewOp view) {
  OpBuilder builder(load);
  RankedTensorType tile = tileType(load.getTile());
  SmallVector<Value> coordinates;
  ArrayAttr staticCoordinates = splitMixed(
      builder, exchange<OpFoldResult>(load.getMixedCoordinates()), coordinates);
  DenseBoolArrayAttr inBounds = load.getInBoundsAttr();
  if (inBounds)
    inBounds = builder.getDenseBoolArrayAttr(exchange(inBounds.asArrayRef()));
  auto rows = LoadOp::create(
      builder, load.getLoc(), tile.clone(exchange(tile.getShape())), view,
      coordinates, Value(), staticCoordinates, load.getPad(), load.getCache(),
      load.getLabelAttr(), inBounds, load.getAlignAttr());
  replaceHandedTile(
      load.getTile(), rows.getTile(),
      [](OpBuilder &builder, Location loc, Type type, Value handed) -> Value {
        return TransposeOp::create(builder, loc, type, handed,
                                   builder.getDenseI64ArrayAttr({1, 0}));
      });
  load.erase();
}

namespace {
struct FlyTransposeReadsPass
    : fly::impl::FlyTransposeReadsPassBase<FlyTransposeReadsPass> {
  using FlyTransposeReadsPassBase::FlyTransposeReadsPassBase;

  void runOnOperation() override {
    SmallVector<LoadOp> loads;
    WalkResult walk = getOperation()->walk([&](FunctionOpInterface kernel) {
      if (!kernel->hasAttr(FlyDialect::getScheduleAttrName()))
        return WalkResult::advance();
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule))
        return WalkResult::interrupt();
      kernel.walk([&](LoadOp load) {
        StringAttr label = getWrittenLabel(load);
        const OperandPolicy *policy =
            label ? schedule->operand(label) : nullptr;
        if (policy && policy->readsTransposed)
          loads.push_back(load);
      });
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    DenseMap<Value, ViewOp> views;
    for (LoadOp load : loads) {
      if (StringRef why = whyNot(load); !why.empty()) {
        remarkMissed(load, DEBUG_TYPE, "NotTransposed",
                     "the tile does not keep the rows of memory: " + why);
        continue;
      }
      auto view = load.getView().getDefiningOp<ViewOp>();
      ViewOp &exchanged = views[view];
      if (!exchanged)
        exchanged = exchangeView(view);
      remarkPassed(load, DEBUG_TYPE, "Transposed",
                   "the tile keeps the rows that memory has, and is transposed "
                   "where it is used");
      exchangeLoad(load, exchanged);
      ++numTransposed;
      if (view->use_empty()) {
        views.erase(view);
        view.erase();
      }
    }
  }
};
} // namespace
