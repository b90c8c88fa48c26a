//===- ValuLane.cpp - Vector instructions across lanes --------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane reads and writes ignore EXEC, except that v_readfirstlane looks for the
// first active lane (lane 0 where none is). The permlane swaps exchange rows of
// two registers: v_permlane32_swap the upper half of the first with the lower
// half of the second, v_permlane16_swap the odd rows of 16 lanes of the first
// with the even rows of the second [AMD: CDNA4 ISA].
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/bit.h"

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

void readFirstLane(const isa::Instruction &inst, WaveState &wave) {
  uint64_t exec = wave.exec();
  unsigned lane = exec == 0 ? 0 : llvm::countr_zero(exec);
  LaneBuffer buffer;
  wave.setScalar(inst.dst[0], wave.source(inst.src[0], 0, buffer)[lane]);
}

void readLane(const isa::Instruction &inst, WaveState &wave) {
  unsigned lane = wave.scalar(inst.src[1]) % waveLanes;
  wave.setScalar(inst.dst[0], wave.lanes(inst.src[0])[lane]);
}

void writeLane(const isa::Instruction &inst, WaveState &wave) {
  unsigned lane = wave.scalar(inst.src[1]) % waveLanes;
  wave.lanes(inst.dst[0])[lane] = wave.scalar(inst.src[0]);
}

/// Bits of the mask below this lane's number, in the low or the high half.
uint32_t maskedCountLow(uint32_t mask, uint32_t base, LaneIndex lane) {
  uint64_t below = (uint64_t(1) << lane.value) - 1;
  return llvm::popcount(mask & static_cast<uint32_t>(below)) + base;
}
uint32_t maskedCountHigh(uint32_t mask, uint32_t base, LaneIndex lane) {
  uint64_t below = (uint64_t(1) << lane.value) - 1;
  return llvm::popcount(mask & static_cast<uint32_t>(below >> 32)) + base;
}

/// The second register of a swap.
uint32_t *secondRegister(const isa::Instruction &inst, WaveState &wave) {
  return wave.lanes(inst.numDst > 1 ? inst.dst[1] : inst.src[inst.numSrc - 1]);
}

/// Exchanges a block of two registers. Each side is written where its own lane
/// is active.
FLY_INLINE void exchange(uint64_t exec, uint32_t *first, unsigned firstLane,
                         uint32_t *second, unsigned secondLane) {
  alignas(64) uint32_t a[blockLanes], b[blockLanes];
  copyBlock(a, first + firstLane);
  copyBlock(b, second + secondLane);
  storeBlock(first + firstLane, b, uint32_t(exec >> firstLane) & wholeBlock);
  storeBlock(second + secondLane, a, uint32_t(exec >> secondLane) & wholeBlock);
}

/// Swaps groups of `Rows` lanes: odd groups of dst[0] with even ones of dst[1].
template <unsigned Rows>
struct PermlaneSwap {
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    uint32_t *first = wave.lanes(inst.dst[0]);
    uint32_t *second = secondRegister(inst, wave);
    uint64_t exec = wave.exec();
    for (unsigned group = 0; group != waveLanes; group += 2 * Rows)
      for (unsigned lane = 0; lane != Rows; lane += blockLanes)
        exchange(exec, first, group + Rows + lane, second, group + lane);
  }
};

struct SwapRegisters {
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    uint32_t *first = wave.lanes(inst.dst[0]);
    uint32_t *second = secondRegister(inst, wave);
    for (unsigned lane = 0; lane != waveLanes; lane += blockLanes)
      exchange(wave.exec(), first, lane, second, lane);
  }
};

void noOperation(const isa::Instruction &, WaveState &) {}

/// One step of a 32-bit linear feedback shift register.
uint32_t pseudoRandom(uint32_t a) { return (a << 1) ^ (a >> 31 ? 197u : 0u); }

constexpr ValuRow kRows[] = {
    unmodified("v_readfirstlane_b32", readFirstLane),
    unmodified("v_readlane_b32", readLane),
    unmodified("v_writelane_b32", writeLane),
    valuWide<maskedCountLow>("v_mbcnt_lo_u32_b32"),
    valuWide<maskedCountHigh>("v_mbcnt_hi_u32_b32"),
    unmodifiedWide<PermlaneSwap<32>>("v_permlane32_swap_b32",
                                     ValuChips::Gfx950),
    unmodifiedWide<PermlaneSwap<16>>("v_permlane16_swap_b32",
                                     ValuChips::Gfx950),
    unmodifiedWide<SwapRegisters>("v_swap_b32"),
    unmodified("v_nop", noOperation),
    unmodified("v_clrexcp", noOperation),
    valuWide<pseudoRandom>("v_prng_b32", ValuChips::Gfx950),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuLaneRows() { return kRows; }
