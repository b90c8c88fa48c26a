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
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

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

namespace {
/// Combines elements as a reduction says.
class Combiner {
public:
  using Elements = SmallVector<Value, 2>;

  Combiner(OpBuilder &builder, ReduceOp op) : builder(builder), op(op) {}

  /// The type that an element combines in.
  Type wideType(Type type) {
    if (!op.getKind() || type.getIntOrFloatBitWidth() >= 32)
      return type;
    return isa<FloatType>(type) ? Type(builder.getF32Type())
                                : Type(builder.getI32Type());
  }
  Value widen(Value value) {
    Type wide = wideType(value.getType()), type = value.getType();
    Location loc = op.getLoc();
    if (wide == type)
      return value;
    if (isa<FloatType>(type))
      return arith::ExtFOp::create(builder, loc, wide, value);
    bool isSigned =
        *op.getKind() == ReduceKind::Max || *op.getKind() == ReduceKind::Min;
    if (isSigned)
      return arith::ExtSIOp::create(builder, loc, wide, value);
    return arith::ExtUIOp::create(builder, loc, wide, value);
  }
  Value narrow(Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (isa<FloatType>(type))
      return arith::TruncFOp::create(builder, op.getLoc(), type, value);
    return arith::TruncIOp::create(builder, op.getLoc(), type, value);
  }
  Elements combine(const Elements &a, const Elements &b) {
    if (op.getKind())
      return {combineByKind(a[0], b[0])};
    IRMapping mapping;
    Block &block = op.getCombiner().front();
    for (auto [argument, value] :
         llvm::zip(block.getArguments(), llvm::concat<const Value>(a, b)))
      mapping.map(argument, value);
    for (Operation &inner : block.without_terminator())
      builder.clone(inner, mapping);
    Elements results;
    for (Value value : block.getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

private:
  template <typename OpT>
  Value make(Value a, Value b) {
    return OpT::create(builder, op.getLoc(), a, b);
  }
  Value combineByKind(Value a, Value b) {
    bool isFloat = isa<FloatType>(a.getType());
    switch (*op.getKind()) {
    case ReduceKind::Add:
      return isFloat ? make<arith::AddFOp>(a, b) : make<arith::AddIOp>(a, b);
    case ReduceKind::Mul:
      return isFloat ? make<arith::MulFOp>(a, b) : make<arith::MulIOp>(a, b);
    case ReduceKind::Max:
      return isFloat ? make<arith::MaxNumFOp>(a, b)
                     : make<arith::MaxSIOp>(a, b);
    case ReduceKind::Min:
      return isFloat ? make<arith::MinNumFOp>(a, b)
                     : make<arith::MinSIOp>(a, b);
    case ReduceKind::MaxNan:
      return make<arith::MaximumFOp>(a, b);
    case ReduceKind::MinNan:
      return make<arith::MinimumFOp>(a, b);
    case ReduceKind::UMax:
      return make<arith::MaxUIOp>(a, b);
    case ReduceKind::UMin:
      return make<arith::MinUIOp>(a, b);
    case ReduceKind::And:
      return make<arith::AndIOp>(a, b);
    case ReduceKind::Or:
      return make<arith::OrIOp>(a, b);
    case ReduceKind::Xor:
      return make<arith::XOrIOp>(a, b);
    }
    llvm_unreachable("all kinds are listed");
  }

  OpBuilder &builder;
  ReduceOp op;
};
} // namespace

/// The value of the lane whose number differs in `bit`.
static Value exchange(OpBuilder &builder, Location loc, Value value,
                      unsigned bit) {
  auto number = [&](int32_t n) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(n));
  };
  auto shuffle = [&](Value whole) {
    return gpu::ShuffleOp::create(builder, loc, whole, number(1 << bit),
                                  number(arch::waveLanes),
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Type type = value.getType(), word = builder.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits >= 32)
    return shuffle(value);
  // Lanes exchange whole registers. A combiner computes in the type itself, so
  // what it gets may be narrower.
  Type integer = builder.getIntegerType(bits);
  if (type != integer)
    value = arith::BitcastOp::create(builder, loc, integer, value);
  value = arith::ExtUIOp::create(builder, loc, word, value);
  value = arith::TruncIOp::create(builder, loc, integer, shuffle(value));
  if (type != integer)
    value = arith::BitcastOp::create(builder, loc, type, value);
  return value;
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
  if (from.partial && dim == 0)
    return op.emitOpError()
           << "reduces the " << sourceType.getDimSize(0)
           << " rows of a tile which lanes share unevenly: a number of rows "
              "that the threads of a column divide is needed";

  // Registers of the source, by what remains of their coordinates.
  std::map<SmallVector<int64_t, 2>, SmallVector<int64_t>> groups;
  for (auto [index, tail] : llvm::enumerate(from.tails)) {
    SmallVector<int64_t, 2> key(tail);
    key.erase(key.begin() + dim);
    groups[key].push_back(index);
  }
  Combiner combiner(builder, op);
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
        elements.push_back(combiner.widen(vector::ExtractOp::create(
            builder, loc, array, positionOf(shape, index))));
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
        others.push_back(exchange(builder, loc, element, bit));
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
