//===- Pieces.cpp - A vector as machine accesses --------------------------===//
//
// Memory instructions move 8, 16 or n times 32 bits. Pieces of whole dwords are
// joined as dwords, so that instruction selection sees registers put side by
// side; narrower pieces are joined as elements.
//
//===----------------------------------------------------------------------===//
#include "Pieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "Lowering.h"

using namespace mlir;
using namespace fly;

Type fly::getAccessType(OpBuilder &builder, unsigned bytes) {
  if (bytes <= 4)
    return builder.getIntegerType(bytes * 8);
  return VectorType::get(bytes / 4, builder.getI32Type());
}

static Type elementOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

/// `value` with the same bits as `type`, which is as wide.
static Value reinterpret(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  if (value.getType() == type)
    return value;
  auto from = dyn_cast<VectorType>(value.getType());
  auto to = dyn_cast<VectorType>(type);
  if (!from && !to)
    return arith::BitcastOp::create(builder, loc, type, value);
  if (!from) {
    auto single = VectorType::get(1, value.getType());
    value = vector::BroadcastOp::create(builder, loc, single, value);
  }
  VectorType target = to ? to : VectorType::get(1, type);
  if (value.getType() != target)
    value = vector::BitCastOp::create(builder, loc, target, value);
  if (to)
    return value;
  return vector::ExtractOp::create(builder, loc, value, int64_t(0));
}

Value fly::assemblePieces(OpBuilder &builder, Location loc, Type type,
                          ArrayRef<Piece> pieces, ValueRange registers) {
  if (pieces.size() == 1)
    return reinterpret(builder, loc, registers[0], type);
  Type element = elementOf(type);
  unsigned elementBytes = getElementBytes(element);
  bool dwords = llvm::all_of(
      pieces, [&](Piece piece) { return piece.count * elementBytes % 4 == 0; });
  // The unit in which pieces are put side by side.
  Type unit = dwords ? builder.getI32Type() : element;
  unsigned unitBytes = dwords ? 4 : elementBytes;
  unsigned units =
      cast<VectorType>(type).getNumElements() * elementBytes / unitBytes;
  auto joined = VectorType::get(units, unit);
  Value result = ub::PoisonOp::create(builder, loc, joined);
  int64_t position = 0;
  for (auto [piece, value] : llvm::zip_equal(pieces, registers)) {
    unsigned count = piece.count * elementBytes / unitBytes;
    Type pieceType = count == 1 ? unit : VectorType::get(count, unit);
    Value part = reinterpret(builder, loc, value, pieceType);
    for (unsigned i = 0; i < count; ++i, ++position) {
      Value one = count == 1 ? part
                             : vector::ExtractOp::create(builder, loc, part,
                                                         int64_t(i));
      result = vector::InsertOp::create(builder, loc, one, result, position);
    }
  }
  return reinterpret(builder, loc, result, type);
}

Value fly::extractPiece(OpBuilder &builder, Location loc, Value value,
                        Piece piece) {
  Type element = elementOf(value.getType());
  unsigned elementBytes = getElementBytes(element);
  Type access = getAccessType(builder, piece.count * elementBytes);
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector || vector.getNumElements() == piece.count)
    return reinterpret(builder, loc, value, access);
  bool dwords = elementBytes < 4 && piece.count * elementBytes % 4 == 0 &&
                vector.getNumElements() * elementBytes % 4 == 0 &&
                piece.first * elementBytes % 4 == 0;
  unsigned first = piece.first, count = piece.count;
  if (dwords) {
    unsigned perDword = 4 / elementBytes;
    value = reinterpret(builder, loc, value,
                        VectorType::get(vector.getNumElements() / perDword,
                                        builder.getI32Type()));
    element = builder.getI32Type();
    first /= perDword;
    count /= perDword;
  }
  if (count == 1)
    return reinterpret(
        builder, loc,
        vector::ExtractOp::create(builder, loc, value, int64_t(first)), access);
  Value part =
      ub::PoisonOp::create(builder, loc, VectorType::get(count, element));
  for (unsigned i = 0; i < count; ++i) {
    Value one =
        vector::ExtractOp::create(builder, loc, value, int64_t(first) + i);
    part = vector::InsertOp::create(builder, loc, one, part, int64_t(i));
  }
  return reinterpret(builder, loc, part, access);
}
