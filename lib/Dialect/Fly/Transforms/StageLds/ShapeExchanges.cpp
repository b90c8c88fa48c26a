//===- ShapeExchanges.cpp - Slices and reshapes through LDS ---------------===//
//
// The elements of the larger side lie in a field; the other side is a part of
// it, or the same elements by other coordinates. Parts of the same rank with
// neighbouring elements are places in a field of two dimensions, whose rows may
// be padded or permuted. Everything else sees a field of plain rows with other
// strides. Where such a part does not start at a multiple of its last stride,
// the whole is moved up in the field until it does.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

#include "../TileFlow.h"
#include "Exchanges.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

static SmallVector<int64_t, 2> getStart(Value tile) {
  return SmallVector<int64_t, 2>(tileType(tile).getRank(), 0);
}

/// A view of LDS by strides.
static ViewType getStrided(ArrayRef<int64_t> shape, Type element,
                           ArrayRef<int64_t> strides) {
  return ViewType::get(shape, element, /*inLds=*/true)
      .withLayout(StridedAttr::get(element.getContext(), strides));
}

namespace {
/// A tile and a slice of it in one field.
struct SlicePlaces {
  ViewType field;
  FieldTile whole, part;
};
} // namespace

/// Places for the whole, of this type, and for its slice, in a field of rows.
static SlicePlaces placeByStrides(OffsetSizeAndStrideOpInterface slice,
                                  const llvm::SmallBitVector &dropped,
                                  RankedTensorType whole) {
  Type element = whole.getElementType();
  ArrayRef<int64_t> extents = whole.getShape();
  SmallVector<int64_t> pitches(extents.size(), 1);
  for (unsigned d = extents.size() - 1; d-- > 0;)
    pitches[d] = pitches[d + 1] * extents[d + 1];
  SmallVector<int64_t> sizes, strides;
  int64_t base = 0;
  for (unsigned d = 0; d < extents.size(); ++d) {
    base += slice.getStaticOffsets()[d] * pitches[d];
    if (dropped.test(d))
      continue;
    sizes.push_back(slice.getStaticSizes()[d]);
    strides.push_back(slice.getStaticStrides()[d] * pitches[d]);
  }
  // Along the last dimension the part starts at a multiple of its stride.
  int64_t first = llvm::divideCeil(base, strides.back());
  int64_t up = first * strides.back() - base;
  sizes.back() += first;
  SlicePlaces places;
  places.field =
      ViewType::get({whole.getNumElements() + up}, element, /*inLds=*/true);
  SmallVector<int64_t> wholeShape(extents);
  wholeShape.back() += up;
  places.whole.view = getStrided(wholeShape, element, pitches);
  places.whole.at.assign(extents.size(), 0);
  places.whole.at.back() = up;
  places.part.view = getStrided(sizes, element, strides);
  places.part.at.assign(sizes.size(), 0);
  places.part.at.back() = first;
  return places;
}

/// Places for the slice, of type `part`, of a tile in whatever field suits
/// both.
static SlicePlaces placeSlice(OffsetSizeAndStrideOpInterface slice,
                              const llvm::SmallBitVector &dropped,
                              RankedTensorType whole,
                              const FieldChoice &choice) {
  bool isNext = llvm::all_of(slice.getStaticStrides(),
                             [](int64_t stride) { return stride == 1; });
  if (dropped.any() || !isNext)
    return placeByStrides(slice, dropped, whole);
  SlicePlaces places;
  places.field = places.whole.view = places.part.view = choice.choose(
      whole.getShape(), whole.getElementType(), getAccesses(slice));
  places.whole.at.assign(whole.getRank(), 0);
  places.part.at.assign(slice.getStaticOffsets().begin(),
                        slice.getStaticOffsets().end());
  return places;
}

static Exchange makeConcat(tensor::ConcatOp op, const FieldChoice &choice) {
  RankedTensorType result = tileType(op.getResult());
  ViewType field = choice.choose(result.getShape(), result.getElementType(),
                                 getAccesses(op));
  Exchange exchange = {op, field, {}, {0, field, getStart(op.getResult())}};
  SmallVector<int64_t, 2> at = getStart(op.getResult());
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    exchange.sources.push_back({unsigned(index), field, at});
    at[op.getDim()] += tileType(input).getDimSize(op.getDim());
  }
  return exchange;
}

/// The same elements in the same order.
static Exchange makeReshape(Operation *op) {
  RankedTensorType source = tileType(op->getOperand(0));
  RankedTensorType result = tileType(op->getResult(0));
  auto see = [](RankedTensorType tile) {
    return ViewType::get(tile.getShape(), tile.getElementType(),
                         /*inLds=*/true);
  };
  return {op,
          see(source),
          {{0, see(source), getStart(op->getOperand(0))}},
          {0, see(result), getStart(op->getResult(0))}};
}

Exchange stage::makeShapeExchange(Operation *op, const FieldChoice &choice) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return makeConcat(concat, choice);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SlicePlaces places = placeSlice(slice, slice.getDroppedDims(),
                                    slice.getSourceType(), choice);
    return {op, places.field, {places.whole}, places.part};
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    SlicePlaces places =
        placeSlice(slice, slice.getDroppedDims(), slice.getDestType(), choice);
    FieldTile written = places.whole;
    written.operand = 1;
    return {op, places.field, {written, places.part}, places.whole};
  }
  return makeReshape(op);
}
