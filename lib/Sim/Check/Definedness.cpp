//===- Definedness.cpp - values that nothing has written ------------------===//
//
// State, memory and reports; DefinednessRules.cpp and DefinednessScalar.cpp
// have the rules of results.
//
//===----------------------------------------------------------------------===//

#include "Definedness.h"

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;
namespace reg = isa::reg;

DefinednessCheck::DefinednessCheck(FindingLog &log, const LaunchState &launch)
    : log(log), launch(launch), ldsBytes(launch.ldsBytes / 64 + 1) {}

void DefinednessCheck::startWorkgroup() { llvm::fill(ldsBytes, 0); }

void DefinednessCheck::startWave(const WaveState &wave,
                                 DefinedRegisters &registers) const {
  const isa::KernelDescriptor &kd = launch.kernel->descriptor;
  registers.partial.clear();
  llvm::fill(registers.origin, 0);
  // Nobody asks for lanes that do not exist.
  llvm::fill(registers.lanes, ~wave.lanesAtStart);
  registers.lanes[0] = ~uint64_t(0);
  for (unsigned i = 1; i != reg::vectors; ++i)
    if (wave.lanesAtStart)
      registers.partial.add(i);
  unsigned system = kd.userSgprCount() + kd.enableWorkgroupId(0) +
                    kd.enableWorkgroupId(1) + kd.enableWorkgroupId(2) +
                    kd.enableWorkgroupInfo();
  llvm::fill(registers.bits, ~uint32_t(0));
  auto undefine = [&](unsigned index) {
    registers.bits[index - reg::sgpr] = 0;
    registers.partial.add(index);
  };
  // What lies between preloaded and system registers is padding.
  for (unsigned i = reg::sgpr + system; i < reg::flatScratch; ++i)
    undefine(i);
  for (unsigned i : {reg::vcc, reg::vcc + 1, reg::m0, reg::scc})
    undefine(i);
}

void DefinednessCheck::report(const isa::Instruction &inst,
                              const WaveState &wave, int lane, unsigned source,
                              const char *use, DefinedRegisters &registers) {
  uint32_t origin = registers.origin[source];
  const isa::Instruction *from =
      origin ? launch.program->slots()[origin - 1].instruction : nullptr;
  log.report(Check::Init, wave, inst, lane, from, [&] {
    return llvm::formatv("{0} is {1}, but {2}", isa::registerName(source), use,
                         from ? "its value comes from bytes of LDS that "
                                "nothing has written"
                              : "it depends on a register that nothing has "
                                "written")
        .str();
  });
}

bool DefinednessCheck::isAnyByteDefined(uint64_t address,
                                        unsigned bytes) const {
  for (uint64_t at = address, end = address + bytes; at != end; ++at)
    if ((ldsBytes[at / 64] >> at % 64) & 1)
      return true;
  return false;
}

void DefinednessCheck::setBytes(uint64_t address, uint32_t bytes,
                                bool areDefined) {
  for (uint64_t end = address + bytes; address != end;) {
    unsigned inWord = unsigned(address % 64);
    unsigned count = unsigned(std::min<uint64_t>(64 - inWord, end - address));
    uint64_t mask = (count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1)
                    << inWord;
    uint64_t &word = ldsBytes[address / 64];
    word = areDefined ? word | mask : word & ~mask;
    address += count;
  }
}

void DefinednessCheck::setLanes(unsigned index, uint64_t lanes, uint32_t origin,
                                DefinedRegisters &registers) {
  registers.lanes[index] = lanes;
  if (lanes == ~uint64_t(0)) {
    registers.partial.remove(index);
  } else {
    registers.partial.add(index);
    registers.origin[index] = origin;
  }
}

void DefinednessCheck::setBits(unsigned index, uint32_t bits, uint32_t origin,
                               DefinedRegisters &registers) {
  registers.bits[index - reg::sgpr] = bits;
  if (bits == ~uint32_t(0)) {
    registers.partial.remove(index);
  } else {
    registers.partial.add(index);
    registers.origin[index] = origin;
  }
}

/// Reads at any address do no harm: LDS and buffers give something for each,
/// which nobody has to look at. Stores go somewhere, and global reads fault.
static bool isHarmless(const isa::Instruction &inst) {
  return isa::isLoad(inst) && !isa::isLdsDma(inst) &&
         (inst.format == isa::Format::DS || inst.format == isa::Format::MUBUF ||
          inst.format == isa::Format::MTBUF);
}

DefinednessCheck::Undefined
DefinednessCheck::undefinedAddress(const isa::Instruction &inst,
                                   const DefinedRegisters &registers) {
  Undefined undefined;
  isa::RegisterRange range = isa::rangeOf(inst.src[isa::MemAddr]);
  for (unsigned i = range.first, e = range.first + range.count; i != e; ++i)
    if (i < reg::vectors && registers.partial.has(i))
      undefined.add(~registers.lanes[i], i);
  return undefined;
}

void DefinednessCheck::checkAddress(const isa::Instruction &inst,
                                    const WaveState &wave,
                                    DefinedRegisters &registers) {
  auto check = [&](const isa::Operand &operand) {
    isa::RegisterRange range = isa::rangeOf(operand);
    for (unsigned i = range.first, e = range.first + range.count; i != e; ++i)
      if (i >= reg::sgpr && registers.partial.has(i))
        return report(inst, wave, -1, i, "part of an address", registers);
  };
  if (inst.format == isa::Format::SMEM) {
    for (const isa::Operand &source : inst.src)
      check(source);
    return;
  }
  // Without enabled lanes nothing is accessed.
  if (isa::isLdsPermutation(inst) || wave.exec() == 0)
    return;
  Undefined undefined = undefinedAddress(inst, registers);
  if (uint64_t lanes = undefined.lanes & wave.exec();
      lanes && !isHarmless(inst))
    report(inst, wave, int(llvm::countr_zero(lanes)), undefined.source,
           "an address", registers);
  if (inst.format != isa::Format::DS) {
    check(inst.src[isa::MemBase]);
    check(inst.src[isa::MemSOffset]);
  }
  if (isa::readsM0(inst) && registers.partial.has(reg::m0))
    report(inst, wave, -1, reg::m0, "part of an address", registers);
}

/// Registers that an access to LDS delivers at most.
static constexpr unsigned maxLdsDwords = 4;

/// The register of a store's data that an access moves first.
static unsigned dataRegister(const isa::Instruction &inst, unsigned part) {
  const isa::Operand &first = inst.src[isa::MemData];
  if (inst.format == isa::Format::DS && inst.src[isa::MemBase].exists() &&
      part >= first.dwords)
    return isa::rangeOf(inst.src[isa::MemBase]).first + part - first.dwords;
  return isa::rangeOf(first).first + part;
}

void DefinednessCheck::access(const isa::Instruction &inst, size_t slot,
                              WaveState &wave, const AccessLog &accesses,
                              DefinedRegisters &registers) {
  uint64_t enabled = wave.exec();
  // Lanes of each register of the destination that get undefined bytes.
  uint64_t undefined[maxLdsDwords] = {};
  bool isCopy = isa::isLdsDma(inst);
  bool isTransposing = inst.mnemonic.contains("_tr_");
  for (const LaneAccess &access : accesses) {
    bool isLds = access.space == MemorySpace::Lds;
    uint64_t lane = uint64_t(1) << access.lane;
    bool isUpdate = access.isWrite && !isCopy && !isa::isStore(inst);
    bool areDefined = true;
    if (isLds && (!access.isWrite || isUpdate))
      for (unsigned done = 0; done < access.bytes; done += 4) {
        unsigned count = std::min(4u, access.bytes - done);
        if (isAnyByteDefined(access.address + done, count))
          continue;
        unsigned index = access.part + done / 4;
        if (index < maxLdsDwords && !isTransposing)
          undefined[index] |= lane;
        // An exchange leaves nothing of what was there.
        areDefined &= inst.mnemonic.contains("wrxchg");
      }
    if (!access.isWrite)
      continue;
    if (!isCopy && inst.src[isa::MemData].isVector())
      for (unsigned i = 0; i != (access.bytes + 3u) / 4; ++i) {
        unsigned index = dataRegister(inst, access.part + i);
        if (registers.partial.has(index) && !(registers.lanes[index] & lane)) {
          areDefined = false;
          if (access.space == MemorySpace::Global)
            report(inst, wave, access.lane, index, "stored", registers);
        }
      }
    if (isLds)
      setBytes(access.address, access.bytes, areDefined);
  }
  if (!inst.numDst)
    return;
  Undefined nowhere;
  if (isHarmless(inst))
    nowhere = undefinedAddress(inst, registers);
  uint32_t nowhereOrigin = nowhere.lanes ? registers.origin[nowhere.source] : 0;
  isa::RegisterRange range = isa::rangeOf(inst.dst[0]);
  for (unsigned i = 0; i != range.count; ++i) {
    unsigned index = range.first + i;
    uint64_t fromLds = i < maxLdsDwords ? undefined[i] : 0;
    uint64_t bad = (fromLds | nowhere.lanes) & enabled;
    if (index >= reg::sgpr) {
      if (registers.partial.has(index))
        setBits(index, ~uint32_t(0), 0, registers);
    } else if (bad || registers.partial.has(index)) {
      setLanes(index, (registers.lanes[index] | enabled) & ~bad,
               fromLds ? uint32_t(slot + 1)
               : bad   ? nowhereOrigin
                       : registers.origin[index],
               registers);
    }
  }
}
