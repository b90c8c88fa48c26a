//===- Smem.cpp - scalar memory -------------------------------------------===//
//
// What idea: a scalar load reads one aligned range and writes consecutive
// SGPRs. s_buffer_load checks each dword against num_records.
// What it refuses: unmapped addresses fault with the address; scalar stores do
// not exist on these chips.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringSwitch.h"

#include "../Workgroup.h"
#include "ExecTable.h"

using namespace fly::sim;
using fly::isa::Instruction;

/// Immediate plus scalar offset, in bytes.
static uint64_t offsetOf(const Instruction &inst, const WaveState &wave) {
  uint64_t offset = uint64_t(int64_t(inst.offset));
  if (inst.src[1].exists())
    offset += wave.scalar(inst.src[1]);
  return offset;
}

static void load(const Instruction &inst, WaveState &wave) {
  // The two low bits of the sum are dropped. [AMD]
  uint64_t address =
      (wave.scalar64(inst.src[0]) + offsetOf(inst, wave)) & ~uint64_t(3);
  uint32_t bytes = inst.dst[0].dwords * 4u;
  const uint8_t *data = wave.workgroup->global(address, bytes);
  if (!data)
    return wave.raise(FaultKind::UnmappedAccess, inst, "", -1, address, bytes);
  wave.workgroup->note(MemorySpace::Global, address, bytes, 0, false, 0, data);
  for (unsigned i = 0; i != inst.dst[0].dwords; ++i) {
    uint32_t value;
    std::memcpy(&value, data + 4 * i, 4);
    wave.setScalar(inst.dst[0], value, i);
  }
}

static void bufferLoad(const Instruction &inst, WaveState &wave) {
  uint32_t word0 = wave.scalar(inst.src[0], 0);
  uint32_t word1 = wave.scalar(inst.src[0], 1);
  uint32_t records = wave.scalar(inst.src[0], 2);
  uint64_t base = word0 | uint64_t(word1 & 0xffff) << 32;
  uint32_t stride = (word1 >> 16) & 0x3fff;
  uint64_t limit = stride ? uint64_t(records) * stride : records;
  uint64_t offset = offsetOf(inst, wave) & ~uint64_t(3);
  uint32_t values[16] = {};
  for (unsigned i = 0; i != inst.dst[0].dwords; ++i) {
    uint64_t at = offset + 4 * i;
    if (at + 4 > limit) {
      ++wave.workgroup->counts.bufferReadsOutOfRange;
      continue;
    }
    const uint8_t *data = wave.workgroup->global(base + at, 4);
    if (!data)
      return wave.raise(FaultKind::UnmappedAccess, inst, "", -1, base + at, 4);
    wave.workgroup->note(MemorySpace::Global, base + at, 4, 0, false, i, data);
    std::memcpy(&values[i], data, 4);
  }
  for (unsigned i = 0; i != inst.dst[0].dwords; ++i)
    wave.setScalar(inst.dst[0], values[i], i);
}

/// There are no cycles here: the clock counts the wave's own instructions, so
/// that it moves, and moves alike in every run.
/// [INF: SIM-MEMTIME]
static void readClock(const Instruction &inst, WaveState &wave) {
  wave.setScalar64(inst.dst[0], wave.workgroup->instructionsOf(wave));
}

static void nothing(const Instruction &, WaveState &) {}

ExecFn fly::sim::lookupSmem(const Instruction &inst, ChipKind) {
  if (inst.format != fly::isa::Format::SMEM)
    return nullptr;
  if (inst.mnemonic.starts_with("s_load_dword"))
    return inst.dst[0].dwords <= 16 ? load : nullptr;
  if (inst.mnemonic.starts_with("s_buffer_load_dword"))
    return inst.dst[0].dwords <= 16 ? bufferLoad : nullptr;
  return llvm::StringSwitch<ExecFn>(inst.mnemonic)
      .Cases({"s_memtime", "s_memrealtime"}, readClock)
      .Cases({"s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol"}, nothing)
      .Cases({"s_dcache_wb_vol", "s_dcache_discard"}, nothing)
      .Default(nullptr);
}
