//===- LdsOps.cpp - Explicit level: LDS fields and lane accesses ----------===//
//
// Fields whose type cannot differ from the declaration, and the rules of a
// lane's reads and writes.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

#include "AccessClauses.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Handles and fields
//===----------------------------------------------------------------------===//

/// The struct that a handle's type names, with an error if there is none.
static FailureOr<LdsStructOp> resolveStruct(Operation *op, LdsType type,
                                            SymbolTableCollection &symbols) {
  auto structOp =
      symbols.lookupNearestSymbolFrom<LdsStructOp>(op, type.getStructName());
  if (!structOp)
    return op->emitOpError() << "refers to " << type.getStructName()
                             << ", which is not a fly.lds.struct of this "
                                "module";
  return structOp;
}

LogicalResult LdsAllocOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return resolveStruct(*this, getType(), symbols);
}

LogicalResult LdsFieldOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<LdsStructOp> structOp =
      resolveStruct(*this, getLds().getType(), symbols);
  if (failed(structOp))
    return failure();
  ViewType declared = structOp->getFieldType(getField());
  if (!declared) { // C1
    InFlightDiagnostic diag = emitOpError() << "names the field '" << getField()
                                            << "', which " << getLds().getType()
                                            << " does not have";
    diag.attachNote(structOp->getLoc())
        << "its fields: " << structOp->describeFields();
    return diag;
  }
  ViewType view = getType();
  if (view == declared ||
      (*this)->hasAttr(FlyDialect::getUncheckedAttrName())) // C2
    return success();
  bool swizzled = isa_and_nonnull<SwizzleAttr>(view.getLayout());
  bool declaredSwizzled = isa_and_nonnull<SwizzleAttr>(declared.getLayout());
  InFlightDiagnostic diag = emitOpError();
  if (swizzled != declaredSwizzled)
    diag << "swizzle on one side only: the view is " << view
         << ", but the field is " << declared;
  else
    diag << "views the field '" << getField() << "' as " << view
         << ", but it is declared as " << declared;
  diag.attachNote(structOp->getLoc())
      << "declared here; add {" << FlyDialect::getUncheckedAttrName()
      << "} to reinterpret it on purpose";
  return diag;
}

//===----------------------------------------------------------------------===//
// ReadOp, WriteOp
//===----------------------------------------------------------------------===//

/// C3: what the clauses of bounds go with.
template <typename OpT>
static LogicalResult verifyBoundsClauses(OpT op) {
  if ((op.getFlat() || op.getWhole()) && op.getView().getType().getInLds())
    return op.emitOpError() << "is '" << (op.getFlat() ? "flat" : "whole")
                            << "' in LDS, where nothing is checked";
  if (op.getFlat() && op.getInBounds())
    return op.emitOpError() << "is 'flat', which counts no dimension, and has "
                               "in_bounds";
  return success();
}

template <typename OpT>
static LogicalResult verifyVectorAccess(OpT op) {
  ViewType view = op.getView().getType();
  size_t rank = view.getRank();
  if (failed(verifyBoundsClauses(op)))
    return failure();
  if (op.getCoordinates().size() != rank) // C1
    return op.emitOpError() << "expects " << rank << " coordinates, got "
                            << op.getCoordinates().size();
  Type type = op.getValue().getType();
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  int64_t maxBits = arch::widestAccessBytes * 8;
  if (element != view.getElementType()) // C2
    return op.emitOpError() << "moves " << element << " through a view of "
                            << view.getElementType();
  if (vector) {
    if (vector.getRank() != 1 || vector.isScalable())
      return op.emitOpError() << "expects a vector of rank 1, got " << vector;
    int64_t elements = vector.getNumElements();
    int64_t bits = element.getIntOrFloatBitWidth();
    if (elements > maxBits / bits || elements * bits % 8 != 0)
      return op.emitOpError() << "moves at most " << arch::widestAccessBytes
                              << " whole bytes at once, got " << elements
                              << " elements of " << bits << " bits";
    if (!view.getContiguousDim())
      return op.emitOpError() << "needs a view with a contiguous dimension "
                                 "to move a vector, got "
                              << view;
  }
  return verifyPlacement(op, rank);
}

/// C4: a block of 64 chunks, one a lane.
static LogicalResult verifyBlockRead(ReadOp op) {
  ViewType view = op.getView().getType();
  auto layout = dyn_cast_or_null<PreshuffleAttr>(view.getLayout());
  if (!layout)
    return op.emitOpError() << "reads a block, which needs a preshuffled view, "
                               "got "
                            << view;
  if (layout.getRows() * layout.getBytes() !=
      arch::waveLanes * PreshuffleAttr::chunkBytes)
    return op.emitOpError()
           << "reads a block with " << arch::waveLanes << " lanes of "
           << PreshuffleAttr::chunkBytes << " bytes, got " << layout;
  auto vector = dyn_cast<VectorType>(op.getValue().getType());
  int64_t bits = view.getElementType().getIntOrFloatBitWidth();
  if ((vector ? vector.getNumElements() : 1) * bits !=
      PreshuffleAttr::chunkBytes * 8)
    return op.emitOpError()
           << "reads " << PreshuffleAttr::chunkBytes
           << " bytes of a block a lane, got " << op.getValue().getType();
  return success();
}

LogicalResult ReadOp::verify() {
  if (failed(verifyVectorAccess(*this)) ||
      (getBlock() && failed(verifyBlockRead(*this))))
    return failure();
  if (getFlat() && getPad() != Pad::Zero) // C3
    return emitOpError() << "is 'flat', so outside reads as zero, and pads "
                            "with "
                         << stringifyPad(getPad());
  return success();
}
LogicalResult WriteOp::verify() { return verifyVectorAccess(*this); }

void ReadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable());
}
void WriteOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable());
}
