//===- CopyOp.cpp - Copies of tiles to LDS --------------------------------===//
//
// The rules of fly.copy. Labels C1.. are those of the definition
// (FlyMemoryOps.td). Whether the chip can share the tile among the threads is
// asked where threads are known, by fly-distribute.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "AccessClauses.h"
#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

SmallVector<OpFoldResult> CopyOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}

RankedTensorType CopyOp::getTileType() {
  ViewType target = getTarget().getType();
  return RankedTensorType::get(target.getShape(), target.getElementType());
}

LogicalResult CopyOp::verify() {
  ViewType from = getSource().getType(), to = getTarget().getType();
  if (from.getInLds() || !to.getInLds()) // C1
    return emitOpError() << "copies from global memory to LDS, got " << from
                         << " to " << to;
  Type element = from.getElementType();
  if (element != to.getElementType())
    return emitOpError() << "copies between views of one element, got "
                         << element << " and " << to.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return emitOpError() << "copies whole bytes, got elements of " << element;
  size_t rank = from.getRank();
  if (failed(verifyMixed(*this, "coordinates", getStaticCoordinates(),
                         getCoordinates(), rank)))
    return failure();
  if (ShapedType::isDynamicShape(to.getShape())) // C2
    return emitOpError() << "fills a view of static extents, got " << to;
  if (to.getLayout() && !isa<SwizzleAttr>(to.getLayout()))
    return emitOpError() << "fills rows one after the other, as they are or "
                            "through a swizzle, got "
                         << to;
  if (size_t(to.getRank()) > rank)
    return emitOpError() << "copies a tile of rank " << to.getRank()
                         << " from a view of rank " << rank;
  return verifyPlacement(*this, rank); // C3
}

void CopyOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}
