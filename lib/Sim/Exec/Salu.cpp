//===- Salu.cpp - scalar arithmetic ---------------------------------------===//

#include "fly/Sim/Executors.h"

#include "SaluOperands.h"

using namespace fly::sim;
using fly::isa::Format;

ExecFn fly::sim::lookupSalu(const fly::isa::Instruction &inst, ChipKind) {
  switch (inst.format) {
  case Format::SOP1:
    return salu::findUnary(inst.mnemonic);
  case Format::SOP2:
    return salu::findBinary(inst.mnemonic);
  case Format::SOPC:
    return salu::findCompare(inst.mnemonic);
  case Format::SOPK:
    if (ExecFn compare = salu::findCompare(inst.mnemonic))
      return compare;
    return salu::findConstant(inst.mnemonic);
  default:
    return nullptr;
  }
}
