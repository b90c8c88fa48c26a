//===- FlatAccess.cpp - Accesses at 64-bit addresses of lanes -------------===//
//
// A view whose base differs between lanes, as those of gathered rows do, has no
// buffer resource. Each lane computes its address in 64 bits, which no size of
// memory exceeds, and accesses memory in a branch of those that are inside: no
// address outside is ever formed into an access. Where a vector may cross the
// end of its row, its elements move one by one there.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Accesses.h"
#include "Pieces.h"

using namespace mlir;
using namespace fly;

template <typename OpT>
FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locateFlat(OpT op, View &view, I32Builder &i32) {
  ViewType type = view.op.getType();
  unsigned elementBytes = getElementBytes(type.getElementType());
  if (elementBytes == 0)
    return op.emitOpError()
           << "cannot access elements of " << type.getElementType();
  if (failed(checkVectorStride(op, view)))
    return failure();
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Type i64 = builder.getI64Type();
  bool isVector = isa<VectorType>(op.getValue().getType());
  std::optional<unsigned> vectorDim = type.getContiguousDim();
  Place place;
  Value elements = arith::ConstantIntOp::create(builder, loc, i64, 0);
  for (auto [dim, coordinate] : llvm::enumerate(op.getCoordinates())) {
    if (!op.isInBounds(dim))
      compareCoordinate(place, coordinate, view.extents[dim],
                        isVector && dim == *vectorDim, i32);
    auto widen = [&](Value value) {
      return builder.createOrFold<arith::ExtSIOp>(loc, i64, value);
    };
    Value part = builder.createOrFold<arith::MulIOp>(
        loc, widen(i32.cast(coordinate)), widen(view.strides[dim]));
    elements = builder.createOrFold<arith::AddIOp>(loc, elements, part);
  }
  Value bytes = builder.createOrFold<arith::MulIOp>(
      loc, elements,
      arith::ConstantIntOp::create(builder, loc, i64, elementBytes));
  place.address = LLVM::GEPOp::create(builder, loc, view.base.getType(),
                                      builder.getI8Type(), view.base,
                                      ArrayRef<LLVM::GEPArg>{bytes});
  return place;
}

template FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locateFlat(UpdateOp op, View &view, I32Builder &i32);

/// `address` `bytes` further on.
static Value advance(OpBuilder &builder, Location loc, Value address,
                     int64_t bytes) {
  if (bytes == 0)
    return address;
  return LLVM::GEPOp::create(builder, loc, address.getType(),
                             builder.getI8Type(), address,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

/// The value of `emit` where `condition` holds, else `otherwise`. Null stands
/// for a condition that always holds.
static Value emitWhere(OpBuilder &builder, Location loc, Value condition,
                       Value otherwise, function_ref<Value()> emit) {
  if (!condition)
    return emit();
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

/// The same without a value.
static void runWhere(OpBuilder &builder, Location loc, Value condition,
                     function_ref<void()> emit) {
  OpBuilder::InsertionGuard guard(builder);
  if (condition)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false)
            .thenBlock());
  emit();
}

/// `flat` and blocks are of views that are the same for the wave.
static LogicalResult refuseForm(Operation *op, bool isRefused) {
  if (!isRefused)
    return success();
  return op->emitOpError() << "is 'flat' or of a block, of a view that differs "
                              "between lanes; put what differs into the "
                              "coordinates";
}

LogicalResult GlobalAccessLowering::lowerFlat(ReadOp read, View &view) {
  if (failed(refuseForm(read, read.getFlat() || read.getBlock())))
    return failure();
  OpBuilder builder(read);
  Location loc = read.getLoc();
  I32Builder i32(builder, loc);
  Type type = read.getValue().getType();
  Type element = view.op.getType().getElementType();
  FailureOr<Place> place = locateFlat(read, view, i32);
  if (failed(place))
    return failure();
  TypedAttr pad = getPadElement(read.getPad(), element);
  if (!pad)
    return read.emitOpError() << "pads with " << stringifyPad(read.getPad())
                              << ", which " << element << " does not have";
  unsigned elementBytes = getElementBytes(element);
  unsigned elements = countElements(type);
  Value onePad = arith::ConstantOp::create(builder, loc, pad);
  Value allPad = onePad;
  if (isa<VectorType>(type))
    allPad = vector::BroadcastOp::create(builder, loc, type, onePad);
  auto load = [&](unsigned first, unsigned number, uint64_t align, Type as) {
    SmallVector<Piece> pieces =
        splitIntoPieces(number, elementBytes, align, arch::widestAccessBytes);
    SmallVector<Value> registers;
    for (Piece piece : pieces) {
      unsigned bytes = piece.count * elementBytes;
      registers.push_back(LLVM::LoadOp::create(
          builder, loc, getAccessType(builder, bytes),
          advance(builder, loc, place->address,
                  (first + piece.first) * elementBytes),
          bytes, /*isVolatile=*/false,
          /*isNonTemporal=*/read.getCache() == Cache::Stream));
      ++count;
    }
    return assemblePieces(builder, loc, as, pieces, registers);
  };
  uint64_t align = lowestBit(read.getAlign().value_or(1));
  auto loadAll = [&] { return load(0, elements, align, type); };
  Value value;
  if (!place->vectorCoordinate || elements == 1 ||
      isWhole(read, place->vectorExtent, elements)) {
    Value inside = place->inside;
    if (place->vectorCoordinate)
      inside = i32.both(inside, elementInside(*place, 0, i32));
    value = emitWhere(builder, loc, inside, allPad, loadAll);
  } else {
    value = emitWhere(builder, loc, place->inside, allPad, [&] {
      Value all = i32.both(elementInside(*place, 0, i32),
                           elementInside(*place, elements - 1, i32));
      auto branch = scf::IfOp::create(builder, loc, type, all,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(builder, loc, loadAll());
      builder.setInsertionPointToStart(branch.elseBlock());
      Value parts = allPad;
      for (unsigned i = 0; i < elements; ++i) {
        Value one = emitWhere(builder, loc, elementInside(*place, i, i32),
                              onePad, [&] { return load(i, 1, 1, element); });
        parts = vector::InsertOp::create(builder, loc, one, parts, int64_t(i));
      }
      scf::YieldOp::create(builder, loc, parts);
      return branch.getResult(0);
    });
  }
  replace(read.getValue(), value);
  read.erase();
  return success();
}

LogicalResult GlobalAccessLowering::lowerFlat(WriteOp write, View &view) {
  if (failed(refuseForm(write, write.getFlat())))
    return failure();
  OpBuilder builder(write);
  Location loc = write.getLoc();
  I32Builder i32(builder, loc);
  FailureOr<Place> place = locateFlat(write, view, i32);
  if (failed(place))
    return failure();
  unsigned elementBytes = getElementBytes(view.op.getType().getElementType());
  unsigned elements = countElements(write.getValue().getType());
  auto store = [&](unsigned first, unsigned number, uint64_t align) {
    for (Piece piece : splitIntoPieces(number, elementBytes, align,
                                       arch::widestAccessBytes)) {
      piece.first += first;
      LLVM::StoreOp::create(
          builder, loc, extractPiece(builder, loc, write.getValue(), piece),
          advance(builder, loc, place->address, piece.first * elementBytes),
          piece.count * elementBytes, /*isVolatile=*/false,
          /*isNonTemporal=*/write.getCache() == Cache::Stream);
      ++count;
    }
  };
  uint64_t align = lowestBit(write.getAlign().value_or(1));
  if (!place->vectorCoordinate || elements == 1 ||
      isWhole(write, place->vectorExtent, elements)) {
    Value inside = place->inside;
    if (place->vectorCoordinate)
      inside = i32.both(inside, elementInside(*place, 0, i32));
    runWhere(builder, loc, inside, [&] { store(0, elements, align); });
  } else {
    runWhere(builder, loc, place->inside, [&] {
      Value all = i32.both(elementInside(*place, 0, i32),
                           elementInside(*place, elements - 1, i32));
      auto branch =
          scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      store(0, elements, align);
      builder.setInsertionPointToStart(branch.elseBlock());
      for (unsigned i = 0; i < elements; ++i)
        runWhere(builder, loc, elementInside(*place, i, i32),
                 [&] { store(i, 1, 1); });
    });
  }
  write.erase();
  return success();
}
