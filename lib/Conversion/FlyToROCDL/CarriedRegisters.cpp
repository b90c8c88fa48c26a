//===- CarriedRegisters.cpp - What loops carry fills registers ------------===//
//
// LLVM hands a vector of few bytes from block to block byte by byte, each in a
// register of its own that is cleared and put together again in every round
// [LLVM22]. Whoever loads three bytes or less for the next round (scales of a
// matrix product, weights of 4 bits) carries a dword instead, whose other bytes
// have no value. What narrows it is left in the loop only where somebody looks
// at the bytes: a use that fills a register with them takes the dword.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

/// What a loop carries in place of `type`; null for what it carries itself.
static VectorType getCarried(Type type) {
  if (getFilledRegister(type))
    return VectorType::get(
        {1}, IntegerType::get(type.getContext(), arch::registerBits));
  return getDwords(type);
}

/// `value` in the type that is carried, with bytes without a value where it
/// does not fill that.
static Value fill(OpBuilder &builder, Location loc, Value value) {
  Type carried = getCarried(value.getType());
  if (VectorType filled = getFilledRegister(value.getType()))
    value = vector::InsertStridedSliceOp::create(
        builder, loc, value, ub::PoisonOp::create(builder, loc, filled),
        ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
  return vector::BitCastOp::create(builder, loc, carried, value);
}

/// Lets the users of `value` see the first bytes of `dword`.
static void replaceByDword(OpBuilder &builder, Location loc, Value value,
                           Value dword) {
  if (value.use_empty())
    return;
  VectorType filled = getFilledRegister(value.getType());
  if (!filled) {
    value.replaceAllUsesWith(
        vector::BitCastOp::create(builder, loc, value.getType(), dword));
    return;
  }
  Value bytes = vector::BitCastOp::create(builder, loc, filled, dword);
  for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
    if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(user);
        insert && fillsRegister(insert)) {
      user->getResult(0).replaceAllUsesWith(bytes);
      user->erase();
    }
  if (value.use_empty())
    return;
  Value some = vector::ExtractStridedSliceOp::create(
      builder, loc, bytes, ArrayRef<int64_t>{0},
      cast<VectorType>(value.getType()).getShape(), ArrayRef<int64_t>{1});
  value.replaceAllUsesWith(some);
}

static void carryDwords(scf::ForOp loop) {
  if (llvm::none_of(loop.getInitArgs().getTypes(),
                    [](Type type) { return bool(getCarried(type)); }))
    return;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto fillAll = [&](ValueRange values) {
    SmallVector<Value> filled;
    for (Value value : values)
      filled.push_back(getCarried(value.getType()) ? fill(builder, loc, value)
                                                   : value);
    return filled;
  };
  auto own = scf::ForOp::create(
      builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
      fillAll(loop.getInitArgs()), nullptr, loop.getUnsignedCmp());
  own->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = own.getBody(), *before = loop.getBody();
  if (!body->empty())
    body->getTerminator()->erase();
  body->getOperations().splice(body->end(), before->getOperations());
  // The yield first: what it fills a use may take as it is.
  Operation *yield = body->getTerminator();
  builder.setInsertionPoint(yield);
  yield->setOperands(fillAll(yield->getOperands()));
  auto replace = [&](ValueRange olds, ValueRange news) {
    for (auto [from, to] : llvm::zip_equal(olds, news)) {
      if (getCarried(from.getType()))
        replaceByDword(builder, loc, from, to);
      else
        from.replaceAllUsesWith(to);
    }
  };
  builder.setInsertionPointToStart(body);
  replace(before->getArguments(), body->getArguments());
  builder.setInsertionPointAfter(own);
  replace(loop.getResults(), own.getResults());
  loop.erase();
}

void fly::carryDwords(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    ::carryDwords(loop);
}
