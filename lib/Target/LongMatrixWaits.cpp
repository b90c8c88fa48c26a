//===- LongMatrixWaits.cpp - The wait state that LLVM overlooks -----------===//
//
// What problem: on gfx950 20 wait states must lie between an XDL matrix
// instruction of 16 passes and a vector or memory instruction that reads or
// overwrites its result, or a matrix instruction that reads it as a factor.
// LLVM 22 knows the number, but looks back over 19 wait states alone: where
// exactly 19 lie in between, it finds nothing to pad behind ([LLVM22];
// test/Unit/Verify/HazardsTest.cpp holds that against it).
// What idea: everything nearer has been padded. So what stands behind such an
// instruction at exactly that distance, on any path, and depends on its result,
// gets one wait state more.
// It runs behind LLVM's padding and in front of branch relaxation, which counts
// the bytes between a branch and its target, and only moves things apart.
// Implicit operands count, too: an indirect move names its registers there.
// What it leaves: f32 and f64 matrix instructions need fewer, and are padded as
// the others in the one case in which they meet that distance.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/Hazards.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include "Codegen.h"

using namespace fly;

namespace {

/// How far LLVM looks back, in wait states.
constexpr unsigned kLlvmLimit = 19;

class LongMatrixWaits : public llvm::MachineFunctionPass {
public:
  static char ID;
  LongMatrixWaits() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "The wait state behind long matrix instructions";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  using Iterator = llvm::MachineBasicBlock::instr_iterator;

  bool isMatrix(const llvm::MachineInstr &instruction) const;
  unsigned waitStates(const llvm::MachineInstr &instruction) const;
  bool depends(const llvm::MachineInstr &user, llvm::Register result) const;
  bool padBehind(llvm::MachineInstr &matrix, unsigned needed);

  const llvm::TargetInstrInfo *instructions = nullptr;
  const llvm::TargetRegisterInfo *registers = nullptr;
};

} // namespace

char LongMatrixWaits::ID = 0;

/// Wait states behind a matrix instruction of so many passes.
static unsigned needed(const arch::ArchInfo &chip, unsigned passes) {
  arch::MatrixTiming matrix;
  matrix.passes = passes;
  matrix.isXdl = true;
  return arch::matrixWaitStates(chip.chip, arch::HazardSource::MatrixWrites,
                                arch::HazardUse::VectorReads, matrix, {},
                                /*isSameTuple=*/false);
}

bool LongMatrixWaits::isMatrix(const llvm::MachineInstr &instruction) const {
  llvm::StringRef name = instructions->getName(instruction.getOpcode());
  return name.starts_with("V_MFMA_") || name.starts_with("V_SMFMAC_");
}

/// As LLVM counts them.
unsigned
LongMatrixWaits::waitStates(const llvm::MachineInstr &instruction) const {
  if (instruction.isMetaInstruction() || instruction.isInlineAsm() ||
      instruction.isBundle())
    return 0;
  if (instructions->getName(instruction.getOpcode()) == "S_NOP")
    return unsigned(instruction.getOperand(0).getImm()) + 1;
  return 1;
}

/// Whether \p user needs the distance from what wrote \p result.
bool LongMatrixWaits::depends(const llvm::MachineInstr &user,
                              llvm::Register result) const {
  // A matrix instruction writes behind the one before, and its addend may
  // follow sooner. Operands are the result, both factors, the addend; sparse
  // ones have the index there, and the addend tied to the result.
  bool isMatrixUser = isMatrix(user);
  bool isSparse =
      instructions->getName(user.getOpcode()).starts_with("V_SMFMAC_");
  constexpr unsigned addend = 3;
  for (const llvm::MachineOperand &operand : user.operands()) {
    if (!operand.isReg() || !operand.getReg())
      continue;
    if (isMatrixUser && (operand.isDef() || operand.isTied() ||
                         (!isSparse && user.getOperandNo(&operand) == addend)))
      continue;
    if (registers->regsOverlap(operand.getReg(), result))
      return true;
  }
  return false;
}

bool LongMatrixWaits::padBehind(llvm::MachineInstr &matrix, unsigned needed) {
  struct Walk {
    llvm::MachineBasicBlock *block;
    Iterator next;
    unsigned distance;
  };
  bool changes = false;
  llvm::Register result = matrix.getOperand(0).getReg();
  llvm::SmallVector<Walk> open = {
      {matrix.getParent(), std::next(matrix.getIterator()), 0}};
  llvm::DenseSet<std::pair<llvm::MachineBasicBlock *, unsigned>> seen;
  while (!open.empty()) {
    auto [block, i, distance] = open.pop_back_val();
    for (; i != block->instr_end() && distance < needed; ++i) {
      unsigned own = waitStates(*i);
      if (distance >= kLlvmLimit && own && depends(*i, result)) {
        instructions->insertNoops(*block, llvm::getBundleStart(i),
                                  needed - distance);
        distance = needed;
        changes = true;
      }
      distance += own;
    }
    if (distance >= needed)
      continue;
    for (llvm::MachineBasicBlock *next : block->successors())
      if (seen.insert({next, distance}).second)
        open.push_back({next, next->instr_begin(), distance});
  }
  return changes;
}

bool LongMatrixWaits::runOnMachineFunction(llvm::MachineFunction &function) {
  const llvm::TargetSubtargetInfo &subtarget = function.getSubtarget();
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(subtarget.getCPU());
  if (!chip)
    return false;
  instructions = subtarget.getInstrInfo();
  registers = subtarget.getRegisterInfo();
  llvm::TargetSchedModel model;
  model.init(&subtarget);
  bool changes = false;
  for (llvm::MachineBasicBlock &block : function)
    for (llvm::MachineInstr &instruction : block.instrs())
      if (isMatrix(instruction)) {
        unsigned states =
            needed(*chip, model.computeInstrLatency(&instruction));
        if (states > kLlvmLimit)
          changes |= padBehind(instruction, states);
      }
  return changes;
}

llvm::MachineFunctionPass *fly::target::createLongMatrixWaitsPass() {
  return new LongMatrixWaits();
}
