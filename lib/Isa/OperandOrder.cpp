//===- OperandOrder.cpp - operands where Instruction.h says they are ------===//
//
// What problem: LLVM orders operands by opcode and leaves out implied ones.
// What idea: the format, and whether a register is scalar or vector, say which
// slot an operand belongs to.
//
//===----------------------------------------------------------------------===//

#include "DecoderParts.h"

using namespace fly::isa;
using llvm::StringRef;

/// The pair of mask registers that short encodings imply.
static Operand vccOperand() {
  Operand vcc;
  vcc.kind = OperandKind::SGPR;
  vcc.reg = 106;
  vcc.dwords = 2;
  return vcc;
}

void fly::isa::addImpliedVcc(Instruction &inst) {
  StringRef name = inst.mnemonic;
  if (inst.format == Format::VOPC) {
    if (inst.numDst == 0)
      inst.dst[inst.numDst++] = vccOperand();
    return;
  }
  if (inst.format != Format::VOP2)
    return;
  bool carryIn = name == "v_addc_co_u32" || name == "v_subb_co_u32" ||
                 name == "v_subbrev_co_u32";
  bool carryOut = carryIn || name == "v_add_co_u32" || name == "v_sub_co_u32" ||
                  name == "v_subrev_co_u32";
  if (carryOut && inst.numDst == 1)
    inst.dst[inst.numDst++] = vccOperand();
  if ((carryIn || name == "v_cndmask_b32") && inst.numSrc == 2)
    inst.src[inst.numSrc++] = vccOperand();
}

void fly::isa::arrangeMemory(Instruction &inst) {
  Operand vectors[3], scalars[3];
  unsigned numVectors = 0, numScalars = 0;
  for (unsigned i = 0; i != inst.numSrc; ++i) {
    if (inst.src[i].isVector()) {
      if (numVectors != 3)
        vectors[numVectors++] = inst.src[i];
    } else if (numScalars != 3) {
      scalars[numScalars++] = inst.src[i];
    }
    inst.src[i] = Operand();
  }
  inst.numSrc = 4;
  unsigned next = 0;
  auto takeVector = [&](unsigned slot) {
    if (next != numVectors)
      inst.src[slot] = vectors[next++];
  };
  switch (inst.format) {
  case Format::DS:
    if (!inst.mnemonic.contains("addtid"))
      takeVector(MemAddr);
    takeVector(MemData);
    takeVector(MemBase);
    break;
  case Format::MUBUF:
  case Format::MTBUF:
    // Text order is data, address, resource, offset.
    if (numVectors == (inst.offen || inst.idxen ? 2u : 1u))
      takeVector(MemData);
    if (inst.offen || inst.idxen)
      takeVector(MemAddr);
    if (inst.readsDst && inst.mnemonic.contains("_atomic_"))
      inst.src[MemData] = inst.dst[0];
    inst.src[MemBase] = scalars[0];
    inst.src[MemSOffset] = scalars[1];
    break;
  case Format::Scratch:
    // LLVM keeps the data of scratch stores in front of the address.
    if (numVectors == (inst.scratchVaddr ? 2u : 1u))
      takeVector(MemData);
    if (inst.scratchVaddr)
      takeVector(MemAddr);
    inst.src[MemBase] = scalars[0];
    break;
  default:
    takeVector(MemAddr);
    takeVector(MemData);
    inst.src[MemBase] = scalars[0];
    break;
  }
}
