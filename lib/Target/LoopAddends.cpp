//===- LoopAddends.cpp - Constant addends stay in their loops -------------===//
//
// A buffer access adds a constant of 12 bits by itself, if the addition stands
// in its block. LLVM moves additions that do not change in a loop out of it
// [LLVM22] LICM in the code generator, and each offset is a vector register of
// its own from there on: 48 of them in a loop that had 16 offsets, which then
// spilled. So the offset goes round the loop, through an assembly statement
// without text: it makes no instruction, and what is added to its result does
// not seem to stay the same.
//
// Loops of one block alone, which hot loops are; others are left as they are.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

#include "Portfolio.h"

using namespace fly::target;
using llvm::Value;

/// The operand of a buffer access that a vector register holds and that the
/// instruction adds a constant to; none for other calls.
static std::optional<unsigned> getOffsetOperand(const llvm::User *user) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
  if (!call)
    return std::nullopt;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_load:
    return 1;
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_store:
    return 2;
  default:
    return std::nullopt;
  }
}

static bool isOffset(const llvm::Use &use) {
  return getOffsetOperand(use.getUser()) == use.getOperandNo();
}

/// Whether lanes may have values of their own. What all lanes share is in a
/// scalar register, and the statement would make vectors of all that comes of
/// it: a branch on EXEC of a scalar one.
static bool mayDiffer(Value *value) {
  llvm::SmallPtrSet<Value *, 16> seen;
  llvm::SmallVector<Value *> open = {value};
  while (!open.empty()) {
    Value *next = open.pop_back_val();
    auto *inst = llvm::dyn_cast<llvm::Instruction>(next);
    if (!inst || !seen.insert(next).second)
      continue; // Arguments of kernels and constants are shared.
    auto *call = llvm::dyn_cast<llvm::CallBase>(inst);
    if (!call && !llvm::isa<llvm::LoadInst>(inst)) {
      open.append(inst->op_begin(), inst->op_end());
      continue;
    }
    switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::amdgcn_readfirstlane:
    case llvm::Intrinsic::amdgcn_workgroup_id_x:
    case llvm::Intrinsic::amdgcn_workgroup_id_y:
    case llvm::Intrinsic::amdgcn_workgroup_id_z:
      continue;
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      open.append(call->arg_begin(), call->arg_end());
      continue;
    default:
      return true; // The number of a work item, or nobody knows.
    }
  }
  return false;
}

/// What a constant is added to for the offset of buffer accesses of the loop,
/// and does not change in it.
static llvm::SmallVector<Value *> findOffsets(const llvm::Loop &loop) {
  llvm::SmallMapVector<Value *, unsigned, 16> offsets;
  for (llvm::Instruction &inst : *loop.getHeader()) {
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&inst);
    if (!sum || sum->getOpcode() != llvm::Instruction::Add ||
        !llvm::isa<llvm::ConstantInt>(sum->getOperand(1)) ||
        !llvm::isa<llvm::Instruction>(sum->getOperand(0)) ||
        !loop.isLoopInvariant(sum->getOperand(0)) ||
        !sum->getType()->isIntegerTy(32) ||
        !llvm::any_of(sum->uses(), isOffset) || !mayDiffer(sum->getOperand(0)))
      continue;
    ++offsets[sum->getOperand(0)];
  }
  llvm::SmallVector<Value *> values;
  for (auto &entry : offsets)
    values.push_back(entry.first);
  return values;
}

void fly::target::keepAddendsInLoops(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock *body = loop->getHeader();
    if (loop->getNumBlocks() != 1)
      continue;
    for (Value *offset : findOffsets(*loop)) {
      llvm::Type *type = offset->getType();
      llvm::IRBuilder<> builder(body, body->begin());
      llvm::PHINode *carried = builder.CreatePHI(type, 2);
      builder.SetInsertPoint(body, body->getFirstInsertionPt());
      auto *statement = llvm::InlineAsm::get(
          llvm::FunctionType::get(type, {type}, /*isVarArg=*/false), "", "=v,0",
          /*hasSideEffects=*/false);
      llvm::CallInst *own = builder.CreateCall(statement, {carried});
      // Behind the loop, too, or two registers would hold the same.
      offset->replaceUsesWithIf(own, [&](llvm::Use &use) {
        return use.getUser() != own && dominators.dominates(own, use);
      });
      // One entry for each edge; a switch may have several to the loop.
      for (llvm::BasicBlock *from : llvm::predecessors(body))
        carried->addIncoming(from == body ? own : offset, from);
    }
  }
}
