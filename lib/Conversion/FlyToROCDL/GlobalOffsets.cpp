//===- GlobalOffsets.cpp - Byte offsets of buffer accesses ----------------===//
//
// The byte offset goes to three places: what depends on the lane to a vector
// register, what is uniform to a scalar register, constants to the immediate.
// Documents differ on whether the scalar offset takes part in the range check,
// so nothing that the check decides about is put there: uniform parts along an
// unproved outermost dimension stay in the vector register. All parts must be
// proved not negative, since the check takes them one by one.
//
// The check sees an offset of 32 bits, so a coordinate far beyond the extent
// must not lead round to the beginning: what is not small by nature is cut at
// the extent, which is outside, too.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

#include "Accesses.h"
#include "OffsetParts.h"
#include "Preshuffle.h"

using namespace mlir;
using namespace fly;

/// An offset that no resource reaches: ranges stay below it (GlobalView.cpp),
/// and with any immediate added the sum does not wrap.
static constexpr uint32_t outsideOffset = 0x80000000;
/// Bytes that kernel arguments are multiples of.
static constexpr uint64_t pointerAlignBytes = arch::widestAccessBytes;
/// Adds the row and the column of a preshuffled view; the guards are theirs.
/// An error where a vector may reach beyond its chunk.
static LogicalResult addPreshuffled(OffsetParts &parts, Operation *op,
                                    PreshuffleAttr layout, unsigned elements,
                                    std::optional<uint64_t> align,
                                    ArrayRef<CoordinateSum> sums,
                                    ArrayRef<Guard> guards,
                                    ArrayRef<Value> extents,
                                    unsigned elementBytes, I32Builder &i32) {
  PreshuffledSums split =
      splitPreshuffled(sums[0], sums[1], layout, elementBytes, i32);
  uint64_t known = lowestBit(knownDivisor(split.element));
  if (!llvm::isPowerOf2_32(elements) ||
      std::max(known, align ? lowestBit(*align) : 1) < elements)
    return op->emitOpError()
           << "moves " << elements
           << " elements of a preshuffled row from a column that is no known "
              "multiple of that: what follows a chunk of "
           << PreshuffleAttr::chunkBytes << " bytes lies elsewhere (align says "
           << "how far columns are aligned)";
  int64_t rows = layout.getRows();
  int64_t chunk = PreshuffleAttr::getChunk(8 * elementBytes);
  // Views have whole blocks.
  Value blocks = i32.builder.createOrFold<arith::ShRUIOp>(
      i32.loc, extents[0], i32.constant(llvm::Log2_64(rows)));
  addDimension(parts, cutForRange(split.blockRow, guards[0], blocks, i32),
               knownDivisor(split.blockRow), guards[0],
               i32.mul(extents[1], rows), elementBytes, i32, /*isRow=*/true);
  addDimension(parts, split.blockColumn, guards[1],
               i32.constant(rows * layout.getColumns(8 * elementBytes)),
               elementBytes, i32);
  addDimension(parts, split.chunk, guards[1], i32.constant(rows * chunk),
               elementBytes, i32);
  addDimension(parts, split.row, guards[0], i32.constant(chunk), elementBytes,
               i32);
  addDimension(parts, split.element, guards[1], i32.constant(1), elementBytes,
               i32);
  return success();
}

/// Adds the first element of the block that holds the coordinates, and the
/// chunk of each lane. Coordinates that are known multiples cost nothing.
/// Behind whole blocks of rows and columns lie as many elements as in a
/// row-major matrix.
static void addBlock(OffsetParts &parts, PreshuffleAttr layout,
                     ArrayRef<CoordinateSum> sums, ArrayRef<Guard> guards,
                     ArrayRef<Value> extents, unsigned elementBytes,
                     I32Builder &i32) {
  uint64_t base = parts.divisor;
  int64_t rows = layout.getRows();
  CoordinateSum row = roundDown(sums[0], rows, i32);
  addDimension(parts, cutForRange(row, guards[0], extents[0], i32),
               knownDivisor(row), guards[0], extents[1], elementBytes, i32);
  addDimension(parts,
               roundDown(sums[1], layout.getColumns(8 * elementBytes), i32),
               guards[1], i32.constant(rows), elementBytes, i32);
  Value lane = LaneOp::create(i32.builder, i32.loc, i32.builder.getIndexType());
  CoordinateSum chunk;
  chunk.terms.push_back({lane, 1, /*uniform=*/false});
  addDimension(parts, chunk, Guard::None,
               i32.constant(PreshuffleAttr::getChunk(8 * elementBytes)),
               elementBytes, i32);
  // Blocks and chunks are whole, which the coordinates need not show.
  parts.divisor = base;
}

static bool readsBlock(ReadOp read) { return read.getBlock(); }
static bool readsBlock(Operation *) { return false; }
static bool keepsConstants(DmaOp copy) { return getImmediate(copy) != 0; }
static bool keepsConstants(Operation *) { return false; }

/// Adds what must hold for the coordinate of a compared dimension.
void GlobalAccessLowering::compareCoordinate(Place &place, Value coordinate,
                                             Value extent, bool isVectorDim,
                                             I32Builder &i32) {
  OpBuilder &builder = i32.builder;
  Value number = i32.cast(coordinate);
  bool nonNegative = isNonNegative(coordinate);
  if (isVectorDim) {
    place.vectorCoordinate = number;
    place.vectorExtent = extent;
    place.vectorNonNegative = nonNegative;
    return;
  }
  auto require = [&](arith::CmpIPredicate predicate, Value bound) {
    Value holds =
        builder.createOrFold<arith::CmpIOp>(i32.loc, predicate, number, bound);
    place.inside =
        place.inside
            ? builder.createOrFold<arith::AndIOp>(i32.loc, place.inside, holds)
            : holds;
  };
  // Without signs, so that a sum that leaves the signed numbers, as near their
  // end an origin and the number of a lane do, is not before the start.
  require(nonNegative ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
          extent);
  if (!nonNegative)
    require(arith::CmpIPredicate::sge, i32.constant(0));
}

template <typename OpT>
LogicalResult GlobalAccessLowering::checkVectorStride(OpT op, View &view) {
  if (!isa<VectorType>(accessedType(op)))
    return success();
  unsigned dim = *view.op.getType().getContiguousDim();
  APInt number;
  if (matchPattern(view.strides[dim], m_ConstantInt(&number)) && number.isOne())
    return success();
  return op.emitOpError() << "moves a vector along dimension " << dim
                          << ", whose stride in the fly.view is not 1";
}

template <typename OpT>
FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(OpT op, View &view, I32Builder &i32,
                             bool compareAll) {
  ViewType type = view.op.getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  bool isVector = isa<VectorType>(accessedType(op));
  std::optional<unsigned> vectorDim = type.getContiguousDim();
  if (failed(checkVectorStride(op, view)))
    return failure();

  OffsetParts parts;
  parts.lane = parts.uniform = i32.constant(0);
  parts.divisor = pointerAlignBytes;
  parts.constantsToLane = keepsConstants(op);
  if (Value offset = view.op.getOffset())
    parts.divisor =
        std::gcd(parts.divisor, knownDivisor(offset) * elementBytes);
  SmallVector<CoordinateSum, 4> sums;
  for (Value coordinate : op.getCoordinates()) {
    sums.push_back(splitCoordinate(coordinate, uniformity));
    for (const AddressTerm &term : sums.back().terms)
      parts.splittable &=
          term.uniform || (term.scale > 0 && isNonNegative(term.value));
  }

  auto loop = op->template getParentOfType<LoopLikeOpInterface>();
  parts.laneIsInvariant = loop != nullptr;
  for (const CoordinateSum &sum : sums)
    for (const AddressTerm &term : sum.terms)
      parts.laneIsInvariant &=
          term.uniform || (loop && loop.isDefinedOutsideOfLoop(term.value));

  Place place;
  auto preshuffle = dyn_cast_or_null<PreshuffleAttr>(type.getLayout());
  SmallVector<Guard, 4> guards;
  for (auto [dim, sum] : llvm::enumerate(sums)) {
    bool isVectorDim = isVector && dim == *vectorDim;
    // The range check drops whole dwords: along the vector's own dimension it
    // would lose a last element of half a dword.
    bool cutsDwords = isVectorDim && elementBytes % 4 != 0;
    Guard guard = Guard::Compare;
    if (op.isInBounds(dim))
      guard = Guard::None;
    else if (op.getFlat())
      guard = Guard::Range;
    else if (!compareAll && !cutsDwords && coversByRange(view, dim) &&
             canCut(sum, view.strides[dim], elementBytes))
      guard = Guard::Range;
    if (guard == Guard::Compare)
      compareCoordinate(place, op.getCoordinates()[dim], view.extents[dim],
                        isVectorDim, i32);
    guards.push_back(guard);
    if (preshuffle)
      continue;
    CoordinateSum cut =
        op.getFlat() ? sum : cutForRange(sum, guard, view.extents[dim], i32);
    addDimension(parts, cut, knownDivisor(sum), guard, view.strides[dim],
                 elementBytes, i32, /*isRow=*/dim != type.getContiguousDim());
  }
  if (preshuffle && op.getFlat())
    return op.emitOpError()
           << "is 'flat', which has no meaning in " << preshuffle;
  if (preshuffle && readsBlock(op))
    addBlock(parts, preshuffle, sums, guards, view.extents, elementBytes, i32);
  else if (preshuffle &&
           failed(addPreshuffled(
               parts, op, preshuffle, countElements(accessedType(op)),
               op.getAlign(), sums, guards, view.extents, elementBytes, i32)))
    return failure();
  fitParts(parts, *arch.buffer.maxImmediate, view.recordsBytes, i32);
  place.laneOffset = parts.lane;
  place.uniformOffset = parts.uniform;
  place.constant = parts.constant;
  place.laneNonNegative = parts.laneNonNegative;
  place.divisorBytes = parts.divisor;
  return place;
}

/// Whether element `element` of the vector is inside along the vector's own
/// dimension.
Value GlobalAccessLowering::elementInside(const Place &place, unsigned element,
                                          I32Builder &i32) {
  OpBuilder &builder = i32.builder;
  Value coordinate = i32.add(place.vectorCoordinate, i32.constant(element));
  if (place.vectorNonNegative)
    return builder.createOrFold<arith::CmpIOp>(
        i32.loc, arith::CmpIPredicate::ult, coordinate, place.vectorExtent);
  Value below = builder.createOrFold<arith::CmpIOp>(
      i32.loc, arith::CmpIPredicate::slt, coordinate, place.vectorExtent);
  Value above = builder.createOrFold<arith::CmpIOp>(
      i32.loc, arith::CmpIPredicate::sge, coordinate, i32.constant(0));
  return builder.createOrFold<arith::AndIOp>(i32.loc, below, above);
}

/// The vector register of an access `extraBytes` behind the place.
Value GlobalAccessLowering::pieceOffset(const Place &place, Value inside,
                                        int64_t extraBytes, I32Builder &i32) {
  Value offset = place.laneOffset;
  int64_t constant = place.constant + extraBytes;
  // The range check adds the parts without wrapping: a negative register and
  // an immediate that makes up for it would be outside. So they are added
  // before, and the minimum keeps LLVM from taking them apart again.
  if (!place.laneNonNegative) {
    offset = i32.add(offset, i32.constant(constant));
    offset = i32.builder.createOrFold<arith::MinUIOp>(
        i32.loc, offset, i32.constant(outsideOffset));
    constant = 0;
  }
  if (inside)
    offset = arith::SelectOp::create(i32.builder, i32.loc, inside, offset,
                                     i32.constant(outsideOffset));
  return i32.addImmediate(offset, constant);
}

template LogicalResult GlobalAccessLowering::checkVectorStride(DmaOp op,
                                                               View &view);
template LogicalResult GlobalAccessLowering::checkVectorStride(ReadOp op,
                                                               View &view);
template LogicalResult GlobalAccessLowering::checkVectorStride(WriteOp op,
                                                               View &view);
template LogicalResult GlobalAccessLowering::checkVectorStride(UpdateOp op,
                                                               View &view);
template FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(ReadOp op, View &view, I32Builder &i32,
                             bool compareAll);
template FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(WriteOp op, View &view, I32Builder &i32,
                             bool compareAll);
template FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(DmaOp op, View &view, I32Builder &i32,
                             bool compareAll);
