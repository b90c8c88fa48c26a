//===- Packed.cpp - Elements below a byte in registers --------------------===//
//
// Bits of rows as other elements, and integers below a byte widened. LLVM takes
// vectors of such integers apart through memory [LLVM22], so each is cut out of
// its word by two shifts, which are one instruction (v_bfe).
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

LogicalResult Distributor::distribute(BitcastOp op) {
  // Next to a dot that reads the bits piece by piece, the pieces are cast.
  auto load = op.getSource().getDefiningOp<LoadOp>();
  if (load && isReadByDot(load))
    return success();
  VectorType type = getRegisterType(tileType(op.getResult()));
  Value source = lookup(op.getSource());
  auto from = cast<VectorType>(source.getType());
  if (from.getShape().drop_back() != type.getShape().drop_back() ||
      from.getShape().back() * from.getElementTypeBitWidth() !=
          type.getShape().back() * type.getElementTypeBitWidth())
    return op.emitOpError() << "has " << tileType(op.getSource()).getEncoding()
                            << " and " << tileType(op.getResult()).getEncoding()
                            << ", which hold other bits in a lane: run "
                               "fly-assign-layouts first";
  mapping.map(op.getResult(),
              vector::BitCastOp::create(builder, op.getLoc(), type, source));
  return success();
}

bool Distributor::widensPacked(Operation *op) {
  if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(
          op))
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  return from && from.getElementType().isInteger() &&
         llvm::is_contained({2, 4}, from.getElementTypeBitWidth());
}

/// The integers of `bits` bits of a vector of them, as a vector of i32.
static Value unpack(OpBuilder &builder, Location loc, Value packed,
                    bool isSigned) {
  auto type = cast<VectorType>(packed.getType());
  int64_t bits = type.getElementTypeBitWidth();
  int64_t count = type.getNumElements(), total = bits * count;
  // As few words as there are.
  int64_t width = total % 32 == 0 ? 32 : total % 16 == 0 ? 16 : 8;
  auto words = VectorType::get({total / width}, builder.getIntegerType(width));
  Value word = vector::BitCastOp::create(builder, loc, words, packed);
  auto wide = VectorType::get({total / width}, builder.getI32Type());
  if (width < 32)
    word = arith::ExtUIOp::create(builder, loc, wide, word);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(number));
  };
  Value down = constant(32 - bits);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i) {
    Value one = vector::ExtractOp::create(builder, loc, word, i * bits / width);
    Value up = arith::ShLIOp::create(builder, loc, one,
                                     constant(32 - bits - i * bits % width));
    elements.push_back(
        isSigned ? arith::ShRSIOp::create(builder, loc, up, down).getResult()
                 : arith::ShRUIOp::create(builder, loc, up, down).getResult());
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({count}, builder.getI32Type()), elements);
}

LogicalResult Distributor::distributePacked(Operation *op) {
  Location loc = op->getLoc();
  Value source = lookup(op->getOperand(0));
  auto from = cast<VectorType>(source.getType());
  VectorType to = getRegisterType(tileType(op->getResult(0)));
  int64_t inner = from.getShape().back();
  if (inner * from.getElementTypeBitWidth() % 8 != 0)
    return op->emitOpError()
           << "widens " << inner << " " << from.getElementType()
           << " of a lane, which are no whole bytes";
  bool isSigned = isa<arith::ExtSIOp, arith::SIToFPOp>(op);
  VectorType row = VectorType::get({inner}, to.getElementType());
  Value array = ub::PoisonOp::create(builder, loc, to);
  for (int64_t first = 0; first < from.getNumElements(); first += inner) {
    SmallVector<int64_t> position = positionOf(from.getShape(), first);
    Value wide =
        unpack(builder, loc,
               extractGroup(builder, loc, source, position, inner), isSigned);
    // Numbers of few bits have the same value with and without a sign now.
    if (isa<FloatType>(to.getElementType()))
      wide = arith::SIToFPOp::create(builder, loc, row, wide);
    else if (to.getElementTypeBitWidth() > 32)
      wide = arith::ExtSIOp::create(builder, loc, row, wide);
    else if (to.getElementTypeBitWidth() < 32)
      wide = arith::TruncIOp::create(builder, loc, row, wide);
    array = insertGroup(builder, loc, wide, array, position);
  }
  mapping.map(op->getResult(0), array);
  return success();
}
