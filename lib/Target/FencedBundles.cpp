//===- FencedBundles.cpp - Bundles that fences of the order hold ----------===//
//
// What problem: behind register allocation LLVM bundles neighbouring accesses
// of one kind, with the meta instructions between them, and schedules once
// more. A fence for some instructions (SCHED_BARRIER with a mask) holds a
// bundle only where it would hold each of its members [LLVM22] AMDGPUIGroupLP,
// and it would hold no meta instruction, so one of those sets the whole bundle
// free. The usual one is a KILL, which LLVM puts behind a clause of loads for
// the registers that end there; two clauses make one bundle with the KILLs of
// the first inside. 16 loads of a preshuffled B went over the fence in front
// of them so, ahead of the copies to LDS that they are counted behind, and the
// counted wait no longer covered the copies.
// What idea: such a bundle is taken apart, and its members are held each.
// What it leaves: functions without such fences, which keep their bytes.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include "Codegen.h"

namespace {

class FencedBundles : public llvm::MachineFunctionPass {
public:
  static char ID;
  FencedBundles() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "Bundles that fences of the order hold";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace

char FencedBundles::ID = 0;

/// The members of the bundle that \p header begins.
static llvm::SmallVector<llvm::MachineInstr *>
membersOf(llvm::MachineInstr &header) {
  llvm::SmallVector<llvm::MachineInstr *> members;
  for (auto i = std::next(header.getIterator()),
            end = header.getParent()->instr_end();
       i != end && i->isBundledWithPred(); ++i)
    members.push_back(&*i);
  return members;
}

static void takeApart(llvm::MachineInstr &header) {
  for (llvm::MachineInstr *member : membersOf(header)) {
    member->unbundleFromPred();
    for (llvm::MachineOperand &operand : member->operands())
      if (operand.isReg() && operand.isUse())
        operand.setIsInternalRead(false);
  }
  header.eraseFromParent();
}

bool FencedBundles::runOnMachineFunction(llvm::MachineFunction &function) {
  const llvm::TargetInstrInfo &instructions =
      *function.getSubtarget().getInstrInfo();
  llvm::SmallVector<llvm::MachineInstr *> bundles;
  bool hasFences = false;
  for (llvm::MachineBasicBlock &block : function)
    for (llvm::MachineInstr &instruction : block.instrs()) {
      if (instruction.isBundle())
        bundles.push_back(&instruction);
      hasFences |=
          instructions.getName(instruction.getOpcode()) == "SCHED_BARRIER" &&
          instruction.getOperand(0).getImm() != 0;
    }
  if (!hasFences)
    return false;
  bool changes = false;
  for (llvm::MachineInstr *bundle : bundles)
    if (llvm::any_of(membersOf(*bundle), [](llvm::MachineInstr *member) {
          return member->isMetaInstruction();
        })) {
      takeApart(*bundle);
      changes = true;
    }
  return changes;
}

llvm::MachineFunctionPass *fly::target::createFencedBundlesPass() {
  return new FencedBundles();
}
