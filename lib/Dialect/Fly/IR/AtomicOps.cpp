//===- AtomicOps.cpp - Atomics and fences ---------------------------------===//
//
// Rules of fly.atomic, fly.atomic_rmw, fly.update and fly.fence. Labels C1..
// are those of the definitions (FlyMemoryOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "AccessClauses.h"
#include "MixedList.h"
#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

SmallVector<OpFoldResult> AtomicOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}
SmallVector<OpFoldResult> AtomicRmwOp::getMixedCoordinates() {
  return getMixed(getStaticCoordinates(), getCoordinates());
}

/// C2: whether memory of this type can take the kind in one step.
static LogicalResult verifyAtomic(Operation *op, AtomicKind kind,
                                  Type element) {
  bool isFloat = isa<FloatType>(element);
  bool hasFloatKind = kind == AtomicKind::Add || kind == AtomicKind::Max ||
                      kind == AtomicKind::Min || kind == AtomicKind::Xchg;
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isWide = bits == 32 || bits == 64;
  bool isHalf = element.isF16() || element.isBF16();
  if ((isWide || (isHalf && kind == AtomicKind::Add)) &&
      (!isFloat || hasFloatKind))
    return success();
  return op->emitOpError() << "has no atomic " << stringifyAtomicKind(kind)
                           << " on " << element << ": expected "
                           << (hasFloatKind ? "integers or floats" : "integers")
                           << " of 32 or 64 bits"
                           << (kind == AtomicKind::Add ? ", f16 or bf16" : "");
}

LogicalResult AtomicOp::verify() {
  auto tile = cast<RankedTensorType>(getTile().getType());
  ViewType view = getView().getType();
  if (failed(verifyMixed(*this, "coordinates", getStaticCoordinates(),
                         getCoordinates(), view.getRank()))) // C1
    return failure();
  if (tile.getRank() > int64_t(view.getRank()))
    return emitOpError() << "has a tile of rank " << tile.getRank()
                         << " in a view of rank " << view.getRank();
  if (tile.getElementType() != view.getElementType())
    return emitOpError() << "has a tile of " << tile.getElementType()
                         << " in a view of " << view.getElementType()
                         << ": convert with fly.cast";
  if (getKind() == AtomicKind::Xchg)
    return emitOpError() << "xchg gives the old value: use fly.atomic_rmw";
  if (failed(verifyAtomic(*this, getKind(), tile.getElementType())))
    return failure();
  if (failed(verifyMask(*this, getMask(), tile)))
    return failure();
  return verifyPlacement(*this, view.getRank()); // C3
}

void AtomicOp::getEffects(Effects &effects) {
  if (getOrder() != MemoryOrder::Relaxed) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}

LogicalResult AtomicRmwOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyMixed(*this, "coordinates", getStaticCoordinates(),
                         getCoordinates(), view.getRank()))) // C1
    return failure();
  Type element = view.getElementType(); // C2
  if (element.isF16() || element.isBF16())
    return emitOpError() << "gives old values of 32 or 64 bits, got "
                         << element;
  return verifyAtomic(*this, getKind(), element);
}

void AtomicRmwOp::getEffects(Effects &effects) {
  // With release and acquire it orders all other memory, too.
  bool orders = getOrder() != MemoryOrder::Relaxed;
  if (orders) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}

LogicalResult FenceOp::verify() {
  if (getOrder() == MemoryOrder::Relaxed) // C1
    return emitOpError() << "relaxed orders nothing: expected acquire, "
                            "release, acq_rel or seq_cst";
  return success();
}

void FenceOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult UpdateOp::verify() {
  ViewType view = getView().getType();
  if (int64_t(getCoordinates().size()) != view.getRank()) // C1
    return emitOpError() << "expects " << view.getRank() << " coordinates, got "
                         << getCoordinates().size();
  if (view.getInLds())
    return emitOpError() << "is an atomic of global memory, got a view of LDS";
  Type type = getValue().getType(), element = view.getElementType();
  auto vector = dyn_cast<VectorType>(type);
  if ((vector ? vector.getElementType() : type) != element) // C2
    return emitOpError() << "combines " << type << " with elements of "
                         << element;
  if (vector) {
    bool isPair = vector.getRank() == 1 && !vector.isScalable() &&
                  vector.getNumElements() == 2 &&
                  (element.isF16() || element.isBF16()) &&
                  getKind() == AtomicKind::Add;
    if (!isPair || !view.getContiguousDim())
      return emitOpError() << "combines one element, or adds two of f16 or "
                              "bf16 along a contiguous dimension, got "
                           << stringifyAtomicKind(getKind()) << " of " << vector
                           << " with " << view;
  }
  if (failed(verifyAtomic(*this, getKind(), element)))
    return failure();
  if (getOld() && (vector || getOld().getType() != type)) // C3
    return emitOpError() << "gives the old value of one element, a " << element
                         << ", got " << getOld().getType() << " for " << type;
  if (getInBounds() && int64_t(getInBounds()->size()) != view.getRank()) // C4
    return emitOpError() << "expects " << view.getRank()
                         << " in_bounds flags, got " << getInBounds()->size();
  return success();
}

void UpdateOp::getEffects(Effects &effects) {
  if (getOrder() != MemoryOrder::Relaxed) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}
