//===- GlobalAccess.cpp - Views of global memory as raw buffers -----------===//
//
// A raw buffer resource checks one linear range of bytes, a view checks every
// dimension for every element. The two meet like this: the resource's range is
// exactly the bytes of the view, so along the outermost dimension the range
// check is the view's check; along the others the lane compares, and an outside
// element gets an offset beyond any range, for which loads give zero and stores
// do nothing. Dimensions proved in bounds cost nothing.
//
// The byte offset goes to three places: what depends on the lane to a vector
// register, what is uniform to a scalar register, constants to the immediate.
// Documents differ on whether the scalar offset takes part in the range check,
// so nothing that the check decides about is put there: uniform parts along an
// unproved outermost dimension stay in the vector register. All parts must be
// proved not negative, since the check takes them one by one.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/CachePolicy.h"
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

#include "Accesses.h"
#include "Pieces.h"

using namespace mlir;
using namespace fly;

/// An offset that no resource reaches: ranges stay below it (GlobalView.cpp),
/// and with any immediate added the sum does not wrap.
static constexpr uint32_t outsideOffset = 0x80000000;
/// Bytes that kernel arguments are multiples of.
static constexpr uint64_t pointerAlignBytes = arch::widestAccessBytes;
/// Most bytes of one access.
static constexpr unsigned maxAccessBytes = arch::widestAccessBytes;
/// Constants beyond the immediate are rounded down to multiples of this, so
/// that accesses share them.
static constexpr int64_t immediateStep = 2048;

static uint64_t lowestBit(uint64_t value) {
  return value ? value & (~value + 1) : uint64_t(1) << 32;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

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
  /// The constant has parts that the range check decides about.
  bool constantIsChecked = false;
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

/// Adds a dimension with this stride, in elements, to the parts.
static void addDimension(OffsetParts &parts, const CoordinateSum &sum,
                         Guard guard, Value stride, unsigned elementBytes,
                         I32Builder &i32) {
  APInt number;
  // In bytes where the stride is a number, else in elements of the dimension.
  bool isStatic = matchPattern(stride, m_ConstantInt(&number));
  int64_t unit = isStatic ? number.getSExtValue() * elementBytes : 1;
  Value lane = i32.constant(0), uniform = i32.constant(0);
  bool toScalar = parts.splittable && guard != Guard::Range;
  bool clamps = guard != Guard::None;
  uint64_t divisor = std::abs(sum.constant);
  for (const AddressTerm &term : sum.terms) {
    divisor = std::gcd(divisor, uint64_t(std::abs(term.scale)) *
                                    knownDivisor(term.value));
    bool nonNegative = term.scale > 0 && isNonNegative(term.value);
    bool scalar = term.uniform && toScalar && nonNegative;
    Value &into = scalar ? uniform : lane;
    into = i32.add(into, i32.mul(i32.cast(term.value), term.scale * unit));
    parts.clampUniform |= scalar && clamps;
    parts.laneNonNegative &= scalar || nonNegative;
  }
  if (isStatic) {
    parts.constant += sum.constant * unit;
    parts.constantIsChecked |= guard == Guard::Range && sum.constant != 0;
    parts.clampUniform |= clamps && sum.constant != 0;
  } else {
    Value &into = toScalar && sum.constant >= 0 ? uniform : lane;
    into = i32.add(into, i32.constant(sum.constant));
    parts.laneNonNegative &= sum.constant >= 0;
    parts.clampUniform |= clamps && sum.constant > 0;
  }
  parts.divisor =
      std::gcd(parts.divisor, divisor * knownDivisor(stride) * elementBytes);
  auto toBytes = [&](Value sum) {
    return isStatic ? sum : i32.mul(i32.mul(sum, stride), elementBytes);
  };
  parts.lane = i32.add(parts.lane, toBytes(lane));
  parts.uniform = i32.add(parts.uniform, toBytes(uniform));
}

/// Keeps the constant within the immediate, pieces included, and the scalar
/// offset within the range.
static void fitParts(OffsetParts &parts, int64_t maxImmediate, Value records,
                     I32Builder &i32) {
  int64_t limit = maxImmediate + 1 - maxAccessBytes;
  int64_t excess = parts.constant < 0 ? parts.constant
                   : parts.constant > limit
                       ? parts.constant - parts.constant % immediateStep
                       : 0;
  if (excess != 0) {
    bool toScalar = excess > 0 && parts.splittable && !parts.constantIsChecked;
    Value &into = toScalar ? parts.uniform : parts.lane;
    into = i32.add(into, i32.constant(excess));
    parts.constant -= excess;
    parts.laneNonNegative &= excess > 0;
  }
  // A scalar offset beyond the range would turn the check around.
  if (parts.clampUniform && !matchPattern(parts.uniform, m_Zero()))
    parts.uniform = i32.builder.createOrFold<arith::MinUIOp>(
        i32.loc, parts.uniform, records);
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
  require(arith::CmpIPredicate::slt, extent);
  if (!nonNegative)
    require(arith::CmpIPredicate::sge, i32.constant(0));
}

template <typename OpT>
FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(OpT op, View &view, I32Builder &i32,
                             bool compareAll) {
  ViewType type = view.op.getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  bool isVector = isa<VectorType>(op.getValue().getType());
  std::optional<unsigned> vectorDim = type.getContiguousDim();
  APInt number;
  if (isVector &&
      (!matchPattern(view.strides[*vectorDim], m_ConstantInt(&number)) ||
       !number.isOne()))
    return op.emitOpError() << "moves a vector along dimension " << *vectorDim
                            << ", whose stride in the fly.view is not 1";

  OffsetParts parts;
  parts.lane = parts.uniform = i32.constant(0);
  parts.divisor = pointerAlignBytes;
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

  Place place;
  for (auto [dim, sum] : llvm::enumerate(sums)) {
    bool isVectorDim = isVector && dim == *vectorDim;
    // The range check drops whole dwords: along the vector's own dimension it
    // would lose a last element of half a dword.
    bool cutsDwords = isVectorDim && elementBytes % 4 != 0;
    Guard guard = Guard::Compare;
    if (op.isInBounds(dim))
      guard = Guard::None;
    else if (!compareAll && !cutsDwords && coversByRange(view, dim))
      guard = Guard::Range;
    if (guard == Guard::Compare)
      compareCoordinate(place, op.getCoordinates()[dim], view.extents[dim],
                        isVectorDim, i32);
    addDimension(parts, sum, guard, view.strides[dim], elementBytes, i32);
  }
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
  Value below = builder.createOrFold<arith::CmpIOp>(
      i32.loc, arith::CmpIPredicate::slt, coordinate, place.vectorExtent);
  if (place.vectorNonNegative)
    return below;
  Value above = builder.createOrFold<arith::CmpIOp>(
      i32.loc, arith::CmpIPredicate::sge, coordinate, i32.constant(0));
  return builder.createOrFold<arith::AndIOp>(i32.loc, below, above);
}

static Value conjunction(I32Builder &i32, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return i32.builder.createOrFold<arith::AndIOp>(i32.loc, a, b);
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

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static unsigned countElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Whether the elements of an access are inside or outside all together: its
/// start and the extent are multiples of its length.
template <typename OpT>
static bool isWhole(OpT op, Value extent, unsigned elements) {
  Value coordinate =
      op.getCoordinates()[*op.getView().getType().getContiguousDim()];
  return knownDivisor(coordinate) % elements == 0 &&
         knownDivisor(extent) % elements == 0;
}

static uint64_t alignElements(std::optional<int64_t> declared,
                              uint64_t divisorBytes, unsigned elementBytes) {
  uint64_t proved =
      std::max<uint64_t>(lowestBit(divisorBytes) / elementBytes, 1);
  return std::max(proved, declared ? lowestBit(*declared) : 1);
}

static Value cacheOperand(I32Builder &i32, Cache cache) {
  return i32.constant(uint32_t(cache == Cache::Stream
                                   ? arch::CachePolicy::NonTemporal
                                   : arch::CachePolicy::Default));
}

/// The pad as an attribute of `type`; null where the type has no such value.
static TypedAttr getPadAttr(Builder &builder, Pad pad, Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    switch (pad) {
    case Pad::Zero:
      return builder.getIntegerAttr(type, 0);
    case Pad::One:
      return builder.getIntegerAttr(type, 1);
    case Pad::Lowest:
      return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
    default:
      return {};
    }
  }
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  switch (pad) {
  case Pad::Zero:
    return builder.getFloatAttr(type, APFloat::getZero(semantics));
  case Pad::One:
    return builder.getFloatAttr(type, APFloat::getOne(semantics));
  case Pad::Lowest:
    return builder.getFloatAttr(type, APFloat::getLargest(semantics, true));
  case Pad::NegInf:
  case Pad::PosInf:
    if (!APFloat::semanticsHasInf(semantics))
      return {};
    return builder.getFloatAttr(type,
                                APFloat::getInf(semantics, pad == Pad::NegInf));
  }
  return {};
}

LogicalResult GlobalAccessLowering::lower(ReadOp read) {
  FailureOr<View *> view = resolve(read, read.getView());
  if (failed(view))
    return failure();
  OpBuilder builder(read);
  Location loc = read.getLoc();
  I32Builder i32(builder, loc);
  Type type = read.getValue().getType();
  Type element = read.getView().getType().getElementType();
  unsigned elementBytes = getElementBytes(element);
  if (elementBytes == 0)
    return read.emitOpError() << "cannot read elements of " << element;
  TypedAttr pad = getPadAttr(builder, read.getPad(), element);
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
  if (each && !place->vectorNonNegative)
    align = 1;
  SmallVector<Piece> pieces =
      splitIntoPieces(elements, elementBytes, align, maxAccessBytes);
  SmallVector<Value> registers;
  for (Piece piece : pieces) {
    bool wide = each && piece.count > 1;
    Value inside = place->inside;
    if (place->vectorCoordinate && !wide)
      inside = conjunction(i32, inside,
                           elementInside(*place, each ? piece.first : 0, i32));
    Value offset = pieceOffset(*place, inside, piece.first * elementBytes, i32);
    registers.push_back(ROCDL::RawPtrBufferLoadOp::create(
        builder, loc, getAccessType(builder, piece.count * elementBytes),
        getResource(**view, wide), offset, place->uniformOffset,
        cacheOperand(i32, read.getCache()), ArrayAttr(), ArrayAttr(),
        ArrayAttr()));
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
          inside = conjunction(i32, place->inside, inside);
        Value one = vector::ExtractOp::create(builder, loc, value, int64_t(i));
        value = vector::InsertOp::create(
            builder, loc, select(inside, one, padding), value, int64_t(i));
      }
  } else if (!padsWithZero) {
    Value inside = place->inside;
    if (place->vectorCoordinate)
      inside = conjunction(i32, inside, elementInside(*place, 0, i32));
    if (isa<VectorType>(type))
      padding = vector::BroadcastOp::create(builder, loc, type, padding);
    value = select(inside, value, padding);
  }
  read.getValue().replaceAllUsesWith(value);
  read.erase();
  return success();
}

LogicalResult GlobalAccessLowering::lower(WriteOp write) {
  FailureOr<View *> view = resolve(write, write.getView());
  if (failed(view))
    return failure();
  OpBuilder builder(write);
  Location loc = write.getLoc();
  I32Builder i32(builder, loc);
  Type element = write.getView().getType().getElementType();
  unsigned elementBytes = getElementBytes(element);
  if (elementBytes == 0)
    return write.emitOpError() << "cannot write elements of " << element;
  FailureOr<Place> place = locate(write, **view, i32, /*compareAll=*/false);
  if (failed(place))
    return failure();
  unsigned elements = countElements(write.getValue().getType());
  bool each = place->vectorCoordinate && elements > 1 &&
              !isWhole(write, place->vectorExtent, elements);
  // Every element is dropped or written on its own.
  uint64_t align =
      each ? 1
           : alignElements(write.getAlign(), place->divisorBytes, elementBytes);
  for (Piece piece :
       splitIntoPieces(elements, elementBytes, align, maxAccessBytes)) {
    Value inside = place->inside;
    if (place->vectorCoordinate)
      inside = conjunction(i32, inside,
                           elementInside(*place, each ? piece.first : 0, i32));
    Value offset = pieceOffset(*place, inside, piece.first * elementBytes, i32);
    ROCDL::RawPtrBufferStoreOp::create(
        builder, loc, extractPiece(builder, loc, write.getValue(), piece),
        getResource(**view, false), offset, place->uniformOffset,
        cacheOperand(i32, write.getCache()), ArrayAttr(), ArrayAttr(),
        ArrayAttr());
    ++count;
  }
  write.erase();
  return success();
}
