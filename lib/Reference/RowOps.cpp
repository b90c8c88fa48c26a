//===- RowOps.cpp - Rows by number, scalars, atomics ----------------------===//
//
// Accesses that take their place from values: gathered and scattered rows, one
// scalar, atomics. Workgroups run one after the other here, so an atomic is a
// load and a store, and orders have nothing to do.
//
//===----------------------------------------------------------------------===//
#include "Along.h"
#include "Interpreter.h"
#include "MemoryAccess.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Like visitRow for a whole tile whose first dimension is given by number.
static LogicalResult visitRows(Operation *op, const View &view,
                               const Tile &numbers,
                               ArrayRef<int64_t> coordinates,
                               ArrayRef<int64_t> shape, const Tile *mask,
                               function_ref<void(int64_t, int64_t)> visit) {
  if (numbers.shape[0] != shape[0])
    return op->emitError() << "has " << numbers.shape[0]
                           << " row numbers for a tile of " << shape[0]
                           << " rows";
  int64_t rows = countRows(shape);
  if (shape.size() == 1) {
    // Each element is a row of its own.
    for (int64_t i = 0; i < shape[0]; ++i) {
      int64_t origin = numbers.integers[i] - i;
      RowSpan span = spanOf(view, {origin}, shape, 0);
      if (i < span.begin || i >= span.end || (mask && !mask->integers[i]))
        continue;
      RowSpan one{i, i + 1, span.address, span.stride};
      if (failed(checkSpan(op, view, one)))
        return failure();
      visit(i, span.address + i * span.stride);
    }
    return success();
  }
  int64_t perNumber = rows / std::max<int64_t>(shape[0], 1);
  for (int64_t row = 0; row < rows; ++row) {
    // The origin that puts this row of the tile on its row of the view.
    int64_t number = row / perNumber;
    SmallVector<int64_t, 4> origin = {numbers.integers[number] - number};
    origin.append(coordinates.begin(), coordinates.end());
    if (failed(visitRow(op, view, origin, shape, row, mask, visit)))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::executeGather(GatherOp op) {
  const View &view = std::get<View>(get(op.getView()));
  FailureOr<SmallVector<int64_t, 4>> shape =
      shapeOf(op.getTile().getType(), op);
  FailureOr<SmallVector<int64_t, 4>> coordinates =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(shape) || failed(coordinates))
    return failure();
  auto tile = Tile::make(*shape, view.type.isFloat());
  Element pad = padOf(op.getPad(), view.type);
  for (int64_t i = 0, e = tile->size(); i < e; ++i)
    tile->set(i, pad);
  if (failed(visitRows(
          op, view, getCertainTile(op.getRows(), op), *coordinates, *shape,
          op.getMask() ? &getCertainTile(op.getMask(), op) : nullptr,
          [&](int64_t at, int64_t element) {
            tile->set(at, loadElement(view, element));
          })))
    return failure();
  set(op.getTile(), TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeScatter(ScatterOp op) {
  const View &view = std::get<View>(get(op.getView()));
  const Tile &tile = getTile(op.getTile());
  FailureOr<SmallVector<int64_t, 4>> coordinates =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(coordinates))
    return failure();
  return visitRows(op, view, getCertainTile(op.getRows(), op), *coordinates,
                   tile.shape,
                   op.getMask() ? &getCertainTile(op.getMask(), op) : nullptr,
                   [&](int64_t at, int64_t element) {
                     storeElement(view, element, tile.at(at));
                   });
}

LogicalResult Interpreter::executeLoadScalar(LoadScalarOp op) {
  const View &view = std::get<View>(get(op.getView()));
  FailureOr<SmallVector<int64_t, 4>> origin =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(origin))
    return failure();
  Element value = padOf(Pad::Zero, view.type);
  if (failed(
          visitRow(op, view, *origin, {}, 0, nullptr, [&](int64_t, int64_t at) {
            value = loadElement(view, at);
          })))
    return failure();
  set(op, scalarOf(view.type.isFloat(), value));
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static Element applyAtomic(AtomicKind kind, ElementType type, Element old,
                           Element value) {
  static constexpr std::pair<AtomicKind, ReduceKind> kKinds[] = {
      {AtomicKind::Add, ReduceKind::Add},
      {AtomicKind::Max, ReduceKind::Max},
      {AtomicKind::Min, ReduceKind::Min},
      {AtomicKind::UMax, ReduceKind::UMax},
      {AtomicKind::UMin, ReduceKind::UMin},
      {AtomicKind::And, ReduceKind::And},
      {AtomicKind::Or, ReduceKind::Or},
      {AtomicKind::Xor, ReduceKind::Xor}};
  for (auto [atomic, reduce] : kKinds)
    if (atomic == kind)
      return combine(reduce, type, old, value);
  return value; // xchg
}

LogicalResult Interpreter::executeAtomic(AtomicOp op) {
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
                          storeElement(view, element,
                                       applyAtomic(op.getKind(), view.type,
                                                   loadElement(view, element),
                                                   tile.at(at)));
                        })))
      return failure();
  return success();
}

LogicalResult Interpreter::executeAtomicRmw(AtomicRmwOp op) {
  const View &view = std::get<View>(get(op.getView()));
  FailureOr<SmallVector<int64_t, 4>> origin =
      resolveAll(op.getMixedCoordinates(), op);
  if (failed(origin))
    return failure();
  bool isFloat = view.type.isFloat();
  Element value = elementOf(get(op.getValue()));
  Element old = padOf(Pad::Zero, view.type);
  if (failed(visitRow(
          op, view, *origin, {}, 0, nullptr, [&](int64_t, int64_t element) {
            old = loadElement(view, element);
            storeElement(view, element,
                         applyAtomic(op.getKind(), view.type, old, value));
          })))
    return failure();
  set(op, scalarOf(isFloat, old));
  return success();
}
