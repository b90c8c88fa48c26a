//===- Windows.cpp - Views with their base at the tile --------------------===//
//
// A tile's origin moves into its view's base, in 64-bit scalar arithmetic, for
// every dimension but the contiguous one: lane offsets then stay small.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// Whether a scalar is at least 0 for every workgroup and iteration. The grid
/// is arithmetic on workgroup numbers here (fly-plan-grid), which stays below
/// the i32 bounds it was made from; so sums and products of such numbers are
/// taken not to wrap.
static bool isNonNegative(Value value, unsigned depth = 0) {
  if (depth > 16)
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    if (argument == loop.getInductionVar())
      return isNonNegative(loop.getLowerBound(), depth + 1);
    // A carried scalar that only grows from a start of at least 0.
    unsigned index = argument.getArgNumber() - 1;
    auto next = loop.getYieldedValues()[index].getDefiningOp<arith::AddIOp>();
    while (next && next.getLhs() != argument &&
           next.getLhs() != loop.getInductionVar())
      next = next.getLhs().getDefiningOp<arith::AddIOp>();
    return next && isNonNegative(next.getRhs(), depth + 1) &&
           isNonNegative(loop.getInitArgs()[index], depth + 1);
  }
  Operation *op = value.getDefiningOp();
  // Halved at least once, an unsigned number has no sign bit.
  if (auto quotient = dyn_cast<arith::DivUIOp>(op))
    if (matchPattern(quotient.getRhs(), m_ConstantInt(&constant)) &&
        constant.ugt(1))
      return true;
  if (isa<gpu::BlockIdOp, gpu::ThreadIdOp, arith::RemUIOp>(op))
    return true;
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
          arith::IndexCastOp, arith::ExtSIOp, arith::RemSIOp, arith::MaxSIOp,
          arith::MinSIOp, arith::ShRUIOp, arith::SelectOp>(op)) {
    auto operands = op->getOperands();
    if (isa<arith::SelectOp>(op))
      operands = operands.drop_front();
    return llvm::all_of(operands, [&](Value operand) {
      return isNonNegative(operand, depth + 1);
    });
  }
  if (auto result = dyn_cast<OpResult>(value)) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isNonNegative(loop.getRegionIterArg(result.getResultNumber()),
                           depth + 1);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return llvm::all_of(branch.getRegions(), [&](Region *region) {
        return !region->empty() &&
               isNonNegative(region->front().getTerminator()->getOperand(
                                 result.getResultNumber()),
                             depth + 1);
      });
  }
  return false;
}

Value Distributor::moveBase(ViewOp view, ArrayRef<OpFoldResult> origin,
                            ArrayRef<bool> moved, ViewType type) {
  Location loc = view.getLoc();
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  unsigned rank = extents.size();
  if (strides.empty()) {
    // Row-major: the product of the extents behind.
    strides.assign(rank, OpFoldResult(builder.getI64IntegerAttr(1)));
    for (unsigned d = rank - 1; d-- > 0;) {
      auto one = dyn_cast<Attribute>(strides[d + 1]);
      if (one && cast<IntegerAttr>(one).getInt() == 1)
        strides[d] = extents[d + 1];
      else
        strides[d] = arith::MulIOp::create(builder, loc,
                                           materialize(strides[d + 1], loc),
                                           materialize(extents[d + 1], loc))
                         .getResult();
    }
  }
  Value offset = view.getOffset() ? lookup(view.getOffset()) : Value();
  for (unsigned d = 0; d < rank; ++d) {
    if (!moved[d])
      continue;
    Value at = materialize(origin[d], loc);
    Value part = arith::MulIOp::create(
        builder, loc, toI64(at, loc), toI64(materialize(strides[d], loc), loc));
    offset = offset
                 ? arith::AddIOp::create(builder, loc, offset, part).getResult()
                 : part;
    extents[d] =
        arith::SubIOp::create(builder, loc, materialize(extents[d], loc), at)
            .getResult();
  }
  auto split = [&](ArrayRef<OpFoldResult> mixed, SmallVector<Value> &values) {
    SmallVector<Attribute> entries;
    for (OpFoldResult entry : mixed) {
      if (auto value = dyn_cast<Value>(entry)) {
        values.push_back(lookup(value));
        entries.push_back(builder.getUnitAttr());
      } else {
        entries.push_back(cast<Attribute>(entry));
      }
    }
    return builder.getArrayAttr(entries);
  };
  SmallVector<Value> extentValues, strideValues;
  ArrayAttr staticExtents = split(extents, extentValues);
  ArrayAttr staticStrides = split(strides, strideValues);
  return ViewOp::create(builder, loc, type, lookup(view.getPtr()), extentValues,
                        strideValues, offset, staticExtents, staticStrides);
}

template <typename OpT>
FailureOr<Window> Distributor::makeWindow(OpT op) {
  Location loc = op.getLoc();
  RankedTensorType tile = tileType(op.getTile());
  if (op.getMask())
    return op.emitOpError() << "has a mask, which this pass cannot distribute";
  if (!isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()))
    return op.emitOpError() << "has a tile without a layout: run "
                               "fly-assign-layouts first";
  Window window;
  ViewType type = op.getView().getType();
  unsigned rank = type.getRank();
  if (rank != tile.getRank())
    return op.emitOpError()
           << "has a tile of rank " << tile.getRank() << " in a view of rank "
           << rank << ", which this pass cannot distribute";
  window.cache = op.getCache();
  if constexpr (std::is_same_v<OpT, LoadOp>)
    window.pad = op.getPad();
  for (unsigned d = 0; d < rank; ++d)
    window.inBounds.push_back(op.isInBounds(d));
  window.origin.assign(rank, Value());
  if (type.getInLds()) {
    window.view = lookup(op.getView());
    window.type = type;
    // A field is aligned to 16 bytes, and so are its rows where their length
    // is a multiple of it.
    window.align = type.getShape().back();
    return window;
  }
  auto view = op.getView().template getDefiningOp<ViewOp>();
  if (!view)
    return op.emitOpError() << "needs its view to be made by fly.view in this "
                               "kernel";
  window.align = op.getAlign().value_or(1);
  SmallVector<OpFoldResult> origin = op.getMixedCoordinates();
  unsigned contiguous = type.getContiguousDim().value_or(rank);
  SmallVector<bool> moved(rank, false);
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned d = 0; d < rank; ++d) {
    auto number = dyn_cast<Attribute>(origin[d]);
    if (number && cast<IntegerAttr>(number).getInt() == 0)
      continue;
    bool negative = number ? cast<IntegerAttr>(number).getInt() < 0
                           : !isNonNegative(cast<Value>(origin[d]));
    if (negative && !window.inBounds[d])
      return op.emitOpError()
             << "has a coordinate in dimension " << d
             << " that cannot be shown to be at least 0; elements before the "
                "view's start are not distributed";
    moved[d] = d != contiguous;
    if (moved[d])
      shape[d] = ShapedType::kDynamic;
    else
      window.origin[d] = toIndex(materialize(origin[d], loc), loc);
  }
  window.type = ViewType::get(shape, type.getElementType(), /*inLds=*/false,
                              type.getLayout());
  if (llvm::is_contained(moved, true))
    window.view = moveBase(view, origin, moved, window.type);
  else
    window.view = lookup(op.getView());
  window.type = cast<ViewType>(window.view.getType());
  return window;
}

template FailureOr<Window> Distributor::makeWindow(LoadOp op);
template FailureOr<Window> Distributor::makeWindow(StoreOp op);
