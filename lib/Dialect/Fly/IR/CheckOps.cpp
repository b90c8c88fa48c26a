//===- CheckOps.cpp - Asserts and prints of a kernel ----------------------===//
//
// Rules of fly.assert and fly.print. Labels C1.. are those of the definitions
// (FlyCheckOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace fly;

LogicalResult AssertOp::verify() {
  Type type = getCondition().getType();
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!(tile ? tile.getElementType() : type).isInteger(1)) // C1
    return emitOpError() << "expects a condition of i1 or a tile of it, got "
                         << type;
  return success();
}

LogicalResult PrintOp::verify() {
  size_t places = getText().count("{}"); // C1
  if (places != getValues().size())
    return emitOpError() << "has " << places << " {} for " << getValues().size()
                         << " values";
  for (Value value : getValues()) {
    Type type = value.getType();
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!(tile ? tile.getElementType() : type).isIntOrIndexOrFloat())
      return emitOpError() << "prints numbers and tiles of numbers, got "
                           << type;
  }
  return success();
}
