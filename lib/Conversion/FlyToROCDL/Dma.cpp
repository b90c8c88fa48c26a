//===- Dma.cpp - Copies from global memory to LDS -------------------------===//
//
// A copy is one buffer instruction: its lanes choose where they read, its wave
// where they write. So it cannot be split into pieces as other accesses are:
// alignment and being inside as a whole are proved, or declared, or the copy is
// refused with what is missing. Outside the range the instruction writes zeros.
// [LLVM22] raw.ptr.buffer.load.lds
//
// The immediate of the instruction counts for both addresses [HW: M0 +
// inst_offset + lane * width, and the buffer's offset]. So a part of the target
// may go there, if it is taken off the source (SharedTarget.h).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/SharedTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "llvm/ADT/bit.h"

#include "Accesses.h"

using namespace mlir;
using namespace fly;

int64_t fly::getImmediate(DmaOp copy) {
  auto bytes = copy->getAttrOfType<IntegerAttr>(targetImmediateAttrName);
  return bytes ? bytes.getInt() : 0;
}

FailureOr<GlobalAccessLowering::CopySource>
GlobalAccessLowering::getCopySource(DmaOp copy) {
  FailureOr<View *> view = resolve(copy, copy.getSource());
  if (failed(view))
    return failure();
  if ((*view)->isPerLane)
    return copy.emitOpError() << "copies from a view that differs between "
                                 "lanes; put what differs into the coordinates";
  OpBuilder builder(copy);
  I32Builder i32(builder, copy.getLoc());
  ViewType type = copy.getSource().getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  if (elementBytes == 0)
    return copy.emitOpError()
           << "cannot copy elements of " << type.getElementType();
  FailureOr<Place> place = locate(copy, **view, i32, /*compareAll=*/false);
  if (failed(place))
    return failure();
  unsigned elements = countElements(copy.getType());
  uint64_t bytes = uint64_t(elements) * elementBytes;
  uint64_t needed =
      std::min<uint64_t>(llvm::bit_floor(bytes), arch::wideAccessAlign);
  uint64_t align =
      elementBytes *
      alignElements(copy.getAlign(), place->divisorBytes, elementBytes);
  if (align < needed)
    return copy.emitOpError()
           << "copies " << bytes << " bytes from addresses that are known as "
           << "multiples of " << align << ", expected " << needed
           << ": make coordinates and strides known multiples, or say 'align "
           << needed / elementBytes << "'";
  bool isCut = place->vectorCoordinate && elements > 1 &&
               !isWhole(copy, place->vectorExtent, elements);
  isCut |= elements > 1 && !copy.getWhole() &&
           isFlatAndCut(**view, copy.getFlat(), *place);
  if (isCut)
    return copy.emitOpError()
           << "copies " << elements
           << " elements of which some may be outside: coordinate and extent "
              "of dimension "
           << *type.getContiguousDim() << " must be known multiples of "
           << elements
           << " (fly.require_multiple), or 'whole' or in_bounds say it";
  Value inside = place->inside;
  if (place->vectorCoordinate) {
    Value first = elementInside(*place, 0, i32);
    inside = inside ? builder.createOrFold<arith::AndIOp>(copy.getLoc(), inside,
                                                          first)
                    : first;
  }
  int64_t immediate = getImmediate(copy);
  if (immediate < 0 || immediate > *arch.buffer.maxImmediate)
    return copy.emitOpError()
           << "puts " << immediate << " bytes of its target into an immediate, "
           << "which is a number from 0 to " << *arch.buffer.maxImmediate;
  // What it is taken off must stay an unsigned number.
  if (!place->laneNonNegative)
    immediate = 0;
  if (immediate) {
    place->laneOffset =
        i32.add(place->laneOffset, i32.constant(place->constant - immediate));
    place->constant = 0;
  }
  ++count;
  return CopySource{getResource(**view, /*granule=*/1),
                    pieceOffset(*place, inside, 0, i32), place->uniformOffset,
                    immediate};
}

LogicalResult
LdsAccessLowering::lower(DmaOp copy,
                         const GlobalAccessLowering::CopySource &source) {
  FailureOr<Field *> field = resolve(copy, copy.getTarget());
  if (failed(field))
    return failure();
  for (auto [i, coordinate] : llvm::enumerate(copy.getTargetCoordinates()))
    if (!uniformity.isUniform(coordinate))
      return copy.emitOpError()
             << "has a target whose coordinate " << i
             << " differs between lanes: the wave has one target, and lane l "
                "writes l times the width behind it";
  OpBuilder builder(copy);
  I32Builder i32(builder, copy.getLoc());
  ViewType type = copy.getTarget().getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  unsigned bytes = countElements(copy.getType()) * elementBytes;
  uint64_t align = ldsOffsetDivisor(copy.getTargetCoordinates(), type);
  uint64_t needed =
      bytes % 8 == 4 ? arch::wideAccessAlign : bytes; // 12 bytes, too.
  if (align % needed != 0)
    return copy.emitOpError()
           << "copies " << bytes << " bytes a lane to LDS addresses that are "
           << "known as multiples of " << align << ", expected " << needed;
  int64_t constant = -source.immediate;
  Value offset = i32.constant(0);
  for (auto [coordinate, stride] :
       llvm::zip_equal(copy.getTargetCoordinates(), getLdsStrides(type))) {
    CoordinateSum sum = splitCoordinate(coordinate, uniformity);
    int64_t scale = stride * elementBytes;
    constant += sum.constant * scale;
    for (const AddressTerm &term : sum.terms)
      offset =
          i32.add(offset, i32.mul(i32.cast(term.value), term.scale * scale));
  }
  offset = i32.add(offset, i32.constant(constant));
  Value address = LLVM::GEPOp::create(
      builder, copy.getLoc(), (*field)->address.getType(), builder.getI8Type(),
      (*field)->address, ArrayRef<LLVM::GEPArg>{offset});
  auto load = ROCDL::RawPtrBufferLoadLdsOp::create(
      builder, copy.getLoc(), source.resource, address, i32.constant(bytes),
      source.laneOffset, source.uniformOffset, i32.constant(source.immediate),
      cacheOperand(i32, copy.getCache()), ArrayAttr(), ArrayAttr(),
      ArrayAttr());
  accesses.push_back({load, *field});
  copy.erase();
  return success();
}
