//===- LayoutArithmetic.cpp - Layouts of the algebra as arithmetic --------===//
//
// A coordinate of a mode is a number with mixed digits: the extents of the mode
// are their bases, the first counts fastest. Digits times strides give the
// offset, digits that a constant coordinate has fold. An access to an LDS view
// becomes one to a view of rank 1 of the same bytes, so that what lowers
// accesses knows rows and swizzles of bytes alone.
//
//===----------------------------------------------------------------------===//
#include "LayoutArithmetic.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Layout/ComposedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;

namespace {
/// Index arithmetic that folds; numbers are not negative.
class LayoutBuilder {
public:
  LayoutBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value add(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  }

  /// The digits of `number` in the leaves' extents; the last is unbounded.
  SmallVector<Value> digits(Value number, ArrayRef<layout::Leaf> leaves) {
    SmallVector<Value> result;
    for (auto [i, leaf] : llvm::enumerate(leaves)) {
      if (i + 1 == leaves.size()) {
        result.push_back(number);
        break;
      }
      Value extent = constant(*leaf.extent.value());
      result.push_back(
          builder.createOrFold<arith::RemUIOp>(loc, number, extent));
      number = builder.createOrFold<arith::DivUIOp>(loc, number, extent);
    }
    return result;
  }

  /// The offset of coordinates: one for each mode, or one for all.
  Value apply(const layout::Layout &layout, ValueRange coordinates) {
    SmallVector<layout::Layout, 4> modes = {layout};
    if (coordinates.size() > 1)
      modes = layout.modes();
    Value sum = constant(0);
    for (auto [mode, coordinate] : llvm::zip_equal(modes, coordinates)) {
      SmallVector<layout::Leaf> leaves = mode.leaves();
      for (auto [leaf, digit] :
           llvm::zip_equal(leaves, digits(coordinate, leaves)))
        sum = add(sum, builder.createOrFold<arith::MulIOp>(
                           loc, digit, constant(*leaf.stride.value())));
    }
    return sum;
  }

  Value apply(const layout::Swizzle &swizzle, Value x) {
    if (swizzle.isIdentity())
      return x;
    bool isUp = swizzle.shift() < 0;
    unsigned from = swizzle.base() + (isUp ? 0 : swizzle.shift());
    int64_t mask = ((int64_t(1) << swizzle.bits()) - 1) << from;
    Value read = builder.createOrFold<arith::AndIOp>(loc, x, constant(mask));
    Value distance = constant(std::abs(swizzle.shift()));
    Value flips =
        isUp ? builder.createOrFold<arith::ShLIOp>(loc, read, distance)
             : builder.createOrFold<arith::ShRUIOp>(loc, read, distance);
    return builder.createOrFold<arith::XOrIOp>(loc, x, flips);
  }

  /// Of the chain, what stands in front of the outer function.
  Value applyInner(const layout::ComposedLayout &layout,
                   ValueRange coordinates) {
    return add(apply(layout.inner(), coordinates), constant(layout.offset()));
  }

private:
  OpBuilder &builder;
  Location loc;
};
} // namespace

static void expand(LayoutOffsetOp op) {
  OpBuilder builder(op);
  LayoutBuilder layouts(builder, op.getLoc());
  layout::ComposedLayout layout = op.getLayout().getLayout();
  Value offset = layouts.applyInner(layout, op.getCoordinates());
  if (const auto *swizzle = std::get_if<layout::Swizzle>(&layout.outer()))
    offset = layouts.apply(*swizzle, offset);
  else
    offset = layouts.apply(std::get<layout::Layout>(layout.outer()), offset);
  op.replaceAllUsesWith(offset);
  op.erase();
}

static void expand(LayoutCoordinatesOp op) {
  OpBuilder builder(op);
  LayoutBuilder layouts(builder, op.getLoc());
  // A mode counts as one digit, of its size.
  SmallVector<layout::Leaf> modes;
  for (const layout::Layout &mode : op.getLayout().getLayout().inner().modes())
    modes.push_back({mode.size(), 0});
  op.replaceAllUsesWith(layouts.digits(op.getFlat(), modes));
  op.erase();
}

/// The field of an LDS view as rank 1: its elements, with the swizzle in bytes.
static Value linearField(LdsFieldOp field, MemoryLayoutAttr layout) {
  ViewType type = field.getView().getType();
  unsigned bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  Attribute permutation;
  if (layout::Swizzle swizzle = layout.getSwizzle(); !swizzle.isIdentity())
    permutation = SwizzleAttr::get(field.getContext(), swizzle.bits(),
                                   swizzle.base() + llvm::Log2_32(bytes),
                                   swizzle.shift());
  OpBuilder builder(field);
  auto linear = LdsFieldOp::create(
      builder, field.getLoc(),
      ViewType::get(field.getContext(), {*layout.getCosize()},
                    type.getElementType(), /*inLds=*/true, permutation),
      field.getLds(), field.getField());
  linear->setAttr(FlyDialect::getUncheckedAttrName(), builder.getUnitAttr());
  return linear.getView();
}

template <typename OpT>
static LogicalResult expandAccess(OpT op) {
  auto layout =
      dyn_cast_or_null<MemoryLayoutAttr>(op.getView().getType().getLayout());
  if (!layout)
    return success();
  auto field = op.getView().template getDefiningOp<LdsFieldOp>();
  if (!field || field->hasAttr(FlyDialect::getUncheckedAttrName()))
    return op.emitOpError()
           << "cannot be compiled for " << op.getView().getType()
           << ": views with #fly.layout are fields of LDS as they are declared";
  OpBuilder builder(op);
  LayoutBuilder layouts(builder, op.getLoc());
  Value offset = layouts.applyInner(layout.getLayout(), op.getCoordinates());
  op.getViewMutable().assign(linearField(field, layout));
  op.getCoordinatesMutable().assign(offset);
  op.removeInBoundsAttr(); // LDS is never checked.
  return success();
}

LogicalResult fly::expandLayouts(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<LayoutOffsetOp, LayoutCoordinatesOp, ReadOp, WriteOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto offset = dyn_cast<LayoutOffsetOp>(op))
      expand(offset);
    else if (auto coordinates = dyn_cast<LayoutCoordinatesOp>(op))
      expand(coordinates);
    else if (auto read = dyn_cast<ReadOp>(op);
             read && failed(expandAccess(read)))
      return failure();
    else if (auto write = dyn_cast<WriteOp>(op);
             write && failed(expandAccess(write)))
      return failure();
  }
  return success();
}
