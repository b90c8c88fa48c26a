//===- InstructionClass.cpp - what kind of instruction it is --------------===//

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/StringSwitch.h"

using namespace fly::isa;
using llvm::StringRef;

bool fly::isa::isMfma(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_mfma") ||
         inst.mnemonic.starts_with("v_smfmac");
}

bool fly::isa::isDoubleMfma(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_mfma_f64");
}

bool fly::isa::isAccumulatorMove(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_accvgpr");
}

bool fly::isa::isValu(const Instruction &inst) {
  switch (inst.format) {
  case Format::VOP1:
  case Format::VOP2:
  case Format::VOPC:
  case Format::VOP3:
  case Format::VOP3P:
  case Format::MAI:
    return true;
  default:
    return false;
  }
}

bool fly::isa::isSalu(const Instruction &inst) {
  switch (inst.format) {
  case Format::SOP1:
  case Format::SOP2:
  case Format::SOPC:
    return true;
  case Format::SOPK:
    return !inst.mnemonic.starts_with("s_waitcnt");
  default:
    return false;
  }
}

bool fly::isa::isTranscendental(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  if (inst.format != Format::VOP1 && inst.format != Format::VOP3)
    return false;
  for (StringRef root :
       {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"})
    if (name.starts_with(root))
      return true;
  return false;
}

bool fly::isa::isDot(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_dot");
}

bool fly::isa::isCompareToExec(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_cmpx_");
}

bool fly::isa::isVectorMemory(const Instruction &inst) {
  switch (inst.format) {
  case Format::MUBUF:
  case Format::MTBUF:
  case Format::Flat:
  case Format::Global:
  case Format::Scratch:
    return true;
  default:
    return false;
  }
}

bool fly::isa::isLdsDma(const Instruction &inst) {
  return inst.lds && isVectorMemory(inst);
}

bool fly::isa::isFlat(const Instruction &inst) {
  return inst.format == Format::Flat;
}

bool fly::isa::isLoad(const Instruction &inst) {
  return inst.mnemonic.contains("_load_") || inst.mnemonic.contains("_read");
}

bool fly::isa::isStore(const Instruction &inst) {
  return inst.mnemonic.contains("_store_") ||
         inst.mnemonic.starts_with("ds_write");
}

bool fly::isa::isLdsPermutation(const Instruction &inst) {
  return inst.format == Format::DS &&
         (inst.mnemonic.contains("permute") ||
          inst.mnemonic == "ds_swizzle_b32" || inst.mnemonic == "ds_nop");
}

bool fly::isa::readsM0(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  if (isLdsDma(inst) || inst.gds || name.contains("addtid") ||
      name.starts_with("s_movrel") || name.starts_with("s_sendmsg") ||
      name.starts_with("ds_gws"))
    return true;
  for (const Operand &source : inst.src)
    if (source.kind == OperandKind::Special && source.reg == 254)
      return true; // LDS_DIRECT takes its address there.
  return false;
}

unsigned fly::isa::accessBytes(StringRef mnemonic) {
  // Of transposing reads the width comes before the elements: b64_tr_b16.
  mnemonic = mnemonic.split("_tr_").first;
  return llvm::StringSwitch<unsigned>(mnemonic)
      .EndsWith("dwordx4", 16)
      .EndsWith("b128", 16)
      .EndsWith("dwordx3", 12)
      .EndsWith("b96", 12)
      .EndsWith("dwordx2", 8)
      .EndsWith("64", 8)
      .EndsWith("dword", 4)
      .EndsWith("32", 4)
      .EndsWith("byte_d16", 1)
      .EndsWith("byte_d16_hi", 1)
      .EndsWith("8_d16", 1)
      .EndsWith("8_d16_hi", 1)
      .EndsWith("short_d16", 2)
      .EndsWith("short_d16_hi", 2)
      .EndsWith("short", 2)
      .EndsWith("b16", 2)
      .EndsWith("16", 2)
      .EndsWith("16_d16", 2)
      .EndsWith("16_d16_hi", 2)
      .Default(1);
}
