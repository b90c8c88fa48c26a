//===- AddressOnly.cpp - memory instructions without their data -----------===//
//
// What problem: of a launch that is only timed, most loads, stores and copies
// matter by their addresses alone, and moving the data costs most.
// What idea: lanes that lie as they lay before are looked up as one. A buffer
// instruction that is inside of its resource in all lanes needs one comparison;
// the others resolve lane by lane as the real ones do.
//
//===----------------------------------------------------------------------===//

#include "AddressOnly.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Sim/Simulator.h"

#include <optional>

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

/// Notes the accesses of all lanes, at `base` plus their offsets, as one. False
/// where they have to be looked at one by one: too many patterns, or not all
/// inside of one allocation and of the bytes from `base` to `end`.
static bool noteAlike(const Instruction &inst, WaveState &wave, uint64_t base,
                      const uint32_t *offsets, uint32_t bytes,
                      uint64_t end = ~uint64_t(0)) {
  static constexpr uint32_t zeros[waveLanes] = {};
  if (!wave.exec())
    return false;
  WorkgroupState &workgroup = *wave.workgroup;
  size_t slot = (inst.pc - workgroup.launch.program->codeBegin()) / 4;
  auto [pattern, shift] =
      workgroup.patterns.find(slot, wave.exec(), offsets ? offsets : zeros);
  if (!pattern)
    return false;
  base += uint64_t(shift);
  uint64_t length = pattern->most - pattern->least + uint64_t(bytes);
  if (pattern->most + uint64_t(shift) + bytes > end ||
      !workgroup.global(base + pattern->least, length))
    return false;
  workgroup.note({pattern, base, bytes});
  return true;
}

/// The same upper half of the addresses of all lanes; none if they differ.
static std::optional<uint64_t> upperHalf(const GlobalSpace &space) {
  uint32_t different = 0;
  if (!space.high)
    return 0;
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    different |= space.high[lane] ^ space.high[0];
  if (different)
    return std::nullopt;
  return uint64_t(space.high[0]) << 32;
}

template <uint32_t bytes, bool isWrite>
static void noteGlobal(const Instruction &inst, WaveState &wave) {
  GlobalSpace space(inst, wave);
  if (std::optional<uint64_t> upper = upperHalf(space))
    if (noteAlike(inst, wave, space.base + *upper, space.low, bytes))
      return;
  Spans spans(inst, wave, bytes, isWrite);
  forEachActiveLane(
      wave, [&](unsigned lane) { spans.add(lane, space.address(lane)); });
  spans.flush();
}

template <uint32_t bytes, bool isWrite>
static void noteBuffer(const Instruction &inst, WaveState &wave) {
  BufferSpace space(inst, wave);
  bool isPlain = !space.structured && !space.swizzled && !space.addThreadId &&
                 !space.index && space.scalarOffset <= space.records;
  if (isPlain &&
      noteAlike(inst, wave, space.base + space.scalarOffset, space.offset,
                bytes, space.records - space.scalarOffset))
    return;
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
