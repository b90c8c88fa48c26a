//===- LaneMemory.h - where one lane's access goes --------------*- C++ -*-===//
//
// What problem: flat, global, scratch and LDS instructions differ only in how
// a lane's address is formed and which memory it names.
// What idea: one small policy a space with resolve(): the host bytes of one
// lane's access, or null after raising the fault (or where the access is
// dropped). Loads, stores and atomics are templates over it.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_EXEC_LANEMEMORY_H
#define FLY_LIB_SIM_EXEC_LANEMEMORY_H

#include "llvm/ADT/bit.h"

#include "../Workgroup.h"

namespace fly::sim {

/// Calls `body(lane)` for the enabled lanes in ascending order, until a fault.
template <typename Body>
void forEachActiveLane(WaveState &wave, Body body) {
  for (uint64_t mask = wave.exec(); mask; mask &= mask - 1) {
    body(unsigned(llvm::countr_zero(mask)));
    if (LLVM_UNLIKELY(wave.status == WaveStatus::Faulted))
      return;
  }
}

/// LDS bytes of a lane; faults or is dropped outside the allocation.
inline uint8_t *resolveLds(const isa::Instruction &inst, WaveState &wave,
                           unsigned lane, uint64_t address, uint32_t bytes,
                           bool isWrite, unsigned part = 0) {
  WorkgroupState &workgroup = *wave.workgroup;
  if (uint8_t *host = workgroup.ldsAt(address, bytes)) {
    workgroup.note(MemorySpace::Lds, address, bytes, lane, isWrite, part, host);
    return host;
  }
  if (workgroup.launch.options.checks.has(Check::Bounds))
    wave.raise(FaultKind::LdsOutOfRange, inst, "", int(lane), address, bytes,
               isWrite);
  else
    ++workgroup.counts.ldsOutOfRange;
  return nullptr;
}

/// global_*: scalar base with 32-bit vector offset, or 64-bit vector address.
struct GlobalSpace {
  const uint32_t *low = nullptr, *high = nullptr;
  uint64_t base = 0;

  GlobalSpace(const isa::Instruction &inst, WaveState &wave) {
    base = uint64_t(int64_t(inst.offset));
    if (inst.src[isa::MemBase].exists())
      base += wave.scalar64(inst.src[isa::MemBase]);
    const isa::Operand &address = inst.src[isa::MemAddr];
    if (!address.exists())
      return;
    low = wave.lanes(address, 0);
    if (address.dwords == 2)
      high = wave.lanes(address, 1);
  }
  uint64_t address(unsigned lane) const {
    return base + (low ? low[lane] : 0) +
           (high ? uint64_t(high[lane]) << 32 : 0);
  }
  uint8_t *resolve(const isa::Instruction &inst, WaveState &wave, unsigned lane,
                   uint32_t bytes, bool isWrite) const {
    uint64_t at = address(lane);
    uint8_t *host = wave.workgroup->global(at, bytes);
    if (LLVM_UNLIKELY(!host)) {
      wave.raise(FaultKind::UnmappedAccess, inst, "", int(lane), at, bytes,
                 isWrite);
      return nullptr;
    }
    wave.workgroup->note(MemorySpace::Global, at, bytes, lane, isWrite, 0,
                         host);
    return isWrite ? wave.workgroup->written(host) : host;
  }
};

/// scratch_*: the lane's own bytes, at vaddr + saddr + offset.
struct ScratchSpace {
  const uint32_t *offset = nullptr;
  uint64_t base = 0;

  ScratchSpace(const isa::Instruction &inst, WaveState &wave) {
    base = uint64_t(int64_t(inst.offset));
    if (inst.src[isa::MemBase].exists())
      base += wave.scalar(inst.src[isa::MemBase]);
    if (inst.src[isa::MemAddr].exists())
      offset = wave.lanes(inst.src[isa::MemAddr]);
  }
  uint8_t *resolve(const isa::Instruction &inst, WaveState &wave, unsigned lane,
                   uint32_t bytes, bool isWrite) const {
    // Sums wrap at 32 bits: scratch offsets are 32-bit numbers.
    uint64_t at = uint32_t(base + (offset ? offset[lane] : 0));
    uint8_t *host = wave.workgroup->scratchAt(wave, lane, at, bytes);
    if (LLVM_UNLIKELY(!host))
      wave.raise(FaultKind::UnmappedAccess, inst, "", int(lane),
                 privateApertureBase + at, bytes, isWrite);
    else
      wave.workgroup->note(MemorySpace::Scratch, at, bytes, lane, isWrite, 0,
                           host);
    return host;
  }
};

/// flat_*: the upper half of the address selects LDS, scratch or global.
struct FlatSpace {
  GlobalSpace global;

  FlatSpace(const isa::Instruction &inst, WaveState &wave)
      : global(inst, wave) {}
  uint8_t *resolve(const isa::Instruction &inst, WaveState &wave, unsigned lane,
                   uint32_t bytes, bool isWrite) const {
    uint64_t at = global.address(lane);
    if ((at >> 32) == (sharedApertureBase >> 32))
      return resolveLds(inst, wave, lane, uint32_t(at), bytes, isWrite);
    if ((at >> 32) == (privateApertureBase >> 32)) {
      uint8_t *host =
          wave.workgroup->scratchAt(wave, lane, uint32_t(at), bytes);
      if (!host)
        wave.raise(FaultKind::UnmappedAccess, inst, "", int(lane), at, bytes,
                   isWrite);
      else
        wave.workgroup->note(MemorySpace::Scratch, uint32_t(at), bytes, lane,
                             isWrite, 0, host);
      return host;
    }
    return global.resolve(inst, wave, lane, bytes, isWrite);
  }
};

/// LDS with one address and an immediate byte offset.
struct LdsSpace {
  const uint32_t *addressLanes = nullptr;
  uint32_t offset = 0;

  LdsSpace(const isa::Instruction &inst, WaveState &wave)
      : offset(uint32_t(inst.offset)) {
    if (inst.src[isa::MemAddr].exists())
      addressLanes = wave.lanes(inst.src[isa::MemAddr]);
  }
  uint8_t *resolve(const isa::Instruction &inst, WaveState &wave, unsigned lane,
                   uint32_t bytes, bool isWrite) const {
    // 32-bit sums: compilers fold offsets onto negative addresses.
    uint32_t at = (addressLanes ? addressLanes[lane] : 0) + offset;
    return resolveLds(inst, wave, lane, at, bytes, isWrite);
  }
};

/// How a loaded element becomes the destination register.
enum class Extend : uint8_t {
  Zero8,
  Sign8,
  Zero16,
  Sign16,
  Dwords, ///< `bytes` / 4 whole registers.
  /// The d16 forms keep the other half of the register. [AMD: CDNA3 ISA]; with
  /// SRAM-ECC [INF: SIM-D16-HALF]
  Low16Zero8,
  Low16Sign8,
  Low16,
  High16Zero8,
  High16Sign8,
  High16,
};

constexpr uint32_t elementBytes(Extend extend) {
  switch (extend) {
  case Extend::Zero8:
  case Extend::Sign8:
  case Extend::Low16Zero8:
  case Extend::Low16Sign8:
  case Extend::High16Zero8:
  case Extend::High16Sign8:
    return 1;
  case Extend::Dwords:
    return 4;
  default:
    return 2;
  }
}

/// The new register value from memory bytes and the old value.
template <Extend extend>
uint32_t extendElement(const uint8_t *memory, uint32_t old) {
  uint16_t half = 0;
  if (elementBytes(extend) == 2)
    std::memcpy(&half, memory, 2);
  switch (extend) {
  case Extend::Zero8:
    return *memory;
  case Extend::Sign8:
    return uint32_t(int32_t(int8_t(*memory)));
  case Extend::Zero16:
    return half;
  case Extend::Sign16:
    return uint32_t(int32_t(int16_t(half)));
  case Extend::Low16Zero8:
    return (old & 0xffff0000) | *memory;
  case Extend::Low16Sign8:
    return (old & 0xffff0000) | uint16_t(int16_t(int8_t(*memory)));
  case Extend::Low16:
    return (old & 0xffff0000) | half;
  case Extend::High16Zero8:
    return (old & 0xffff) | uint32_t(*memory) << 16;
  case Extend::High16Sign8:
    return (old & 0xffff) | uint32_t(uint16_t(int16_t(int8_t(*memory)))) << 16;
  case Extend::High16:
    return (old & 0xffff) | uint32_t(half) << 16;
  case Extend::Dwords:
    break;
  }
  uint32_t value;
  std::memcpy(&value, memory, 4);
  return value;
}

/// Loads one element a lane. A dropped access (null without fault) reads 0.
template <typename Space, Extend extend>
void loadElement(const isa::Instruction &inst, WaveState &wave) {
  Space space(inst, wave);
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) {
    static const uint8_t zeros[4] = {};
    const uint8_t *memory =
        space.resolve(inst, wave, lane, elementBytes(extend), false);
    out[lane] = extendElement<extend>(memory ? memory : zeros, out[lane]);
  });
}

template <typename Space, unsigned dwords>
void loadDwords(const isa::Instruction &inst, WaveState &wave) {
  Space space(inst, wave);
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) {
    const uint8_t *memory = space.resolve(inst, wave, lane, dwords * 4, false);
    uint32_t values[dwords] = {};
    if (memory)
      std::memcpy(values, memory, dwords * 4);
    for (unsigned i = 0; i != dwords; ++i)
      out[i * waveLanes + lane] = values[i];
  });
}

/// Stores the low `bytes` of a register, or of its upper half.
template <typename Space, unsigned bytes, bool fromHigh>
void storeElement(const isa::Instruction &inst, WaveState &wave) {
  Space space(inst, wave);
  const uint32_t *data = wave.lanes(inst.src[isa::MemData]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint8_t *memory = space.resolve(inst, wave, lane, bytes, true);
    uint32_t value = fromHigh ? data[lane] >> 16 : data[lane];
    if (memory)
      std::memcpy(memory, &value, bytes);
  });
}

template <typename Space, unsigned dwords>
void storeDwords(const isa::Instruction &inst, WaveState &wave) {
  Space space(inst, wave);
  const uint32_t *data = wave.lanes(inst.src[isa::MemData]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint8_t *memory = space.resolve(inst, wave, lane, dwords * 4, true);
    if (!memory)
      return;
    uint32_t values[dwords];
    for (unsigned i = 0; i != dwords; ++i)
      values[i] = data[i * waveLanes + lane];
    std::memcpy(memory, values, dwords * 4);
  });
}

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_LANEMEMORY_H
