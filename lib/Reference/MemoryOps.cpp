//===- MemoryOps.cpp - Views, loads, stores -------------------------------===//
//
// A load or store walks the tile row by row. Coordinates outside the view read
// as the pad and are not written, element by element; an address outside the
// memory that the launcher gave is an error, since no launch with the right
// buffers has one.
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "MemoryAccess.h"
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

/// Gives `view` the layout for its extents.
static LogicalResult bindLayout(View &view, MemoryLayoutAttr layout,
                                Operation *op) {
  // No element, no layout: extents of a layout are at least 1.
  if (llvm::any_of(view.extents, [](int64_t extent) { return extent < 1; }))
    return success();
  llvm::Expected<layout::ComposedLayout> bound = layout.bind(view.extents);
  if (!bound)
    return op->emitError() << "layout " << layout.getText() << ": "
                           << llvm::toString(bound.takeError());
  view.layout = std::make_shared<layout::ComposedLayout>(std::move(*bound));
  return success();
}

FailureOr<View> Interpreter::makeView(ViewOp op) {
  ViewType type = op.getView().getType();
  std::optional<ElementType> elementType = typeOf(type);
  if (!elementType)
    return op.emitError() << "the reference executor has no buffers of "
                          << type.getElementType();
  auto general = dyn_cast_or_null<MemoryLayoutAttr>(type.getLayout());
  if (type.getLayout() && !general &&
      !isa<StridedAttr, PreshuffleAttr>(type.getLayout()))
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
            op.getOffset() ? getCertain(op.getOffset(), op) : 0,
            nullptr,
            dyn_cast_or_null<PreshuffleAttr>(type.getLayout()),
            nullptr};
  if (general && failed(bindLayout(view, general, op)))
    return failure();
  if (view.preshuffle &&
      failed(view.preshuffle.verifyExtents(view.extents, type.getElementType(),
                                           [&] { return op.emitError(); })))
    return failure();
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
  auto &[storage, bounds, memory] = lds[key];
  if (storage.size() < size_t(*bytes)) {
    storage.resize(*bytes, 0xff); // NaN: a read before the write shows.
    memory = {storage.data(), storage.size(), "LDS field " + key.second,
              &bounds};
  }
  SmallVector<int64_t, 4> extents(type.getShape());
  View view{&memory, *elementType,
            extents, rowMajorStrides(extents),
            0,       dyn_cast_or_null<SwizzleAttr>(type.getLayout()),
            nullptr, nullptr};
  auto general = dyn_cast_or_null<MemoryLayoutAttr>(type.getLayout());
  if (general && failed(bindLayout(view, general, op)))
    return failure();
  return view;
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
  const Tile *mask = op.getMask() ? &getCertainTile(op.getMask(), op) : nullptr;

  int64_t width = shape->empty() ? 1 : shape->back();
  for (int64_t row = 0, rows = width ? tile->size() / width : 0; row < rows;
       ++row) {
    RowSpan span = spanOf(view, *origin, *shape, row);
    if (span.begin == span.end)
      continue;
    int64_t at = row * width;
    if (span.stride == 1 && !mask && !view.isPermuted()) {
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
      if (const ErrorBounds *bounds = boundsOf(view))
        for (int64_t i = 0; i < count; ++i)
          tile->setError(at + span.begin + i,
                         bounds->get(from + i, view.type.bits()));
      continue;
    }
    if (failed(visitRow(op, view, *origin, *shape, row, mask,
                        [&](int64_t at, int64_t element) {
                          tile->set(at, loadElement(view, element));
                        })))
      return failure();
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
  const Tile *mask = op.getMask() ? &getCertainTile(op.getMask(), op) : nullptr;
  for (int64_t row = 0, rows = countRows(tile.shape); row < rows; ++row)
    if (failed(visitRow(op, view, *origin, tile.shape, row, mask,
                        [&](int64_t at, int64_t element) {
                          storeElement(view, element, tile.at(at));
                        })))
      return failure();
  return success();
}
