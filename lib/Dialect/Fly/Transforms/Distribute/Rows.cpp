//===- Rows.cpp - Tiles whose rows are given by number --------------------===//
//
// Each row that a lane holds gets a view of its own: the base moves to the row
// in 64-bit arithmetic of the lane, so that no row is too far away, and the
// view has one row, or none where the number is outside. What is left of an
// access is its place in the row, the same for all rows. A lane computes a
// row's view once for all of its accesses there; in a loop over columns it
// stays in registers.
//
// Refuses layouts of bytes in which a row is no line of elements.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "../MixedLists.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// The view of one row, `number`, an i32.
Value Distributor::makeRowView(ViewOp view, Value number) {
  Location loc = view.getLoc();
  ViewType type = view.getType();
  SmallVector<OpFoldResult> extents, strides;
  for (OpFoldResult extent : view.getMixedExtents())
    extents.push_back(isa<Value>(extent) ? lookup(cast<Value>(extent))
                                         : extent);
  for (OpFoldResult stride : view.getMixedStrides())
    strides.push_back(isa<Value>(stride) ? lookup(cast<Value>(stride))
                                         : stride);
  if (strides.empty()) { // Row-major.
    strides.assign(type.getRank(), builder.getI64IntegerAttr(1));
    if (type.getRank() == 2)
      strides[0] = extents[1];
  }
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, number, bound);
  };
  Value inside = arith::AndIOp::create(
      builder, loc,
      compare(arith::CmpIPredicate::slt, materialize(extents[0], loc)),
      compare(arith::CmpIPredicate::sge, constant(0)));
  Value offset = arith::MulIOp::create(builder, loc, toI64(number, loc),
                                       getWideStride(view, 0));
  if (view.getOffset())
    offset =
        arith::AddIOp::create(builder, loc, lookup(view.getOffset()), offset);
  extents[0] =
      arith::SelectOp::create(builder, loc, inside, constant(1), constant(0))
          .getResult();
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = ShapedType::kDynamic;
  SmallVector<Value> extentValues, strideValues;
  ArrayAttr staticExtents = splitMixed(builder, extents, extentValues);
  ArrayAttr staticStrides = splitMixed(builder, strides, strideValues);
  return ViewOp::create(builder, loc,
                        ViewType::get(shape, type.getElementType(),
                                      /*inLds=*/false, type.getLayout()),
                        lookup(view.getPtr()), extentValues, strideValues,
                        offset, staticExtents, staticStrides);
}

template <typename OpT>
FailureOr<Window> Distributor::makeRowWindow(OpT op) {
  RankedTensorType tile = tileType(op.getTile()), rows = tileType(op.getRows());
  if (!isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()))
    return op.emitOpError() << "has a tile without a layout: run "
                               "fly-assign-layouts first";
  ViewType type = op.getView().getType();
  auto view = op.getView().template getDefiningOp<ViewOp>();
  if (!view)
    return op.emitOpError() << "needs its view to be made by fly.view in this "
                               "kernel";
  if (type.getLayout() && !isa<StridedAttr>(type.getLayout()))
    return op.emitOpError() << "takes rows by number from " << type
                            << ", which this pass cannot distribute: rows "
                               "must be lines of elements";
  // The register of the row numbers for each register of the tile: both have
  // the same rows in the same lanes.
  LaneMap map = distribute::getLaneMap(tile);
  if (!isa_and_nonnull<LayoutAttrInterface>(rows.getEncoding()))
    return op.emitOpError() << "has row numbers without a layout: run "
                               "fly-assign-layouts first";
  LaneMap rowMap = distribute::getLaneMap(rows);
  Value numbers = lookup(op.getRows());
  ArrayRef<int64_t> shape = cast<VectorType>(numbers.getType()).getShape();
  Window window;
  window.tile = tile;
  window.type = type;
  window.align = op.getAlign().value_or(1);
  window.cache = op.getCache();
  if constexpr (std::is_same_v<OpT, GatherOp>)
    window.pad = op.getPad();
  window.origin.assign(tile.getRank(), Value());
  window.inBounds.push_back(false);
  SmallVector<OpFoldResult> coordinates = op.getMixedCoordinates();
  for (unsigned d = 1; d < type.getRank(); ++d) {
    window.inBounds.push_back(op.isInBounds(d));
    auto number = dyn_cast<Attribute>(coordinates[d - 1]);
    if (!number || cast<IntegerAttr>(number).getInt() != 0)
      window.origin[d] =
          toIndex(materialize(coordinates[d - 1], op.getLoc()), op.getLoc());
  }
  SmallVector<Value> viewOfRegister(rowMap.tails.size());
  for (const auto &tail : map.tails) {
    auto *it = llvm::find_if(rowMap.tails, [&](const auto &rowTail) {
      return rowTail[0] == tail[0];
    });
    if (it == rowMap.tails.end() || !hasSameRows(map, rowMap))
      return op.emitOpError()
             << "has row numbers as " << rows.getEncoding()
             << ", which is no slice of " << tile.getEncoding();
    size_t index = it - rowMap.tails.begin();
    if (!viewOfRegister[index])
      viewOfRegister[index] = makeRowView(
          view, vector::ExtractOp::create(builder, op.getLoc(), numbers,
                                          positionOf(shape, index)));
    window.rowViews.push_back(viewOfRegister[index]);
  }
  window.view = window.rowViews.front();
  window.type = cast<ViewType>(window.view.getType());
  return window;
}

bool Distributor::hasSameRows(const LaneMap &tile, const LaneMap &rows) const {
  auto base = [](const LaneMap &map, int64_t thread) {
    int64_t sum = 0;
    for (const LaneTerm &term : map.base[0])
      sum += term.evaluate(thread);
    return sum;
  };
  return llvm::all_of(llvm::seq(threads), [&](int64_t thread) {
    return base(tile, thread) == base(rows, thread);
  });
}

template FailureOr<Window> Distributor::makeRowWindow(GatherOp op);
template FailureOr<Window> Distributor::makeRowWindow(ScatterOp op);
