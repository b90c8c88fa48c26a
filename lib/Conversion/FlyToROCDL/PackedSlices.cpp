//===- PackedSlices.cpp - Slices of elements of few bits ------------------===//
//
// LLVM takes vectors of elements below a byte apart element by element, through
// memory where they are many [LLVM22]: joining two packs of 32 codes of 4 bits
// took 800 instructions. What is whole dwords is sliced as dwords, which is the
// naming of registers. Bytes that begin a register whose others have no value
// are an integer that is extended, which a load does by itself; LLVM would
// repeat the bytes. Other slices stay as they are.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

VectorType fly::getDwords(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      !vector.getElementType().isIntOrFloat())
    return {};
  int64_t bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  if (vector.getElementTypeBitWidth() >= 8 || bits % arch::registerBits != 0)
    return {};
  return VectorType::get(
      {bits / arch::registerBits},
      IntegerType::get(type.getContext(), arch::registerBits));
}

/// `value` as dwords: what it was cast from, where it was.
static Value toDwords(OpBuilder &builder, Value value) {
  VectorType type = getDwords(value.getType());
  Location loc = value.getLoc();
  if (auto cast = value.getDefiningOp<vector::BitCastOp>())
    if (cast.getSource().getType() == type)
      return cast.getSource();
  if (value.getDefiningOp<ub::PoisonOp>())
    return ub::PoisonOp::create(builder, loc, type);
  return vector::BitCastOp::create(builder, loc, type, value);
}

/// The dword that element `offset` of `type` begins; none within one.
static std::optional<int64_t> getDword(VectorType type, ArrayAttr offsets) {
  int64_t bits = cast<IntegerAttr>(offsets[0]).getInt() *
                 int64_t(type.getElementTypeBitWidth());
  return bits % arch::registerBits == 0
             ? std::optional(bits / arch::registerBits)
             : std::nullopt;
}

VectorType fly::getFilledRegister(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      !vector.getElementType().isIntOrFloat() ||
      vector.getElementTypeBitWidth() != 8 ||
      vector.getNumElements() >= arch::registerBytes)
    return {};
  return VectorType::get({arch::registerBytes}, vector.getElementType());
}

bool fly::fillsRegister(vector::InsertStridedSliceOp insert) {
  return insert.getDestVectorType() ==
             getFilledRegister(insert.getSourceVectorType()) &&
         cast<IntegerAttr>(insert.getOffsets()[0]).getInt() == 0 &&
         insert.getDest().getDefiningOp<ub::PoisonOp>();
}

/// The dword that `insert` makes of a few bytes at its begin.
static Value extendBytes(OpBuilder &builder,
                         vector::InsertStridedSliceOp insert) {
  VectorType from = insert.getSourceVectorType();
  Location loc = insert.getLoc();
  Type word = builder.getIntegerType(arch::registerBits);
  auto few =
      VectorType::get({1}, builder.getIntegerType(from.getNumElements() * 8));
  Value value =
      vector::BitCastOp::create(builder, loc, few, insert.getValueToStore());
  value = vector::ExtractOp::create(builder, loc, value, int64_t(0));
  value = arith::ExtUIOp::create(builder, loc, word, value);
  return vector::BroadcastOp::create(builder, loc, VectorType::get({1}, word),
                                     value);
}

void fly::lowerPackedSlices(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> old;
  auto replace = [&](Operation *op, Value dwords, OpBuilder &builder) {
    Value whole = vector::BitCastOp::create(builder, op->getLoc(),
                                            op->getResult(0).getType(), dwords);
    op->getResult(0).replaceAllUsesWith(whole);
    old.push_back(op);
  };
  const SmallVector<int64_t> one = {1};
  kernel.walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto extract = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
      VectorType from = extract.getSourceVectorType();
      VectorType part = getDwords(extract.getType());
      if (!part || !getDwords(from))
        return;
      if (auto first = getDword(from, extract.getOffsets()))
        replace(op,
                vector::ExtractStridedSliceOp::create(
                    builder, op->getLoc(),
                    toDwords(builder, extract.getSource()), {*first},
                    part.getShape(), one),
                builder);
    } else if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(op)) {
      VectorType into = insert.getDestVectorType();
      if (fillsRegister(insert))
        return replace(op, extendBytes(builder, insert), builder);
      if (!getDwords(insert.getSourceVectorType()) || !getDwords(into))
        return;
      if (auto first = getDword(into, insert.getOffsets()))
        replace(op,
                vector::InsertStridedSliceOp::create(
                    builder, op->getLoc(),
                    toDwords(builder, insert.getValueToStore()),
                    toDwords(builder, insert.getDest()), {*first}, one),
                builder);
    }
  });
  for (Operation *op : llvm::reverse(old))
    op->erase();
}
