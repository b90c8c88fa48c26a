//===- ShapeLayouts.cpp - Layouts that make shape ops free ----------------===//
//
// One tile of the op leads: one whose layout stands, else the smallest, whose
// threads find their place in the others too. The others try what follows from
// its layout: the same threads over more rounds, the same order of elements
// with another number of dimensions. Whether that is free is not argued, but
// looked up, lane by lane and register by register (ShapeOps.h).
//
//===----------------------------------------------------------------------===//
#include "ShapeLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "../LayoutMoves.h"
#include "../ShapeOps.h"
#include "../TileFlow.h"

using namespace mlir;
using namespace fly;

/// Whether a tile of this shape can have `layout`.
static bool canHold(Attribute layout, Value tile) {
  return succeeded(cast<LayoutAttrInterface>(layout).verifyShape(
      tileType(tile).getShape(), [&] {
        InFlightDiagnostic unsaid = emitError(tile.getLoc());
        unsaid.abandon();
        return unsaid;
      }));
}

//===----------------------------------------------------------------------===//
// What follows from a layout
//===----------------------------------------------------------------------===//

/// Layouts of a tile of rank 2 whose elements, row by row, lie as those of a
/// tile of rank 1.
static void addExpanded(BlockedAttr row, ArrayRef<int64_t> shape,
                        SmallVector<Attribute> &layouts) {
  MLIRContext *context = row.getContext();
  int64_t threads = row.getThreads().front(), vector = row.getVector();
  if (shape[1] == 1)
    layouts.push_back(
        getTransposed(BlockedAttr::get(context, {1, threads}, vector)));
  if (shape[1] % vector != 0)
    return;
  int64_t chunks = shape[1] / vector;
  if (threads % chunks == 0)
    layouts.push_back(
        BlockedAttr::get(context, {threads / chunks, chunks}, vector));
  else
    layouts.push_back(BlockedAttr::get(context, {1, threads}, vector));
}

/// Layouts of a tile of rank 1 with the elements, row by row, of one of rank 2.
static void addCollapsed(BlockedAttr rows, ArrayRef<int64_t> shape,
                         SmallVector<Attribute> &layouts) {
  MLIRContext *context = rows.getContext();
  int64_t perRow = rows.getThreads().back(), vector = rows.getVector();
  if (perRow * vector == shape[1])
    layouts.push_back(BlockedAttr::get(
        context, {rows.getThreads().front() * perRow}, vector));
  layouts.push_back(BlockedAttr::get(context, {perRow}, vector));
}

/// What `tile` may have where `from` has `layout`.
static SmallVector<Attribute> getCandidates(Value from, Attribute layout,
                                            Value tile) {
  ArrayRef<int64_t> given = tileType(from).getShape();
  ArrayRef<int64_t> shape = tileType(tile).getShape();
  SmallVector<Attribute> layouts;
  if (given.size() == shape.size()) {
    layouts.push_back(layout);
  } else if (given.size() < shape.size()) {
    if (auto blocked = dyn_cast<BlockedAttr>(layout))
      addExpanded(blocked, shape, layouts);
  } else {
    if (auto blocked = dyn_cast<BlockedAttr>(layout))
      addCollapsed(blocked, given, layouts);
    // One row or column of many, or of one.
    for (int64_t dim : {0, 1})
      if (given[1 - dim] == shape[0])
        layouts.push_back(getSlice(dim, given[dim], layout));
  }
  llvm::erase_if(layouts,
                 [&](Attribute layout) { return !canHold(layout, tile); });
  return layouts;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
class Search {
public:
  Search(Operation *op, ArrayRef<ShapeSide> sides, int64_t threads,
         function_ref<bool(Value, Attribute)> accepts)
      : op(op), sides(sides), threads(threads), accepts(accepts),
        chosen(sides.size()) {}

  bool run() {
    for (unsigned index : getLeaders()) {
      leader = index;
      chosen[index] = get(sides[index]);
      if (canHold(chosen[index], sides[index].tile) && chooseFrom(0))
        return true;
    }
    return false;
  }
  ArrayRef<Attribute> getChosen() const { return chosen; }

private:
  static Attribute get(const ShapeSide &side) {
    return side.fixed ? side.fixed : side.own;
  }

  /// Those whose layout stands first, then the smallest.
  SmallVector<unsigned> getLeaders() const {
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, sides.size()));
    llvm::sort(order, [&](unsigned lhs, unsigned rhs) {
      auto key = [&](unsigned index) {
        return std::tuple(!sides[index].fixed,
                          tileType(sides[index].tile).getNumElements(), index);
      };
      return key(lhs) < key(rhs);
    });
    return order;
  }

  /// Chooses for the sides from `index` on.
  bool chooseFrom(unsigned index) {
    if (index == sides.size())
      return getShapeMoves(op, ArrayRef(chosen).drop_back(), chosen.back(),
                           threads)
          .has_value();
    const ShapeSide &side = sides[index];
    if (index == leader)
      return chooseFrom(index + 1);
    if (side.fixed) {
      chosen[index] = side.fixed;
      return canHold(side.fixed, side.tile) && chooseFrom(index + 1);
    }
    for (Attribute layout :
         getCandidates(sides[leader].tile, chosen[leader], side.tile)) {
      chosen[index] = layout;
      if (accepts(side.tile, layout) && chooseFrom(index + 1))
        return true;
    }
    return false;
  }

  Operation *op;
  ArrayRef<ShapeSide> sides;
  int64_t threads;
  function_ref<bool(Value, Attribute)> accepts;
  unsigned leader = 0;
  SmallVector<Attribute> chosen;
};
} // namespace

std::optional<SmallVector<Attribute>>
fly::findFreeLayouts(Operation *op, ArrayRef<ShapeSide> sides, int64_t threads,
                     function_ref<bool(Value, Attribute)> accepts) {
  Search search(op, sides, threads, accepts);
  if (!search.run())
    return std::nullopt;
  return SmallVector<Attribute>(search.getChosen());
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

void fly::moveTruthAsBytes(Operation *op, int64_t threads) {
  RankedTensorType type = tileType(op->getResult(0));
  if (!type.getElementType().isInteger(1) || getShapeMoves(op, threads))
    return;
  OpBuilder builder(op);
  Type byte = builder.getI8Type();
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands())
    if (RankedTensorType tile = tileType(operand.get()))
      operand.set(arith::ExtUIOp::create(builder, loc, tile.clone(byte),
                                         operand.get()));
  Value result = op->getResult(0);
  builder.setInsertionPointAfter(op);
  result.setType(type.clone(byte));
  auto truth = arith::TruncIOp::create(builder, loc, type, result);
  result.replaceAllUsesExcept(truth, truth);
}
