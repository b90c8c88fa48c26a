//===- GlobalAccess.cpp - Views of global memory as raw buffers -----------===//
//
// A raw buffer resource checks one linear range of bytes, a view checks every
// dimension for every element. The two meet like this: the resource's range is
// exactly the bytes of the view, so along the outermost dimension the range
// check is the view's check; along the others the lane compares, and an outside
// element gets an offset beyond any range, for which loads give zero and stores
// do nothing. Dimensions proved in bounds cost nothing. Which part of an offset
// goes where is in GlobalOffsets.cpp.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/CachePolicy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Accesses.h"
#include "Pieces.h"

using namespace mlir;
using namespace fly;

/// Most bytes of one access.
static constexpr unsigned maxAccessBytes = arch::widestAccessBytes;

unsigned fly::countElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

uint64_t fly::alignElements(std::optional<int64_t> declared,
                            uint64_t divisorBytes, unsigned elementBytes) {
  uint64_t proved =
      std::max<uint64_t>(lowestBit(divisorBytes) / elementBytes, 1);
  return std::max(proved, declared ? lowestBit(*declared) : 1);
}

/// Whether a `flat` access must go element by element: a wide one that begins
/// before the view, or a dword of which the view ends in the middle, would be
/// outside as one.
bool GlobalAccessLowering::isFlatAndCut(View &view, bool isFlat,
                                        const Place &place) {
  return isFlat && (!place.laneNonNegative || !endsAtDword(view));
}

Value fly::cacheOperand(I32Builder &i32, Cache cache) {
  return i32.constant(uint32_t(cache == Cache::Stream
                                   ? arch::CachePolicy::NonTemporal
                                   : arch::CachePolicy::Default));
}

LogicalResult GlobalAccessLowering::lower(ReadOp read) {
  FailureOr<View *> view = resolve(read, read.getView());
  if (failed(view))
    return failure();
  if ((*view)->isPerLane)
    return lowerFlat(read, **view);
  OpBuilder builder(read);
  Location loc = read.getLoc();
  I32Builder i32(builder, loc);
  Type type = read.getValue().getType();
  Type element = read.getView().getType().getElementType();
  unsigned elementBytes = getElementBytes(element);
  if (elementBytes == 0)
    return read.emitOpError() << "cannot read elements of " << element
                              << ", which are no whole bytes: keep truth "
                                 "values as i8 and compare with 0";
  TypedAttr pad = getPadElement(read.getPad(), element);
  if (!pad)
    return read.emitOpError() << "pads with " << stringifyPad(read.getPad())
                              << ", which " << element << " does not have";
  bool padsWithZero = read.getPad() == Pad::Zero;
  FailureOr<Place> place = locate(read, **view, i32, !padsWithZero);
  if (failed(place))
    return failure();

  unsigned elements = countElements(type);
  bool each = place->vectorCoordinate && elements > 1 &&
              !isWhole(read, place->vectorExtent, elements);
  uint64_t align =
      alignElements(read.getAlign(), place->divisorBytes, elementBytes);
  // A wide access that begins outside below would lose its inside part.
  if ((each && !place->vectorNonNegative) ||
      isFlatAndCut(**view, read.getFlat(), *place))
    align = 1;
  SmallVector<Piece> pieces =
      splitIntoPieces(elements, elementBytes, align, maxAccessBytes);
  SmallVector<Value> registers;
  for (Piece piece : pieces) {
    bool wide = each && piece.count > 1;
    Value inside = place->inside;
    if (place->vectorCoordinate && !wide)
      inside =
          i32.both(inside, elementInside(*place, each ? piece.first : 0, i32));
    Value offset = pieceOffset(*place, inside, piece.first * elementBytes, i32);
    registers.push_back(ROCDL::RawPtrBufferLoadOp::create(
        builder, loc, getAccessType(builder, piece.count * elementBytes),
        getResource(**view,
                    wide ? std::min<unsigned>(4, piece.count * elementBytes)
                         : 1),
        offset, place->uniformOffset, cacheOperand(i32, read.getCache()),
        ArrayAttr(), ArrayAttr(), ArrayAttr()));
    ++count;
  }
  Value value = assemblePieces(builder, loc, type, pieces, registers);

  // Elements that the instruction did not replace by the pad itself.
  auto select = [&](Value inside, Value from, Value padding) -> Value {
    return inside ? arith::SelectOp::create(builder, loc, inside, from, padding)
                  : from;
  };
  Value padding = arith::ConstantOp::create(builder, loc, pad);
  if (each) {
    for (Piece piece : pieces)
      for (unsigned i = piece.first; i < piece.first + piece.count; ++i) {
        if (padsWithZero && piece.count == 1)
          continue;
        Value inside = elementInside(*place, i, i32);
        if (!padsWithZero)
          inside = i32.both(place->inside, inside);
        Value one = vector::ExtractOp::create(builder, loc, value, int64_t(i));
        value = vector::InsertOp::create(
            builder, loc, select(inside, one, padding), value, int64_t(i));
      }
  } else if (!padsWithZero) {
    Value inside = place->inside;
    if (place->vectorCoordinate)
      inside = i32.both(inside, elementInside(*place, 0, i32));
    if (isa<VectorType>(type))
      padding = vector::BroadcastOp::create(builder, loc, type, padding);
    value = select(inside, value, padding);
  }
  replace(read.getValue(), value);
  read.erase();
  return success();
}

LogicalResult GlobalAccessLowering::lower(WriteOp write) {
  FailureOr<View *> view = resolve(write, write.getView());
  if (failed(view))
    return failure();
  if ((*view)->isPerLane)
    return lowerFlat(write, **view);
  OpBuilder builder(write);
  Location loc = write.getLoc();
  I32Builder i32(builder, loc);
  Type element = write.getView().getType().getElementType();
  unsigned elementBytes = getElementBytes(element);
  if (elementBytes == 0)
    return write.emitOpError() << "cannot write elements of " << element
                               << ", which are no whole bytes: keep truth "
                                  "values as i8 and compare with 0";
  FailureOr<Place> place = locate(write, **view, i32, /*compareAll=*/false);
  if (failed(place))
    return failure();
  unsigned elements = countElements(write.getValue().getType());
  bool each = place->vectorCoordinate && elements > 1 &&
              !isWhole(write, place->vectorExtent, elements);
  uint64_t align =
      alignElements(write.getAlign(), place->divisorBytes, elementBytes);
  if (isFlatAndCut(**view, write.getFlat(), *place))
    align = 1;
  // Asked as what remains of the row, a question that no load has asked: the
  // answers of the loads would be kept for it, two scalar registers each.
  // Beyond the end nothing remains, however far.
  Value remaining;
  if (each && place->vectorNonNegative)
    remaining = i32.sub(place->vectorExtent,
                        builder.createOrFold<arith::MinUIOp>(
                            loc, place->vectorCoordinate, place->vectorExtent));
  auto isInside = [&](unsigned element) -> Value {
    if (!remaining)
      return elementInside(*place, element, i32);
    return builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sgt, remaining, i32.constant(element));
  };
  auto store = [&](uint64_t align, bool each) {
    for (Piece piece :
         splitIntoPieces(elements, elementBytes, align, maxAccessBytes)) {
      Value inside = place->inside;
      if (place->vectorCoordinate)
        inside = i32.both(inside, isInside(each ? piece.first : 0));
      Value offset =
          pieceOffset(*place, inside, piece.first * elementBytes, i32);
      ROCDL::RawPtrBufferStoreOp::create(
          builder, loc, extractPiece(builder, loc, write.getValue(), piece),
          getResource(**view, 1), offset, place->uniformOffset,
          cacheOperand(i32, write.getCache()), ArrayAttr(), ArrayAttr(),
          ArrayAttr());
      ++count;
    }
  };
  if (each && align > 1) {
    // Only at the end of a row is an element dropped: the lanes there, if a
    // wave has any, write one by one.
    Value all = i32.both(isInside(0), isInside(elements - 1));
    auto branch = scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    store(align, /*each=*/false);
    builder.setInsertionPointToStart(branch.elseBlock());
    store(1, /*each=*/true);
    builder.setInsertionPointAfter(branch);
  } else {
    store(each ? 1 : align, each);
  }
  write.erase();
  return success();
}
