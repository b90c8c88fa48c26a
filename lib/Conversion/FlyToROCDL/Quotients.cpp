//===- Quotients.cpp - Quotients by powers of two -------------------------===//
//
// A signed quotient by a power of two takes five instructions, since it is
// rounded towards zero, and LLVM does not know what a launch requires. Where
// the dividend is a known multiple, or is shown to be at least 0, it is one
// shift, and an exact one vanishes in the shift of what is multiplied by it.
// Blocks of K that share a scale and elements of 4 bits are counted by such
// quotients.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "AddressTerms.h"
#include "Lowering.h"

using namespace mlir;
using namespace fly;

void fly::lowerQuotients(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> quotients;
  kernel.walk([&](Operation *op) {
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp>(op))
      quotients.push_back(op);
  });
  for (Operation *op : quotients) {
    Value dividend = op->getOperand(0);
    // Vectors are values of tiles: LLVM has facts enough about them.
    if (!dividend.getType().isIntOrIndex())
      continue;
    APInt by;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&by)) ||
        !by.isStrictlyPositive() || !by.isPowerOf2())
      continue;
    bool isSigned = isa<arith::DivSIOp, arith::CeilDivSIOp>(op);
    bool isExact = by.getActiveBits() <= 31 &&
                   knownDivisor(dividend) % by.getZExtValue() == 0;
    bool isShift =
        isExact || (isa<arith::DivSIOp>(op) && isNonNegative(dividend));
    if (!isShift)
      continue;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type type = dividend.getType();
    Value bits = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, by.logBase2()));
    Value quotient =
        isExact && isSigned
            ? arith::ShRSIOp::create(builder, loc, dividend, bits, isExact)
                  .getResult()
            : arith::ShRUIOp::create(builder, loc, dividend, bits, isExact)
                  .getResult();
    op->getResult(0).replaceAllUsesWith(quotient);
    op->erase();
  }
}
