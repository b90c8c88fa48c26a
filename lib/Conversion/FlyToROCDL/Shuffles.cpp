//===- Shuffles.cpp - Exchanges between lanes of a wave -------------------===//
//
// gpu.shuffle xor of one bit becomes the cheapest instruction that moves a
// register so: DPP within a row of 16 lanes, ds_swizzle within 32,
// ds_bpermute across. Values of 64 bits go in halves.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/LaneExchange.h"
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

/// `value`, an i32, as lanes hold it whose number differs in `bit` (a power of
/// two).
static Value exchange(I32Builder &i32, Value value, int64_t bit) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  auto dpp = [&](Value source, uint32_t control) -> Value {
    return ROCDL::DPPUpdateOp::create(builder, loc, source.getType(), source,
                                      source, control, arch::dppAllRows,
                                      arch::dppAllBanks, /*boundCtrl=*/true);
  };
  switch (bit) {
  case 1:
    return dpp(value, arch::dppQuadPerm(1, 0, 3, 2));
  case 2:
    return dpp(value, arch::dppQuadPerm(2, 3, 0, 1));
  case 4: // A mirror of 8 flips three bits, a mirror of 4 two of them back.
    return dpp(dpp(value, arch::dppRowHalfMirror),
               arch::dppQuadPerm(3, 2, 1, 0));
  case 8:
    return dpp(value, arch::dppRowRor(8));
  case 16:
    return ROCDL::DsSwizzleOp::create(builder, loc, value.getType(), value,
                                      i32.constant(arch::dsSwizzleXor(16)));
  default: {
    // ds_bpermute takes the lane as a byte address.
    Value lane = i32.cast(LaneOp::create(builder, loc, builder.getIndexType()));
    Value other =
        builder.createOrFold<arith::XOrIOp>(loc, lane, i32.constant(bit));
    return ROCDL::DsBpermuteOp::create(builder, loc, value.getType(),
                                       i32.mul(other, 4), value);
  }
  }
}

static LogicalResult lower(gpu::ShuffleOp op) {
  APInt offset;
  Type type = op.getValue().getType();
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (op.getMode() != gpu::ShuffleMode::XOR ||
      !matchPattern(op.getOffset(), m_ConstantInt(&offset)) ||
      !offset.isPowerOf2() || !offset.ult(arch::waveLanes) ||
      (bits != 32 && bits != 64))
    return op.emitOpError() << "is lowered as xor of one bit of the lane "
                               "number, on values of 32 or 64 bits";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  I32Builder i32(builder, loc);
  int64_t bit = offset.getZExtValue();
  Type word = builder.getI32Type();
  Value result;
  if (bits == 32) {
    Value value = op.getValue();
    if (type != word)
      value = arith::BitcastOp::create(builder, loc, word, value);
    result = exchange(i32, value, bit);
    if (type != word)
      result = arith::BitcastOp::create(builder, loc, type, result);
  } else {
    Value halves = vector::BitCastOp::create(
        builder, loc, VectorType::get({2}, word),
        vector::FromElementsOp::create(builder, loc, VectorType::get({1}, type),
                                       op.getValue()));
    SmallVector<Value> exchanged;
    for (int64_t half : {0, 1})
      exchanged.push_back(exchange(
          i32, vector::ExtractOp::create(builder, loc, halves, half), bit));
    Value both = vector::FromElementsOp::create(
        builder, loc, VectorType::get({2}, word), exchanged);
    result = vector::ExtractOp::create(
        builder, loc,
        vector::BitCastOp::create(builder, loc, VectorType::get({1}, type),
                                  both),
        int64_t(0));
  }
  op.getShuffleResult().replaceAllUsesWith(result);
  Value valid = op.getValid();
  if (!valid.use_empty())
    valid.replaceAllUsesWith(arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(builder.getI1Type(), 1)));
  op.erase();
  return success();
}

LogicalResult fly::lowerShuffles(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::ShuffleOp> ops;
  kernel.walk([&](gpu::ShuffleOp op) { ops.push_back(op); });
  for (gpu::ShuffleOp op : ops)
    if (failed(lower(op)))
      return failure();
  return success();
}
