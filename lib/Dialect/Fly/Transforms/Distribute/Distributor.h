//===- Distributor.h - Tiles to lanes, one kernel ---------------*- C++ -*-===//
//
// Part of fly-distribute: the state of one kernel's rewrite, and what each kind
// of op becomes. Windows.cpp moves views, Accesses.cpp reads and writes tiles,
// Dots.cpp emits matrix instructions, Values.cpp everything computed in place;
// Distribute.cpp walks control flow.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "LaneAccess.h"

namespace fly::distribute {

using namespace mlir;

inline RankedTensorType tileType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The position of flat element `index` in an array of this shape.
SmallVector<int64_t> positionOf(ArrayRef<int64_t> shape, int64_t index);
/// Puts a group of contiguous elements into a register array.
Value insertGroup(OpBuilder &builder, Location loc, Value group, Value array,
                  ArrayRef<int64_t> position);
/// Takes `length` contiguous elements out of a register array.
Value extractGroup(OpBuilder &builder, Location loc, Value array,
                   ArrayRef<int64_t> position, int64_t length);

/// Rewrites one kernel.
class Distributor {
public:
  Distributor(FunctionOpInterface kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), builder(kernel.getContext()),
        entry(new Block), coordinates(*entry) {}

  LogicalResult run();
  unsigned numTiles = 0;

private:
  LogicalResult distributeBlock(Block &from);
  LogicalResult distribute(Operation *op);
  LogicalResult distribute(LoadOp op);
  LogicalResult distribute(StoreOp op);
  LogicalResult distribute(DotOp op);
  LogicalResult distribute(scf::ForOp op);
  LogicalResult distribute(scf::IfOp op);
  LogicalResult distribute(ConstantOp op);
  LogicalResult distribute(SplatOp op);
  LogicalResult distribute(BroadcastOp op);
  LogicalResult distribute(CastOp op);
  LogicalResult distribute(ConvertLayoutOp op);
  LogicalResult distributeElementwise(Operation *op);

  template <typename OpT>
  FailureOr<Window> makeWindow(OpT op);
  /// The view with its base at the origin of the dimensions in `moved`.
  Value moveBase(ViewOp view, ArrayRef<OpFoldResult> origin,
                 ArrayRef<bool> moved, ViewType type);
  Value readTile(LaneAccess &access, RankedTensorType tile, Location loc);
  /// Whether the load is read piece by piece where its one user, a dot, is.
  bool isReadByDot(LoadOp op);
  /// Group `index` of the operand of a dot: a read, or a part of its registers.
  Value getFragment(LaneAccess *access, Value registers,
                    ArrayRef<int64_t> position, ArrayRef<int64_t> shape,
                    Location loc);

  Value lookup(Value value) { return mapping.lookupOrDefault(value); }
  Value toIndex(Value value, Location loc) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  Value materialize(OpFoldResult value, Location loc) {
    if (auto dynamic = dyn_cast<Value>(value))
      return lookup(dynamic);
    return arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(
            cast<IntegerAttr>(cast<Attribute>(value)).getInt()));
  }
  Value toI64(Value value, Location loc) {
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  }

  FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  OpBuilder builder;
  std::unique_ptr<Block> entry;
  LaneCoordinates coordinates;
  IRMapping mapping;
};

} // namespace fly::distribute

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
