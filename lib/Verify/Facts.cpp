//===- Facts.cpp - Spills, moves and widths of a kernel -------------------===//
#include "fly/Isa/InstructionClass.h"

#include "Checks.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;

/// Reads or writes memory or LDS through registers or as a copy.
static bool isAccess(const Instruction &inst) {
  if (inst.format == Format::DS)
    return !isLdsPermutation(inst);
  return isVectorMemory(inst) && inst.mnemonic != "buffer_inv" &&
         inst.mnemonic != "buffer_wbl2";
}

static LoopFacts factsOf(llvm::ArrayRef<Instruction> body) {
  LoopFacts facts;
  facts.begin = body.front().pc;
  facts.end = body.back().pc + body.back().size;
  facts.instructions = unsigned(body.size());
  for (const Instruction &inst : body) {
    facts.mfma += isMfma(inst);
    facts.accumulatorMoves += isAccumulatorMove(inst);
    facts.scratchAccesses += inst.format == Format::Scratch;
    if (!isAccess(inst))
      continue;
    unsigned bytes = isa::accessBytes(inst.mnemonic);
    if (!facts.narrowestAccessBytes || bytes < facts.narrowestAccessBytes)
      facts.narrowestAccessBytes = bytes;
  }
  return facts;
}

KernelFacts fly::verify::collectFacts(const KernelCode &code) {
  KernelFacts facts;
  llvm::ArrayRef<Instruction> instructions = code.instructions();
  facts.instructions = unsigned(instructions.size());
  facts.vgprSpills = code.kernel.vgprSpillCount;
  facts.sgprSpills = code.kernel.sgprSpillCount;
  for (const Instruction &inst : instructions) {
    bool isMemory = isVectorMemory(inst) || inst.format == Format::DS ||
                    inst.format == Format::SMEM;
    facts.memoryResults += isMemory && inst.numDst;
    facts.waits += inst.mnemonic == "s_waitcnt";
    facts.barriers += inst.mnemonic == "s_barrier";
    facts.scratchAccesses += inst.format == Format::Scratch;
  }
  for (const isa::LoopRange &loop : isa::findInnermostLoops(instructions))
    facts.loops.push_back(
        factsOf(instructions.slice(loop.begin, loop.end - loop.begin)));
  return facts;
}
