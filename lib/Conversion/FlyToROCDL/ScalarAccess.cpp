//===- ScalarAccess.cpp - Loads of one element for all lanes --------------===//
//
// The address is uniform and computed in 64 bits, so that views beyond 2 GiB
// have no limit here. Outside the view nothing is loaded, which is a uniform
// branch. A value that came through vector memory is read from the first lane:
// what follows may rely on scalar registers.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Accesses.h"

using namespace mlir;
using namespace fly;

Value fly::readFirstLane(I32Builder &i32, Value value) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type word = builder.getI32Type(), whole = builder.getIntegerType(bits);
  if (type != whole)
    value = arith::BitcastOp::create(builder, loc, whole, value);
  auto first = [&](Value part) -> Value {
    return ROCDL::ReadfirstlaneOp::create(builder, loc, word, part);
  };
  if (bits < 32) {
    value = arith::TruncIOp::create(
        builder, loc, whole,
        first(arith::ExtUIOp::create(builder, loc, word, value)));
  } else if (bits == 32) {
    value = first(value);
  } else {
    Value shift =
        arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 32);
    Value low = first(arith::TruncIOp::create(builder, loc, word, value));
    Value high = first(arith::TruncIOp::create(
        builder, loc, word,
        arith::ShRUIOp::create(builder, loc, value, shift)));
    auto widen = [&](Value half) {
      return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), half);
    };
    value = arith::OrIOp::create(
        builder, loc, widen(low),
        arith::ShLIOp::create(builder, loc, widen(high), shift));
  }
  return type == whole ? value
                       : arith::BitcastOp::create(builder, loc, type, value);
}

template <typename OpT>
FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locateScalar(OpT op, I32Builder &i32) {
  Type type = op.getResult().getType();
  unsigned elementBytes = getElementBytes(type);
  if (elementBytes == 0 || elementBytes > 8 || !type.isIntOrFloat())
    return op.emitOpError() << "cannot access a scalar of " << type;
  if (op.getView().getType().getInLds())
    return op.emitOpError() << "accesses global memory, got a view of LDS";
  for (Value coordinate : op.getCoordinates())
    if (!uniformity.isUniform(coordinate))
      return op.emitOpError() << "has a coordinate that differs between "
                                 "lanes: use fly.read or fly.update";
  FailureOr<View *> view = resolve(op, op.getView());
  if (failed(view))
    return failure();
  if ((*view)->isPerLane)
    return op.emitOpError() << "has a view that differs between lanes: use "
                               "fly.read or fly.update";
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Type i64 = builder.getI64Type();
  Place place;
  Value offset;
  for (auto [coordinate, extent, stride] : llvm::zip(
           op.getMixedCoordinates(), (*view)->extents, (*view)->strides)) {
    Value at = i32.get(coordinate);
    auto require = [&](arith::CmpIPredicate predicate, Value bound) {
      place.inside = i32.both(place.inside, builder.createOrFold<arith::CmpIOp>(
                                                loc, predicate, at, bound));
    };
    require(arith::CmpIPredicate::slt, extent);
    require(arith::CmpIPredicate::sge, i32.constant(0));
    Value part = builder.createOrFold<arith::MulIOp>(
        loc, builder.createOrFold<arith::ExtSIOp>(loc, i64, at),
        builder.createOrFold<arith::ExtSIOp>(loc, i64, stride));
    offset =
        offset ? builder.createOrFold<arith::AddIOp>(loc, offset, part) : part;
  }
  Value bytes = builder.createOrFold<arith::MulIOp>(
      loc, offset,
      arith::ConstantIntOp::create(builder, loc, i64, elementBytes));
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  place.address =
      LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                          (*view)->base, ArrayRef<LLVM::GEPArg>{bytes});
  return place;
}

template FailureOr<GlobalAccessLowering::Place>
GlobalAccessLowering::locateScalar(AtomicRmwOp op, I32Builder &i32);

LogicalResult GlobalAccessLowering::lower(LoadScalarOp load) {
  Type type = load.getResult().getType();
  OpBuilder builder(load);
  Location loc = load.getLoc();
  I32Builder i32(builder, loc);
  FailureOr<Place> place = locateScalar(load, i32);
  if (failed(place))
    return failure();
  auto branch = scf::IfOp::create(builder, loc, type, place->inside,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto value = LLVM::LoadOp::create(builder, loc, type, place->address,
                                    getElementBytes(type));
  if (memoryChanges) {
    // Nothing invalidates the scalar cache: LLVM loads atomically through
    // vector memory. [LLVM22]
    value.setOrdering(LLVM::AtomicOrdering::monotonic);
    value.setSyncscope("wavefront");
  }
  scf::YieldOp::create(builder, loc, readFirstLane(i32, value));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc,
                       ValueRange(arith::ConstantOp::create(
                           builder, loc, builder.getZeroAttr(type))));
  replace(load.getResult(), branch.getResult(0));
  load.erase();
  ++count;
  return success();
}
