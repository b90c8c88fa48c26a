//===- Load.cpp - a code object into simulated memory ---------------------===//
//
// What idea: the image is copied to a fresh device allocation, addresses that
// move with it are patched, and each static instruction is bound to the
// function that executes it, so that running needs no lookup by name.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/ArchInfo.h"
#include "fly/Sim/Simulator.h"

#include "llvm/Support/Endian.h"

#include "Workgroup.h"

using namespace fly;
using namespace fly::sim;
using namespace llvm;

/// The kernel may read a little behind its data, as far as a page goes.
static constexpr uint64_t imageAlign = 4096;

/// Stands for all dwords that start no instruction. pc has been advanced by 4.
static void executeGap(const isa::Instruction &inst, WaveState &wave) {
  isa::Instruction here = inst;
  here.pc = wave.pc - 4 - wave.workgroup->launch.program->loadBase();
  wave.raise(FaultKind::BadProgramCounter, here);
}

/// True for a global atomic whose values, or whose sum in memory, depend on
/// which workgroup comes first.
static bool isOrderedAtomic(const isa::Instruction &inst) {
  size_t at = inst.mnemonic.find("_atomic_");
  if (at == StringRef::npos)
    return false;
  if (inst.sc0)
    return true;
  StringRef operation = inst.mnemonic.substr(at + 8);
  return operation.contains("add_f") || operation.contains("pk_add") ||
         operation.contains("swap") || operation.starts_with("inc") ||
         operation.starts_with("dec");
}

Simulator::Simulator() = default;
Simulator::~Simulator() = default;

Expected<const LoadedProgram *> Simulator::load(StringRef bytes,
                                                StringRef name) {
  auto object = isa::CodeObject::load(bytes, name);
  if (!object)
    return object.takeError();
  auto program = std::make_unique<LoadedProgram>();
  program->codeObject = std::move(*object);
  program->lineTable = isa::LineTable::read(bytes);
  const isa::CodeObject &code = program->codeObject;
  program->chipKind =
      arch::ArchInfo::lookup(code.chip())->chip == arch::Chip::Gfx950
          ? ChipKind::Gfx950
          : ChipKind::Gfx942;
  auto decoded = isa::Program::decode(code);
  if (!decoded)
    return decoded.takeError();
  program->decoded = std::move(*decoded);

  uint64_t imageBytes = (code.imageEnd() + imageAlign) & ~(imageAlign - 1);
  auto base = deviceMemory.allocate(imageBytes, name);
  if (!base)
    return base.takeError();
  program->base = *base;
  uint8_t *image = deviceMemory.host(*base, imageBytes);
  uint64_t codeEnd = 0;
  program->codeStart = ~uint64_t(0);
  for (const isa::Segment &segment : code.segments()) {
    std::memcpy(image + segment.address, segment.bytes.data(),
                segment.bytes.size());
    if (!segment.executable)
      continue;
    program->codeStart = std::min(program->codeStart, segment.address);
    codeEnd = std::max(codeEnd, segment.address + segment.bytes.size());
  }
  for (uint64_t word : code.relativeRelocations()) {
    uint64_t value = support::endian::read64le(image + word);
    support::endian::write64le(image + word, value + *base);
  }

  program->codeStart &= ~uint64_t(3);
  if (codeEnd < program->codeStart)
    codeEnd = program->codeStart;
  size_t slotCount = (codeEnd - program->codeStart) / 4;
  program->slotTable.assign(slotCount, {executeGap, &program->gap});
  for (const isa::Instruction &inst : program->decoded->instructions()) {
    size_t index = (inst.pc - program->codeStart) / 4;
    if (index >= slotCount)
      continue;
    program->slotTable[index] = {lookupExecutor(inst, program->chipKind),
                                 &inst};
    program->orderedAtomics |= isOrderedAtomic(inst);
  }
  programs.push_back(std::move(program));
  return programs.back().get();
}
