//===- ExchangeParts.cpp - Reductions across waves ------------------------===//
//
// Lanes of a wave exchange values by themselves; waves need LDS. A reduction
// along a dimension that several waves share becomes three steps: each wave
// reduces its part, every part goes through LDS to every wave, and each lane
// reduces the parts that it reads. Sums of narrow floats are widened before the
// first step and rounded after the last, once.
//
//===----------------------------------------------------------------------===//
#include "ExchangeParts.h"

#include "../TileFlow.h"

using namespace mlir;
using namespace fly;

bool fly::canReduce(ReduceOp op, Attribute layout) {
  ArrayRef<int64_t> shape = tileType(op.getSources().front()).getShape();
  LaneMap map = cast<LayoutAttrInterface>(layout).getLaneMap(shape);
  return getDimSpread(map, op.getDim()) &&
         !(op.hasCombiner() && map.isPartial(op.getDim()));
}

/// Whether combining loses less in f32 than in the type itself.
static bool isNarrowSum(ReduceOp op) {
  Type type = tileType(op.getSources().front()).getElementType();
  return op.getKind() && isa<FloatType>(type) &&
         type.getIntOrFloatBitWidth() < 32;
}

/// A reduction of `sources` by what `op` combines with.
static ReduceOp reduceAlike(OpBuilder &builder, ReduceOp op, ValueRange sources,
                            ArrayRef<Type> types, IntegerAttr parts) {
  auto result = ReduceOp::create(builder, op.getLoc(), types, sources,
                                 op.getKindAttr(), op.getDimAttr(), parts);
  if (op.hasCombiner()) {
    IRMapping mapping;
    op.getCombiner().cloneInto(&result.getCombiner(), mapping);
  }
  return result;
}

unsigned fly::exchangeParts(ReduceOp op, int64_t parts,
                            function_ref<std::string()> makeBuffer) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  int64_t dim = op.getDim();
  SmallVector<Value> sources(op.getSources());
  SmallVector<Type> finals(op.getResultTypes());
  bool widen = isNarrowSum(op);
  if (widen) {
    auto wide = [&](Type type) -> Type {
      return cast<RankedTensorType>(type).clone(builder.getF32Type());
    };
    sources[0] =
        CastOp::create(builder, loc, wide(sources[0].getType()), sources[0]);
    finals[0] = wide(finals[0]);
  }
  SmallVector<Type> partTypes;
  for (Value source : sources) {
    RankedTensorType type = tileType(source);
    SmallVector<int64_t> shape(type.getShape());
    auto layout = PartsAttr::get(context, dim, shape[dim], PartsHolder::Waves,
                                 type.getEncoding());
    shape[dim] = parts;
    partTypes.push_back(
        RankedTensorType::get(shape, type.getElementType(), layout));
  }
  auto inWave = reduceAlike(builder, op, sources, partTypes,
                            builder.getI64IntegerAttr(parts));
  SmallVector<Value> gathered;
  for (Value part : inWave.getResults()) {
    auto type = cast<RankedTensorType>(part.getType());
    auto layout = cast<PartsAttr>(type.getEncoding());
    auto slot = StagedAttr::get(context, makeBuffer(), 0);
    Value staged = ConvertLayoutOp::create(builder, loc,
                                           type.cloneWithEncoding(slot), part);
    auto all = PartsAttr::get(context, dim, layout.getExtent(),
                              PartsHolder::Registers, layout.getParent());
    gathered.push_back(ConvertLayoutOp::create(
        builder, loc, type.cloneWithEncoding(all), staged));
  }
  auto across = reduceAlike(builder, op, gathered, finals, IntegerAttr());
  SmallVector<Value> results(across.getResults());
  if (widen)
    results[0] =
        CastOp::create(builder, loc, op->getResult(0).getType(), results[0]);
  op->replaceAllUsesWith(results);
  op.erase();
  return sources.size();
}
