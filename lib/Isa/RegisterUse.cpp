//===- RegisterUse.cpp - which registers an instruction touches -----------===//

#include "fly/Isa/RegisterUse.h"

#include "fly/Isa/InstructionClass.h"

using namespace fly::isa;
using llvm::StringRef;

/// Codes of OperandKind::Special that are views of other registers.
enum : unsigned { vcczCode = 251, execzCode = 252, sccCode = 253 };

RegisterRange fly::isa::rangeOf(const Operand &operand) {
  switch (operand.kind) {
  case OperandKind::VGPR:
    return {uint16_t(reg::vgpr + operand.reg), operand.dwords};
  case OperandKind::AGPR:
    return {uint16_t(reg::agpr + operand.reg), operand.dwords};
  case OperandKind::SGPR:
    return {uint16_t(reg::sgpr + operand.reg), operand.dwords};
  case OperandKind::Special:
    if (operand.reg == vcczCode)
      return {reg::vcc, 2};
    if (operand.reg == execzCode)
      return {reg::exec, 2};
    if (operand.reg == sccCode)
      return {reg::scc, 1};
    return {};
  default:
    return {};
  }
}

static bool changesExec(StringRef name) {
  return name.contains("saveexec") || name.contains("wrexec");
}

/// Scalar arithmetic that leaves SCC alone. [AMD] CDNA3 ISA document, chapter
/// 16, "SOP2 Instructions" and following.
static bool writesScc(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  switch (inst.format) {
  case Format::SOPC:
    return !name.starts_with("s_set");
  case Format::SOP2:
    return !name.starts_with("s_mul_") && !name.starts_with("s_cselect") &&
           !name.starts_with("s_bfm") && !name.starts_with("s_pack") &&
           !name.starts_with("s_cbranch") && !name.starts_with("s_rfe");
  case Format::SOPK:
    return name.starts_with("s_cmpk") || name.starts_with("s_addk");
  case Format::SOP1:
    return changesExec(name) || name.starts_with("s_not") ||
           name.starts_with("s_wqm") || name.starts_with("s_quadmask") ||
           name.starts_with("s_bcnt") || name.starts_with("s_abs");
  default:
    return false;
  }
}

static bool readsScc(const Instruction &inst) {
  StringRef name = inst.mnemonic;
  return name.starts_with("s_cselect") || name.starts_with("s_cmov") ||
         name.starts_with("s_addc_") || name.starts_with("s_subb_") ||
         name == "s_cbranch_scc0" || name == "s_cbranch_scc1";
}

void fly::isa::forEachRead(
    const Instruction &inst,
    llvm::function_ref<void(const RegisterRead &)> visit) {
  auto imply = [&](unsigned first, unsigned count) {
    visit({{uint16_t(first), uint16_t(count)}, ReadKind::Implied, 0});
  };
  for (unsigned i = 0; i != inst.numSrc; ++i)
    if (RegisterRange range = rangeOf(inst.src[i]); range.count)
      visit({range, ReadKind::Source, uint8_t(i)});
  if (inst.readsDst)
    for (unsigned i = 0; i != inst.numDst; ++i)
      if (RegisterRange range = rangeOf(inst.dst[i]); range.count)
        visit({range, ReadKind::Tied, 0});

  StringRef name = inst.mnemonic;
  if (name.starts_with("v_div_fmas") || name == "s_cbranch_vccz" ||
      name == "s_cbranch_vccnz")
    imply(reg::vcc, 2);
  // Matrix instructions work on all lanes whatever EXEC says.
  bool isMasked = (isValu(inst) && !isMfma(inst)) || isVectorMemory(inst) ||
                  inst.format == Format::DS;
  if (isMasked || changesExec(name) || name == "s_cbranch_execz" ||
      name == "s_cbranch_execnz")
    imply(reg::exec, 2);
  if (readsScc(inst))
    imply(reg::scc, 1);
  if (readsM0(inst))
    imply(reg::m0, 1);
  if (inst.format == Format::Scratch || inst.format == Format::Flat)
    imply(reg::flatScratch, 2);
}

void fly::isa::forEachWrite(const Instruction &inst,
                            llvm::function_ref<void(RegisterRange)> visit) {
  for (unsigned i = 0; i != inst.numDst; ++i)
    if (RegisterRange range = rangeOf(inst.dst[i]); range.count)
      visit(range);
  if (isCompareToExec(inst) || changesExec(inst.mnemonic))
    visit({reg::exec, 2});
  if (writesScc(inst))
    visit({reg::scc, 1});
}

bool fly::isa::writes(const Instruction &inst, RegisterRange range) {
  bool found = false;
  forEachWrite(
      inst, [&](RegisterRange written) { found |= written.overlaps(range); });
  return found;
}

std::string fly::isa::registerName(unsigned index) {
  if (index < reg::agpr)
    return "v" + std::to_string(index);
  if (index < reg::vectors)
    return "a" + std::to_string(index - reg::agpr);
  if (index == reg::scc)
    return "scc";
  if (index == reg::m0)
    return "m0";
  auto half = [&](const char *name, unsigned first) {
    return std::string(name) + (index == first ? "_lo" : "_hi");
  };
  if (index / 2 == reg::vcc / 2)
    return half("vcc", reg::vcc);
  if (index / 2 == reg::exec / 2)
    return half("exec", reg::exec);
  if (index / 2 == reg::flatScratch / 2)
    return half("flat_scratch", reg::flatScratch);
  return "s" + std::to_string(index - reg::sgpr);
}
