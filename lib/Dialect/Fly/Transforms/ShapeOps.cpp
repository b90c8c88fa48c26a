//===- ShapeOps.cpp - Tiles cut and put together --------------------------===//
//
// An element of the result of a slice, an insertion, a concatenation or a
// reshape is one element of one operand, which follows from the op's numbers.
// Lanes keep their elements where the map takes each register to one register,
// in all threads alike; what lies beyond the tile may be anything.
//
//===----------------------------------------------------------------------===//
#include "ShapeOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

#include "TileFlow.h"

using namespace mlir;
using namespace fly;

bool fly::isShapeOp(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

//===----------------------------------------------------------------------===//
// What can be compiled
//===----------------------------------------------------------------------===//

static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface slice,
                                RankedTensorType whole) {
  for (ArrayRef<int64_t> list :
       {slice.getStaticOffsets(), slice.getStaticSizes(),
        slice.getStaticStrides()})
    if (ShapedType::isDynamicShape(list))
      return slice->emitOpError()
             << "cannot be compiled: its place is computed, but which "
                "registers a slice is must be known; give offsets, sizes and "
                "strides as numbers, or load the part from memory";
  for (unsigned d = 0; d < whole.getRank(); ++d) {
    int64_t stride = slice.getStaticStrides()[d];
    int64_t first = slice.getStaticOffsets()[d], last;
    if (llvm::MulOverflow(slice.getStaticSizes()[d] - 1, stride, last) ||
        llvm::AddOverflow(first, last, last))
      last = std::numeric_limits<int64_t>::max();
    if (stride < 1)
      return slice->emitOpError()
             << "cannot be compiled: it has the stride " << stride
             << " in dimension " << d << ", strides must be at least 1";
    if (first < 0 || last >= whole.getDimSize(d))
      return slice->emitOpError()
             << "reaches from " << first << " to " << last << " in dimension "
             << d << " of a tile of " << whole.getDimSize(d);
  }
  return success();
}

/// As many elements as 62 bits count, at most.
static int64_t countElements(RankedTensorType tile) {
  constexpr int64_t most = int64_t(1) << 62;
  int64_t count = 1;
  for (int64_t extent : tile.getShape())
    if (llvm::MulOverflow(count, extent, count) || count > most)
      return most;
  return count;
}

LogicalResult fly::checkShapeOp(Operation *op,
                                function_ref<RankedTensorType(Type)> resolve) {
  RankedTensorType result = resolve(op->getResult(0).getType());
  SmallVector<RankedTensorType> tiles;
  for (Value operand : op->getOperands())
    if (tileType(operand))
      tiles.push_back(resolve(operand.getType()));
  tiles.push_back(result);
  for (RankedTensorType tile : tiles) {
    if (tile.getRank() < 1 || tile.getRank() > 2)
      return op->emitOpError() << "cannot be compiled: layouts hold tiles of "
                                  "rank 1 and 2, got "
                               << tile;
    if (!tile.hasStaticShape())
      return op->emitOpError() << "cannot be compiled: extents of its tiles "
                                  "must be numbers, got "
                               << tile;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return checkSlice(slice, tiles.front());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return checkSlice(slice, result);
  // Extents that had names when upstream's verifier saw them.
  uint64_t count = 0;
  for (RankedTensorType tile : ArrayRef(tiles).drop_back())
    count += countElements(tile);
  if (count == uint64_t(countElements(result)))
    return success();
  return op->emitOpError() << "makes a tile of " << countElements(result)
                           << " elements of " << count;
}

LogicalResult fly::checkShapeOp(Operation *op) {
  return checkShapeOp(op,
                      [](Type type) { return cast<RankedTensorType>(type); });
}

//===----------------------------------------------------------------------===//
// The map of elements
//===----------------------------------------------------------------------===//

/// The coordinates of a slice's element in the whole. Dimensions of extent 1
/// that the slice's type lacks are those in `dropped`.
static SmallVector<int64_t, 2>
placeInWhole(OffsetSizeAndStrideOpInterface slice,
             const llvm::SmallBitVector &dropped, ArrayRef<int64_t> at) {
  SmallVector<int64_t, 2> whole(slice.getStaticOffsets());
  unsigned next = 0;
  for (unsigned d = 0; d < whole.size(); ++d)
    if (!dropped.test(d))
      whole[d] += at[next++] * slice.getStaticStrides()[d];
  return whole;
}

static int64_t getNumber(ArrayRef<int64_t> shape, ArrayRef<int64_t> at) {
  int64_t number = 0;
  for (auto [extent, coordinate] : llvm::zip(shape, at))
    number = number * extent + coordinate;
  return number;
}

static SmallVector<int64_t, 2> getCoordinates(ArrayRef<int64_t> shape,
                                              int64_t number) {
  SmallVector<int64_t, 2> at(shape.size());
  for (unsigned d = shape.size(); d-- > 0;) {
    at[d] = number % shape[d];
    number /= shape[d];
  }
  return at;
}

/// Where in the inserted slice element `at` of the whole lies, if it does.
static std::optional<SmallVector<int64_t, 2>>
findInSlice(tensor::InsertSliceOp slice, ArrayRef<int64_t> at) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t, 2> inside;
  for (unsigned d = 0; d < at.size(); ++d) {
    int64_t distance = at[d] - slice.getStaticOffsets()[d];
    int64_t stride = slice.getStaticStrides()[d];
    if (distance < 0 || distance % stride != 0 ||
        distance / stride >= slice.getStaticSizes()[d])
      return std::nullopt;
    if (!dropped.test(d))
      inside.push_back(distance / stride);
  }
  return inside;
}

ElementSource fly::getElementSource(Operation *op, ArrayRef<int64_t> at) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return {0, placeInWhole(slice, slice.getDroppedDims(), at)};
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (auto inside = findInSlice(slice, at))
      return {0, *inside};
    return {1, SmallVector<int64_t, 2>(at)};
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<int64_t, 2> inside(at);
    int64_t &along = inside[concat.getDim()];
    unsigned operand = 0;
    for (;; ++operand) {
      int64_t extent =
          tileType(concat.getInputs()[operand]).getDimSize(concat.getDim());
      if (along < extent)
        return {operand, inside};
      along -= extent;
    }
  }
  // Expanded or collapsed: the order stays.
  return {0,
          getCoordinates(tileType(op->getOperand(0)).getShape(),
                         getNumber(tileType(op->getResult(0)).getShape(), at))};
}

//===----------------------------------------------------------------------===//
// The map of registers
//===----------------------------------------------------------------------===//

static bool isInside(ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip(at, shape), [](auto pair) {
    return std::get<0>(pair) < std::get<1>(pair);
  });
}

namespace {
/// The register in which one thread holds each element of one operand.
class Holder {
public:
  Holder(RankedTensorType tile, Attribute layout)
      : shape(tile.getShape()),
        map(cast<LayoutAttrInterface>(layout).getLaneMap(shape)),
        registers(tile.getNumElements(), -1) {}

  void enter(int64_t thread) { mark(thread, /*present=*/true); }
  void leave(int64_t thread) { mark(thread, /*present=*/false); }
  int64_t find(ArrayRef<int64_t> at) const {
    return registers[getNumber(shape, at)];
  }

private:
  void mark(int64_t thread, bool present) {
    for (unsigned reg = 0; reg < map.tails.size(); ++reg)
      if (auto at = map.evaluate(thread, reg); isInside(at, shape))
        registers[getNumber(shape, at)] = present ? reg : -1;
  }

  ArrayRef<int64_t> shape;
  LaneMap map;
  std::vector<int64_t> registers;
};
} // namespace

std::optional<SmallVector<RegisterSource>>
fly::getShapeMoves(Operation *op, ArrayRef<Attribute> from, Attribute to,
                   int64_t threads) {
  ArrayRef<int64_t> shape = tileType(op->getResult(0)).getShape();
  LaneMap map = cast<LayoutAttrInterface>(to).getLaneMap(shape);
  std::vector<Holder> holders;
  for (auto [index, layout] : llvm::enumerate(from))
    holders.emplace_back(tileType(op->getOperand(index)), layout);
  SmallVector<RegisterSource> moves(map.tails.size());
  SmallVector<bool> isKnown(map.tails.size(), false);
  for (int64_t thread = 0; thread < threads; ++thread) {
    for (Holder &holder : holders)
      holder.enter(thread);
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      auto at = map.evaluate(thread, reg);
      if (!isInside(at, shape))
        continue;
      ElementSource source = getElementSource(op, at);
      int64_t held = holders[source.operand].find(source.at);
      RegisterSource &move = moves[reg];
      if (held < 0 || (isKnown[reg] &&
                       (move.operand != source.operand || move.number != held)))
        return std::nullopt;
      move = {source.operand, unsigned(held)};
      isKnown[reg] = true;
    }
    for (Holder &holder : holders)
      holder.leave(thread);
  }
  return moves;
}

static Attribute getLaneLayout(Value tile) {
  return dyn_cast_or_null<LayoutAttrInterface>(tileType(tile).getEncoding());
}

static SmallVector<Value> getTiles(Operation *op) {
  return llvm::filter_to_vector(
      op->getOperands(), [](Value operand) { return bool(tileType(operand)); });
}

bool fly::hasLaneLayouts(Operation *op) {
  return getLaneLayout(op->getResult(0)) &&
         llvm::all_of(getTiles(op), getLaneLayout);
}

std::optional<SmallVector<RegisterSource>> fly::getShapeMoves(Operation *op,
                                                              int64_t threads) {
  if (!hasLaneLayouts(op))
    return std::nullopt;
  return getShapeMoves(op, llvm::map_to_vector(getTiles(op), getLaneLayout),
                       getLaneLayout(op->getResult(0)), threads);
}
