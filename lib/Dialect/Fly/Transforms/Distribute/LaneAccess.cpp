//===- LaneAccess.cpp - A tile's accesses as a lane makes them ------------===//
//
// Coordinates are `base + origin + constant`: bases are those of
// LaneCoordinates, constants of registers fold into immediates.
//
//===----------------------------------------------------------------------===//
#include "LaneAccess.h"

#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "../LayoutMoves.h"
#include "../TransposingReads.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

LaneAccess::LaneAccess(OpBuilder &builder, Location loc,
                       LaneCoordinates &coordinates, const Window &window,
                       RankedTensorType tile, bool mayReorder)
    : builder(builder), loc(loc), coordinates(coordinates), window(window),
      tile(tile), map(distribute::getLaneMap(tile)) {
  std::optional<unsigned> contiguous = window.type.getContiguousDim();
  // Rows by number do not follow each other in memory.
  if (!contiguous || (*contiguous == 0 && !window.rowViews.empty()))
    return;
  if (mayReorder)
    order = orderByRuns(map, *contiguous);
  // What follows a chunk of a preshuffled row lies elsewhere, so runs start at
  // multiples of their length.
  bool isPreshuffled = isa_and_nonnull<PreshuffleAttr>(window.type.getLayout());
  group = getContiguousGroup(map, *contiguous, tile.getElementTypeBitWidth(),
                             isPreshuffled ? getColumnDivisor(*contiguous) : 0);
}

void LaneAccess::transposeReads(const arch::ArchInfo &chip) {
  std::optional<unsigned> contiguous = window.type.getContiguousDim();
  int64_t elements = getTransposedElements(chip, tile.getElementTypeBitWidth());
  if (!window.type.getInLds() || !contiguous || group != 1 || elements == 0 ||
      window.align % elements != 0)
    return;
  auto chunks = getTransposedChunks(map, *contiguous, elements);
  if (!chunks)
    return;
  map = std::move(*chunks);
  group = elements;
  isTransposing = true;
}

int64_t LaneAccess::getColumnDivisor(unsigned dim) const {
  int64_t divisor = window.align;
  for (const LaneTerm &term : map.base[dim])
    divisor = std::gcd(divisor, term.mul);
  return divisor;
}

Value LaneAccess::getCoordinate(unsigned dim, unsigned index, bool withOrigin) {
  Value sum = coordinates.getBase(map, dim, loc);
  auto add = [&](Value value) {
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  };
  if (withOrigin && window.origin[dim])
    add(window.origin[dim]);
  int64_t tail = map.tails[index * group][dim];
  if (tail != 0 || !sum)
    add(arith::ConstantIndexOp::create(builder, loc, tail));
  return sum;
}

SmallVector<Value> LaneAccess::getCoordinates(unsigned index) {
  SmallVector<Value> result;
  for (unsigned dim = 0; dim < map.rank(); ++dim)
    result.push_back(
        dim == 0 && !window.rowViews.empty()
            ? arith::ConstantIndexOp::create(builder, loc, 0).getResult()
            : getCoordinate(dim, index, /*withOrigin=*/true));
  return result;
}

SmallVector<Value> LaneAccess::shift(ArrayRef<Value> at, int64_t by) {
  SmallVector<Value> result(at);
  if (by == 0)
    return result;
  Value &along = result[*window.type.getContiguousDim()];
  along = arith::AddIOp::create(
      builder, loc, along, arith::ConstantIndexOp::create(builder, loc, by));
  return result;
}

bool LaneAccess::isPartial(unsigned index, unsigned dim) const {
  // Where a field of LDS holds what lies beyond the tile there is no need to
  // tell it from the tile.
  if (!map.isPartial(dim))
    return false;
  int64_t bound =
      window.holdsBeyond ? window.type.getShape()[dim] : tile.getDimSize(dim);
  int64_t last = map.tails[index * group][dim];
  for (const LaneTerm &term : map.base[dim])
    last += coordinates.getMost(term);
  return last >= bound;
}

DenseBoolArrayAttr LaneAccess::getInBounds(unsigned index) const {
  SmallVector<bool> flags(window.inBounds.begin(), window.inBounds.end());
  for (auto [dim, flag] : llvm::enumerate(flags))
    flag &= window.type.getInLds() || !isPartial(index, dim);
  return builder.getDenseBoolArrayAttr(flags);
}

IntegerAttr LaneAccess::getAlign() const {
  unsigned contiguous = window.type.getContiguousDim().value_or(0);
  int64_t align = std::gcd(getColumnDivisor(contiguous), group);
  for (size_t reg = 0; reg < map.tails.size(); reg += group)
    align = std::gcd(align, map.tails[reg][contiguous]);
  return builder.getI64IntegerAttr(align);
}

Value LaneAccess::read(unsigned index) {
  auto type = VectorType::get({group}, tile.getElementType());
  // Without a contiguous dimension elements move one by one, as scalars.
  bool isVector = window.type.getContiguousDim().has_value();
  SmallVector<Value> at = getCoordinates(index);
  if (isTransposing)
    return ReadTransposedOp::create(builder, loc, type, getView(index), at);
  // LDS is not checked: lanes whose group lies beyond read the last one.
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    int64_t extent = window.type.getShape()[dim];
    if (!window.type.getInLds() || ShapedType::isDynamic(extent) ||
        !isPartial(index, dim))
      continue;
    int64_t last = extent - 1;
    if (dim == window.type.getContiguousDim()) {
      last = extent - group;
      last -= last % getAlign().getInt();
    }
    at[dim] = arith::MinUIOp::create(
        builder, loc, at[dim],
        arith::ConstantIndexOp::create(builder, loc, last));
  }
  Value value = ReadOp::create(builder, loc,
                               isVector ? Type(type) : type.getElementType(),
                               getView(index), at, window.pad, window.cache,
                               getInBounds(index), getAlign());
  return isVector ? value
                  : vector::BroadcastOp::create(builder, loc, type, value)
                        .getResult();
}

/// The whole group where all of it is wanted, else element by element.
void LaneAccess::writeMasked(unsigned index, Value value, Value mask) {
  OpBuilder::InsertionGuard guard(builder);
  auto element = [&](Value vector, int64_t i) -> Value {
    return vector::ExtractOp::create(builder, loc, vector, i);
  };
  Value all = element(mask, 0);
  for (int64_t i = 1; i < group; ++i)
    all = arith::AndIOp::create(builder, loc, all, element(mask, i));
  auto branch = scf::IfOp::create(builder, loc, all,
                                  /*withElseRegion=*/group > 1);
  builder.setInsertionPointToStart(branch.thenBlock());
  write(index, value);
  if (group == 1)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> first = getCoordinates(index);
  for (int64_t i = 0; i < group; ++i) {
    SmallVector<Value> at = shift(first, i);
    Value wanted = element(mask, i);
    if (Value exists = getExists(index))
      wanted = arith::AndIOp::create(builder, loc, wanted, exists);
    auto one = scf::IfOp::create(builder, loc, wanted,
                                 /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(one.thenBlock());
    WriteOp::create(builder, loc, element(value, i), getView(index), at,
                    window.cache, getInBounds(index), IntegerAttr());
  }
}

Value LaneAccess::getExists(unsigned index) {
  Value exists;
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (!isPartial(index, dim))
      continue;
    Value at = getCoordinate(dim, index, /*withOrigin=*/false);
    Value extent =
        arith::ConstantIndexOp::create(builder, loc, tile.getDimSize(dim));
    Value inside = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::ult, at, extent);
    exists =
        exists ? arith::AndIOp::create(builder, loc, exists, inside).getResult()
               : inside;
  }
  return exists;
}

void LaneAccess::write(unsigned index, Value value, Value mask) {
  if (mask)
    return writeMasked(index, value, mask);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> at = getCoordinates(index);
  if (Value exists = getExists(index)) {
    auto branch = scf::IfOp::create(builder, loc, exists,
                                    /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  if (!window.type.getContiguousDim())
    value =
        vector::ExtractOp::create(builder, loc, value, ArrayRef<int64_t>{0});
  WriteOp::create(builder, loc, value, getView(index), at, window.cache,
                  getInBounds(index), getAlign());
}
