//===- Along.cpp - Iota and reductions on lanes ---------------------------===//
//
// A reduction combines what a lane holds in a balanced tree, then what lanes of
// a wave hold by exchanges with the lane whose number differs in one bit, so
// that every lane ends with the result. By a kind narrow floats combine in f32
// and narrow integers in i32, and the result is rounded once; a combiner
// computes in the elements' own types. What other waves hold has come through
// LDS before (fly-assign-layouts); a reduction across waves is refused.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

#include "Combiner.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

LogicalResult Distributor::distribute(IotaOp op) {
  Location loc = op.getLoc();
  LaneMap map = distribute::getLaneMap(tileType(op.getResult()));
  VectorType type = getRegisterType(tileType(op.getResult()));
  unsigned dim = op.getDim();
  SmallVector<int32_t> tails;
  for (const auto &tail : map.tails)
    tails.push_back(tail[dim]);
  Value result = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(tails)));
  auto add = [&](Value scalar) {
    Value all = vector::BroadcastOp::create(builder, loc, type, scalar);
    result = arith::AddIOp::create(builder, loc, all, result);
  };
  Value start;
  if (Value base = coordinates.getBase(map, dim, loc))
    start =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), base);
  if (Value from = op.getFrom())
    start = start ? arith::AddIOp::create(builder, loc, start, lookup(from))
                        .getResult()
                  : lookup(from);
  if (start)
    add(start);
  mapping.map(op.getResult(), result);
  return success();
}

LogicalResult Distributor::distribute(ReduceOp op) {
  Location loc = op.getLoc();
  unsigned dim = op.getDim();
  for (Value source : op.getSources())
    if (!isa_and_nonnull<LayoutAttrInterface>(tileType(source).getEncoding()))
      return op.emitOpError() << "has a tile without a layout: run "
                                 "fly-assign-layouts first";
  RankedTensorType sourceType = tileType(op.getSources().front());
  LaneMap from = distribute::getLaneMap(sourceType);
  RankedTensorType resultType = tileType(op.getResults().front());
  LaneMap to = distribute::getLaneMap(resultType);
  std::optional<DimSpread> spread = getDimSpread(from, dim);
  if (!spread || (spread->numParts > 1 && !op.getParts()))
    return op.emitOpError() << "combines what different waves hold: give its "
                               "tile its layout by fly-assign-layouts, which "
                               "adds the exchange";
  if (from.isPartial(dim) && op.hasCombiner())
    return op.emitOpError()
           << "combines the " << sourceType.getDimSize(dim)
           << " elements of a dimension which lanes share unevenly: a combiner "
              "has nothing to put in the place of what lies beyond the tile; "
              "fly-assign-layouts gives an even layout";

  // Registers of the source, by what remains of their coordinates.
  std::map<SmallVector<int64_t, 2>, SmallVector<int64_t>> groups;
  for (auto [index, tail] : llvm::enumerate(from.tails)) {
    SmallVector<int64_t, 2> key(tail);
    key.erase(key.begin() + dim);
    groups[key].push_back(index);
  }
  Combiner combiner(builder, op.getLoc(), op.getKind(), op.getCombiner());
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (SmallVector<int64_t, 2> tail : to.tails) {
    if (op.getParts())
      tail.erase(tail.begin() + dim);
    auto group = groups.find(tail);
    if (group == groups.end())
      return op.emitOpError() << "has a result whose layout is no slice of "
                                 "the source's";
    SmallVector<Combiner::Elements> tree;
    for (int64_t index : group->second) {
      Combiner::Elements &elements = tree.emplace_back();
      for (Value source : op.getSources()) {
        Value array = lookup(source);
        ArrayRef<int64_t> shape = cast<VectorType>(array.getType()).getShape();
        Value element = combiner.widen(vector::ExtractOp::create(
            builder, loc, array, positionOf(shape, index)));
        if (Value exists = coordinates.makeExists(
                builder, from, sourceType.getDimSize(dim), index, dim, loc))
          element = arith::SelectOp::create(
              builder, loc, exists, element,
              combiner.makeIgnored(sourceType.getElementType()));
        elements.push_back(element);
      }
    }
    for (; tree.size() > 1; tree.resize((tree.size() + 1) / 2))
      for (size_t i = 0, half = (tree.size() + 1) / 2; half + i < tree.size();
           ++i)
        tree[i] = combiner.combine(tree[i], tree[half + i]);
    Combiner::Elements elements = tree.front();
    for (unsigned bit : spread->laneBits) {
      Combiner::Elements others;
      for (Value element : elements)
        others.push_back(exchangeLanes(builder, loc, element, bit));
      elements = combiner.combine(elements, others);
    }
    for (auto [values, element, result] :
         llvm::zip(results, elements, op.getResults()))
      values.push_back(
          combiner.narrow(element, tileType(result).getElementType()));
  }
  for (auto [values, result] : llvm::zip(results, op.getResults()))
    mapping.map(result,
                vector::FromElementsOp::create(
                    builder, loc, getRegisterType(tileType(result)), values));
  return success();
}
