//===- PackTiles.cpp - Elements below a byte move as bytes ----------------===//
//
// Memory, LDS and copies have bytes. A tile of 4- or 6-bit elements is loaded
// as the bytes of its rows and handed over as such; fly.bitcast makes elements
// of them next to each use. So every later pass works on tiles of i8.
//
// Lengths along a row are in units: the fewest elements that are whole bytes,
// two of 4 bits, four of 6. The contract requires rows to be whole units, so an
// element is outside of the view exactly where its byte is.
//
// Refused: accesses that may start inside a unit, rows that are not contiguous,
// masks, pads that are no zeros, atomics and scalars.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

#include "HandedTiles.h"
#include "Instantiated.h"
#include "MixedLists.h"
#include "PassRemark.h"
#include "TileFlow.h"

#define DEBUG_TYPE "fly-pack-tiles"

namespace fly {
#define GEN_PASS_DEF_FLYPACKTILESPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// Whether elements of the type are packed in bytes. Truth values are not: they
/// have no place in memory.
static bool isPacked(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 8 &&
         !type.isInteger(1);
}

namespace {
/// The fewest elements that are whole bytes.
struct Unit {
  explicit Unit(Type type) {
    int64_t bits = type.getIntOrFloatBitWidth();
    elements = 8 / std::gcd(int64_t(8), bits);
    bytes = elements * bits / 8;
  }
  int64_t toBytes(int64_t count) const { return count / elements * bytes; }

  int64_t elements, bytes;
};

class PackTiles : public fly::impl::FlyPackTilesPassBase<PackTiles> {
public:
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isExternal())
        kernels.push_back(kernel);
    });
    // Nothing changes before all of it is known to do.
    for (gpu::GPUFuncOp kernel : kernels)
      if (failed(check(kernel)))
        return signalPassFailure();
    for (gpu::GPUFuncOp kernel : kernels)
      rewrite(kernel);
  }

private:
  LogicalResult check(gpu::GPUFuncOp kernel);
  void rewrite(gpu::GPUFuncOp kernel);
};
} // namespace

/// The view of an access, where it is packed; null otherwise.
static Value getPackedView(Operation *op) {
  Value view = llvm::TypeSwitch<Operation *, Value>(op)
                   .Case<LoadOp, StoreOp, GatherOp, ScatterOp>(
                       [](auto access) { return access.getView(); })
                   .Default(Value());
  return view && isPacked(cast<ViewType>(view.getType()).getElementType())
             ? view
             : Value();
}

/// One access of a packed view: its row is contiguous, starts at a unit, and
/// nothing decides element by element.
template <typename OpT>
static LogicalResult checkAccess(OpT op) {
  ViewType view = op.getView().getType();
  Type element = view.getElementType();
  RankedTensorType tile = tileType(op.getTile());
  Unit unit(element);
  if (!op.getView().template getDefiningOp<ViewOp>())
    return op.emitOpError() << "needs its view of " << element
                            << " to be made by fly.view in this kernel";
  if (view.getContiguousDim() != unsigned(view.getRank() - 1))
    return op.emitOpError() << "moves elements of " << element << ", "
                            << unit.elements << " in " << unit.bytes
                            << " bytes, so the last dimension of its view must "
                               "be the contiguous one";
  if (op.getMask())
    return op.emitOpError() << "masks elements of " << element
                            << ", which share bytes: load all of them and "
                               "select";
  if constexpr (std::is_same_v<OpT, LoadOp> || std::is_same_v<OpT, GatherOp>)
    if (op.getPad() != Pad::Zero)
      return op.emitOpError()
             << "pads elements of " << element << " with "
             << stringifyPad(op.getPad())
             << ": those that share bytes read as zero outside";
  int64_t columns = tile.getShape().back();
  uint64_t align = op.getAlign().value_or(1);
  if (columns % unit.elements == 0 && align % unit.elements == 0)
    return success();
  return op.emitOpError()
         << "moves rows of " << columns << " " << element
         << " that start at multiples of " << align << ": both must be "
         << "multiples of " << unit.elements << ", which are " << unit.bytes
         << (unit.bytes == 1 ? " byte" : " bytes")
         << " (fly.require_multiple on strides and sizes says so)";
}

LogicalResult PackTiles::check(gpu::GPUFuncOp kernel) {
  bool any = false;
  WalkResult walk = kernel.walk([&](Operation *op) {
    auto view = dyn_cast<ViewOp>(op);
    if (!view || !isPacked(view.getType().getElementType()))
      return WalkResult::advance();
    any = true;
    Type element = view.getType().getElementType();
    for (Operation *user : view->getUsers()) {
      if (getPackedView(user) != view.getResult()) {
        user->emitOpError() << "uses a view of " << element
                            << ", which is loaded and stored as tiles alone";
        return WalkResult::interrupt();
      }
      LogicalResult result =
          llvm::TypeSwitch<Operation *, LogicalResult>(user)
              .Case<LoadOp, StoreOp, GatherOp, ScatterOp>(
                  [](auto access) { return checkAccess(access); })
              .Default(failure());
      if (failed(result))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return any ? checkIsInstantiated(kernel) : success();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A length or place along a row, in bytes. It is a multiple of the unit.
static OpFoldResult toBytes(OpBuilder &builder, Location loc, Unit unit,
                            OpFoldResult count) {
  if (auto number = dyn_cast<Attribute>(count))
    return builder.getI64IntegerAttr(
        unit.toBytes(cast<IntegerAttr>(number).getInt()));
  auto value = cast<Value>(count);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(value.getType(), number));
  };
  // Exact, and it does not wrap: bytes are fewer than elements.
  Value units =
      arith::DivSIOp::create(builder, loc, value, constant(unit.elements));
  if (unit.bytes == 1)
    return units;
  return arith::MulIOp::create(builder, loc, units, constant(unit.bytes),
                               arith::IntegerOverflowFlags::nsw)
      .getResult();
}

static RankedTensorType getByteType(RankedTensorType tile) {
  SmallVector<int64_t> shape(tile.getShape());
  shape.back() = Unit(tile.getElementType()).toBytes(shape.back());
  return RankedTensorType::get(shape, IntegerType::get(tile.getContext(), 8));
}

/// The same view of bytes. Its pointer is one to bytes already.
static ViewOp makeByteView(ViewOp view) {
  OpBuilder builder(view);
  Location loc = view.getLoc();
  ViewType type = view.getType();
  Unit unit(type.getElementType());
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(shape.back()))
    shape.back() = unit.toBytes(shape.back());
  Attribute layout = type.getLayout();
  if (auto strided = dyn_cast_or_null<StridedAttr>(layout)) {
    SmallVector<int64_t> strides(strided.getStrides());
    for (int64_t &stride : MutableArrayRef(strides).drop_back())
      if (!ShapedType::isDynamic(stride))
        stride = unit.toBytes(stride);
    layout = StridedAttr::get(builder.getContext(), strides);
  }
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  extents.back() = toBytes(builder, loc, unit, extents.back());
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  for (OpFoldResult &stride :
       MutableArrayRef(strides).drop_back(!strides.empty()))
    stride = toBytes(builder, loc, unit, stride);
  Value offset = view.getOffset();
  if (offset)
    offset = cast<Value>(toBytes(builder, loc, unit, offset));
  SmallVector<Value> extentValues, strideValues;
  ArrayAttr staticExtents = splitMixed(builder, extents, extentValues);
  ArrayAttr staticStrides;
  if (!strides.empty())
    staticStrides = splitMixed(builder, strides, strideValues);
  auto bytes =
      ViewType::get(shape, builder.getI8Type(), /*inLds=*/false, layout);
  return ViewOp::create(builder, loc, bytes, view.getPtr(), extentValues,
                        strideValues, offset, staticExtents, staticStrides);
}

/// The access with its place in bytes.
template <typename OpT>
static void rewriteAccess(OpT op, Value view) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType tile = tileType(op.getTile());
  Unit unit(tile.getElementType());
  int64_t bits = tile.getElementTypeBitWidth();
  SmallVector<OpFoldResult> place = op.getMixedCoordinates();
  place.back() = toBytes(builder, loc, unit, place.back());
  SmallVector<Value> values;
  op.setStaticCoordinatesAttr(splitMixed(builder, place, values));
  op.getCoordinatesMutable().assign(values);
  op.getViewMutable().assign(view);
  if (std::optional<uint64_t> align = op.getAlign())
    op.setAlignAttr(builder.getI64IntegerAttr(*align * bits / 8));
  RankedTensorType bytes = getByteType(tile);
  if constexpr (std::is_same_v<OpT, LoadOp> || std::is_same_v<OpT, GatherOp>) {
    // Uses want the old type: a stand-in has it for a moment.
    builder.setInsertionPointAfter(op);
    Value loaded = op.getTile();
    auto standIn = BitcastOp::create(builder, loc, tile, loaded);
    loaded.replaceAllUsesExcept(standIn, standIn);
    loaded.setType(bytes);
    replaceHandedTile(
        standIn, loaded,
        [](OpBuilder &builder, Location loc, Type type, Value handed) -> Value {
          return BitcastOp::create(builder, loc, type, handed);
        });
    standIn.erase();
  } else {
    op.getTileMutable().assign(
        BitcastOp::create(builder, loc, bytes, op.getTile()));
  }
}

void PackTiles::rewrite(gpu::GPUFuncOp kernel) {
  SmallVector<ViewOp> views;
  kernel.walk([&](ViewOp view) {
    if (isPacked(view.getType().getElementType()))
      views.push_back(view);
  });
  if (views.empty())
    return;
  auto pointer =
      PtrType::get(&getContext(), IntegerType::get(&getContext(), 8));
  for (ViewOp view : views)
    view.getPtr().setType(pointer);
  kernel.setFunctionType(FunctionType::get(
      &getContext(), kernel.getFunctionBody().getArgumentTypes(),
      kernel.getFunctionType().getResults()));
  for (ViewOp view : views) {
    ViewOp bytes = makeByteView(view);
    unsigned count = 0;
    for (Operation *user : llvm::make_early_inc_range(view->getUsers())) {
      llvm::TypeSwitch<Operation *>(user)
          .Case<LoadOp, StoreOp, GatherOp, ScatterOp>(
              [&](auto access) { rewriteAccess(access, bytes); });
      ++count;
    }
    std::string element;
    llvm::raw_string_ostream(element) << view.getType().getElementType();
    remarkPassed(bytes, DEBUG_TYPE, "Packed",
                 Twine(count) + " accesses of " + element + " as bytes");
    numPacked += count;
    view.erase();
  }
}
