//===- PackOps.cpp - Tiles of packed elements -----------------------------===//
//
// fly.bitcast writes every row as bits and reads it as the other type;
// fly.repeat counts. A number that may be off may be any other one once its
// bits mean something else.
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "Rounding.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

LogicalResult Interpreter::executeBitcast(BitcastOp op) {
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  if (failed(shape))
    return failure();
  std::optional<ElementType> from = typeOf(op.getSource().getType());
  std::optional<ElementType> to = typeOf(op.getType());
  if (!from || !to)
    return op.emitError() << "the reference executor cannot read "
                          << op.getSource().getType() << " as " << op.getType();
  const Tile &source = getTile(op.getSource());
  int64_t columns = source.shape.back(), resultColumns = shape->back();
  if (columns * from->bits() != resultColumns * to->bits())
    return op.emitError() << "reads rows of " << columns << " " << from->name()
                          << " as " << resultColumns << " " << to->name();
  auto tile = Tile::make(*shape, to->isFloat());
  std::vector<uint8_t> bytes(from->bytesFor(columns));
  int64_t rows = columns ? source.size() / columns : 0;
  for (int64_t row = 0; row < rows; ++row) {
    double error = 0;
    for (int64_t i = 0; i < columns; ++i) {
      Element element = source.at(row * columns + i);
      error = std::max(error, element.error);
      from->storeBits(bytes.data(), i,
                      from->isFloat() ? from->encode(element.f)
                                      : uint64_t(element.i));
    }
    for (int64_t i = 0; i < resultColumns; ++i) {
      uint64_t code = to->loadBits(bytes.data(), i);
      Element element;
      if (to->isFloat())
        element.f = to->decode(code);
      else
        element.i = to->wrap(int64_t(code));
      element.error = error == 0 ? 0 : kUnbounded;
      tile->set(row * resultColumns + i, element);
    }
  }
  set(op, TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeRepeat(RepeatOp op) {
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  if (failed(shape))
    return failure();
  const Tile &source = getTile(op.getSource());
  int64_t dim = op.getDim(), factor = op.getFactor();
  if ((*shape)[dim] != source.shape[dim] * factor)
    return op.emitError() << "repeats " << source.shape[dim] << " elements "
                          << factor << " times, which are not "
                          << (*shape)[dim];
  auto tile = Tile::make(*shape, source.isFloat);
  int64_t inner = 1;
  for (int64_t extent : ArrayRef(*shape).drop_front(dim + 1))
    inner *= extent;
  for (int64_t i = 0, e = tile->size(); i < e; ++i)
    tile->set(i, source.at(i / (inner * factor) * inner + i % inner));
  set(op, TilePtr(tile));
  return success();
}
