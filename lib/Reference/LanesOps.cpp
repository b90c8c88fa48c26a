//===- LanesOps.cpp - A tile as its lanes hold it -------------------------===//
//
// fly.lanes, lane by lane: what a lane holds is a small tile with the shape of
// the layout's registers. Lanes that hold copies of an element must agree on
// it; an element that no lane holds stays NaN, or 0x5a.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <limits>

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Threads that a layout speaks of: beyond them it repeats.
static int64_t countThreads(Attribute layout) {
  if (auto slice = dyn_cast<SliceAttr>(layout))
    return countThreads(slice.getParent());
  if (auto repeated = dyn_cast<RepeatedAttr>(layout))
    return countThreads(repeated.getParent());
  if (auto blocked = dyn_cast<BlockedAttr>(layout)) {
    int64_t threads = 1;
    for (int64_t count : blocked.getThreads())
      threads *= count;
    return threads;
  }
  if (auto operand = dyn_cast<OperandAttr>(layout))
    layout = operand.getParent();
  auto mma = dyn_cast<MmaAttr>(layout);
  if (!mma) // One that does not say: all that a workgroup may have.
    return arch::maxWorkgroupWaves * arch::waveLanes;
  int64_t waves = 1;
  for (int64_t count : mma.getWaves())
    waves *= count;
  return waves * arch::waveLanes;
}

/// Threads of the workgroup as the kernel's schedule says; 0 where it does not.
static int64_t countThreads(FunctionOpInterface kernel) {
  ScheduleAttr schedule = getScheduleOf(kernel);
  Attribute waves = schedule ? schedule.get("waves") : Attribute();
  if (auto number = dyn_cast_or_null<IntegerAttr>(waves))
    return number.getInt() * arch::waveLanes;
  auto sides = dyn_cast_or_null<ArrayAttr>(waves);
  int64_t threads = sides ? arch::waveLanes : 0;
  for (Attribute side : sides ? sides.getValue() : ArrayRef<Attribute>())
    if (auto number = dyn_cast<IntegerAttr>(side))
      threads *= number.getInt();
  return std::min(threads, arch::maxWorkgroupWaves * arch::waveLanes);
}

/// The row-major number of an element, none where it lies beyond the tile.
static std::optional<int64_t> flatten(ArrayRef<int64_t> coords,
                                      ArrayRef<int64_t> shape) {
  int64_t flat = 0;
  for (auto [coord, extent] : llvm::zip(coords, shape)) {
    if (coord < 0 || coord >= extent)
      return std::nullopt;
    flat = flat * extent + coord;
  }
  return flat;
}

static bool isSame(Element a, Element b, bool isFloat) {
  return isFloat ? a.f == b.f || (std::isnan(a.f) && std::isnan(b.f))
                 : a.i == b.i;
}

LogicalResult Interpreter::executeLanes(LanesOp op) {
  auto layout = cast<LayoutAttrInterface>(op.getLayout());
  auto mapOf = [&](Type type) {
    return layout.getLaneMap(cast<RankedTensorType>(type).getShape());
  };
  SmallVector<LaneMap, 2> sourceMaps, resultMaps;
  for (Type type : op.getSources().getTypes())
    sourceMaps.push_back(mapOf(type));
  SmallVector<std::shared_ptr<Tile>> results;
  SmallVector<std::vector<bool>> written;
  for (Type type : op.getResultTypes()) {
    resultMaps.push_back(mapOf(type));
    bool isFloat = typeOf(type)->isFloat();
    auto tile = Tile::make(cast<RankedTensorType>(type).getShape(), isFloat);
    std::fill(tile->floats.begin(), tile->floats.end(),
              std::numeric_limits<double>::quiet_NaN());
    std::fill(tile->integers.begin(), tile->integers.end(), 0x5a);
    written.emplace_back(tile->size());
    results.push_back(std::move(tile));
  }
  // Threads beyond the layout's hold copies.
  int64_t threads = std::max(countThreads(layout), countThreads(kernel));
  for (thread = 0; thread < threads; ++thread) {
    Results arguments, yielded;
    for (auto [source, map] : llvm::zip(op.getSources(), sourceMaps)) {
      const Tile &tile = getTile(source);
      auto held = Tile::make(map.registers, tile.isFloat);
      for (size_t reg = 0; reg < map.tails.size(); ++reg)
        if (auto at = flatten(map.evaluate(thread, reg), tile.shape))
          held->set(reg, tile.at(*at));
      arguments.push_back(TilePtr(held));
    }
    if (failed(runRegion(op.getBody(), arguments, yielded)))
      return failure();
    for (auto [index, value] : llvm::enumerate(yielded)) {
      const Tile &held = *std::get<TilePtr>(value);
      Tile &tile = *results[index];
      const LaneMap &map = resultMaps[index];
      for (size_t reg = 0; reg < map.tails.size(); ++reg) {
        auto at = flatten(map.evaluate(thread, reg), tile.shape);
        if (!at)
          continue;
        Element element = held.at(reg);
        if (written[index][*at] && !isSame(element, tile.at(*at), tile.isFloat))
          return op.emitError()
                 << "lanes that hold one element of result " << index
                 << " yield different values for it, thread " << thread
                 << " another than one before it";
        written[index][*at] = true;
        tile.set(*at, element);
      }
    }
  }
  for (auto [result, tile] : llvm::zip(op.getResults(), results))
    set(result, TilePtr(tile));
  return success();
}

LogicalResult Interpreter::executeLaneNumber(Operation *op) {
  if (!op->getParentOfType<LanesOp>())
    return op->emitError() << "the reference executor has lanes in fly.lanes "
                              "alone, else a workgroup is one thread";
  set(op->getResult(0),
      isa<LaneOp>(op) ? thread % arch::waveLanes : thread / arch::waveLanes);
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors in the region
//===----------------------------------------------------------------------===//

/// The elements from the position on: where they start and how many they are.
static std::pair<int64_t, int64_t> span(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> position) {
  int64_t start = 0, count = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    start = start * extent + (dim < position.size() ? position[dim] : 0);
    count *= dim < position.size() ? 1 : extent;
  }
  return {start, count};
}

/// An error for a position that is not known before the run.
static LogicalResult checkStatic(Operation *op, ArrayRef<int64_t> position) {
  if (!ShapedType::isDynamicShape(position))
    return success();
  return op->emitError() << "the reference executor takes positions in vectors "
                            "as numbers";
}

LogicalResult Interpreter::executeVector(Operation *op) {
  Type type = op->getResult(0).getType();
  auto vectorType = dyn_cast<VectorType>(type);
  if (!typeOf(type) || (vectorType && vectorType.isScalable()))
    return op->emitError() << "the reference executor knows no " << type;
  auto made = vectorType
                  ? Tile::make(vectorType.getShape(), typeOf(type)->isFloat())
                  : nullptr;
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    const Tile &source = getTile(extract.getSource());
    if (failed(checkStatic(op, extract.getStaticPosition())))
      return failure();
    auto [start, count] = span(source.shape, extract.getStaticPosition());
    if (!made) {
      set(op->getResult(0), scalarOf(source.isFloat, source.at(start)));
      return success();
    }
    for (int64_t i = 0; i < count; ++i)
      made->set(i, source.at(start + i));
  } else if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    if (failed(checkStatic(op, insert.getStaticPosition())))
      return failure();
    *made = getTile(insert.getDest());
    auto [start, count] = span(made->shape, insert.getStaticPosition());
    const RuntimeValue &value = get(insert.getValueToStore());
    for (int64_t i = 0; i < count; ++i)
      made->set(start + i, std::holds_alternative<TilePtr>(value)
                               ? std::get<TilePtr>(value)->at(i)
                               : elementOf(value));
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    const RuntimeValue &value = get(broadcast.getSource());
    if (std::holds_alternative<TilePtr>(value))
      return op->emitError() << "the reference executor broadcasts scalars to "
                                "vectors, got "
                             << broadcast.getSource().getType();
    for (int64_t i = 0; i < made->size(); ++i)
      made->set(i, elementOf(value));
  } else {
    auto elements = cast<vector::FromElementsOp>(op);
    for (auto [i, value] : llvm::enumerate(elements.getElements()))
      made->set(i, elementOf(get(value)));
  }
  set(op->getResult(0), TilePtr(made));
  return success();
}
