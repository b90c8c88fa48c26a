//===- Windows.cpp - Views with their base at the tile --------------------===//
//
// A tile's origin moves into its view's base, in 64-bit scalar arithmetic, for
// every dimension but the contiguous one: lane offsets then stay small. What of
// it may lie before the view's start stays with the lanes, which check it. In
// LDS it becomes part of the coordinates, which nobody checks: the tile must
// lie inside. Of a preshuffled view the base moves by whole blocks of rows.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include <numeric>

#include "../MixedLists.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// The stride of dimension `d` of a view, i64: a product of extents, which may
/// be more than 32 bits hold, where none is written.
Value Distributor::getWideStride(ViewOp view, unsigned d) {
  Location loc = view.getLoc();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  if (!strides.empty())
    return toI64(materialize(strides[d], loc), loc);
  Value product;
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  for (OpFoldResult extent : ArrayRef(extents).drop_front(d + 1)) {
    Value factor = toI64(materialize(extent, loc), loc);
    product =
        product
            ? arith::MulIOp::create(builder, loc, product, factor).getResult()
            : factor;
  }
  return product ? product
                 : arith::ConstantIntOp::create(builder, loc,
                                                builder.getI64Type(), 1)
                       .getResult();
}

/// Whether a coordinate is not shown to be at least 0.
static bool isNegativeOrUnknown(OpFoldResult coordinate) {
  auto number = dyn_cast<Attribute>(coordinate);
  return number ? cast<IntegerAttr>(number).getInt() < 0
                : !isNonNegative(cast<Value>(coordinate));
}

Value Distributor::moveBase(ViewOp view, ArrayRef<OpFoldResult> origin,
                            ArrayRef<bool> moved, ArrayRef<bool> inBounds,
                            ViewType type) {
  Location loc = view.getLoc();
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  unsigned rank = extents.size(), picked = rank - type.getRank();
  if (strides.empty()) {
    // Row-major: the product of the extents behind.
    strides.assign(rank, OpFoldResult(builder.getI64IntegerAttr(1)));
    for (unsigned d = rank - 1; d-- > picked;) {
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
  Value inside;
  for (unsigned d = 0; d < rank; ++d) {
    if (!moved[d])
      continue;
    Value at = materialize(origin[d], loc);
    Value part = arith::MulIOp::create(builder, loc, toI64(at, loc),
                                       getWideStride(view, d));
    offset = offset
                 ? arith::AddIOp::create(builder, loc, offset, part).getResult()
                 : part;
    if (d >= picked) {
      extents[d] =
          arith::SubIOp::create(builder, loc, materialize(extents[d], loc), at)
              .getResult();
    } else if (!inBounds[d]) {
      auto require = [&](arith::CmpIPredicate predicate, Value bound) {
        Value holds = arith::CmpIOp::create(builder, loc, predicate, at, bound);
        inside =
            inside
                ? arith::AndIOp::create(builder, loc, inside, holds).getResult()
                : holds;
      };
      require(arith::CmpIPredicate::slt, materialize(extents[d], loc));
      if (isNegativeOrUnknown(origin[d]))
        require(arith::CmpIPredicate::sge,
                materialize(builder.getI64IntegerAttr(0), loc));
    }
  }
  extents.erase(extents.begin(), extents.begin() + picked);
  strides.erase(strides.begin(), strides.begin() + picked);
  // Beside the picked index there is nothing: a view without rows.
  if (inside)
    extents[0] = arith::SelectOp::create(
                     builder, loc, inside, materialize(extents[0], loc),
                     materialize(builder.getI64IntegerAttr(0), loc))
                     .getResult();
  auto split = [&](ArrayRef<OpFoldResult> mixed, SmallVector<Value> &values) {
    ArrayAttr entries = splitMixed(builder, mixed, values);
    for (Value &value : values)
      value = lookup(value);
    return entries;
  };
  SmallVector<Value> extentValues, strideValues;
  ArrayAttr staticExtents = split(extents, extentValues);
  ArrayAttr staticStrides;
  if (!isa_and_nonnull<PreshuffleAttr>(type.getLayout()))
    staticStrides = split(strides, strideValues);
  return ViewOp::create(builder, loc, type, lookup(view.getPtr()), extentValues,
                        strideValues, offset, staticExtents, staticStrides);
}

Value Distributor::takeRowInBlock(OpFoldResult &row, PreshuffleAttr layout,
                                  Location loc) {
  int64_t rows = layout.getRows();
  if (auto number = dyn_cast<Attribute>(row)) {
    int64_t at = cast<IntegerAttr>(number).getInt();
    row = builder.getI64IntegerAttr(at / rows * rows);
    return at % rows ? arith::ConstantIndexOp::create(builder, loc, at % rows)
                           .getResult()
                     : Value();
  }
  Value at = materialize(row, loc);
  Value mask = materialize(builder.getI64IntegerAttr(rows - 1), loc);
  Value rest = arith::AndIOp::create(builder, loc, at, mask);
  row = arith::SubIOp::create(builder, loc, at, rest).getResult();
  return toIndex(rest, loc);
}

Value Distributor::takeBefore(OpFoldResult &coordinate, int64_t extent,
                              Location loc) {
  if (auto number = dyn_cast<Attribute>(coordinate)) {
    int64_t at = cast<IntegerAttr>(number).getInt();
    coordinate = builder.getI64IntegerAttr(std::max<int64_t>(at, 0));
    return arith::ConstantIndexOp::create(builder, loc,
                                          std::clamp<int64_t>(at, -extent, 0));
  }
  Value at = materialize(coordinate, loc);
  Value zero = materialize(builder.getI64IntegerAttr(0), loc);
  Value least = materialize(builder.getI64IntegerAttr(-extent), loc);
  coordinate = arith::MaxSIOp::create(builder, loc, at, zero).getResult();
  Value before = arith::MinSIOp::create(builder, loc, at, zero);
  return toIndex(arith::MaxSIOp::create(builder, loc, before, least), loc);
}

LogicalResult Distributor::placeInField(Operation *op,
                                        ArrayRef<OpFoldResult> origin,
                                        Window &window) {
  ViewType type = window.type;
  auto strided = dyn_cast_or_null<StridedAttr>(type.getLayout());
  unsigned contiguous = type.getContiguousDim().value_or(0);
  // Fields are aligned to the widest access. A row starts where the strides of
  // the other dimensions lead, plus the origin along it.
  uint64_t align = 0;
  int64_t stride = 1;
  for (unsigned d = type.getRank(); d-- > 0;) {
    if (strided)
      stride = strided.getStrides()[d];
    RankedTensorType tile = window.tile;
    auto number = dyn_cast<Attribute>(origin[d]);
    int64_t first = number ? cast<IntegerAttr>(number).getInt() : 0;
    int64_t extent = type.getShape()[d];
    bool fits = number && first >= 0 && !ShapedType::isDynamic(extent) &&
                first + tile.getDimSize(d) <= extent;
    if (!fits && !window.inBounds[d]) {
      InFlightDiagnostic diag = op->emitOpError();
      diag << "has a tile of extent " << tile.getDimSize(d) << " at ";
      if (number)
        diag << first;
      else
        diag << "a computed coordinate";
      return diag << " in dimension " << d << " of " << type
                  << ": LDS is not checked, so the tile must lie inside "
                     "(in_bounds says so)";
    }
    if (d != contiguous)
      align = std::gcd(align, uint64_t(stride));
    else
      align = std::gcd(align, number ? uint64_t(first) : 1);
    if (!number || first != 0)
      window.origin[d] =
          toIndex(materialize(origin[d], op->getLoc()), op->getLoc());
    if (!strided)
      stride *= ShapedType::isDynamic(extent) ? 1 : extent;
  }
  // A row that starts at the field's start is a multiple of anything.
  window.align = std::max<int64_t>(
      window.align, align == 0 ? arch::widestAccessBytes * 8 : align);
  return success();
}

/// Whether everything that moves through the field of `view` is a tile of these
/// extents that begins where the field does. Lanes may then leave and find
/// there whatever they have beyond the tile.
static bool holdsOnly(Value view, ArrayRef<int64_t> shape) {
  auto field = view.getDefiningOp<LdsFieldOp>();
  if (!field)
    return false;
  auto isWhole = [&](auto access) {
    return tileType(access.getTile()).getShape() == shape &&
           llvm::all_of(access.getMixedCoordinates(), isZeroInteger);
  };
  auto kernel = field->getParentOfType<FunctionOpInterface>();
  WalkResult walk = kernel->walk([&](LdsFieldOp other) {
    if (other.getField() != field.getField() ||
        other.getLds().getType() != field.getLds().getType())
      return WalkResult::advance();
    bool isOnly = llvm::all_of(other->getUsers(), [&](Operation *user) {
      if (auto load = dyn_cast<LoadOp>(user))
        return isWhole(load);
      auto store = dyn_cast<StoreOp>(user);
      return store && isWhole(store);
    });
    return isOnly ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

template <typename OpT>
static RankedTensorType getTileOf(OpT op) {
  return tileType(op.getTile());
}
static RankedTensorType getTileOf(CopyOp op) { return op.getTileType(); }

template <typename OpT>
FailureOr<Window> Distributor::makeWindow(OpT op) {
  Location loc = op.getLoc();
  RankedTensorType tile = getTileOf(op);
  // A copy has the layout of the bytes that it writes.
  if (!std::is_same_v<OpT, CopyOp> &&
      !isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()))
    return op.emitOpError() << "has a tile without a layout: run "
                               "fly-assign-layouts first";
  Window window;
  window.tile = tile;
  ViewType type = op.getView().getType();
  unsigned rank = type.getRank();
  // Leading coordinates pick one index each.
  unsigned picked = rank - tile.getRank();
  if (picked != 0 && type.getInLds())
    return op.emitOpError()
           << "has a tile of rank " << tile.getRank() << " in a view of rank "
           << rank << " of LDS, which this pass cannot distribute";
  if constexpr (!std::is_same_v<OpT, AtomicOp>)
    window.cache = op.getCache();
  if constexpr (std::is_same_v<OpT, LoadOp>)
    window.pad = op.getPad();
  SmallVector<bool> inBounds;
  for (unsigned d = 0; d < rank; ++d)
    inBounds.push_back(op.isInBounds(d));
  window.inBounds.assign(inBounds.begin() + picked, inBounds.end());
  window.origin.assign(tile.getRank(), Value());
  SmallVector<OpFoldResult> origin = op.getMixedCoordinates();
  if (type.getInLds()) {
    window.view = lookup(op.getView());
    window.type = type;
    window.align = op.getAlign().value_or(1);
    window.holdsBeyond = holdsOnly(op.getView(), tile.getShape());
    if (failed(placeInField(op, origin, window)))
      return failure();
    return window;
  }
  auto view = op.getView().template getDefiningOp<ViewOp>();
  if (!view)
    return op.emitOpError() << "needs its view to be made by fly.view in this "
                               "kernel";
  window.align = op.getAlign().value_or(1);
  unsigned contiguous = type.getContiguousDim().value_or(rank);
  if (contiguous < picked)
    return op.emitOpError() << "picks one index of dimension " << contiguous
                            << ", the contiguous one of its view, which this "
                               "pass cannot distribute";
  auto preshuffle = dyn_cast_or_null<PreshuffleAttr>(type.getLayout());
  if (preshuffle && tile.getRank() != 2)
    return op.emitOpError() << "has a tile of rank " << tile.getRank()
                            << " in a preshuffled view, which this pass cannot "
                               "distribute: rank 2 it can";
  SmallVector<bool> moved(rank, false);
  SmallVector<int64_t> shape(type.getShape().drop_front(picked));
  for (unsigned d = 0; d < rank; ++d) {
    auto number = dyn_cast<Attribute>(origin[d]);
    bool isZero = number && cast<IntegerAttr>(number).getInt() == 0;
    if (isZero && (d >= picked || inBounds[d]))
      continue;
    // A picked index that does not exist leaves nothing of the view.
    bool mayBeBefore =
        d >= picked && !inBounds[d] && isNegativeOrUnknown(origin[d]);
    if (mayBeBefore && preshuffle)
      return op.emitOpError()
             << "has a coordinate in dimension " << d
             << " that cannot be shown to be at least 0: what lies before the "
                "start of a preshuffled view is not distributed (a maximum "
                "with 0 shows it, where that is meant; sums of numbers that "
                "nothing bounds may wrap)";
    if (mayBeBefore && d != contiguous) {
      window.origin[d - picked] =
          takeBefore(origin[d], tile.getDimSize(d - picked), loc);
      if (isZeroInteger(origin[d]))
        continue;
    }
    moved[d] = d != contiguous;
    if (preshuffle && d == picked)
      window.origin[0] = takeRowInBlock(origin[d], preshuffle, loc);
    if (moved[d] && d >= picked)
      shape[d - picked] = ShapedType::kDynamic;
    else if (!moved[d])
      window.origin[d - picked] = toIndex(materialize(origin[d], loc), loc);
    if (d < picked && !inBounds[d]) {
      // Whether the index exists is seen in the extent of the first dimension.
      shape[0] = ShapedType::kDynamic;
      window.inBounds[0] = false;
    }
  }
  Attribute layout = type.getLayout();
  if (auto strided = dyn_cast_or_null<StridedAttr>(layout))
    layout = StridedAttr::get(op.getContext(),
                              strided.getStrides().drop_front(picked));
  window.type =
      ViewType::get(shape, type.getElementType(), /*inLds=*/false, layout);
  if (picked != 0 || llvm::is_contained(moved, true))
    window.view = moveBase(view, origin, moved, inBounds, window.type);
  else
    window.view = lookup(op.getView());
  window.type = cast<ViewType>(window.view.getType());
  return window;
}

template FailureOr<Window> Distributor::makeWindow(LoadOp op);
template FailureOr<Window> Distributor::makeWindow(CopyOp op);
template FailureOr<Window> Distributor::makeWindow(StoreOp op);
template FailureOr<Window> Distributor::makeWindow(AtomicOp op);
