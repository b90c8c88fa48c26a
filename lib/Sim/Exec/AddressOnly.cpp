//===- AddressOnly.cpp - memory instructions without their data -----------===//
//
// What problem: of a launch that is only timed, most loads, stores and copies
// matter by their addresses alone, and moving the data costs most.
// What idea: lanes whose bytes follow one another are looked up together. A
// buffer instruction that is inside of its resource in all lanes needs one
// comparison; the others resolve lane by lane as the real ones do.
//
//===----------------------------------------------------------------------===//

#include "AddressOnly.h"

#include "fly/Isa/InstructionClass.h"

#include "BufferSpace.h"

using namespace fly;
using namespace fly::sim;
using isa::Instruction;

namespace {

/// Joins the bytes of lanes.
class Spans {
public:
  Spans(const Instruction &inst, WaveState &wave, uint32_t bytes, bool isWrite)
      : inst(inst), wave(wave), bytes(bytes), isWrite(isWrite) {}
  void add(unsigned lane, uint64_t address) {
    if (address != end || begin == end) {
      flush();
      begin = address;
      first = lane;
    }
    end = address + bytes;
  }
  void flush() {
    if (begin == end)
      return;
    auto length = uint32_t(end - begin);
    if (const uint8_t *host = wave.workgroup->global(begin, length))
      wave.workgroup->note(MemorySpace::Global, begin, length, first, isWrite,
                           0, host);
    else
      wave.raise(FaultKind::UnmappedAccess, inst, "", int(first), begin, length,
                 isWrite);
    begin = end;
  }

private:
  const Instruction &inst;
  WaveState &wave;
  const uint32_t bytes;
  const bool isWrite;
  uint64_t begin = 0, end = 0;
  unsigned first = 0;
};

} // namespace

template <uint32_t bytes, bool isWrite>
static void noteGlobal(const Instruction &inst, WaveState &wave) {
  GlobalSpace space(inst, wave);
  Spans spans(inst, wave, bytes, isWrite);
  forEachActiveLane(
      wave, [&](unsigned lane) { spans.add(lane, space.address(lane)); });
  spans.flush();
}

/// Whether all lanes are inside of an unstructured resource, disabled ones too.
static bool isInside(const BufferSpace &space, uint32_t bytes) {
  if (space.structured || space.swizzled || space.addThreadId || space.index)
    return false;
  uint32_t largest = 0;
  if (space.offset)
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      largest = std::max(largest, space.offset[lane]);
  return space.scalarOffset + largest + bytes <= space.records;
}

template <uint32_t bytes, bool isWrite>
static void noteBuffer(const Instruction &inst, WaveState &wave) {
  BufferSpace space(inst, wave);
  if (isInside(space, bytes)) {
    Spans spans(inst, wave, bytes, isWrite);
    uint64_t base = space.base + space.scalarOffset;
    forEachActiveLane(wave, [&](unsigned lane) {
      spans.add(lane, base + (space.offset ? space.offset[lane] : 0));
    });
    return spans.flush();
  }
  forEachActiveLane(wave, [&](unsigned lane) {
    if (space.resolveWhole(wave, lane, bytes, isWrite))
      return;
    constexpr uint32_t part = bytes < 4 ? bytes : 4;
    for (uint32_t done = 0; done != bytes; done += part)
      space.resolveAt(inst, wave, lane, done, part, isWrite);
  });
}

template <uint32_t bytes>
static ExecFn find(bool isBuffer, bool isWrite) {
  if (isBuffer)
    return isWrite ? noteBuffer<bytes, true> : noteBuffer<bytes, false>;
  return isWrite ? noteGlobal<bytes, true> : noteGlobal<bytes, false>;
}

ExecFn fly::sim::lookupAddressOnly(const Instruction &inst) {
  bool isBuffer = inst.format == isa::Format::MUBUF;
  bool isWrite = isa::isStore(inst);
  if ((!isBuffer && inst.format != isa::Format::Global) ||
      (!isWrite && !isa::isLoad(inst)))
    return nullptr;
  switch (isa::accessBytes(inst.mnemonic)) {
  case 1:
    return find<1>(isBuffer, isWrite);
  case 2:
    return find<2>(isBuffer, isWrite);
  case 4:
    return find<4>(isBuffer, isWrite);
  case 8:
    return find<8>(isBuffer, isWrite);
  case 12:
    return find<12>(isBuffer, isWrite);
  case 16:
    return find<16>(isBuffer, isWrite);
  default:
    return nullptr;
  }
}
