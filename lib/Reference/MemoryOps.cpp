//===- MemoryOps.cpp - Views, loads, stores -------------------------------===//
//
// A load or store walks the tile row by row. Coordinates outside the view read
// as the pad and are not written, element by element; an address outside the
// memory that the launcher gave is an error, since no launch with the right
// buffers has one.
//
//===----------------------------------------------------------------------===//
#include <limits>

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Row-major strides without gaps.
static SmallVector<int64_t, 4> rowMajorStrides(ArrayRef<int64_t> extents) {
  SmallVector<int64_t, 4> strides(extents.size(), 1);
  for (int64_t d = int64_t(extents.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * extents[d + 1];
  return strides;
}

FailureOr<View> Interpreter::makeView(ViewOp op) {
  ViewType type = op.getView().getType();
  std::optional<ElementType> elementType = typeOf(type);
  if (!elementType)
    return op.emitError() << "the reference executor has no buffers of "
                          << type.getElementType();
  if (type.getLayout() && !isa<StridedAttr>(type.getLayout()))
    return op.emitError() << "the reference executor does not know the layout "
                          << type.getLayout();
  FailureOr<SmallVector<int64_t, 4>> extents =
      resolveAll(op.getMixedExtents(), op);
  FailureOr<SmallVector<int64_t, 4>> strides =
      resolveAll(op.getMixedStrides(), op);
  if (failed(extents) || failed(strides))
    return failure();
  View view{std::get<Pointer>(get(op.getPtr())).memory,
            *elementType,
            *extents,
            strides->empty() ? rowMajorStrides(*extents) : *strides,
            op.getOffset() ? getInteger(op.getOffset()) : 0,
            nullptr};
  return view;
}

FailureOr<View> Interpreter::makeLdsView(LdsFieldOp op) {
  ViewType type = op.getView().getType();
  std::optional<ElementType> elementType = typeOf(type);
  std::optional<int64_t> bytes = type.getSizeInBytes();
  if (!elementType || !bytes)
    return op.emitError() << "the reference executor needs LDS fields of "
                             "static extents and known elements, got "
                          << type;
  auto key =
      std::make_pair(op.getLds().getType().getStructName().getValue().str(),
                     op.getField().str());
  auto &[storage, memory] = lds[key];
  if (storage.size() < size_t(*bytes)) {
    storage.resize(*bytes, 0xff); // NaN: a read before the write shows.
    memory = {storage.data(), storage.size(), "LDS field " + key.second};
  }
  SmallVector<int64_t, 4> extents(type.getShape());
  return View{&memory, *elementType,
              extents, rowMajorStrides(extents),
              0,       dyn_cast_or_null<SwizzleAttr>(type.getLayout())};
}

static Element padOf(Pad pad, ElementType type) {
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
              : pad == Pad::Lowest ? type.round(-infinity, /*saturate=*/true)
                                   : 0.0;
  if (pad == Pad::Lowest) {
    APFloat lowest = APFloat::getLargest(type.semantics(), /*Negative=*/true);
    element.f = lowest.convertToDouble();
  }
  return element;
}

namespace {
/// The part of a tile's row (its innermost dimension) that lies in the view:
/// tile elements [begin, end) at element address `address` and `stride` apart.
struct RowSpan {
  int64_t begin = 0, end = 0;
  int64_t address = 0, stride = 1;
};
} // namespace

/// The span of row `row` (its flat number) of a tile at `origin`.
static RowSpan spanOf(const View &view, ArrayRef<int64_t> origin,
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
static LogicalResult checkSpan(Operation *op, const View &view,
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

/// The element number after the view's swizzle.
static int64_t physical(const View &view, int64_t element) {
  if (!view.swizzle)
    return element;
  int64_t bytes = view.type.bits() / 8;
  return int64_t(view.swizzle.apply(uint64_t(element * bytes))) / bytes;
}

LogicalResult Interpreter::executeLoad(LoadOp op) {
  const View &view = std::get<View>(get(op.getView()));
  FailureOr<SmallVector<int64_t, 4>> shape =
      shapeOf(op.getTile().getType(), op);
  FailureOr<SmallVector<int64_t, 4>> origin =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(shape) || failed(origin))
    return failure();
  bool isFloat = view.type.isFloat();
  auto tile = Tile::make(*shape, isFloat);
  Element pad = padOf(op.getPad(), view.type);
  if (isFloat)
    std::fill(tile->floats.begin(), tile->floats.end(), pad.f);
  else
    std::fill(tile->integers.begin(), tile->integers.end(), pad.i);
  const Tile *mask = op.getMask() ? &getTile(op.getMask()) : nullptr;

  int64_t width = shape->empty() ? 1 : shape->back();
  for (int64_t row = 0, rows = width ? tile->size() / width : 0; row < rows;
       ++row) {
    RowSpan span = spanOf(view, *origin, *shape, row);
    if (span.begin == span.end)
      continue;
    int64_t at = row * width;
    if (span.stride == 1 && !mask && !view.swizzle) {
      if (failed(checkSpan(op, view, span)))
        return failure();
      const uint8_t *data = view.memory->data;
      int64_t count = span.end - span.begin, from = span.address + span.begin;
      if (isFloat)
        view.type.load(
            data, from,
            MutableArrayRef<double>(&tile->floats[at + span.begin], count));
      else
        view.type.load(
            data, from,
            MutableArrayRef<int64_t>(&tile->integers[at + span.begin], count));
      continue;
    }
    for (int64_t i = span.begin; i < span.end; ++i) {
      if (mask && !mask->integers[at + i])
        continue;
      RowSpan one{i, i + 1, span.address, span.stride};
      if (failed(checkSpan(op, view, one)))
        return failure();
      uint64_t code = view.type.loadBits(
          view.memory->data, physical(view, span.address + i * span.stride));
      if (isFloat)
        tile->floats[at + i] = view.type.decode(code);
      else
        tile->integers[at + i] = view.type.wrap(int64_t(code));
    }
  }
  set(op.getTile(), TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeStore(StoreOp op) {
  const View &view = std::get<View>(get(op.getView()));
  const Tile &tile = getTile(op.getTile());
  FailureOr<SmallVector<int64_t, 4>> origin =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(origin))
    return failure();
  const Tile *mask = op.getMask() ? &getTile(op.getMask()) : nullptr;
  int64_t width = tile.shape.empty() ? 1 : tile.shape.back();
  for (int64_t row = 0, rows = width ? tile.size() / width : 0; row < rows;
       ++row) {
    RowSpan span = spanOf(view, *origin, tile.shape, row);
    int64_t at = row * width;
    for (int64_t i = span.begin; i < span.end; ++i) {
      if (mask && !mask->integers[at + i])
        continue;
      RowSpan one{i, i + 1, span.address, span.stride};
      if (failed(checkSpan(op, view, one)))
        return failure();
      uint64_t code = tile.isFloat ? view.type.encode(tile.floats[at + i])
                                   : uint64_t(tile.integers[at + i]);
      view.type.storeBits(view.memory->data,
                          physical(view, span.address + i * span.stride), code);
    }
  }
  return success();
}
