//===- LdsAccess.cpp - Swizzle and addresses of LDS accesses --------------===//
//
// An address is the linear byte offset sent through the view's swizzle. Of the
// offset `x + c`, c constant:
//
//  * addends that are multiples of the swizzle's period, 2^(B+S+M) bytes,
//  change
//    neither the bits that steer nor those that are permuted: they stay outside
//    and fold into the instruction (c_hi), as do bits below 2^B where x has
//    none;
//  * the rest of c goes through the swizzle with x. So accesses that differ by
//    c_hi alone share one base register, and there is one base for each
//    (field, rest), computed outside loops.
//
// LDS is never bounds-checked.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "Accesses.h"
#include "Pieces.h"

using namespace mlir;
using namespace fly;

static constexpr unsigned maxAccessBytes = arch::widestAccessBytes;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 4> fly::getLdsStrides(ViewType type) {
  if (auto strided = dyn_cast_or_null<StridedAttr>(type.getLayout()))
    return llvm::to_vector<4>(strided.getStrides());
  SmallVector<int64_t, 4> strides(type.getRank(), 1);
  for (unsigned dim = type.getRank() - 1; dim-- > 0;)
    strides[dim] = strides[dim + 1] * type.getShape()[dim + 1];
  return strides;
}

/// The address of element `firstElement` of the access.
template <typename OpT>
LdsAccessLowering::Place LdsAccessLowering::locate(OpT op, const Field &field,
                                                   I32Builder &i32,
                                                   int64_t firstElement) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  ViewType type = op.getView().getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  auto swizzle = dyn_cast_or_null<SwizzleAttr>(type.getLayout());
  uint64_t period = 1, granule = 1;
  if (swizzle) {
    granule = uint64_t(1) << swizzle.getBase();
    period = granule << (swizzle.getShift() + swizzle.getBits());
  }

  // The linear offset: what goes through the swizzle, uniform parts that it
  // leaves alone, and the constant.
  Value linear = i32.constant(0), uniform = i32.constant(0);
  uint64_t divisor = 0;
  int64_t constant = firstElement * elementBytes;
  for (auto [coordinate, stride] :
       llvm::zip_equal(op.getCoordinates(), getLdsStrides(type))) {
    CoordinateSum sum = splitCoordinate(coordinate, uniformity);
    int64_t scale = stride * elementBytes;
    constant += sum.constant * scale;
    for (const AddressTerm &term : sum.terms) {
      uint64_t termDivisor =
          uint64_t(std::abs(term.scale * scale)) * knownDivisor(term.value);
      Value bytes = i32.mul(i32.cast(term.value), term.scale * scale);
      bool free = term.uniform && termDivisor % period == 0;
      Value &into = free ? uniform : linear;
      into = i32.add(into, bytes);
      if (!free)
        divisor = std::gcd(divisor, termDivisor);
    }
  }

  Place place;
  place.constant = constant;
  Value offset = linear;
  if (swizzle) {
    int64_t rest = constant & int64_t(period - 1);
    // Where the registers are multiples of a granule, constants within it pass.
    int64_t passing = divisor % granule == 0 ? rest & int64_t(granule - 1) : 0;
    rest -= passing;
    place.constant = constant - rest;
    Value x = i32.add(linear, i32.constant(rest));
    uint64_t mask = ((uint64_t(1) << swizzle.getBits()) - 1)
                    << (swizzle.getBase() + swizzle.getShift());
    Value steering =
        builder.createOrFold<arith::AndIOp>(loc, x, i32.constant(mask));
    Value flips = builder.createOrFold<arith::ShRUIOp>(
        loc, steering, i32.constant(swizzle.getShift()));
    offset = builder.createOrFold<arith::XOrIOp>(loc, x, flips);
  }
  offset = i32.add(offset, uniform);
  // A negative constant does not fit the immediate.
  if (place.constant < 0 || place.constant > maxLdsImmediateBytes) {
    int64_t kept = place.constant & maxLdsImmediateBytes & ~int64_t(15);
    kept = place.constant < 0 ? 0 : kept;
    offset = i32.add(offset, i32.constant(place.constant - kept));
    place.constant = kept;
  }
  place.base = LLVM::GEPOp::create(builder, loc, field.address.getType(),
                                   builder.getI8Type(), field.address,
                                   ArrayRef<LLVM::GEPArg>{offset});
  return place;
}

/// The address of `bytes` behind `place`, next to its use.
static Value addressOf(const LdsAccessLowering::Place &place, int64_t bytes,
                       I32Builder &i32) {
  int64_t constant = place.constant + bytes;
  if (constant == 0)
    return place.base;
  auto address = LLVM::GEPOp::create(i32.builder, i32.loc, place.base.getType(),
                                     i32.builder.getI8Type(), place.base,
                                     ArrayRef<LLVM::GEPArg>{int32_t(constant)});
  address->setDiscardableAttr(keepInPlaceAttrName, i32.builder.getUnitAttr());
  return address;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

uint64_t fly::ldsOffsetDivisor(ValueRange coordinates, ViewType type) {
  uint64_t divisor = ldsFieldAlignBytes;
  unsigned elementBytes = getElementBytes(type.getElementType());
  for (auto [coordinate, stride] :
       llvm::zip_equal(coordinates, getLdsStrides(type)))
    divisor = std::gcd(divisor, knownDivisor(coordinate) *
                                    uint64_t(std::abs(stride)) * elementBytes);
  return divisor;
}

template <typename OpT>
FailureOr<LdsAccessLowering::Shape> LdsAccessLowering::shape(OpT op) {
  ViewType type = op.getView().getType();
  Type element = type.getElementType();
  Shape shape;
  shape.elementBytes = getElementBytes(element);
  if (shape.elementBytes == 0)
    return op.emitOpError()
           << "cannot access elements of " << element << " in LDS";
  for (int64_t stride : getLdsStrides(type))
    if (ShapedType::isDynamic(stride))
      return op.emitOpError()
             << "needs an LDS view of static strides, got " << type;
  auto vector = dyn_cast<VectorType>(op.getValue().getType());
  unsigned elements = vector ? vector.getNumElements() : 1;
  uint64_t proved = ldsOffsetDivisor(op.getCoordinates(), type);
  uint64_t declared =
      op.getAlign() ? lowestBit(*op.getAlign()) * shape.elementBytes : 1;
  shape.alignBytes = std::max({proved, std::min(declared, ldsFieldAlignBytes),
                               uint64_t(shape.elementBytes)});
  unsigned widest = maxAccessBytes;
  if (auto swizzle = dyn_cast_or_null<SwizzleAttr>(type.getLayout())) {
    // Neighbours stay together within a granule alone.
    widest = std::min<uint64_t>(widest, uint64_t(1) << swizzle.getBase());
    if (widest < shape.elementBytes)
      return op.emitOpError()
             << "goes through " << swizzle << ", which takes elements of "
             << shape.elementBytes << " bytes apart";
  }
  shape.pieces = splitIntoPieces(elements, shape.elementBytes,
                                 shape.alignBytes / shape.elementBytes, widest);
  return shape;
}

static uint64_t pieceAlign(uint64_t alignBytes, unsigned offsetBytes) {
  return std::min(alignBytes, lowestBit(offsetBytes));
}

LogicalResult LdsAccessLowering::lower(ReadOp read) {
  FailureOr<Field *> field = resolve(read, read.getView());
  FailureOr<Shape> access = shape(read);
  if (failed(field) || failed(access))
    return failure();
  OpBuilder builder(read);
  I32Builder i32(builder, read.getLoc());
  SmallVector<Value> registers;
  for (Piece piece : access->pieces) {
    Place place = locate(read, **field, i32, piece.first);
    auto load = LLVM::LoadOp::create(
        builder, read.getLoc(),
        getAccessType(builder, piece.count * access->elementBytes),
        addressOf(place, 0, i32),
        pieceAlign(access->alignBytes, piece.first * access->elementBytes));
    accesses.push_back({load, *field});
    registers.push_back(load);
  }
  Value value =
      assemblePieces(builder, read.getLoc(), read.getValue().getType(),
                     access->pieces, registers);
  read.getValue().replaceAllUsesWith(value);
  read.erase();
  return success();
}

LogicalResult LdsAccessLowering::lower(WriteOp write) {
  FailureOr<Field *> field = resolve(write, write.getView());
  FailureOr<Shape> access = shape(write);
  if (failed(field) || failed(access))
    return failure();
  OpBuilder builder(write);
  I32Builder i32(builder, write.getLoc());
  for (Piece piece : access->pieces) {
    Place place = locate(write, **field, i32, piece.first);
    Value part = extractPiece(builder, write.getLoc(), write.getValue(), piece);
    auto store = LLVM::StoreOp::create(
        builder, write.getLoc(), part, addressOf(place, 0, i32),
        pieceAlign(access->alignBytes, piece.first * access->elementBytes));
    accesses.push_back({store, *field});
  }
  write.erase();
  return success();
}

/// The intrinsic takes 64 bits, or 96 of 6-bit elements, as it finds them.
LogicalResult LdsAccessLowering::lower(ReadTransposedOp read) {
  FailureOr<Field *> field = resolve(read, read.getView());
  if (failed(field))
    return failure();
  OpBuilder builder(read);
  Location loc = read.getLoc();
  I32Builder i32(builder, loc);
  auto type = cast<VectorType>(read.getValue().getType());
  unsigned bits = type.getElementTypeBitWidth();
  unsigned bytes = type.getNumElements() * bits / 8;
  auto swizzle =
      dyn_cast_or_null<SwizzleAttr>(read.getView().getType().getLayout());
  if (swizzle && bytes > uint64_t(1) << swizzle.getBase())
    return read.emitOpError()
           << "goes through " << swizzle << ", which takes its chunks of "
           << bytes << " bytes apart";
  Value address = addressOf(locate(read, **field, i32, 0), 0, i32);
  Type words = VectorType::get(bytes / 4, builder.getI32Type());
  Operation *made;
  if (bits == 16)
    made = ROCDL::ds_read_tr16_b64::create(
        builder, loc, VectorType::get(4, builder.getI16Type()), address);
  else if (bits == 8)
    made = ROCDL::ds_read_tr8_b64::create(builder, loc, words, address);
  else if (bits == 6)
    made = ROCDL::ds_read_tr6_b96::create(builder, loc, words, address);
  else
    made = ROCDL::ds_read_tr4_b64::create(builder, loc, words, address);
  accesses.push_back({made, *field});
  Value value = assemblePieces(builder, loc, type,
                               {Piece{0, unsigned(type.getNumElements())}},
                               made->getResults());
  read.getValue().replaceAllUsesWith(value);
  read.erase();
  return success();
}
