//===- VmemBuffer.cpp - buffer memory and copies to LDS -------------------===//
//
// What idea: BufferSpace resolves an element at once where all of it is inside,
// else each dword on its own, as the hardware checks them. Copies to LDS write
// M0 + offset + lane * bytes; the immediate counts on both sides. [LLVM22]
// llvm.amdgcn.raw.buffer.load.lds Lanes outside the resource write zeros. [MEM:
// SIM-LDS-COPY-OUTSIDE] What it refuses: format conversions and swizzled
// resources.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringSwitch.h"

#include "AtomicOps.h"
#include "BufferSpace.h"
#include "VmemLookup.h"

using namespace fly::sim;
using fly::isa::Instruction;

template <unsigned dwords>
static void loadBuffer(const Instruction &inst, WaveState &wave) {
  BufferSpace space(inst, wave);
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint32_t values[dwords] = {};
    if (const uint8_t *whole =
            space.resolveWhole(wave, lane, 4 * dwords, false))
      std::memcpy(values, whole, 4 * dwords);
    else
      for (unsigned i = 0; i != dwords; ++i)
        if (const uint8_t *memory =
                space.resolveAt(inst, wave, lane, 4 * i, 4, false))
          std::memcpy(&values[i], memory, 4);
    for (unsigned i = 0; i != dwords; ++i)
      out[i * waveLanes + lane] = values[i];
  });
}

template <unsigned dwords>
static void storeBuffer(const Instruction &inst, WaveState &wave) {
  BufferSpace space(inst, wave);
  const uint32_t *data = wave.lanes(inst.src[fly::isa::MemData]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint8_t *whole = space.resolveWhole(wave, lane, 4 * dwords, true);
    for (unsigned i = 0; i != dwords; ++i)
      if (uint8_t *memory =
              whole ? whole + 4 * i
                    : space.resolveAt(inst, wave, lane, 4 * i, 4, true))
        std::memcpy(memory, &data[i * waveLanes + lane], 4);
  });
}

/// Where the copy of lane 0 lands in LDS.
static uint64_t ldsBase(const Instruction &inst, const WaveState &wave) {
  // 18 bits reach all of the largest LDS.
  return (wave.m0() & 0x3ffff) + uint64_t(int64_t(inst.offset));
}

/// Writes one lane's element to LDS; null source bytes write zeros.
template <unsigned bytes>
static void writeLds(const Instruction &inst, WaveState &wave, unsigned lane,
                     const uint8_t *source) {
  uint64_t at = ldsBase(inst, wave) + uint64_t(lane) * bytes;
  uint8_t *target = resolveLds(inst, wave, lane, at, bytes, true);
  if (!target)
    return;
  if (source)
    std::memcpy(target, source, bytes);
  else
    std::memset(target, 0, bytes);
}

template <unsigned bytes>
static void bufferToLds(const Instruction &inst, WaveState &wave) {
  BufferSpace space(inst, wave);
  forEachActiveLane(wave, [&](unsigned lane) {
    if (const uint8_t *whole = space.resolveWhole(wave, lane, bytes, false))
      return writeLds<bytes>(inst, wave, lane, whole);
    uint8_t element[bytes] = {};
    for (unsigned done = 0; done < bytes; done += 4) {
      unsigned part = bytes < 4 ? bytes : 4;
      const uint8_t *memory =
          space.resolveAt(inst, wave, lane, done, part, false);
      if (wave.status == WaveStatus::Faulted)
        return;
      if (memory)
        std::memcpy(element + done, memory, part);
    }
    writeLds<bytes>(inst, wave, lane, element);
  });
}

template <unsigned bytes>
static void globalToLds(const Instruction &inst, WaveState &wave) {
  GlobalSpace space(inst, wave);
  forEachActiveLane(wave, [&](unsigned lane) {
    if (const uint8_t *memory = space.resolve(inst, wave, lane, bytes, false))
      writeLds<bytes>(inst, wave, lane, memory);
  });
}

static void nothing(const Instruction &, WaveState &) {}

ExecFn fly::sim::lookupGlobalToLds(const Instruction &inst) {
  return llvm::StringSwitch<ExecFn>(inst.mnemonic)
      .Cases({"global_load_lds_ubyte", "global_load_lds_sbyte"}, globalToLds<1>)
      .Cases({"global_load_lds_ushort", "global_load_lds_sshort"},
             globalToLds<2>)
      .Case("global_load_lds_dword", globalToLds<4>)
      .Case("global_load_lds_dwordx3", globalToLds<12>)
      .Case("global_load_lds_dwordx4", globalToLds<16>)
      .Default(nullptr);
}

static ExecFn lookupBufferToLds(llvm::StringRef operation) {
  return llvm::StringSwitch<ExecFn>(operation)
      .Cases({"load_ubyte", "load_sbyte"}, bufferToLds<1>)
      .Cases({"load_ushort", "load_sshort"}, bufferToLds<2>)
      .Case("load_dword", bufferToLds<4>)
      .Case("load_dwordx3", bufferToLds<12>)
      .Case("load_dwordx4", bufferToLds<16>)
      .Default(nullptr);
}

ExecFn fly::sim::lookupBuffer(const Instruction &inst, ChipKind) {
  llvm::StringRef name = inst.mnemonic;
  if (!name.consume_front("buffer_"))
    return nullptr;
  if (inst.lds)
    return lookupBufferToLds(name);
  if (name.consume_front("atomic_"))
    return findMemoryAtomic<BufferSpace>(name);
  using B = BufferSpace;
  return llvm::StringSwitch<ExecFn>(name)
      .Case("load_ubyte", loadElement<B, Extend::Zero8>)
      .Case("load_sbyte", loadElement<B, Extend::Sign8>)
      .Case("load_ushort", loadElement<B, Extend::Zero16>)
      .Case("load_sshort", loadElement<B, Extend::Sign16>)
      .Case("load_dword", loadBuffer<1>)
      .Case("load_dwordx2", loadBuffer<2>)
      .Case("load_dwordx3", loadBuffer<3>)
      .Case("load_dwordx4", loadBuffer<4>)
      .Case("load_ubyte_d16", loadElement<B, Extend::Low16Zero8>)
      .Case("load_ubyte_d16_hi", loadElement<B, Extend::High16Zero8>)
      .Case("load_sbyte_d16", loadElement<B, Extend::Low16Sign8>)
      .Case("load_sbyte_d16_hi", loadElement<B, Extend::High16Sign8>)
      .Case("load_short_d16", loadElement<B, Extend::Low16>)
      .Case("load_short_d16_hi", loadElement<B, Extend::High16>)
      .Case("store_byte", storeElement<B, 1, false>)
      .Case("store_byte_d16_hi", storeElement<B, 1, true>)
      .Case("store_short", storeElement<B, 2, false>)
      .Case("store_short_d16_hi", storeElement<B, 2, true>)
      .Case("store_dword", storeBuffer<1>)
      .Case("store_dwordx2", storeBuffer<2>)
      .Case("store_dwordx3", storeBuffer<3>)
      .Case("store_dwordx4", storeBuffer<4>)
      .Cases({"wbl2", "inv", "wbinvl1", "wbinvl1_vol"}, nothing)
      .Default(nullptr);
}
