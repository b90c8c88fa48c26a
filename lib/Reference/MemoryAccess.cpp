//===- MemoryAccess.cpp - Elements of a view in memory --------------------===//
//
// Coordinates outside the view are no elements of it, one by one; an address
// outside the memory that the launcher gave is an error, since no launch with
// the right buffers has one.
//
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"

#include "mlir/IR/Operation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "Rounding.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

Element fly::reference::padOf(Pad pad, ElementType type) {
  Element element;
  bool one = pad == Pad::One;
  if (type.isInteger()) {
    bool lowest = pad == Pad::Lowest;
    element.i = one      ? 1
                : lowest ? type.wrap(int64_t(1) << (type.bits() - 1))
                         : 0;
    return element;
  }
  double infinity = std::numeric_limits<double>::infinity();
  element.f = one                  ? 1.0
              : pad == Pad::NegInf ? -infinity
              : pad == Pad::PosInf ? infinity
                                   : 0.0;
  if (pad == Pad::Lowest) {
    APFloat lowest = APFloat::getLargest(type.semantics(), /*Negative=*/true);
    element.f = lowest.convertToDouble();
  }
  return element;
}

/// The span of row `row` (its flat number) of a tile at `origin`.
RowSpan fly::reference::spanOf(const View &view, ArrayRef<int64_t> origin,
                               ArrayRef<int64_t> shape, int64_t row) {
  size_t viewRank = view.extents.size(), rank = shape.size();
  SmallVector<int64_t, 4> coords(origin);
  for (int64_t d = int64_t(rank) - 2; d >= 0; --d) {
    coords[viewRank - rank + d] += row % shape[d];
    row /= shape[d];
  }
  RowSpan span;
  span.address = view.offset;
  for (size_t d = 0; d < viewRank; ++d) {
    bool isInner = rank > 0 && d + 1 == viewRank;
    if (!isInner && (coords[d] < 0 || coords[d] >= view.extents[d]))
      return span;
    span.address += coords[d] * view.strides[d];
  }
  if (rank == 0) {
    span.end = 1;
    return span;
  }
  int64_t first = coords.back(), width = shape.back();
  span.stride = view.strides.back();
  span.begin = std::clamp<int64_t>(-first, 0, width);
  span.end =
      std::clamp<int64_t>(view.extents.back() - first, span.begin, width);
  return span;
}

/// Checks that the span's elements lie in the memory.
LogicalResult fly::reference::checkSpan(Operation *op, const View &view,
                                        const RowSpan &span) {
  int64_t low = span.address + span.begin * span.stride;
  int64_t high = span.address + (span.end - 1) * span.stride;
  if (low > high)
    std::swap(low, high);
  if (view.memory && view.memory->data && low >= 0 &&
      view.type.bytesFor(uint64_t(high) + 1) <= view.memory->bytes)
    return success();
  InFlightDiagnostic diag = op->emitError();
  diag << "accesses element " << (low < 0 ? low : high) << " of ";
  if (!view.memory || !view.memory->data)
    return diag << "a pointer without memory";
  return diag << "'" << view.memory->name << "', which has "
              << view.memory->bytes * 8 / view.type.bits() << " of "
              << view.type.name();
}

int64_t fly::reference::physical(const View &view, int64_t element) {
  if (view.preshuffle) {
    // Whole blocks fill each matrix of the leading dimensions, so the rows of
    // all of them count on.
    int64_t columns = view.extents.back(), at = element - view.offset;
    return view.offset + view.preshuffle.apply(at / columns, at % columns,
                                               columns, view.type.bits());
  }
  if (view.layout) {
    // The number of an element that is in the view, row by row.
    std::vector<layout::IntTuple> coordinates(view.extents.size(),
                                              layout::IntTuple(0));
    int64_t rest = element - view.offset;
    for (size_t dim = view.extents.size(); dim-- > 0;) {
      coordinates[dim] = layout::IntTuple(rest % view.extents[dim]);
      rest /= view.extents[dim];
    }
    return view.offset +
           llvm::cantFail(layout::crd2idx(
               coordinates.size() == 1
                   ? coordinates.front()
                   : layout::IntTuple::tuple(std::move(coordinates)),
               *view.layout));
  }
  if (!view.swizzle)
    return element;
  int64_t bytes = view.type.bits() / 8;
  return int64_t(view.swizzle.apply(uint64_t(element * bytes))) / bytes;
}

Element fly::reference::loadElement(const View &view, int64_t element) {
  uint64_t code =
      view.type.loadBits(view.memory->data, physical(view, element));
  Element value;
  if (view.type.isFloat())
    value.f = view.type.decode(code);
  else
    value.i = view.type.wrap(int64_t(code));
  if (const ErrorBounds *bounds = boundsOf(view))
    value.error = bounds->get(physical(view, element), view.type.bits());
  return value;
}

const ErrorBounds *fly::reference::boundsOf(const View &view) {
  const ErrorBounds *bounds = view.memory->bounds;
  return bounds && !bounds->areZero() ? bounds : nullptr;
}

void fly::reference::storeElement(const View &view, int64_t element,
                                  Element value) {
  uint64_t code =
      view.type.isFloat() ? view.type.encode(value.f) : uint64_t(value.i);
  int64_t at = physical(view, element);
  view.type.storeBits(view.memory->data, at, code);
  ErrorBounds *bounds = view.memory->bounds;
  if (!bounds || (value.error == 0 && bounds->areZero()))
    return;
  double error = value.error;
  if (error != 0 && view.type.isFloat()) {
    // The device's number is one of the type; the wide one is rounded here.
    double stored = view.type.decode(code);
    if (std::isfinite(stored) && std::isfinite(value.f))
      error += std::fabs(stored - value.f);
    else if (stored != value.f && !(std::isnan(stored) && std::isnan(value.f)))
      error = kUnbounded;
  }
  bounds->set(at, view.type.bits(), error);
}

LogicalResult
fly::reference::visitRow(Operation *op, const View &view,
                         ArrayRef<int64_t> origin, ArrayRef<int64_t> shape,
                         int64_t row, const Tile *mask,
                         function_ref<void(int64_t, int64_t)> visit) {
  RowSpan span = spanOf(view, origin, shape, row);
  int64_t width = shape.empty() ? 1 : shape.back();
  for (int64_t i = span.begin; i < span.end; ++i) {
    int64_t at = row * width + i;
    if (mask && !mask->integers[at])
      continue;
    int64_t element = span.address + i * span.stride;
    // In a block the elements of a line lie apart.
    bool isApart = view.preshuffle || view.layout;
    RowSpan one{0, 1, isApart ? physical(view, element) : element, 1};
    if (failed(checkSpan(op, view, one)))
      return failure();
    visit(at, element);
  }
  return success();
}

int64_t fly::reference::countRows(ArrayRef<int64_t> shape) {
  int64_t rows = 1;
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1))
    rows *= extent;
  return rows;
}
