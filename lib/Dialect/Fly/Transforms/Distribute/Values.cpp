//===- Values.cpp - What is computed in place -----------------------------===//
//
// Constants, broadcasts, casts and elementwise ops work on register arrays as
// they did on tiles.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

static Value makeConstant(OpBuilder &builder, Location loc, VectorType type,
                          TypedAttr element) {
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

LogicalResult Distributor::distribute(ConstantOp op) {
  mapping.map(op.getResult(),
              makeConstant(builder, op.getLoc(),
                           getRegisterType(tileType(op.getResult())),
                           op.getElementAttr()));
  return success();
}

LogicalResult Distributor::distribute(SplatOp op) {
  mapping.map(op.getResult(), vector::BroadcastOp::create(
                                  builder, op.getLoc(),
                                  getRegisterType(tileType(op.getResult())),
                                  lookup(op.getScalar())));
  return success();
}

Value Distributor::spread(Value source, const LaneMap &from, const LaneMap &to,
                          VectorType type,
                          function_ref<void(SmallVector<int64_t, 2> &)> place,
                          Location loc) {
  int64_t inner = type.getShape().back();
  Value array = ub::PoisonOp::create(builder, loc, type);
  for (size_t first = 0; first < to.tails.size(); first += inner) {
    // The source register of each element of this inner vector.
    SmallVector<int64_t> registers;
    for (int64_t i = 0; i < inner; ++i) {
      SmallVector<int64_t, 2> tail(to.tails[first + i]);
      place(tail);
      auto *it = llvm::find(from.tails, tail);
      if (it == from.tails.end())
        return {};
      registers.push_back(it - from.tails.begin());
    }
    Value row;
    if (llvm::all_equal(registers)) {
      Value scalar = vector::ExtractOp::create(builder, loc, source,
                                               ArrayRef<int64_t>{registers[0]});
      row = vector::BroadcastOp::create(
          builder, loc, VectorType::get({inner}, type.getElementType()),
          scalar);
    } else {
      row = vector::ShuffleOp::create(builder, loc, source, source, registers);
    }
    array = insertGroup(builder, loc, row, array,
                        positionOf(type.getShape(), first));
  }
  return array;
}

LogicalResult Distributor::distribute(BroadcastOp op) {
  Value array = spread(
      lookup(op.getSource()), distribute::getLaneMap(tileType(op.getSource())),
      distribute::getLaneMap(tileType(op.getResult())),
      getRegisterType(tileType(op.getResult())),
      [&](SmallVector<int64_t, 2> &tail) {
        tail.erase(tail.begin() + op.getDim());
      },
      op.getLoc());
  if (!array)
    return op.emitOpError() << "has a source whose layout is no slice of the "
                               "result's";
  mapping.map(op.getResult(), array);
  return success();
}

LogicalResult Distributor::distribute(RepeatOp op) {
  LaneMap from = distribute::getLaneMap(tileType(op.getSource()));
  VectorType type = getRegisterType(tileType(op.getResult()));
  Value array;
  if (from.registers.size() == 1)
    array = spread(
        lookup(op.getSource()), from,
        distribute::getLaneMap(tileType(op.getResult())), type,
        [&](SmallVector<int64_t, 2> &tail) {
          tail[op.getDim()] /= int64_t(op.getFactor());
        },
        op.getLoc());
  if (!array)
    return op.emitOpError() << "has a source whose layout is not repeated to "
                               "the result's";
  mapping.map(op.getResult(), array);
  return success();
}

LogicalResult Distributor::distribute(CastOp op) {
  Location loc = op.getLoc();
  Value source = lookup(op.getSource());
  auto from = cast<VectorType>(source.getType());
  VectorType to = getRegisterType(tileType(op.getResult()));
  auto fromFloat = dyn_cast<FloatType>(from.getElementType());
  auto toFloat = dyn_cast<FloatType>(to.getElementType());
  if (!fromFloat || !toFloat)
    return op.emitOpError() << "converts between " << from.getElementType()
                            << " and " << to.getElementType()
                            << ": this pass distributes casts of floats; use "
                               "arith for integers";
  if (toFloat.getWidth() > fromFloat.getWidth()) {
    mapping.map(op.getResult(),
                arith::ExtFOp::create(builder, loc, to, source));
    return success();
  }
  if (toFloat.getWidth() == fromFloat.getWidth())
    return op.emitOpError() << "converts between " << fromFloat << " and "
                            << toFloat << ": go through f32";
  if (op.getOverflow() == Overflow::Saturate) {
    // Finite numbers are clamped to the finite range; NaN passes through the
    // comparisons, infinity stays what it is.
    APFloat largest = APFloat::getLargest(toFloat.getFloatSemantics());
    bool losesInfo;
    largest.convert(fromFloat.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    APFloat lowest = largest;
    lowest.changeSign();
    Value high =
        makeConstant(builder, loc, from, FloatAttr::get(fromFloat, largest));
    Value low =
        makeConstant(builder, loc, from, FloatAttr::get(fromFloat, lowest));
    bool hasInf = APFloat::semanticsHasInf(fromFloat.getFloatSemantics());
    auto clamp = [&](arith::CmpFPredicate beyond, arith::CmpFPredicate within,
                     Value bound, bool isNegative) {
      Value outside =
          arith::CmpFOp::create(builder, loc, beyond, source, bound);
      if (hasInf) {
        APFloat infinity =
            APFloat::getInf(fromFloat.getFloatSemantics(), isNegative);
        Value isFinite = arith::CmpFOp::create(
            builder, loc, within, source,
            makeConstant(builder, loc, from,
                         FloatAttr::get(fromFloat, infinity)));
        outside = arith::AndIOp::create(builder, loc, outside, isFinite);
      }
      source = arith::SelectOp::create(builder, loc, outside, bound, source);
    };
    clamp(arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLT, high,
          /*isNegative=*/false);
    clamp(arith::CmpFPredicate::OLT, arith::CmpFPredicate::OGT, low,
          /*isNegative=*/true);
  }
  mapping.map(op.getResult(),
              arith::TruncFOp::create(builder, loc, to, source));
  return success();
}

/// The region is what a lane does; it stays, on the lane's registers.
LogicalResult Distributor::distribute(LanesOp op) {
  for (Value tile : llvm::concat<Value>(SmallVector<Value>(op.getSources()),
                                        SmallVector<Value>(op.getResults())))
    if (tileType(tile).getEncoding() != op.getLayout())
      return op.emitOpError() << "has " << tile.getType()
                              << ", which is not in its layout: run "
                                 "fly-assign-layouts first";
  for (auto [argument, source] :
       llvm::zip(op.getBody().getArguments(), op.getSources()))
    mapping.map(argument, lookup(source));
  for (Operation &inner : op.getBody().front().without_terminator())
    builder.clone(inner, mapping);
  for (auto [result, value] :
       llvm::zip(op.getResults(),
                 op.getBody().front().getTerminator()->getOperands()))
    mapping.map(result, lookup(value));
  return success();
}

LogicalResult Distributor::distributeElementwise(Operation *op) {
  if (widensPacked(op))
    return distributePacked(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return op->emitOpError() << "must be a splat to become registers";
    mapping.map(
        constant.getResult(),
        makeConstant(builder, op->getLoc(),
                     getRegisterType(tileType(constant.getResult())),
                     cast<TypedAttr>(splat.getSplatValue<Attribute>())));
    return success();
  }
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return op->emitOpError() << "works on tiles, but is no op that "
                                "fly-distribute knows";
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Value result : op->getResults())
    state.addTypes(tileType(result) ? Type(getRegisterType(tileType(result)))
                                    : result.getType());
  state.addAttributes(op->getAttrs());
  Operation *vectorOp = builder.create(state);
  mapping.map(op->getResults(), vectorOp->getResults());
  return success();
}
