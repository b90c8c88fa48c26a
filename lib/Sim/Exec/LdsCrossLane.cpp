//===- LdsCrossLane.cpp - permutes, swizzles, transposing reads -----------===//
//
// What idea: these use the LDS data path and move values between lanes.
// Meaning of permute and swizzle: [AMD] CDNA3 instruction set document; of the
// transposing reads of gfx950: lane maps of public kernels [HW], the b4 and b6
// forms [INF: SIM-TRANSPOSE-B4-B6].
// What it refuses: the FFT mode of swizzle; transposing reads with disabled
// lanes, whose result is not defined.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringSwitch.h"

#include "LaneMemory.h"
#include "LdsLookup.h"

using namespace fly::sim;
using fly::isa::Instruction;

static bool isActive(uint64_t mask, unsigned lane) {
  return (mask >> lane) & 1;
}

/// Each lane sends its value to the lane that its address names.
static void permute(const Instruction &inst, WaveState &wave) {
  const uint32_t *address = wave.lanes(inst.src[fly::isa::MemAddr]);
  const uint32_t *data = wave.lanes(inst.src[fly::isa::MemData]);
  LaneBuffer result = {};
  forEachActiveLane(wave, [&](unsigned lane) {
    uint32_t target = (address[lane] + uint32_t(inst.offset)) / 4 % waveLanes;
    result.lane[target] = data[lane];
  });
  wave.store(inst.dst[0], 0, result.lane);
}

/// Each lane fetches from the lane that its address names; disabled lanes
/// give 0.
static void backwardPermute(const Instruction &inst, WaveState &wave) {
  const uint32_t *address = wave.lanes(inst.src[fly::isa::MemAddr]);
  const uint32_t *data = wave.lanes(inst.src[fly::isa::MemData]);
  LaneBuffer result = {};
  uint64_t exec = wave.exec();
  forEachActiveLane(wave, [&](unsigned lane) {
    uint32_t source = (address[lane] + uint32_t(inst.offset)) / 4 % waveLanes;
    result.lane[lane] = isActive(exec, source) ? data[source] : 0;
  });
  wave.store(inst.dst[0], 0, result.lane);
}

/// The lane that a swizzle pattern names for `lane`.
static unsigned swizzleSource(uint32_t pattern, unsigned lane) {
  if (pattern >= 0xc000) { // Rotate within 32 lanes.
    unsigned mask = pattern & 31, amount = (pattern >> 5) & 31;
    unsigned moved = pattern & 0x400 ? lane - amount : lane + amount;
    return (lane & 32) | (lane & mask) | (moved & ~mask & 31);
  }
  if (pattern & 0x8000) // Any lane of the own four.
    return (lane & ~3u) | ((pattern >> (2 * (lane & 3))) & 3);
  unsigned andMask = pattern & 31, orMask = (pattern >> 5) & 31,
           xorMask = (pattern >> 10) & 31;
  return (lane & 32) | ((((lane & 31) & andMask) | orMask) ^ xorMask);
}

static void swizzle(const Instruction &inst, WaveState &wave) {
  // The source is the operand in the address place.
  const uint32_t *data = wave.lanes(inst.src[fly::isa::MemAddr]);
  LaneBuffer result = {};
  uint64_t exec = wave.exec();
  forEachActiveLane(wave, [&](unsigned lane) {
    unsigned source = swizzleSource(uint32_t(inst.offset), lane);
    result.lane[lane] = isActive(exec, source) ? data[source] : 0;
  });
  wave.store(inst.dst[0], 0, result.lane);
}

/// Bits [first, first + width) of a chunk of dwords.
static uint32_t chunkBits(const uint32_t *chunk, unsigned first,
                          unsigned width) {
  uint64_t pair = chunk[first / 32];
  if (first % 32 + width > 32)
    pair |= uint64_t(chunk[first / 32 + 1]) << 32;
  return uint32_t(pair >> (first % 32)) & ((1u << width) - 1);
}

/// Groups of 16 lanes hold a tile of elements of `width` bits; each lane reads
/// `dwords` dwords of it and gets a column.
template <unsigned width, unsigned dwords>
static void transposeRead(const Instruction &inst, WaveState &wave) {
  constexpr unsigned group = 16;
  constexpr unsigned elements = dwords * 32 / width;
  constexpr unsigned alignment = dwords == 2 ? 8 : 4;
  if (wave.exec() != ~uint64_t(0))
    return wave.raise(FaultKind::Trap, inst,
                      "a transposing read needs all lanes enabled");
  const uint32_t *address = wave.lanes(inst.src[fly::isa::MemAddr]);
  uint32_t input[waveLanes][dwords] = {};
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    uint32_t at = address[lane] + uint32_t(inst.offset);
    if (at % alignment != 0)
      return wave.raise(FaultKind::MisalignedAccess, inst, "", int(lane), at,
                        dwords * 4);
    const uint8_t *memory = resolveLds(inst, wave, lane, at, dwords * 4, false);
    if (wave.status == WaveStatus::Faulted)
      return;
    if (memory)
      std::memcpy(input[lane], memory, dwords * 4);
  }
  // Lanes that one row of 16 elements occupies.
  constexpr unsigned lanesPerRow = group / elements ? group / elements : 1;
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    unsigned first = lane / group * group, column = lane % group;
    uint64_t low = 0, high = 0;
    for (unsigned e = 0; e != elements; ++e) {
      unsigned source = first + lanesPerRow * e + column / elements;
      uint64_t bits =
          chunkBits(input[source], column % elements * width, width);
      unsigned position = e * width;
      if (position < 64) {
        low |= bits << position;
        if (position + width > 64)
          high |= bits >> (64 - position);
      } else {
        high |= bits << (position - 64);
      }
    }
    uint32_t result[4] = {uint32_t(low), uint32_t(low >> 32), uint32_t(high),
                          uint32_t(high >> 32)};
    for (unsigned i = 0; i != dwords; ++i)
      wave.lanes(inst.dst[0], i)[lane] = result[i];
  }
}

ExecFn fly::sim::lookupLdsCrossLane(const Instruction &inst) {
  if (inst.mnemonic == "ds_swizzle_b32")
    return inst.offset < 0xe000 ? swizzle : nullptr;
  return llvm::StringSwitch<ExecFn>(inst.mnemonic)
      .Case("ds_permute_b32", permute)
      .Case("ds_bpermute_b32", backwardPermute)
      .Case("ds_read_b64_tr_b16", transposeRead<16, 2>)
      .Case("ds_read_b64_tr_b8", transposeRead<8, 2>)
      .Case("ds_read_b64_tr_b4", transposeRead<4, 2>)
      .Case("ds_read_b96_tr_b6", transposeRead<6, 3>)
      .Default(nullptr);
}
