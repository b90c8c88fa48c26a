//===- HazardRoles.cpp - the part an instruction plays in hazards ---------===//

#include "fly/Isa/HazardRoles.h"

#include "fly/Isa/InstructionClass.h"

using namespace fly::isa;
using fly::arch::Chip;
using llvm::StringRef;
using S = fly::arch::HazardSource;
using U = fly::arch::HazardUse;

static bool isVectorRange(RegisterRange range) {
  return range.first < reg::vectors;
}
static bool isExec(RegisterRange range) {
  return range.first / 2 == reg::exec / 2;
}

/// v_readlane, v_readfirstlane, v_writelane.
static bool isLaneAccess(StringRef name) {
  return name == "v_readlane_b32" || name == "v_readfirstlane_b32" ||
         name == "v_writelane_b32";
}
static bool isLaneSwap(StringRef name) {
  return name == "v_permlane16_swap_b32" || name == "v_permlane32_swap_b32";
}

/// Writes part of its destination, or moves the result's bits: SDWA with a
/// narrow destination, the high half, a byte chosen by op_sel. Conversions to 4
/// bits with stochastic rounding do whatever op_sel says.
static bool writesPart(const Instruction &inst) {
  if (inst.isSdwa)
    return inst.format != Format::VOPC && inst.sdwa.dstSel != 6;
  if (inst.format != Format::VOP3)
    return false;
  if (inst.opSel & 8)
    return true;
  StringRef name = inst.mnemonic;
  bool choosesByte = (name.starts_with("v_cvt_sr_") ||
                      name.starts_with("v_cvt_scalef32_sr_")) &&
                     (name.contains("_fp8_") || name.contains("_bf8_"));
  if (choosesByte && (inst.opSel & 4))
    return true;
  return name.starts_with("v_cvt_scalef32_sr_pk_fp4_");
}

/// The hardware register of s_getreg and s_setreg: bits [5:0] of the constant.
static RegisterRange hardwareRegister(const Instruction &inst) {
  return {uint16_t(inst.simm16 & 0x3f), 1};
}

/// Data of a store of more than 64 bits, where the hardware reads it late.
static RegisterRange lateStoreData(const Instruction &inst) {
  if (!isVectorMemory(inst) || !inst.mnemonic.contains("_store_"))
    return {};
  bool isBuffer = inst.format == Format::MUBUF || inst.format == Format::MTBUF;
  // A buffer store with a register as its offset takes another way.
  if (isBuffer && inst.src[MemSOffset].kind == OperandKind::SGPR)
    return {};
  RegisterRange data = rangeOf(inst.src[MemData]);
  return data.count > 2 ? data : RegisterRange();
}

static void addSources(const Instruction &inst, HazardRoles &roles) {
  auto add = [&](S role, RegisterRange range) {
    if (range.count)
      roles.sources.push_back({role, range});
  };
  StringRef name = inst.mnemonic;
  if (isValu(inst))
    forEachWrite(inst, [&](RegisterRange range) {
      if (!isVectorRange(range))
        return add(S::ValuWritesScalar, range);
      add(S::ValuWritesVector, range);
      if (isMfma(inst))
        return add(S::MatrixWrites, range);
      add(isDot(inst) ? S::DotWrites : S::PlainValuWrites, range);
      if (isTranscendental(inst))
        add(S::TransWrites, range);
      if (writesPart(inst))
        add(S::PartWrites, range);
    });
  if (isDoubleMfma(inst))
    add(S::DoubleMatrix, {0, 1});
  else if (isMfma(inst))
    add(S::MatrixReadsC, rangeOf(inst.readsDst ? inst.dst[0] : inst.src[2]));
  if (isSalu(inst) && writes(inst, {reg::m0, 1}))
    add(S::SaluWritesM0, {reg::m0, 1});
  if (name.starts_with("s_setreg"))
    add(S::SetsHardwareRegister, hardwareRegister(inst));
  add(S::WideStoreReads, lateStoreData(inst));
}

/// Roles of the registers that a vector instruction reads.
static void addValuRead(const Instruction &inst, const RegisterRead &read,
                        HazardRoles &roles) {
  auto add = [&](U role) { roles.uses.push_back({role, read.range}); };
  StringRef name = inst.mnemonic;
  if (isExec(read.range) && read.kind == ReadKind::Implied) {
    if (inst.isDpp)
      add(U::DppExec);
    if (isLaneAccess(name))
      add(U::LaneExec);
    if (isLaneSwap(name))
      add(U::SwapExec);
    return;
  }
  if (!isVectorRange(read.range)) {
    const Operand &source = inst.src[read.source];
    if (read.kind == ReadKind::Source && source.kind == OperandKind::Special)
      add(U::ReadsZeroFlag);
    else
      add(U::ValuReadsScalar);
    if (read.kind == ReadKind::Implied && name.starts_with("v_div_fmas"))
      add(U::DivFmasReadsVcc);
    if ((name == "v_readlane_b32" || name == "v_writelane_b32") &&
        read.source == 1)
      add(U::LaneSelect);
    return;
  }
  if (inst.isDpp)
    add(U::DppReads);
  if (isLaneSwap(name))
    add(U::SwapReads);
  if ((name == "v_readlane_b32" || name == "v_readfirstlane_b32"))
    add(U::LaneReads);
  if (!isTranscendental(inst))
    add(U::PlainValuReads);
  add(U::ValuTouches);
  if (isMfma(inst)) {
    bool isAddend =
        inst.readsDst ? read.kind == ReadKind::Tied : read.source == 2;
    add(U::MatrixReads);
    add(isAddend ? U::MatrixReadsAddend : U::MatrixReadsFactor);
    return;
  }
  add(U::VectorReads);
  if (isDot(inst)) {
    bool isAddend =
        inst.readsDst ? read.kind == ReadKind::Tied : read.source == 2;
    if (!isAddend)
      add(U::DotReadsFactor);
  }
}

static void addUses(const Instruction &inst, HazardRoles &roles) {
  auto add = [&](U role, RegisterRange range) {
    roles.uses.push_back({role, range});
  };
  StringRef name = inst.mnemonic;
  bool isMemory = isVectorMemory(inst);
  forEachRead(inst, [&](const RegisterRead &read) {
    if (isValu(inst))
      return addValuRead(inst, read, roles);
    if (isMemory && !isVectorRange(read.range))
      add(U::MemoryReadsScalar, read.range);
    if ((isMemory || inst.format == Format::DS) && isVectorRange(read.range))
      add(U::MemoryReads, read.range);
    if (read.range.first == reg::m0 && read.kind == ReadKind::Implied)
      add(U::ReadsM0, read.range);
  });
  if (isMfma(inst))
    add(U::MatrixExec, {reg::exec, 2});
  forEachWrite(inst, [&](RegisterRange range) {
    if (!isVectorRange(range))
      return;
    if (isValu(inst)) {
      add(U::ValuOverwrites, range);
      add(U::ValuTouches, range);
    }
    if (!isMfma(inst))
      add(U::VectorOverwrites, range);
  });
  if (name == "s_getreg_b32")
    add(U::GetsHardwareRegister, hardwareRegister(inst));
  if (name.starts_with("s_setreg"))
    add(U::SetsHardwareRegister, hardwareRegister(inst));
  if (name == "v_fma_f64" || name == "v_fmac_f64")
    add(U::DoubleFma, {0, 1});
}

HazardRoles fly::isa::hazardRoles(const Instruction &inst, Chip chip) {
  HazardRoles roles;
  roles.mnemonic = inst.mnemonic;
  if (inst.mnemonic == "s_nop")
    roles.waitStates = unsigned(inst.simm16 & 0xf) + 1;
  if (isMfma(inst))
    roles.matrix = arch::matrixTiming(
        chip, inst.mnemonic, /*isNarrow=*/inst.cbsz >= 2 && inst.blgp >= 2);
  addSources(inst, roles);
  addUses(inst, roles);
  return roles;
}

/// The first register that both ranges have and no range of `overwritten`.
static std::optional<uint16_t>
findCommon(const RegisterRange &a, const RegisterRange &b,
           llvm::ArrayRef<RegisterRange> overwritten) {
  unsigned end = std::min(a.first + a.count, b.first + b.count);
  for (unsigned reg = std::max(a.first, b.first); reg < end; ++reg)
    if (llvm::none_of(overwritten, [&](const RegisterRange &range) {
          return range.overlaps({uint16_t(reg), 1});
        }))
      return uint16_t(reg);
  return std::nullopt;
}

std::optional<HazardNeed>
fly::isa::findHazard(const HazardRoles &first, const HazardRoles &second,
                     Chip chip, llvm::ArrayRef<RegisterRange> overwritten) {
  HazardNeed need;
  for (const HazardRoles::Source &source : first.sources)
    for (const HazardRoles::Use &use : second.uses) {
      bool isResult = source.role == arch::HazardSource::MatrixWrites;
      std::optional<uint16_t> common =
          findCommon(source.range, use.range,
                     isResult ? overwritten : llvm::ArrayRef<RegisterRange>());
      if (!common)
        continue;
      const arch::HazardRow *row =
          arch::lookupHazard(chip, source.role, use.role);
      if (!row || (row->onlyDifferent && first.mnemonic == second.mnemonic))
        continue;
      unsigned waitStates =
          row->waitStates ? row->waitStates
                          : arch::matrixWaitStates(chip, source.role, use.role,
                                                   first.matrix, second.matrix,
                                                   source.range == use.range);
      if (waitStates <= need.waitStates)
        continue;
      need.waitStates = waitStates;
      need.row = row;
      need.registerIndex = *common;
    }
  if (!need.row)
    return std::nullopt;
  return need;
}
