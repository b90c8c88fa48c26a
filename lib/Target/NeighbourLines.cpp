//===- NeighbourLines.cpp - Lines of instructions that have none ----------===//
//
// What problem: LLVM makes instructions of its own, such as the copies of what
// a phi starts with, and gives them no place; where places disagree it gives
// line 0. Line tables then say nothing of them.
// What idea: such an instruction belongs to what stands in front of it in its
// block, at the start of a block to what follows. The last pass in front of the
// printer, so that no place steers code generation.
//
//===----------------------------------------------------------------------===//

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include "Codegen.h"

namespace {

class NeighbourLines : public llvm::MachineFunctionPass {
public:
  static char ID;
  NeighbourLines() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "Lines of instructions that have none";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace

char NeighbourLines::ID = 0;

static bool hasLine(const llvm::MachineInstr &instruction) {
  return instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0;
}

bool NeighbourLines::runOnMachineFunction(llvm::MachineFunction &function) {
  if (!function.getFunction().getSubprogram())
    return false;
  bool changes = false;
  llvm::DebugLoc last;
  for (llvm::MachineBasicBlock &block : function) {
    auto first = llvm::find_if(block.instrs(), hasLine);
    if (first != block.instr_end())
      last = first->getDebugLoc();
    for (llvm::MachineInstr &instruction : block.instrs()) {
      if (hasLine(instruction)) {
        last = instruction.getDebugLoc();
      } else if (last && !instruction.isMetaInstruction()) {
        instruction.setDebugLoc(last);
        changes = true;
      }
    }
  }
  return changes;
}

llvm::MachineFunctionPass *fly::target::createNeighbourLinesPass() {
  return new NeighbourLines();
}
