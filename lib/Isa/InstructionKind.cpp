//===- InstructionKind.cpp - One kind for each instruction ----------------===//
//
// Of assembly text, the mnemonic's prefix tells the family of the encoding; of
// operands, only what waits and copies to LDS say is read.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/InstructionKind.h"

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/StringSwitch.h"

using namespace fly;
using namespace fly::isa;
using llvm::StringRef;

StringRef fly::isa::name(InstructionKind kind) {
  static constexpr StringRef names[instructionKindCount] = {
      "MFMA",         "accumulator move", "global load",
      "global store", "copy to LDS",      "LDS read",
      "LDS write",    "LDS permute",      "scalar memory",
      "wait",         "barrier",          "nop",
      "VALU",         "branch",           "SALU",
      "control"};
  return names[unsigned(kind)];
}

static InstructionKind kindOfLds(StringRef mnemonic) {
  if (mnemonic.starts_with("ds_write") || mnemonic.starts_with("ds_store"))
    return InstructionKind::LdsWrite;
  if (mnemonic.starts_with("ds_read") || mnemonic.starts_with("ds_load"))
    return InstructionKind::LdsRead;
  return InstructionKind::LdsOther;
}

InstructionKind fly::isa::kindOf(const Instruction &inst) {
  StringRef mnemonic = inst.mnemonic;
  if (isMfma(inst))
    return InstructionKind::Mfma;
  if (isAccumulatorMove(inst))
    return InstructionKind::AccumulatorMove;
  if (isVectorMemory(inst))
    return isLdsDma(inst) ? InstructionKind::LdsDma
           : isLoad(inst) ? InstructionKind::VectorLoad
                          : InstructionKind::VectorStore;
  if (inst.format == Format::DS)
    return kindOfLds(mnemonic);
  if (mnemonic.starts_with("s_wait"))
    return InstructionKind::Wait;
  if (mnemonic.starts_with("s_barrier"))
    return InstructionKind::Barrier;
  if (mnemonic == "s_nop")
    return InstructionKind::Nop;
  if (mnemonic.starts_with("v_"))
    return InstructionKind::Valu;
  if (inst.format == Format::SMEM)
    return InstructionKind::ScalarMemory;
  if (mnemonic.starts_with("s_branch") || mnemonic.starts_with("s_cbranch") ||
      mnemonic.starts_with("s_setpc") || mnemonic.starts_with("s_swappc") ||
      mnemonic.starts_with("s_call"))
    return InstructionKind::Branch;
  return isSalu(inst) ? InstructionKind::Salu : InstructionKind::Other;
}

StringRef fly::isa::mnemonicOfText(StringRef text) {
  StringRef mnemonic = text.ltrim().take_while(
      [](char c) { return c != ' ' && c != '\t' && c != '\n'; });
  for (StringRef suffix : {"_dpp", "_sdwa", "_e32", "_e64"})
    mnemonic.consume_back(suffix);
  return mnemonic;
}

static Format formatOfMnemonic(StringRef mnemonic) {
  return llvm::StringSwitch<Format>(mnemonic)
      .StartsWith("v_mfma", Format::MAI)
      .StartsWith("v_smfmac", Format::MAI)
      .StartsWith("v_accvgpr", Format::MAI)
      .StartsWith("v_", Format::VOP3)
      .StartsWith("ds_", Format::DS)
      .StartsWith("buffer_", Format::MUBUF)
      .StartsWith("tbuffer_", Format::MTBUF)
      .StartsWith("flat_", Format::Flat)
      .StartsWith("global_", Format::Global)
      .StartsWith("scratch_", Format::Scratch)
      .StartsWith("s_load_", Format::SMEM)
      .StartsWith("s_store_", Format::SMEM)
      .StartsWith("s_buffer_", Format::SMEM)
      .StartsWith("s_scratch_", Format::SMEM)
      .StartsWith("s_atomic_", Format::SMEM)
      .StartsWith("s_dcache_", Format::SMEM)
      .StartsWith("s_memtime", Format::SMEM)
      .StartsWith("s_memrealtime", Format::SMEM)
      .StartsWith("s_prefetch_", Format::SMEM)
      .StartsWith("s_wait", Format::SOPP)
      .StartsWith("s_barrier", Format::SOPP)
      .StartsWith("s_branch", Format::SOPP)
      .StartsWith("s_cbranch", Format::SOPP)
      .StartsWith("s_endpgm", Format::SOPP)
      .StartsWith("s_send", Format::SOPP)
      .StartsWith("s_set_gpr_idx", Format::SOPP)
      .Cases({"s_nop", "s_sleep", "s_setprio", "s_sethalt", "s_setkill",
              "s_trap", "s_icache_inv", "s_incperflevel", "s_decperflevel",
              "s_wakeup", "s_delay_alu", "s_clause", "s_code_end"},
             Format::SOPP)
      .StartsWith("s_", Format::SOP2)
      .Default(Format::Invalid);
}

/// The number behind `name(`, nothing where the text names no such counter.
static std::optional<unsigned> counterOf(StringRef operands, StringRef name) {
  size_t at = operands.find((name + "(").str());
  unsigned value;
  if (at == StringRef::npos)
    return std::nullopt;
  operands = operands.drop_front(at + name.size() + 1);
  if (operands.consumeInteger(10, value))
    return std::nullopt;
  return value;
}

/// The immediate of s_waitcnt: named counters or the number itself.
static uint16_t waitImmediate(StringRef operands) {
  uint16_t immediate;
  if (!operands.trim().getAsInteger(0, immediate))
    return immediate;
  arch::WaitCount wait;
  wait.vm = counterOf(operands, "vmcnt").value_or(arch::WaitCount::maxVm);
  wait.exp = counterOf(operands, "expcnt").value_or(arch::WaitCount::maxExp);
  wait.lgkm = counterOf(operands, "lgkmcnt").value_or(arch::WaitCount::maxLgkm);
  return wait.encode();
}

Instruction fly::isa::instructionOfText(StringRef text) {
  Instruction inst;
  inst.text = text.trim();
  inst.mnemonic = mnemonicOfText(text);
  inst.format = formatOfMnemonic(inst.mnemonic);
  StringRef operands = inst.text.drop_front(
      std::min(inst.text.size(), inst.text.find_first_of(" \t")));
  inst.lds = isVectorMemory(inst) &&
             (operands.ends_with(" lds") || operands.contains(" lds ") ||
              inst.mnemonic.contains("_lds_"));
  unsigned immediate = 0;
  if (inst.mnemonic == "s_waitcnt")
    inst.simm16 = waitImmediate(operands);
  else if (inst.format == Format::SOPP &&
           !operands.trim().getAsInteger(0, immediate) &&
           immediate <= UINT16_MAX)
    inst.simm16 = int32_t(immediate);
  return inst;
}

arch::WaitCount fly::isa::waitOf(const Instruction &inst) {
  StringRef mnemonic = inst.mnemonic;
  if (mnemonic == "s_waitcnt")
    return arch::WaitCount::decode(uint16_t(inst.simm16));
  arch::WaitCount wait;
  if (!mnemonic.consume_front("s_wait"))
    return wait;
  unsigned count = unsigned(inst.simm16);
  if (mnemonic.contains("loadcnt") || mnemonic.contains("asynccnt") ||
      mnemonic.contains("tensorcnt") || mnemonic.contains("storecnt") ||
      mnemonic.contains("samplecnt") || mnemonic.contains("vmcnt"))
    wait.vm = count & arch::WaitCount::maxVm;
  if (mnemonic.contains("dscnt") || mnemonic.contains("kmcnt") ||
      mnemonic.contains("lgkmcnt"))
    wait.lgkm = count & arch::WaitCount::maxLgkm;
  return wait;
}
