//===- LayoutOps.cpp - Coordinates and offsets ----------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Layout/Coordinates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;
using namespace fly;

Operation *FlyDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Takes the value, or drops the error.
template <typename T>
static std::optional<T> valueOrNone(llvm::Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  llvm::consumeError(expected.takeError());
  return std::nullopt;
}

static IntegerAttr indexAttr(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IndexType::get(context), value);
}

LogicalResult LayoutOffsetOp::verify() {
  unsigned rank = getLayout().getRank(), count = getCoordinates().size();
  if (count != rank && count != 1) // C1
    return emitOpError() << "has " << count << " coordinates, expected " << rank
                         << ", one for each mode of " << getLayout().getText()
                         << ", or one for all";
  std::optional<int64_t> most = getLayout().getCosize(); // C2
  if (!getLayout().isStatic() || !most ||
      *most > std::numeric_limits<int32_t>::max() ||
      getLayout().getLayout().offset() < 0)
    return emitOpError() << "needs a layout without unknown values whose "
                            "offsets are from 0 to 2^31 - 1, got "
                         << getLayout().getText();
  return success();
}

OpFoldResult LayoutOffsetOp::fold(FoldAdaptor adaptor) {
  std::vector<layout::IntTuple> coordinates;
  for (Attribute coordinate : adaptor.getCoordinates()) {
    auto number = dyn_cast_or_null<IntegerAttr>(coordinate);
    if (!number)
      return {};
    coordinates.emplace_back(number.getInt());
  }
  // Outside of the layout there is no offset: the op stays.
  bool isWhole = coordinates.size() == 1;
  auto offset = valueOrNone(
      layout::crd2idx(isWhole ? coordinates.front()
                              : layout::IntTuple::tuple(std::move(coordinates)),
                      getLayout().getLayout()));
  return offset ? OpFoldResult(indexAttr(getContext(), *offset))
                : OpFoldResult();
}

LogicalResult LayoutCoordinatesOp::verify() {
  unsigned rank = getLayout().getRank();
  if (getNumResults() != rank) // C1
    return emitOpError() << "has " << getNumResults() << " results, expected "
                         << rank << ", one for each mode of "
                         << getLayout().getText();
  std::optional<int64_t> size = getLayout().getLayout().size().value(); // C2
  if (!size || *size > std::numeric_limits<int32_t>::max())
    return emitOpError() << "needs a layout of known extents and at most 2^31 "
                            "- 1 elements, got "
                         << getLayout().getText();
  return success();
}

LogicalResult
LayoutCoordinatesOp::fold(FoldAdaptor adaptor,
                          SmallVectorImpl<OpFoldResult> &results) {
  auto number = dyn_cast_or_null<IntegerAttr>(adaptor.getFlat());
  if (!number)
    return failure();
  const layout::Layout inner = getLayout().getLayout().inner();
  auto coordinates =
      valueOrNone(layout::idx2crd(number.getInt(), inner.shape()));
  if (!coordinates)
    return failure();
  for (unsigned mode = 0; mode < inner.rank(); ++mode) {
    auto flat = valueOrNone(
        layout::flatten(coordinates->mode(mode), inner.shape().mode(mode)));
    if (!flat)
      return failure();
    results.push_back(indexAttr(getContext(), *flat));
  }
  return success();
}
