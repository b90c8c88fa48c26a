//===- Shuffles.cpp - Exchanges between lanes of a wave -------------------===//
//
// gpu.shuffle xor of one bit becomes the cheapest instruction that moves a
// register so: DPP within a row of 16 lanes, ds_swizzle within 32,
// ds_bpermute across. The other modes compute the lane to read and go through
// ds_bpermute. Values of 64 bits go in halves, narrow ones in a register.
//
// With a width below the wave, the lanes are rows of that many. A lane whose
// source lies outside its row gets its own value, and `valid` is false.
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

namespace {
/// The lane that each lane reads, for modes that are not xor of one bit.
struct SourceLane {
  Value lane;  ///< i32: of the wave; the lane itself where it is not valid.
  Value valid; ///< i1
};
} // namespace

static SourceLane computeSource(gpu::ShuffleOp op, int64_t width,
                                I32Builder &i32) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Value lane = i32.cast(LaneOp::create(builder, loc, builder.getIndexType()));
  Value offset = op.getOffset();
  auto bitAnd = [&](Value a, int64_t mask) {
    return builder.createOrFold<arith::AndIOp>(loc, a, i32.constant(mask));
  };
  // Places in the row, as unsigned numbers: below the width are those in it.
  Value row = bitAnd(lane, ~(width - 1)), place = bitAnd(lane, width - 1);
  Value from;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    from = builder.createOrFold<arith::XOrIOp>(loc, place, offset);
    break;
  case gpu::ShuffleMode::UP:
    from = i32.sub(place, offset);
    break;
  case gpu::ShuffleMode::DOWN:
    from = i32.add(place, offset);
    break;
  case gpu::ShuffleMode::IDX:
    from = offset;
    break;
  }
  Value valid = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, from, i32.constant(width));
  Value source = builder.createOrFold<arith::SelectOp>(
      loc, valid, i32.add(row, from), lane);
  return {source, valid};
}

static LogicalResult lower(gpu::ShuffleOp op) {
  APInt offset, width;
  Type type = op.getValue().getType();
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)) ||
      !width.isPowerOf2() || width.ugt(arch::waveLanes) ||
      !llvm::is_contained({8u, 16u, 32u, 64u}, bits))
    return op.emitOpError() << "is lowered on values of 8, 16, 32 or 64 bits, "
                               "over a constant power of two of lanes";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  I32Builder i32(builder, loc);
  Type word = builder.getI32Type();
  bool isOneBit = op.getMode() == gpu::ShuffleMode::XOR &&
                  matchPattern(op.getOffset(), m_ConstantInt(&offset)) &&
                  offset.isPowerOf2() && offset.ult(width);
  SourceLane source;
  Value address;
  if (!isOneBit) {
    source = computeSource(op, width.getZExtValue(), i32);
    address = i32.mul(source.lane, 4);
  }
  auto move = [&](Value value) -> Value {
    if (isOneBit)
      return exchange(i32, value, offset.getZExtValue());
    return ROCDL::DsBpermuteOp::create(builder, loc, word, address, value);
  };
  auto cast = [&](Value value, Type to) -> Value {
    return value.getType() == to
               ? value
               : arith::BitcastOp::create(builder, loc, to, value);
  };
  Value result;
  if (bits == 32) {
    result = cast(move(cast(op.getValue(), word)), type);
  } else if (bits < 32) {
    Type whole = builder.getIntegerType(bits);
    Value wide =
        arith::ExtUIOp::create(builder, loc, word, cast(op.getValue(), whole));
    result =
        cast(arith::TruncIOp::create(builder, loc, whole, move(wide)), type);
  } else {
    Value halves = vector::BitCastOp::create(
        builder, loc, VectorType::get({2}, word),
        vector::FromElementsOp::create(builder, loc, VectorType::get({1}, type),
                                       op.getValue()));
    SmallVector<Value> moved;
    for (int64_t half : {0, 1})
      moved.push_back(
          move(vector::ExtractOp::create(builder, loc, halves, half)));
    Value both = vector::FromElementsOp::create(
        builder, loc, VectorType::get({2}, word), moved);
    result = vector::ExtractOp::create(
        builder, loc,
        vector::BitCastOp::create(builder, loc, VectorType::get({1}, type),
                                  both),
        int64_t(0));
  }
  op.getShuffleResult().replaceAllUsesWith(result);
  Value valid = op.getValid();
  if (!valid.use_empty())
    valid.replaceAllUsesWith(
        source.valid ? source.valid
                     : arith::ConstantOp::create(
                           builder, loc,
                           builder.getIntegerAttr(builder.getI1Type(), 1)));
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
