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
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

#include "Accesses.h"
#include "Preshuffle.h"

using namespace mlir;
using namespace fly;

/// An offset that no resource reaches: ranges stay below it (GlobalView.cpp),
/// and with any immediate added the sum does not wrap.
static constexpr uint32_t outsideOffset = 0x80000000;
/// Bytes that kernel arguments are multiples of.
static constexpr uint64_t pointerAlignBytes = arch::widestAccessBytes;
/// Constants beyond the immediate are rounded down to multiples of half of its
/// range, of the whole range where that leaves room for the pieces of an
/// access, so that accesses share them.
static constexpr int64_t immediateSteps = 2;
/// Constants beyond this leave no room in the immediate for others.
static constexpr int64_t kFarBytes = 2048;

namespace {

/// The parts of a byte offset while dimensions are added up.
struct OffsetParts {
  Value lane, uniform; ///< i32, in bytes.
  int64_t constant = 0;
  /// Every part that depends on the lane is proved not negative: uniform parts
  /// may go to the scalar offset.
  bool splittable = true;
  bool laneNonNegative = true;
  /// The scalar offset has parts of a dimension that is not proved inside.
  bool clampUniform = false;
  /// The constant has.
  bool constantIsUnproved = false;
  /// The constant has parts that the range check decides about.
  bool constantIsChecked = false;
  /// Constants stay with the lane's part, which something is taken off.
  bool constantsToLane = false;
  /// The access is in a loop in which the lane's part does not change: added to
  /// it, a constant that no other access has costs nothing in a round.
  bool laneIsInvariant = false;
  /// What the offset is a multiple of.
  uint64_t divisor = 0;
};

/// How a dimension of an access is kept inside.
enum class Guard {
  None,    ///< Proved.
  Range,   ///< By the resource's range.
  Compare, ///< By comparing the coordinate.
};

} // namespace

/// Whether a term may be too large for its product with a stride.
static bool mayBeFar(const AddressTerm &term) {
  return std::abs(term.scale) >= smallLimit || !isSmall(term.value);
}

/// Whether `sum` is below an extent only where it is with its far terms cut at
/// the extent: they are not negative, and nothing is taken from them. The
/// constant is not cut, so it must not be far.
static bool canCut(const CoordinateSum &sum, Value stride,
                   unsigned elementBytes) {
  constexpr int64_t farBytes = int64_t(1) << 30;
  APInt number;
  bool isStatic = matchPattern(stride, m_ConstantInt(&number));
  int64_t limit = smallLimit;
  if (isStatic && number.isStrictlyPositive())
    limit = farBytes / (number.getSExtValue() * elementBytes);
  if (sum.constant > limit)
    return false;
  if (llvm::none_of(sum.terms, mayBeFar))
    return true;
  return sum.constant >= 0 &&
         llvm::all_of(sum.terms, [](const AddressTerm &term) {
           return term.scale > 0 && isNonNegative(term.value);
         });
}

/// `sum`, which canCut(), with the terms that may be far as one, which is at
/// most `extent`. Coordinates fit 32 bits, so their sum does not wrap.
static CoordinateSum cutAtExtent(const CoordinateSum &sum, Value extent,
                                 I32Builder &i32) {
  constexpr auto exact = arith::IntegerOverflowFlags::nsw;
  OpBuilder &builder = i32.builder;
  CoordinateSum cut;
  cut.constant = sum.constant;
  Value far;
  for (const AddressTerm &term : sum.terms) {
    if (!mayBeFar(term)) {
      cut.terms.push_back(term);
      continue;
    }
    Value part = i32.cast(term.value);
    if (term.scale != 1)
      part = builder.createOrFold<arith::MulIOp>(
          i32.loc, part, i32.constant(term.scale), exact);
    far = far ? builder.createOrFold<arith::AddIOp>(i32.loc, far, part, exact)
              : part;
  }
  if (far)
    cut.terms.push_back(
        {builder.createOrFold<arith::MinUIOp>(i32.loc, far, extent)});
  return cut;
}

/// Adds a dimension with this stride, in elements, to the parts; `divisor` is
/// what its coordinate is a multiple of.
static void addDimension(OffsetParts &parts, const CoordinateSum &sum,
                         uint64_t divisor, Guard guard, Value stride,
                         unsigned elementBytes, I32Builder &i32,
                         bool isRow = false) {
  APInt number;
  // In bytes where the stride is a number, else in elements of the dimension.
  bool isStatic = matchPattern(stride, m_ConstantInt(&number));
  int64_t unit = isStatic ? number.getSExtValue() * elementBytes : 1;
  Value lane = i32.constant(0), uniform = i32.constant(0);
  // What stays in the vector register is checked alone, and must not be below 0
  // where the whole coordinate is not: one part that may be keeps the others.
  bool isSum = (isStatic || sum.constant >= 0) &&
               llvm::all_of(sum.terms, [](const AddressTerm &term) {
                 return term.scale > 0 && isNonNegative(term.value);
               });
  bool toScalar = parts.splittable && guard != Guard::Range && isSum;
  bool clamps = guard != Guard::None;
  for (const AddressTerm &term : sum.terms) {
    bool nonNegative = term.scale > 0 && isNonNegative(term.value);
    bool scalar = term.uniform && toScalar && nonNegative;
    Value &into = scalar ? uniform : lane;
    into = i32.add(into, i32.mul(i32.cast(term.value), term.scale * unit));
    parts.clampUniform |= scalar && clamps;
    parts.laneNonNegative &= scalar || nonNegative;
  }
  // Accesses share columns, rows are their own.
  bool toLane = parts.constantsToLane ||
                (isRow && parts.laneIsInvariant && sum.constant > 0);
  if (isStatic && toLane && sum.constant * unit > kFarBytes) {
    lane = i32.add(lane, i32.constant(sum.constant * unit));
  } else if (isStatic) {
    parts.constant += sum.constant * unit;
    parts.constantIsChecked |= guard == Guard::Range && sum.constant != 0;
    parts.constantIsUnproved |= clamps && sum.constant != 0;
  } else {
    bool scalar = toScalar && !toLane;
    Value &into = scalar ? uniform : lane;
    into = i32.add(into, i32.constant(sum.constant));
    parts.laneNonNegative &= sum.constant >= 0;
    parts.clampUniform |= scalar && clamps && sum.constant > 0;
  }
  parts.divisor =
      std::gcd(parts.divisor, divisor * knownDivisor(stride) * elementBytes);
  auto toBytes = [&](Value sum) {
    return isStatic ? sum : i32.mul(i32.mul(sum, stride), elementBytes);
  };
  parts.lane = i32.add(parts.lane, toBytes(lane));
  parts.uniform = i32.add(parts.uniform, toBytes(uniform));
}

static void addDimension(OffsetParts &parts, const CoordinateSum &sum,
                         Guard guard, Value stride, unsigned elementBytes,
                         I32Builder &i32, bool isRow = false) {
  addDimension(parts, sum, knownDivisor(sum), guard, stride, elementBytes, i32,
               isRow);
}

/// `sum`, cut at `extent` where the range check decides about it.
static CoordinateSum cutForRange(const CoordinateSum &sum, Guard guard,
                                 Value extent, I32Builder &i32) {
  return guard == Guard::Range ? cutAtExtent(sum, extent, i32) : sum;
}

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

/// Keeps the constant within the immediate, pieces included, and the scalar
/// offset within the range.
static void fitParts(OffsetParts &parts, int64_t maxImmediate, Value records,
                     I32Builder &i32) {
  int64_t limit = maxImmediate + 1 - arch::widestAccessBytes;
  int64_t excess = 0;
  if (parts.constant < 0) {
    excess = parts.constant;
  } else if (parts.constant > limit) {
    int64_t range = maxImmediate + 1;
    excess = parts.constant - parts.constant % range;
    if (parts.constant - excess > limit)
      excess += range / immediateSteps;
  }
  if (excess != 0) {
    bool toScalar = excess > 0 && parts.splittable &&
                    !parts.constantIsChecked && !parts.constantsToLane;
    Value &into = toScalar ? parts.uniform : parts.lane;
    into = i32.add(into, i32.constant(excess));
    parts.constant -= excess;
    parts.clampUniform |= toScalar && parts.constantIsUnproved;
    parts.laneNonNegative &= excess > 0;
    // What makes up for a negative constant must be in the same register: the
    // check looks at the lane's part alone, which could be below 0 without it.
    if (excess < 0) {
      parts.lane = i32.add(parts.lane, parts.uniform);
      parts.uniform = i32.constant(0);
      parts.clampUniform = false;
    }
  }
  // A scalar offset beyond the range would turn the check around. LLVM computes
  // quotients, and what it makes of them, in vector registers, and would walk
  // the lanes of an offset from there one by one. [LLVM22] SIFixSGPRCopies
  if (parts.clampUniform && !matchPattern(parts.uniform, m_Zero())) {
    Value clamped = i32.builder.createOrFold<arith::MinUIOp>(
        i32.loc, parts.uniform, records);
    parts.uniform = ROCDL::ReadfirstlaneOp::create(i32.builder, i32.loc,
                                                   clamped.getType(), clamped);
  }
}

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
