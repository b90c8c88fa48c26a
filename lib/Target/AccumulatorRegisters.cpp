//===- AccumulatorRegisters.cpp - Loops that accumulate in AGPRs ----------===//
//
// What a matrix instruction adds to and its results are one web, connected by
// the phis between them. LLVM chooses a register file for each phi by its uses
// [LLVM22] SIFixSGPRCopies: a web goes to accumulation registers if all of its
// values do, and one constant that a loop starts with, or one conversion behind
// it, is enough to copy every accumulator in each round. So values that enter
// the web and uses that leave it pass through an assembly statement without
// text, whose operand must be an accumulation register.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "Portfolio.h"

using namespace fly::target;
using llvm::PHINode;
using llvm::Value;

namespace {

/// Operand of a matrix instruction that it adds to.
constexpr unsigned addendOperand = 2;

bool isMatrixInstruction(const Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName().starts_with("llvm.amdgcn.mfma.") ||
                    callee->getName().starts_with("llvm.amdgcn.smfmac."));
}

/// The values of a function that hold accumulators.
using Web = llvm::SetVector<Value *>;

Web findWeb(llvm::Function &function) {
  Web web;
  llvm::SmallVector<Value *> open;
  auto add = [&](Value *value) {
    if (web.insert(value))
      open.push_back(value);
  };
  auto addPhi = [&](Value *value) {
    if (llvm::isa<PHINode>(value))
      add(value);
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isMatrixInstruction(&instruction))
      add(&instruction);
  while (!open.empty()) {
    Value *value = open.pop_back_val();
    for (llvm::User *user : value->users())
      addPhi(user);
    if (auto *phi = llvm::dyn_cast<PHINode>(value))
      for (Value *incoming : phi->incoming_values())
        addPhi(incoming);
    else
      addPhi(llvm::cast<llvm::CallInst>(value)->getArgOperand(addendOperand));
  }
  return web;
}

/// `value` by way of an accumulation register.
Value *pass(Value *value, llvm::Instruction *before) {
  llvm::IRBuilder<> builder(before);
  auto *type = llvm::FunctionType::get(value->getType(), {value->getType()},
                                       /*isVarArg=*/false);
  auto *statement = llvm::InlineAsm::get(type, "", "=a,0",
                                         /*hasSideEffects=*/false);
  return builder.CreateCall(statement, {value});
}

/// Whether no other value of the web is made of `phi`: it lies behind the loop.
bool isLast(const PHINode &phi) {
  return llvm::none_of(phi.users(), [](const llvm::User *user) {
    return llvm::isa<PHINode>(user) || isMatrixInstruction(user);
  });
}

/// Whether a use of a web's value is one of the web itself.
bool staysInside(const llvm::Use &use, const Web &web) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (llvm::isa<PHINode>(user))
    return web.contains(user);
  return isMatrixInstruction(user) && use.getOperandNo() == addendOperand;
}

} // namespace

unsigned fly::target::useAccumulatorRegisters(llvm::Function &function,
                                              bool change) {
  Web web = findWeb(function);
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  auto getCarryingLoop = [&](PHINode *phi) -> llvm::Loop * {
    llvm::Loop *loop = phi ? loops.getLoopFor(phi->getParent()) : nullptr;
    return loop && loop->getHeader() == phi->getParent() ? loop : nullptr;
  };
  llvm::DenseMap<llvm::Loop *, unsigned> registers;
  unsigned most = 0;
  for (Value *value : web)
    if (auto *phi = llvm::dyn_cast<PHINode>(value))
      if (llvm::Loop *loop = getCarryingLoop(phi)) {
        unsigned &sum = registers[loop];
        sum += unsigned(phi->getType()->getPrimitiveSizeInBits() /
                        fly::arch::registerBits);
        most = std::max(most, sum);
      }
  if (!most || !change)
    return most;
  for (Value *value : web) {
    auto *phi = llvm::dyn_cast<PHINode>(value);
    if (!phi)
      continue;
    llvm::Loop *loop = getCarryingLoop(phi);
    // Where accumulators fill their registers, what meets them behind the loop
    // (the zeros of no iteration) must be there, too, or all of them are copied
    // to where it is: 624 moves of a 256x256 tile in four waves, which is code
    // beyond what the instruction cache likes. Of fewer, a copy that the
    // epilogue begins with is what leaves it the registers that it needs.
    if (!loop && (most < fly::arch::accumulationRegisters || !isLast(*phi)))
      continue;
    // A block that comes twice (a switch) brings the same value each time.
    llvm::SmallDenseMap<llvm::BasicBlock *, Value *> passed;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock *from = phi->getIncomingBlock(i);
      if ((loop && loop->contains(from)) ||
          web.contains(phi->getIncomingValue(i)))
        continue;
      Value *&value = passed[from];
      if (!value)
        value = pass(phi->getIncomingValue(i), from->getTerminator());
      phi->setIncomingValue(i, value);
    }
  }
  for (Value *value : web) {
    auto *phi = llvm::dyn_cast<PHINode>(value);
    if (!phi || llvm::all_of(phi->uses(), [&](const llvm::Use &use) {
          return staysInside(use, web);
        }))
      continue;
    llvm::SmallVector<llvm::Use *> leaving;
    for (llvm::Use &use : phi->uses())
      if (!staysInside(use, web))
        leaving.push_back(&use);
    Value *outside = pass(phi, &*phi->getParent()->getFirstInsertionPt());
    for (llvm::Use *use : leaving)
      use->set(outside);
  }
  return most;
}
