//===- Masks.cpp - Truth values where they are needed ---------------------===//
//
// A truth value of a lane is a bit of a scalar register pair [AMD], so the mask
// of a tile of 32 elements a lane holds 64 of the hundred that a wave has. It
// is not kept: what a mask is made of, comparisons and what joins them, is made
// again element by element next to each use.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// Ops that making a truth value again may take.
static constexpr unsigned kMostRemade = 8;
/// Elements of a lane up to which a mask may stay where it is.
static constexpr int64_t kFewElements = 8;

static bool isMask(Value value) {
  RankedTensorType tile = tileType(value);
  return tile && tile.getElementType().isInteger(1);
}

/// Ops behind the truth values of `mask` that can be made again, at most
/// `budget` of which are left.
static bool isRemade(Value mask, unsigned &budget) {
  Operation *op = mask.getDefiningOp();
  if (!isa_and_nonnull<arith::CmpIOp, arith::CmpFOp, arith::AndIOp,
                       arith::OrIOp, arith::XOrIOp>(op) ||
      budget == 0)
    return false;
  --budget;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isMask(operand) || isRemade(operand, budget);
  });
}

Value Distributor::makeMask(Value mask, function_ref<Value(Value)> group) {
  unsigned budget = kMostRemade;
  if (!isRemade(mask, budget))
    return group(lookup(mask));
  Operation *op = mask.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isMask(operand) ? makeMask(operand, group)
                                       : group(lookup(operand)));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  Type truth = builder.getI1Type();
  auto vector = dyn_cast<VectorType>(operands.front().getType());
  state.addTypes(vector ? vector.clone(truth) : truth);
  state.addAttributes(op->getAttrs());
  return builder.create(state)->getResult(0);
}

LogicalResult Distributor::distribute(arith::SelectOp op) {
  unsigned budget = kMostRemade;
  VectorType type = getRegisterType(tileType(op.getResult()));
  if (!isMask(op.getCondition()) || type.getNumElements() <= kFewElements ||
      !isRemade(op.getCondition(), budget))
    return distributeElementwise(op);
  Location loc = op.getLoc();
  int64_t inner = type.getShape().back();
  auto row = VectorType::get({inner}, type.getElementType());
  Value array = ub::PoisonOp::create(builder, loc, type);
  for (int64_t first = 0; first < type.getNumElements(); first += inner) {
    SmallVector<Value> elements;
    for (int64_t i = 0; i < inner; ++i) {
      auto element = [&](Value values) -> Value {
        return vector::ExtractOp::create(
            builder, loc, values, positionOf(type.getShape(), first + i));
      };
      Value condition = makeMask(op.getCondition(), element);
      elements.push_back(arith::SelectOp::create(
          builder, loc, condition, element(lookup(op.getTrueValue())),
          element(lookup(op.getFalseValue()))));
    }
    array =
        insertGroup(builder, loc,
                    vector::FromElementsOp::create(builder, loc, row, elements),
                    array, positionOf(type.getShape(), first));
  }
  mapping.map(op.getResult(), array);
  return success();
}
