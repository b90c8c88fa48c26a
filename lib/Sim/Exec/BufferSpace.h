//===- BufferSpace.h - addresses of buffer instructions ---------*- C++ -*-===//
//
// What problem: a buffer instruction checks each dword of each lane against
// its resource: outside, reads give 0 and writes are dropped.
// What idea: the resource is taken apart once an instruction. Rules of gfx9
// ([AMD] CDNA3 instruction set document, "Range checking"; units of
// num_records as Mesa's radeonsi uses them [MEM: SIM-BUFFER-RECORDS]):
//  * raw (stride 0 or no index): outside if soffset + voffset + offset +
//    4*dword, plus the element's bytes, exceeds num_records. Sums do not wrap
//    here. [INF: SIM-BUFFER-WRAP]
//  * structured (stride and index): outside if index >= num_records.
// What it refuses: swizzled resources.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_EXEC_BUFFERSPACE_H
#define FLY_LIB_SIM_EXEC_BUFFERSPACE_H

#include "LaneMemory.h"

namespace fly::sim {

/// One buffer instruction's view of its resource.
struct BufferSpace {
  uint64_t base = 0;
  uint32_t records = 0;
  uint32_t stride = 0;
  bool swizzled = false;
  bool addThreadId = false;
  bool structured = false;
  uint64_t scalarOffset = 0; ///< soffset + immediate.
  const uint32_t *index = nullptr;
  const uint32_t *offset = nullptr;

  BufferSpace(const isa::Instruction &inst, WaveState &wave) {
    const isa::Operand &resource = inst.src[isa::MemBase];
    uint32_t word1 = wave.scalar(resource, 1);
    base = wave.scalar(resource, 0) | uint64_t(word1 & 0xffff) << 32;
    stride = (word1 >> 16) & 0x3fff;
    swizzled = word1 >> 31;
    records = wave.scalar(resource, 2);
    addThreadId = (wave.scalar(resource, 3) >> 23) & 1;
    structured = stride != 0 && (inst.idxen || addThreadId);
    scalarOffset = uint64_t(inst.offset);
    if (inst.src[isa::MemSOffset].exists())
      scalarOffset += wave.scalar(inst.src[isa::MemSOffset]);
    const isa::Operand &address = inst.src[isa::MemAddr];
    if (inst.idxen)
      index = wave.lanes(address, 0);
    if (inst.offen)
      offset = wave.lanes(address, inst.idxen ? 1 : 0);
  }

  /// Host bytes of an element `extra` bytes behind the lane's address. Null
  /// where it is outside the resource, or after a fault.
  uint8_t *resolveAt(const isa::Instruction &inst, WaveState &wave,
                     unsigned lane, uint32_t extra, uint32_t bytes,
                     bool isWrite) const {
    if (LLVM_UNLIKELY(swizzled)) {
      wave.raise(FaultKind::Unimplemented, inst, "swizzled buffer resource");
      return nullptr;
    }
    uint64_t row = (index ? index[lane] : 0) + (addThreadId ? lane : 0u);
    uint64_t linear = scalarOffset + (offset ? offset[lane] : 0) + extra;
    bool outside = structured ? row >= records : linear + bytes > records;
    if (outside) {
      Result &counts = wave.workgroup->counts;
      ++(isWrite ? counts.bufferWritesDropped : counts.bufferReadsOutOfRange);
      return nullptr;
    }
    uint64_t address = base + row * stride + linear;
    uint8_t *host = wave.workgroup->global(address, bytes);
    if (LLVM_UNLIKELY(!host)) {
      wave.raise(FaultKind::UnmappedAccess, inst, "", int(lane), address, bytes,
                 isWrite);
      return nullptr;
    }
    wave.workgroup->note(MemorySpace::Global, address, bytes, lane, isWrite,
                         extra / 4, host);
    return isWrite ? wave.workgroup->written(host) : host;
  }
  uint8_t *resolve(const isa::Instruction &inst, WaveState &wave, unsigned lane,
                   uint32_t bytes, bool isWrite) const {
    return resolveAt(inst, wave, lane, 0, bytes, isWrite);
  }
  /// Host bytes of all dwords of an element, as one access. Null where not all
  /// of them are inside: resolveAt() says of each what becomes of it.
  uint8_t *resolveWhole(WaveState &wave, unsigned lane, uint32_t bytes,
                        bool isWrite) const {
    uint64_t row = (index ? index[lane] : 0) + (addThreadId ? lane : 0u);
    uint64_t linear = scalarOffset + (offset ? offset[lane] : 0);
    bool outside = structured ? row >= records : linear + bytes > records;
    if (outside || LLVM_UNLIKELY(swizzled))
      return nullptr;
    uint64_t address = base + row * stride + linear;
    uint8_t *host = wave.workgroup->global(address, bytes);
    if (LLVM_UNLIKELY(!host))
      return nullptr;
    wave.workgroup->note(MemorySpace::Global, address, bytes, lane, isWrite, 0,
                         host);
    return isWrite ? wave.workgroup->written(host) : host;
  }
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_BUFFERSPACE_H
