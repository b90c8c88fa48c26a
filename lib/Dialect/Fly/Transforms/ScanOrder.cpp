//===- ScanOrder.cpp - In which order lanes hold a dimension --------------===//
//
// A scan follows coordinates, so it needs to know who holds the next one. The
// order that copies have (a lane's vector, its neighbours', the next round) is
// looked for in the lane map itself, thread by thread, so that any layout that
// has it will do.
//
//===----------------------------------------------------------------------===//
#include "ScanOrder.h"

#include "mlir/IR/BuiltinTypes.h"

#include <map>
#include <set>

using namespace mlir;
using namespace fly;

std::optional<ScanOrder> fly::getScanOrder(const LaneMap &map, unsigned dim,
                                           int64_t threads) {
  std::optional<DimSpread> spread = getDimSpread(map, dim);
  if (!spread)
    return std::nullopt;
  ScanOrder order;
  order.spread = *spread;
  int64_t holders = spread->numParts * order.numLanes();

  // What a lane holds: the same along the dimension, whatever else differs.
  std::map<SmallVector<int64_t, 2>, std::set<int64_t>> lines;
  for (const auto &tail : map.tails) {
    SmallVector<int64_t, 2> key(tail);
    key.erase(key.begin() + dim);
    lines[key].insert(tail[dim]);
  }
  const std::set<int64_t> &tails = lines.begin()->second;
  int64_t run = 0;
  while (tails.count(run) != 0)
    ++run;
  if (run == 0 || tails.size() % run != 0)
    return std::nullopt;
  order.run = run;
  order.rounds = tails.size() / run;
  for (int64_t round = 0; round < order.rounds; ++round)
    for (int64_t i = 0; i < run; ++i)
      if (tails.count(round * holders * run + i) == 0)
        return std::nullopt;
  for (const auto &[key, others] : lines)
    if (others != tails)
      return std::nullopt;

  for (int64_t thread = 0; thread < threads; ++thread) {
    int64_t base = 0, holder = 0;
    for (const LaneTerm &term : map.base[dim])
      base += term.evaluate(thread);
    for (const LaneTerm &term : spread->part)
      holder += term.evaluate(thread);
    holder *= order.numLanes();
    for (auto [index, bit] : llvm::enumerate(spread->laneBits))
      holder += (thread >> bit & 1) << index;
    if (base != holder * run)
      return std::nullopt;
  }
  return order;
}

bool fly::needsEvenLanes(ScanOp op) {
  // What lies beyond the tile comes last, so it is in the way backwards. There
  // a kind has something in its place that changes nothing; the neutral element
  // of a float's maximum is no such thing, since it is no NaN.
  if (!op.getReverse() || !op.getKind())
    return op.getReverse();
  auto type = cast<RankedTensorType>(op.getSources().front().getType());
  return op.getExclusive() && isa<FloatType>(type.getElementType()) &&
         (*op.getKind() == ReduceKind::Max || *op.getKind() == ReduceKind::Min);
}

bool fly::canScan(ScanOp op, Attribute layout, int64_t threads) {
  auto type = cast<RankedTensorType>(op.getSources().front().getType());
  LaneMap map = cast<LayoutAttrInterface>(layout).getLaneMap(type.getShape());
  return getScanOrder(map, op.getDim(), threads) &&
         !(map.isPartial(op.getDim()) && needsEvenLanes(op));
}

Type fly::getScanExchangeType(ScanOp op, Value source) {
  Type type = cast<RankedTensorType>(source.getType()).getElementType();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (op.getKind() && bits < 32)
    return isa<FloatType>(type) ? Type(Float32Type::get(op.getContext()))
                                : Type(IntegerType::get(op.getContext(), 32));
  return bits < 8 ? Type(IntegerType::get(op.getContext(), 8)) : type;
}
