//===- Registers.cpp - Registers under other names ------------------------===//
//
// What neither computes nor moves between lanes: changes of layout, transposes,
// slices, concatenations and reshapes whose layouts give each lane what it has
// already. The registers of the result are registers of the operands.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/SmallVectorExtras.h"

#include "../LayoutMoves.h"
#include "../ShapeOps.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// Whether the registers are consecutive ones of one row of one array.
static bool isRun(ArrayRef<RegisterSource> row, ValueRange arrays) {
  int64_t inner =
      cast<VectorType>(arrays[row.front().operand].getType()).getShape().back();
  for (auto [index, move] : llvm::enumerate(row))
    if (move.operand != row.front().operand ||
        move.number != row.front().number + index ||
        move.number / inner != row.front().number / inner)
      return false;
  return true;
}

/// The registers `moves` of `arrays`, as an array of this type.
static Value collectRegisters(OpBuilder &builder, Location loc,
                              ValueRange arrays, ArrayRef<RegisterSource> moves,
                              VectorType type) {
  auto locate = [&](RegisterSource move) {
    return positionOf(
        cast<VectorType>(arrays[move.operand].getType()).getShape(),
        move.number);
  };
  int64_t inner = type.getShape().back();
  Value array = ub::PoisonOp::create(builder, loc, type);
  for (size_t first = 0; first < moves.size(); first += inner) {
    ArrayRef<RegisterSource> row = moves.slice(first, inner);
    Value group;
    if (isRun(row, arrays)) {
      group = extractGroup(builder, loc, arrays[row.front().operand],
                           locate(row.front()), inner);
    } else {
      auto elements =
          llvm::map_to_vector(row, [&](RegisterSource move) -> Value {
            return vector::ExtractOp::create(builder, loc, arrays[move.operand],
                                             locate(move));
          });
      group = vector::FromElementsOp::create(
          builder, loc, VectorType::get({inner}, type.getElementType()),
          elements);
    }
    array = insertGroup(builder, loc, group, array,
                        positionOf(type.getShape(), first));
  }
  return array;
}

Value distribute::renameRegisters(OpBuilder &builder, Location loc,
                                  Value source, ArrayRef<unsigned> moves,
                                  VectorType type) {
  auto sources = llvm::map_to_vector(
      moves, [](unsigned number) { return RegisterSource{0, number}; });
  return collectRegisters(builder, loc, ValueRange(source), sources, type);
}

LogicalResult Distributor::distribute(ConvertLayoutOp op) {
  auto isDistributed = [](Value value) {
    return isa_and_nonnull<LayoutAttrInterface>(tileType(value).getEncoding());
  };
  if (isDistributed(op.getSource()) && isDistributed(op)) {
    LaneMap from = distribute::getLaneMap(tileType(op.getSource()));
    LaneMap to = distribute::getLaneMap(tileType(op.getResult()));
    if (auto moves = getRegisterMoves(from, to, threads)) {
      Value source = lookup(op.getSource());
      bool isSame = from.registers == to.registers;
      for (auto [index, move] : llvm::enumerate(*moves))
        isSame &= index == move;
      mapping.map(op.getResult(),
                  isSame ? source
                         : distribute::renameRegisters(
                               builder, op.getLoc(), source, *moves,
                               getRegisterType(tileType(op.getResult()))));
      return success();
    }
  }
  return op.emitOpError() << "from " << tileType(op.getSource()).getEncoding()
                          << " to " << tileType(op.getResult()).getEncoding()
                          << " moves elements between lanes: run "
                             "fly-stage-lds first, which sends them through "
                             "LDS";
}

LogicalResult Distributor::distribute(TransposeOp op) {
  // A dot reads the pieces of its source.
  if (auto load = op.getSource().getDefiningOp<LoadOp>();
      load && isReadByDot(load))
    return success();
  RankedTensorType source = tileType(op.getSource());
  RankedTensorType result = tileType(op.getResult());
  if (!isa_and_nonnull<LayoutAttrInterface>(source.getEncoding()))
    return op.emitOpError() << "has a tile without a layout: run "
                               "fly-assign-layouts first";
  LaneMap from = distribute::getLaneMap(source);
  LaneMap to = distribute::getLaneMap(result);
  LaneMap moved = from;
  for (auto [d, dim] : llvm::enumerate(op.getPermutation())) {
    moved.base[d] = from.base[dim];
    for (auto [tail, old] : llvm::zip(moved.tails, from.tails))
      tail[d] = old[dim];
  }
  auto moves = getRegisterMoves(moved, to, threads);
  if (!moves || moved.registers != to.registers ||
      !llvm::equal(*moves, llvm::seq<unsigned>(0, moves->size())))
    return op.emitOpError()
           << "has " << source.getEncoding() << " and " << result.getEncoding()
           << ", which are not the transpose of each other: run "
              "fly-assign-layouts, which adds the conversion";
  mapping.map(op.getResult(), lookup(op.getSource()));
  return success();
}

LogicalResult Distributor::distributeShape(Operation *op) {
  auto moves = getShapeMoves(op, threads);
  if (!moves)
    return op->emitOpError()
           << "moves elements between lanes: run fly-stage-lds first, which "
              "sends them through LDS";
  auto arrays = llvm::map_to_vector(op->getOperands(),
                                    [&](Value tile) { return lookup(tile); });
  mapping.map(op->getResult(0),
              collectRegisters(builder, op->getLoc(), arrays, *moves,
                               getRegisterType(tileType(op->getResult(0)))));
  return success();
}
