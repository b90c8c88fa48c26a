//===- ScalarOffsets.cpp - What is uniform in a wave is known as that -----===//
//
// What problem: the scalar offset of a buffer access is the same in all lanes,
// because nothing else is put there (GlobalOffsets.cpp). LLVM must find that
// again, and loses it where a value takes the way over a vector register, as
// after merging equal sums of two ways into a loop: it then walks the lanes of
// every access in a loop of its own (readfirstlane, compare, access, branch).
// [LLVM22] SIFixSGPRCopies, SIInstrInfo::legalizeOperands
// What idea: the values that an offset is made of in a loop, and that come from
// before it, are read from the first lane, once, where they are made. Of what
// is in a scalar register already LLVM makes a copy. In the loop are then
// scalar values alone.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

namespace {

/// Reads values from the first lane, each once.
class ScalarValues {
public:
  /// Makes what `use` takes, in `loop` where there is one, known as uniform.
  void keep(OpOperand &use, LoopLikeOpInterface loop);

private:
  Value get(Value value);

  llvm::DenseMap<Value, Value> scalars;
};

} // namespace

/// The scalar offset of a buffer access; null for other ops.
static OpOperand *getScalarOffset(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpOperand *>(op)
      .Case<ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferStoreOp,
            ROCDL::RawPtrBufferLoadLdsOp>(
          [](auto access) { return &access.getSoffsetMutable(); })
      .Default([](Operation *) { return nullptr; });
}

/// Whether LLVM has a value in a scalar register by its nature: constants,
/// arguments of the kernel, numbers of workgroups, what has been read.
static bool isScalar(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return matchPattern(op, m_Constant()) ||
         isa<ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp, ROCDL::BlockIdXOp,
             ROCDL::BlockIdYOp, ROCDL::BlockIdZOp>(op);
}

Value ScalarValues::get(Value value) {
  Value &scalar = scalars[value];
  if (!scalar) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    scalar = ROCDL::ReadfirstlaneOp::create(builder, value.getLoc(),
                                            value.getType(), value);
  }
  return scalar;
}

void ScalarValues::keep(OpOperand &use, LoopLikeOpInterface loop) {
  Value value = use.get();
  if (!value.getType().isInteger(32) || isScalar(value))
    return;
  Operation *op = value.getDefiningOp();
  if (!loop || loop.isDefinedOutsideOfLoop(value)) {
    use.set(get(value));
    return;
  }
  // What the loop carries or counts is made of what has been kept, too, or of
  // its bounds.
  if (op && op->getNumRegions() == 0 &&
      isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    for (OpOperand &operand : op->getOpOperands())
      keep(operand, loop);
}

void fly::keepOffsetsScalar(gpu::GPUFuncOp kernel) {
  ScalarValues values;
  kernel.walk([&](Operation *op) {
    if (OpOperand *offset = getScalarOffset(op))
      values.keep(*offset, op->getParentOfType<LoopLikeOpInterface>());
  });
}
