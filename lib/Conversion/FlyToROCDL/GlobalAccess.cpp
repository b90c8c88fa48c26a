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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

#include "Accesses.h"
#include "Pieces.h"

using namespace mlir;
using namespace fly;

/// An offset that no resource reaches: ranges are at most maxRecordsBytes, and
/// with any immediate added the sum does not wrap.
static constexpr uint32_t outsideOffset = 0x80000000;
/// Ranges are cut here, a whole number of dwords below outsideOffset. A tile's
/// offsets stay below 2^31 (a requirement of the launch contract).
static constexpr uint32_t maxRecordsBytes = 0x7ffffffc;
/// Bytes that kernel arguments are multiples of.
static constexpr uint64_t pointerAlignBytes = 16;
/// Most bytes of one access.
static constexpr unsigned maxAccessBytes = 16;
/// Constants beyond the immediate are rounded down to multiples of this, so
/// that accesses share them.
static constexpr int64_t immediateStep = 2048;

static uint64_t lowestBit(uint64_t value) {
  return value ? value & (~value + 1) : uint64_t(1) << 32;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

FailureOr<GlobalAccessLowering::View *>
GlobalAccessLowering::resolve(Operation *access, Value value) {
  auto op = value.getDefiningOp<ViewOp>();
  if (!op)
    return access->emitOpError()
           << "needs a view made by fly.view or fly.lds.field, got one that "
              "control flow hands on";
  std::unique_ptr<View> &view = views[op];
  if (view)
    return view.get();

  OpBuilder builder(op);
  Location loc = op.getLoc();
  I32Builder i32(builder, loc);
  for (Value operand : op->getOperands())
    if (!isa<PtrType>(operand.getType()) && !uniformity.isUniform(operand))
      return op.emitOpError() << "has an extent, stride or offset that differs "
                                 "between lanes; put it into the coordinates";

  ViewType type = op.getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  view = std::make_unique<View>();
  view->op = op;
  for (OpFoldResult extent : op.getMixedExtents())
    view->extents.push_back(i32.get(extent));
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  view->strides.resize(type.getRank());
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    if (!strides.empty())
      view->strides[dim] = i32.get(strides[dim]);
    else if (dim + 1 == type.getRank())
      view->strides[dim] = i32.constant(1);
    else
      view->strides[dim] =
          i32.mul(view->strides[dim + 1], view->extents[dim + 1]);
    APInt number;
    if (matchPattern(view->strides[dim], m_ConstantInt(&number)) &&
        number.isNegative())
      return op.emitOpError()
             << "has the stride " << number.getSExtValue() << " in dimension "
             << dim << "; strides must not be negative";
  }

  auto pointerType = LLVM::LLVMPointerType::get(op.getContext(), 1);
  view->base =
      UnrealizedConversionCastOp::create(builder, loc, pointerType, op.getPtr())
          .getResult(0);
  if (op.getOffset()) {
    Value scale = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(), elementBytes);
    Value bytes =
        builder.createOrFold<arith::MulIOp>(loc, op.getOffset(), scale);
    view->base =
        LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                            view->base, ArrayRef<LLVM::GEPArg>{bytes});
  }
  view->recordsBytes = buildRecords(*view, i32);
  return view.get();
}

/// The bytes from a view's first to behind its last element, in 32 bits: 0 for
/// empty views, cut at maxRecordsBytes.
Value GlobalAccessLowering::buildRecords(View &view, I32Builder &i32) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Type i64 = builder.getI64Type();
  auto wide = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  auto extend = [&](Value value) {
    return builder.createOrFold<arith::ExtSIOp>(loc, i64, value);
  };
  Value last = wide(0);
  for (auto [extent, stride] : llvm::zip_equal(view.extents, view.strides)) {
    Value steps =
        builder.createOrFold<arith::SubIOp>(loc, extend(extent), wide(1));
    Value product =
        builder.createOrFold<arith::MulIOp>(loc, steps, extend(stride));
    last = builder.createOrFold<arith::AddIOp>(loc, last, product);
  }
  unsigned elementBytes = getElementBytes(view.op.getType().getElementType());
  Value elements = builder.createOrFold<arith::AddIOp>(loc, last, wide(1));
  Value bytes =
      builder.createOrFold<arith::MulIOp>(loc, elements, wide(elementBytes));
  // Clamped with 32-bit comparisons: scalar units have no 64-bit ones.
  Type i32Type = builder.getI32Type();
  Value low = builder.createOrFold<arith::TruncIOp>(loc, i32Type, bytes);
  Value high = builder.createOrFold<arith::TruncIOp>(
      loc, i32Type, builder.createOrFold<arith::ShRUIOp>(loc, bytes, wide(32)));
  Value top = builder.createOrFold<arith::ShRUIOp>(loc, low, i32.constant(31));
  Value excess = builder.createOrFold<arith::OrIOp>(loc, high, top);
  Value tooLarge = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, excess, i32.constant(0));
  Value empty = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, high, i32.constant(0));
  Value cut = builder.createOrFold<arith::SelectOp>(
      loc, tooLarge, i32.constant(maxRecordsBytes), low);
  return builder.createOrFold<arith::SelectOp>(loc, empty, i32.constant(0),
                                               cut);
}

Value GlobalAccessLowering::getResource(View &view, bool wholeDwords) {
  Value &resource = wholeDwords ? view.dwordResource : view.resource;
  if (resource)
    return resource;
  OpBuilder builder(view.op);
  Location loc = view.op.getLoc();
  I32Builder i32(builder, loc);
  Value records = view.recordsBytes;
  if (wholeDwords) {
    // A dword that holds the view's last element would count as outside.
    records = builder.createOrFold<arith::AndIOp>(
        loc, i32.add(records, i32.constant(3)), i32.constant(~int64_t(3)));
    // 0x7ffffffd and up were cut before, so the sum does not wrap.
  }
  Value stride =
      arith::ConstantIntOp::create(builder, loc, builder.getIntegerType(16), 0);
  Value range =
      builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), records);
  resource = ROCDL::MakeBufferRsrcOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 8),
      view.base, stride, range, i32.constant(*arch.buffer.word3));
  return resource;
}

/// Whether coordinates at or beyond the extent of `dim` have offsets at or
/// beyond the resource's range, for any inside coordinates elsewhere.
bool GlobalAccessLowering::coversByRange(View &view, unsigned dim) {
  ViewType type = view.op.getType();
  bool rowMajor = view.op.getMixedStrides().empty();
  if (rowMajor)
    return dim == 0;
  APInt stride;
  auto constantOf = [](Value value) -> std::optional<int64_t> {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  };
  std::optional<int64_t> own = constantOf(view.strides[dim]);
  if (type.getRank() == 1)
    return own && *own >= 1;
  if (type.getRank() != 2)
    return false;
  unsigned other = 1 - dim;
  if (constantOf(view.strides[other]) != 1)
    return false;
  // A row must be at least as long as its extent, or rows overlap.
  if (view.strides[dim] == view.extents[other])
    return true;
  std::optional<int64_t> extent = constantOf(view.extents[other]);
  return own && extent && *own >= *extent;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

template <typename OpT>
FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locate(OpT op, View &view, I32Builder &i32,
                             bool compareAll) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
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

  SmallVector<CoordinateSum, 4> sums;
  bool splittable = true;
  for (Value coordinate : op.getCoordinates()) {
    sums.push_back(splitCoordinate(coordinate, uniformity));
    for (const AddressTerm &term : sums.back().terms)
      splittable &=
          term.uniform || (term.scale > 0 && isNonNegative(term.value));
  }

  Place place;
  place.divisorBytes = pointerAlignBytes;
  if (Value offset = view.op.getOffset())
    place.divisorBytes =
        std::gcd(place.divisorBytes, knownDivisor(offset) * elementBytes);
  Value lane = i32.constant(0), uniform = i32.constant(0);
  Value insideOthers;
  bool clampUniform = false, constantIsChecked = false;
  auto require = [&](Value condition) {
    insideOthers =
        insideOthers
            ? builder.createOrFold<arith::AndIOp>(loc, insideOthers, condition)
            : condition;
  };
  for (auto [dim, sum] : llvm::enumerate(sums)) {
    bool proved = op.isInBounds(dim);
    // The range check drops whole dwords: along the vector's own dimension it
    // would lose a last element of half a dword.
    bool cutsDwords = isVector && dim == *vectorDim && elementBytes % 4 != 0;
    bool byRange =
        !proved && !compareAll && !cutsDwords && coversByRange(view, dim);
    Value coordinate = i32.cast(op.getCoordinates()[dim]);
    bool nonNegative = isNonNegative(op.getCoordinates()[dim]);
    if (!proved && !byRange) {
      if (isVector && dim == *vectorDim) {
        place.vectorCoordinate = coordinate;
        place.vectorExtent = view.extents[dim];
        place.vectorNonNegative = nonNegative;
      } else {
        require(builder.createOrFold<arith::CmpIOp>(
            loc, arith::CmpIPredicate::slt, coordinate, view.extents[dim]));
        if (!nonNegative)
          require(builder.createOrFold<arith::CmpIOp>(
              loc, arith::CmpIPredicate::sge, coordinate, i32.constant(0)));
      }
    }
    // Sums of this dimension's terms: in bytes where the stride is a number,
    // else in elements of the dimension.
    Value stride = view.strides[dim];
    uint64_t strideDivisor = knownDivisor(stride);
    bool isStatic = matchPattern(stride, m_ConstantInt(&number));
    int64_t unit = isStatic ? number.getSExtValue() * elementBytes : 1;
    Value laneSum = i32.constant(0), uniformSum = i32.constant(0);
    bool toScalar = splittable && !byRange;
    uint64_t divisor = std::abs(sum.constant);
    for (const AddressTerm &term : sum.terms) {
      divisor = std::gcd(divisor, uint64_t(std::abs(term.scale)) *
                                      knownDivisor(term.value));
      Value scaled = i32.mul(i32.cast(term.value), term.scale * unit);
      bool scalar = term.uniform && toScalar && term.scale > 0 &&
                    isNonNegative(term.value);
      Value &into = scalar ? uniformSum : laneSum;
      into = i32.add(into, scaled);
      clampUniform |= scalar && !proved;
      place.laneNonNegative &=
          scalar || (term.scale > 0 && isNonNegative(term.value));
    }
    if (isStatic) {
      place.constant += sum.constant * unit;
      constantIsChecked |= byRange && sum.constant != 0;
      clampUniform |= !proved && sum.constant != 0;
    } else {
      Value &into = toScalar && sum.constant >= 0 ? uniformSum : laneSum;
      place.laneNonNegative &= sum.constant >= 0;
      clampUniform |= !proved && sum.constant > 0;
      into = i32.add(into, i32.constant(sum.constant));
    }
    place.divisorBytes =
        std::gcd(place.divisorBytes, divisor * strideDivisor * elementBytes);
    auto toBytes = [&](Value sum) {
      return isStatic ? sum : i32.mul(i32.mul(sum, stride), elementBytes);
    };
    lane = i32.add(lane, toBytes(laneSum));
    uniform = i32.add(uniform, toBytes(uniformSum));
  }

  // Keep the immediate within the instruction, pieces included.
  int64_t limit = int64_t(*arch.buffer.maxImmediate) + 1 - maxAccessBytes;
  int64_t excess = place.constant < 0 ? place.constant
                   : place.constant > limit
                       ? place.constant - place.constant % immediateStep
                       : 0;
  if (excess != 0) {
    Value amount = i32.constant(excess);
    if (excess > 0 && splittable && !constantIsChecked)
      uniform = i32.add(uniform, amount);
    else
      lane = i32.add(lane, amount);
    place.constant -= excess;
    place.laneNonNegative &= excess > 0;
  }
  // A scalar offset beyond the range would turn the check around.
  if (clampUniform && !matchPattern(uniform, m_Zero()))
    uniform =
        builder.createOrFold<arith::MinUIOp>(loc, uniform, view.recordsBytes);
  place.laneOffset = lane;
  place.uniformOffset = uniform;
  place.inside = insideOthers;
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
