//===- CheckOps.cpp - Asserts and prints of a kernel ----------------------===//
//
// Rules of fly.assert, fly.print and fly.record. Labels C1.. are those of the
// definitions (FlyCheckOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace fly;

/// The type, or that of the elements of a tile.
static Type getNumberType(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getElementType() : type;
}

static LogicalResult verifyCondition(Operation *op, Value condition) {
  if (getNumberType(condition.getType()).isInteger(1))
    return success();
  return op->emitOpError() << "expects a condition of i1 or a tile of it, got "
                           << condition.getType();
}

LogicalResult AssertOp::verify() {
  return verifyCondition(*this, getCondition()); // C1
}

LogicalResult PrintOp::verify() {
  size_t places = getText().count("{}"); // C1
  if (places != getValues().size())
    return emitOpError() << "has " << places << " {} for " << getValues().size()
                         << " values";
  for (Value value : getValues()) {
    Type type = value.getType();
    if (!getNumberType(type).isIntOrIndexOrFloat())
      return emitOpError() << "prints numbers and tiles of numbers, got "
                           << type;
  }
  return success();
}

LogicalResult RecordOp::verify() {
  ViewType channel = getChannel().getType();
  if (channel.getRank() != 1 || channel.getInLds() ||
      !channel.getElementType().isInteger(32)) // C1
    return emitOpError() << "writes to a view of rank 1 of i32 in global "
                            "memory, got "
                         << channel;
  RankedTensorType tile;
  if (Value condition = getCondition()) { // C2
    if (failed(verifyCondition(*this, condition)))
      return failure();
    tile = dyn_cast<RankedTensorType>(condition.getType());
  }
  for (Value value : getValues()) {
    Type type = value.getType(), number = getNumberType(type);
    if (!number.isIntOrFloat() || number.getIntOrFloatBitWidth() > 64) // C3
      return emitOpError() << "records numbers of at most 64 bits and tiles of "
                              "them, got "
                           << type;
    auto valueTile = dyn_cast<RankedTensorType>(type);
    if (getCondition() && valueTile &&
        (!tile || valueTile.getShape() != tile.getShape()))
      return emitOpError() << "has a value of " << type
                           << " beside a condition of "
                           << getCondition().getType();
  }
  if (getWorkgroup().size() > 3 || int32_t(getSite()) < 0) // C4
    return emitOpError() << "expects a site that is not negative and at most "
                            "three coordinates of a workgroup, got site "
                         << int32_t(getSite()) << " and "
                         << getWorkgroup().size() << " coordinates";
  return success();
}
