//===- Events.cpp - The number of checks that a wave has come to ----------===//
//
// A counter in private memory, which LLVM turns into a register: control flow
// of any shape counts right without values carried through it. [LLVM22] SROA.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

void fly::lowerEvents(gpu::GPUFuncOp kernel) {
  SmallVector<EventOp> events;
  kernel.walk([&](EventOp event) { events.push_back(event); });
  if (events.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, value);
  };
  auto pointer = LLVM::LLVMPointerType::get(
      builder.getContext(), ROCDL::ROCDLDialect::kPrivateMemoryAddressSpace);
  Value counter =
      LLVM::AllocaOp::create(builder, loc, pointer, i32, constant(1));
  LLVM::StoreOp::create(builder, loc, constant(0), counter);
  for (EventOp event : events) {
    builder.setInsertionPoint(event);
    Value number = LLVM::LoadOp::create(builder, loc, i32, counter);
    Value next = arith::AddIOp::create(builder, loc, number, constant(1));
    LLVM::StoreOp::create(builder, loc, next, counter);
    event.replaceAllUsesWith(number);
    event.erase();
  }
}
