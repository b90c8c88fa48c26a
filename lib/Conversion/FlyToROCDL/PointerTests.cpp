//===- PointerTests.cpp - Tests of addresses ------------------------------===//
//
// fly.is_aligned looks at the low bits of an address, which is in scalar
// registers: the test is one scalar instruction.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

void fly::lowerPointerTests(gpu::GPUFuncOp kernel) {
  kernel.walk([](IsAlignedOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type i64 = builder.getI64Type();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIntOp::create(builder, loc, i64, number);
    };
    auto pointer = LLVM::LLVMPointerType::get(
        op.getContext(), ROCDL::ROCDLDialect::kGlobalMemoryAddressSpace);
    Value address =
        UnrealizedConversionCastOp::create(builder, loc, pointer, op.getPtr())
            .getResult(0);
    Value low = arith::AndIOp::create(
        builder, loc, LLVM::PtrToIntOp::create(builder, loc, i64, address),
        constant(int64_t(op.getBytes()) - 1));
    Value isAligned = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, low, constant(0));
    op.getResult().replaceAllUsesWith(isAligned);
    op.erase();
  });
}
