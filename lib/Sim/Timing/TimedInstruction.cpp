//===- TimedInstruction.cpp - what time asks of an instruction ------------===//

#include "TimedInstruction.h"

#include "fly/Arch/Hazards.h"
#include "fly/Arch/LdsModel.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Sim/Simulator.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::sim;
using isa::Format;
using isa::Instruction;
using llvm::StringRef;

/// Cycles of a wave of 64 lanes whose lanes move `bytes` each, at `rate` bytes
/// a cycle.
static unsigned beats(unsigned bytes, unsigned rate) {
  return (bytes * waveLanes + rate - 1) / rate;
}

static bool isDoublePrecision(StringRef name) {
  return name.ends_with("_f64") && !name.starts_with("v_cmp");
}

static void fillVector(TimedInstruction &timed, const Instruction &inst,
                       const Machine &machine) {
  timed.category = IssueCategory::Valu;
  timed.vectorCycles = uint16_t(machine.valu);
  isa::forEachWrite(inst, [&](isa::RegisterRange range) {
    timed.vectorWrites.push_back(range);
  });
  if (isa::isMfma(inst)) {
    timed.kind = TimedKind::Matrix;
    const bool isNarrow = inst.cbsz >= 2 && inst.blgp >= 2;
    arch::MatrixTiming timing =
        arch::matrixTiming(machine.chip, inst.mnemonic, isNarrow);
    timed.matrixWork = arch::matrixWork(inst.mnemonic, isNarrow);
    timed.matrixCycles = uint16_t(timing.passes * machine.mfmaPass);
    bool isSparse = inst.mnemonic.starts_with("v_smfmac");
    // [AMD] matrix instruction calculator: f32 and f64 sources block the
    // vector unit, sparse forms let it go on a slot later.
    timed.vectorCycles =
        timing.isXdl ? uint16_t(machine.mfmaCoIssue * (isSparse ? 2 : 1))
                     : timed.matrixCycles;
    timed.matrixResult = isa::rangeOf(inst.dst[0]);
    timed.matrixAddend =
        inst.readsDst ? timed.matrixResult : isa::rangeOf(inst.src[2]);
    return;
  }
  if (isa::isTranscendental(inst))
    timed.vectorCycles = uint16_t(machine.transcendental);
  else if (isDoublePrecision(inst.mnemonic))
    timed.vectorCycles = uint16_t(machine.fp64);
}

static void fillLds(TimedInstruction &timed, const Instruction &inst,
                    const Machine &machine) {
  if (inst.mnemonic == "ds_nop")
    return;
  timed.category = IssueCategory::Lds;
  timed.kind = TimedKind::Lds;
  timed.counters = CountsLgkm;
  StringRef name = inst.mnemonic;
  unsigned addresses =
      name.starts_with("ds_read2") || name.starts_with("ds_write2") ? 2 : 1;
  unsigned bytes = std::max(4u, isa::accessBytes(name)) * addresses;
  bool isRead = isa::isLoad(inst) || isa::isLdsPermutation(inst);
  timed.isLdsWrite = !isRead;
  timed.isLdsAtomic = !isRead && !isa::isStore(inst) &&
                      !name.starts_with("ds_gws") && name != "ds_append" &&
                      name != "ds_consume";
  unsigned input = beats(4, machine.ldsInputBytes);
  unsigned output = beats(bytes, machine.ldsReadBytes);
  unsigned cycles = std::max(input, output);
  if (!isRead) {
    const arch::LdsAccess *access = arch::lookupLdsAccess(
        machine.chip, arch::LdsDirection::Write, bytes / addresses);
    unsigned phases = access ? access->phases : 0;
    cycles = input + beats(bytes, machine.ldsInputBytes) +
             machine.ldsWritePhase * phases * addresses;
  }
  timed.portTicks = uint16_t(cycles * ticksPerCycle + machine.ldsOverhead);
}

static void fillVectorMemory(TimedInstruction &timed, const Instruction &inst,
                             const Machine &machine) {
  StringRef name = inst.mnemonic;
  timed.category = IssueCategory::Vmem;
  bool isStore = name.contains("_store_");
  bool isAtomic = name.contains("_atomic_");
  if (inst.format == Format::MUBUF && !isStore && !isAtomic &&
      !name.contains("_load_"))
    return; // Cache control.
  timed.isMemory = true;
  timed.counters = CountsVm;
  if (isa::isFlat(inst))
    timed.counters |= CountsLgkm;
  timed.kind = isStore || isAtomic   ? TimedKind::VectorStore
               : isa::isLdsDma(inst) ? TimedKind::LdsCopy
                                     : TimedKind::VectorLoad;
  if (!isStore)
    timed.returnBytes =
        uint16_t(std::max(4u, isa::accessBytes(name)) * waveLanes);
}

static void fillControl(TimedInstruction &timed, const Instruction &inst,
                        const Machine &machine) {
  StringRef name = inst.mnemonic;
  if (name == "s_branch" || name.starts_with("s_cbranch")) {
    timed.category = IssueCategory::Branch;
    timed.isBranch = true;
  } else if (name == "s_waitcnt") {
    timed.kind = TimedKind::Wait;
    timed.wait = arch::WaitCount::decode(uint16_t(inst.simm16));
  } else if (name == "s_barrier") {
    timed.kind = TimedKind::Barrier;
  } else if (name == "s_setprio") {
    timed.kind = TimedKind::Priority;
    timed.priority = uint8_t(inst.simm16 & 3);
  } else if (name.starts_with("s_endpgm")) {
    timed.kind = TimedKind::End;
    timed.issueCycles = uint16_t(machine.slot);
  } else if (name == "s_nop") {
    timed.issueCycles =
        uint16_t(machine.nopUnit * (unsigned(inst.simm16 & 0xf) + 1));
  } else if (name == "s_sleep") {
    // [AMD] CDNA3 ISA document: 64 times the constant, and up to 64 more.
    timed.issueCycles = uint16_t(64 * (unsigned(inst.simm16 & 0x7f)) + 4);
  }
}

static TimedInstruction describe(const Instruction &inst,
                                 const Machine &machine) {
  TimedInstruction timed;
  timed.inst = &inst;
  timed.issueCycles = uint16_t(machine.slot);
  if (isa::isValu(inst)) {
    fillVector(timed, inst, machine);
  } else if (inst.format == Format::DS) {
    fillLds(timed, inst, machine);
  } else if (isa::isVectorMemory(inst)) {
    fillVectorMemory(timed, inst, machine);
  } else if (inst.format == Format::SMEM) {
    timed.category = IssueCategory::Scalar;
    if (!inst.mnemonic.starts_with("s_dcache")) {
      timed.kind = TimedKind::ScalarLoad;
      timed.counters = CountsLgkm;
      timed.isMemory = true;
    }
  } else if (inst.format == Format::SOPP) {
    fillControl(timed, inst, machine);
  } else if (isa::isSalu(inst)) {
    timed.category = IssueCategory::Scalar;
    timed.isBranch = inst.mnemonic.starts_with("s_setpc") ||
                     inst.mnemonic.starts_with("s_swappc") ||
                     inst.mnemonic.starts_with("s_call");
  }
  if (timed.isMemory || timed.kind == TimedKind::Lds)
    isa::forEachRead(inst, [&](const isa::RegisterRead &read) {
      if (read.range.first < isa::reg::vectors)
        timed.memoryReads.push_back(read.range);
    });
  return timed;
}

TimedProgram::TimedProgram(const LoadedProgram &program,
                           const Machine &machine) {
  llvm::ArrayRef<LoadedProgram::Slot> slots = program.slots();
  index.assign(slots.size(), 0);
  for (const auto &[slot, content] : llvm::enumerate(slots)) {
    // Gaps are never executed: the launch has ended without a fault.
    if (content.instruction->format == Format::Invalid)
      continue;
    index[slot] = uint32_t(table.size());
    table.push_back(describe(*content.instruction, machine));
  }
}
