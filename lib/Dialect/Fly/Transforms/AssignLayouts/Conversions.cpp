//===- Conversions.cpp - Where layouts disagree ---------------------------===//
//
// What costs nothing in any layout is made again: constants, splats,
// coordinates and what is computed of them alone, element by element.
// Everything else is converted. Truth values have no place in memory, so one
// that moves between lanes travels as a byte.
//
//===----------------------------------------------------------------------===//
#include "Conversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "../LayoutMoves.h"
#include "../PassRemark.h"
#include "../TileFlow.h"

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-assign-layouts";

/// Ops that making a tile again may take: a comparison of coordinates with a
/// bound, not a computation.
static constexpr unsigned kMostRemade = 4;

/// Whether `tile` is made of constants, scalars and coordinates by at most
/// `budget` ops, which are subtracted.
static bool isCheap(Value tile, unsigned &budget) {
  Operation *op = tile.getDefiningOp();
  if (!op || budget == 0)
    return false;
  --budget;
  if (isa<ConstantOp, SplatOp, IotaOp, arith::ConstantOp>(op))
    return true;
  return isElementwise(op) && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !tileType(operand) || isCheap(operand, budget);
         });
}

/// The same tile in `layout`, made again; null where that is not cheap.
Value LayoutConversions::remake(OpBuilder &builder, Value tile,
                                Attribute layout) {
  unsigned budget = kMostRemade;
  if (!isCheap(tile, budget))
    return {};
  std::function<Value(Value)> clone = [&](Value value) -> Value {
    IRMapping mapping;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      if (tileType(operand))
        mapping.map(operand, clone(operand));
    Operation *copy = builder.clone(*op, mapping);
    RankedTensorType type = tileType(value).cloneWithEncoding(layout);
    if (auto constant = dyn_cast<arith::ConstantOp>(copy))
      constant.setValueAttr(
          cast<DenseElementsAttr>(constant.getValue()).reshape(type));
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  };
  return clone(tile);
}

Value LayoutConversions::createConversion(OpBuilder &builder, Location loc,
                                          Value tile, Attribute layout) {
  RankedTensorType type = tileType(tile);
  if (auto back = tile.getDefiningOp<ConvertLayoutOp>())
    if (tileType(back.getSource()).getEncoding() == layout)
      return back.getSource();
  auto convert = [&](Value value) {
    ++numConversions;
    return ConvertLayoutOp::create(
        builder, loc, tileType(value).cloneWithEncoding(layout), value);
  };
  auto one = convert(tile);
  bool moves = movesBetweenLanes(one, threads);
  numMoves += moves;
  auto describe = [](Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  };
  remarkPassed(one, kPass, "Converted",
               "from " + describe(type.getEncoding()) + " to " +
                   describe(layout) +
                   (moves ? ": through LDS" : ": registers renamed"));
  if (!moves || !type.getElementType().isInteger(1))
    return one;
  one.erase();
  --numConversions;
  Type byte = builder.getI8Type();
  Value wide = arith::ExtUIOp::create(builder, loc, type.clone(byte), tile);
  return arith::TruncIOp::create(builder, loc, type.cloneWithEncoding(layout),
                                 convert(wide));
}

void LayoutConversions::convertAtUse(OpOperand &use, Attribute layout) {
  if (tileType(use.get()).getEncoding() == layout)
    return;
  OpBuilder builder(use.getOwner());
  Value other = remake(builder, use.get(), layout);
  use.set(other ? other
                : createConversion(builder, use.getOwner()->getLoc(), use.get(),
                                   layout));
}

void LayoutConversions::convert(OpOperand &use, Attribute layout) {
  Value tile = use.get();
  if (tileType(tile).getEncoding() == layout)
    return;
  auto [it, inserted] = made.insert({{tile, layout}, Value()});
  if (inserted) {
    OpBuilder builder(tile.getContext());
    builder.setInsertionPointAfterValue(tile);
    Value other = remake(builder, tile, layout);
    if (!other)
      other = createConversion(builder, use.getOwner()->getLoc(), tile, layout);
    made[{tile, layout}] = other;
  }
  use.set(made.lookup({tile, layout}));
}

void LayoutConversions::convertResult(OpResult result, Attribute layout) {
  RankedTensorType type = tileType(result);
  if (type.getEncoding() == layout)
    return;
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  result.setType(type.cloneWithEncoding(layout));
  SmallVector<OpOperand *> uses = llvm::map_to_vector(
      result.getUses(), [](OpOperand &use) { return &use; });
  Value other =
      createConversion(builder, result.getLoc(), result, type.getEncoding());
  for (OpOperand *use : uses)
    use->set(other);
}
