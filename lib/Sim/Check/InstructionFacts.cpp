//===- InstructionFacts.cpp - what checks ask of an instruction -----------===//
//
// Which counter an instruction moves: [AMD] CDNA3 ISA document, "Manually
// Inserted Wait States"; cache invalidations and write-backs move none that
// others could be counted by [LLVM22].
//
//===----------------------------------------------------------------------===//

#include "InstructionFacts.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Sim/Simulator.h"

#include "llvm/ADT/bit.h"

using namespace fly;
using namespace fly::sim;
using isa::Format;
using isa::Instruction;

static bool isCacheControl(const Instruction &inst) {
  return inst.format == Format::MUBUF && !inst.mnemonic.contains("_load_") &&
         !inst.mnemonic.contains("_store_") &&
         !inst.mnemonic.contains("_atomic_");
}

static IssueKind issueKindOf(const Instruction &inst) {
  switch (inst.format) {
  case Format::Flat:
    return IssueKind::Flat;
  case Format::Global:
  case Format::Scratch:
  case Format::MTBUF:
    return IssueKind::VectorMemory;
  case Format::MUBUF:
    return isCacheControl(inst) ? IssueKind::CacheControl
                                : IssueKind::VectorMemory;
  case Format::DS:
    return inst.mnemonic == "ds_nop" ? IssueKind::None : IssueKind::Lds;
  case Format::SMEM:
    return inst.mnemonic.starts_with("s_dcache") ? IssueKind::None
                                                 : IssueKind::Scalar;
  case Format::SOPP:
    if (inst.mnemonic == "s_waitcnt")
      return IssueKind::Wait;
    return inst.mnemonic.starts_with("s_sendmsg") ? IssueKind::Scalar
                                                  : IssueKind::None;
  default:
    return IssueKind::None;
  }
}

InstructionFacts::InstructionFacts(const Instruction &inst)
    : issue(issueKindOf(inst)) {
  if (issue == IssueKind::Wait)
    wait = arch::WaitCount::decode(uint16_t(inst.simm16));
  if (isa::isMfma(inst))
    lanes = ReadLanes::All;
  else if (inst.mnemonic == "v_readfirstlane_b32")
    lanes = ReadLanes::First;
  else if (inst.mnemonic == "v_readlane_b32")
    lanes = ReadLanes::Named;
  isa::forEachRead(inst, [&](const isa::RegisterRead &read) {
    reads.push_back(read);
    footprint.add(read.range);
  });
  isa::forEachWrite(inst, [&](isa::RegisterRange range) {
    writes.push_back(range);
    footprint.add(range);
  });
}

uint64_t InstructionFacts::lanesRead(const Instruction &inst,
                                     const WaveState &wave) const {
  switch (lanes) {
  case ReadLanes::All:
    return ~uint64_t(0);
  case ReadLanes::First:
    return wave.exec() ? wave.exec() & -wave.exec() : 1;
  case ReadLanes::Named:
    return uint64_t(1) << (wave.scalar(inst.src[1]) % waveLanes);
  case ReadLanes::Enabled:
    break;
  }
  return wave.exec();
}

FactTable::FactTable(const LoadedProgram &program) {
  llvm::ArrayRef<LoadedProgram::Slot> slots = program.slots();
  index.assign(slots.size(), 0);
  facts.emplace_back(Instruction());
  for (const auto &[slot, content] : llvm::enumerate(slots)) {
    if (content.instruction->format == Format::Invalid)
      continue;
    index[slot] = uint32_t(facts.size());
    facts.emplace_back(*content.instruction);
  }
}
