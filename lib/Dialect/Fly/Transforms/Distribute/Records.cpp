//===- Records.cpp - What a check writes to its channel -------------------===//
//
// A record of a scalar is written by the first lane of the workgroup, one of an
// element by the first of the lanes that hold it. A lane asks for room by an
// atomic that counts records, and writes those that have room; the count goes
// on, so that the host knows how many were lost.
//
// Nothing here is fast, and where no assert fails it costs a branch.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Checks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;
namespace channel = fly::contract::channel;

namespace {
/// Writes the records of one check.
class RecordWriter {
public:
  RecordWriter(OpBuilder &builder, Location loc, Value view, int64_t words)
      : builder(builder), loc(loc), view(view),
        room((words - channel::headerWords) / channel::recordWords) {}

  /// The words that all records of the check share; the first has `site`.
  void setShared(uint32_t site, Value event, ValueRange workgroup);
  /// Writes `numbers` of one element, an i32, where `condition` holds; value
  /// numbers count from `first`.
  void write(Value condition, Value element, ValueRange numbers,
             unsigned first);

  Value constant(int64_t number) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(number));
  }

private:
  /// The bits of a number as two words.
  std::pair<Value, Value> split(Value number);

  OpBuilder &builder;
  Location loc;
  Value view;
  int64_t room;
  SmallVector<Value> shared;
};
} // namespace

void RecordWriter::setShared(uint32_t site, Value event, ValueRange workgroup) {
  shared = {constant(site), event};
  llvm::append_range(shared, workgroup);
  while (shared.size() < channel::Value)
    shared.push_back(constant(0));
}

std::pair<Value, Value> RecordWriter::split(Value number) {
  unsigned bits = number.getType().getIntOrFloatBitWidth();
  Type i32 = builder.getI32Type(), whole = builder.getIntegerType(bits);
  if (number.getType() != whole)
    number = arith::BitcastOp::create(builder, loc, whole, number);
  if (bits < 32)
    return {arith::ExtUIOp::create(builder, loc, i32, number), constant(0)};
  if (bits == 32)
    return {number, constant(0)};
  if (bits < 64)
    number = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), number);
  Value shift =
      arith::ConstantIntOp::create(builder, loc, number.getType(), 32);
  Value high = arith::ShRUIOp::create(builder, loc, number, shift);
  return {arith::TruncIOp::create(builder, loc, i32, number),
          arith::TruncIOp::create(builder, loc, i32, high)};
}

void RecordWriter::write(Value condition, Value element, ValueRange numbers,
                         unsigned first) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false)
          .thenBlock());
  Type index = builder.getIndexType(), i32 = builder.getI32Type();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto inside = builder.getDenseBoolArrayAttr({true});
  Value slot = UpdateOp::create(
                   builder, loc, i32, AtomicKind::Add, constant(numbers.size()),
                   view, zero, MemoryOrder::Relaxed, MemoryScope::Agent, inside)
                   .getOld();
  for (auto [i, number] : llvm::enumerate(numbers)) {
    OpBuilder::InsertionGuard inner(builder);
    Value mine = arith::AddIOp::create(builder, loc, slot, constant(i));
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       mine, constant(room));
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/false)
            .thenBlock());
    SmallVector<Value> words(shared);
    words.push_back(constant(first + i));
    words.push_back(element);
    auto [low, high] = split(number);
    words.push_back(low);
    words.push_back(high);
    words.resize(channel::recordWords, constant(0));
    Value start = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, mine,
                              constant(channel::recordWords)),
        constant(channel::headerWords));
    Value at = arith::IndexCastOp::create(builder, loc, index, start);
    for (auto [word, value] : llvm::enumerate(words)) {
      Value place = arith::AddIOp::create(
          builder, loc, at, arith::ConstantIndexOp::create(builder, loc, word));
      WriteOp::create(builder, loc, value, view, place, Cache::Default, inside,
                      IntegerAttr());
    }
  }
}

/// Whether register `reg` of this lane is an element, and this lane the first
/// that holds it; null where it always is.
Value Distributor::isMine(const LaneMap &map, RankedTensorType tile,
                          unsigned reg, Location loc) {
  Value mine = coordinates.getOwner(map, loc);
  // A register that holds the same as one before.
  if (llvm::is_contained(ArrayRef(map.tails).take_front(reg), map.tails[reg]))
    return arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 0);
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (!map.isPartial(dim))
      continue;
    Value extent =
        arith::ConstantIndexOp::create(builder, loc, tile.getDimSize(dim));
    Value exists =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              makeCoordinate(map, dim, reg, loc), extent);
    mine = mine ? arith::AndIOp::create(builder, loc, mine, exists) : exists;
  }
  return mine;
}

/// The coordinate of register `reg` in the tile, an index.
Value Distributor::makeCoordinate(const LaneMap &map, unsigned dim,
                                  unsigned reg, Location loc) {
  Value base = coordinates.getBase(map, dim, loc);
  Value tail =
      arith::ConstantIndexOp::create(builder, loc, map.tails[reg][dim]);
  return base ? arith::AddIOp::create(builder, loc, base, tail).getResult()
              : tail;
}

/// The number of register `reg` in row-major order, an i32.
Value Distributor::makeElementNumber(const LaneMap &map, RankedTensorType tile,
                                     unsigned reg, Location loc) {
  Value number = arith::ConstantIndexOp::create(builder, loc, 0);
  for (unsigned d = 0; d < map.rank(); ++d)
    number = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(
            builder, loc, number,
            arith::ConstantIndexOp::create(builder, loc, tile.getDimSize(d))),
        makeCoordinate(map, d, reg, loc));
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), number);
}

LogicalResult Distributor::distribute(RecordOp op) {
  Location loc = op.getLoc();
  std::optional<int64_t> bytes = op.getChannel().getType().getSizeInBytes();
  if (!bytes)
    return op.emitOpError() << "needs a channel of static extent, got "
                            << op.getChannel().getType();
  RecordWriter writer(builder, loc, lookup(op.getChannel()),
                      *bytes / int64_t(sizeof(int32_t)));
  SmallVector<Value> workgroup = llvm::map_to_vector(
      op.getWorkgroup(), [&](Value value) { return lookup(value); });
  Value event = EventOp::create(builder, loc);
  writer.setShared(op.getSite(), event, workgroup);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread,
                            arith::ConstantIndexOp::create(builder, loc, 0));
  auto negate = [&](Value condition) -> Value {
    Value one =
        arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
    return arith::XOrIOp::create(builder, loc, condition, one);
  };
  auto both = [&](Value a, Value b) -> Value {
    return a ? arith::AndIOp::create(builder, loc, a, b).getResult() : b;
  };
  auto element = [&](Value tile, ArrayRef<int64_t> position) -> Value {
    return vector::ExtractOp::create(builder, loc, lookup(tile), position);
  };
  Value condition = op.getCondition();
  RankedTensorType conditionTile =
      condition ? tileType(condition) : RankedTensorType();
  // An assert: what is compared, where the condition is false.
  if (conditionTile) {
    LaneMap map = distribute::getLaneMap(conditionTile);
    for (unsigned reg = 0; reg < map.tails.size(); ++reg) {
      SmallVector<int64_t> position = positionOf(map.registers, reg);
      Value holds = element(condition, position);
      SmallVector<Value> numbers = {holds};
      for (Value value : op.getValues())
        numbers.push_back(tileType(value) ? element(value, position)
                                          : lookup(value));
      writer.write(both(isMine(map, conditionTile, reg, loc), negate(holds)),
                   makeElementNumber(map, conditionTile, reg, loc), numbers,
                   /*first=*/0);
    }
    return success();
  }
  if (condition) {
    SmallVector<Value> numbers = {lookup(condition)};
    for (Value value : op.getValues())
      numbers.push_back(lookup(value));
    writer.write(both(isFirst, negate(lookup(condition))), writer.constant(0),
                 numbers, /*first=*/0);
    return success();
  }
  // A line without values is a line all the same.
  if (op.getValues().empty()) {
    writer.write(isFirst, writer.constant(0), writer.constant(0), 0);
    return success();
  }
  for (auto [index, value] : llvm::enumerate(op.getValues())) {
    RankedTensorType tile = tileType(value);
    if (!tile) {
      writer.write(isFirst, writer.constant(0), lookup(value), index);
      continue;
    }
    LaneMap map = distribute::getLaneMap(tile);
    Value always =
        arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
    for (unsigned reg = 0; reg < map.tails.size(); ++reg)
      writer.write(both(isMine(map, tile, reg, loc), always),
                   makeElementNumber(map, tile, reg, loc),
                   element(value, positionOf(map.registers, reg)), index);
  }
  return success();
}
