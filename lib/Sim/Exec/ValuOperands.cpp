//===- ValuOperands.cpp - Operands of vector arithmetic -------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are those of the "CDNA3 ISA" document's chapters on SDWA and DPP
// [AMD]. A DPP lane whose source lies outside, or is disabled by EXEC, reads 0
// with bound_ctrl and is not written without.
//
//===----------------------------------------------------------------------===//

#include "ValuOperands.h"

#include "ValuMoves.h"

using namespace fly;
using namespace fly::sim;

namespace {

constexpr int kNoLane = -1;
constexpr unsigned kRowLanes = 16;

bool isActive(uint64_t mask, unsigned lane) { return (mask >> lane) & 1; }

/// Replaces the lanes of src0 by those that DPP names.
void applyDpp(const isa::Instruction &inst, WaveState &wave,
              LaneBuffer &values) {
  LaneBuffer old = values;
  uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    int from = dppSourceLane(inst.dpp.ctrl, lane);
    bool valid = from != kNoLane && isActive(exec, from);
    values.lane[lane] = valid ? old.lane[from] : 0;
  }
}

/// Byte (0..3), word (4..5) or dword (6) of each lane.
void applySdwaSelect(unsigned select, bool signExtend, LaneBuffer &values) {
  if (select >= 6)
    return;
  unsigned width = select < 4 ? 8 : 16;
  unsigned shift = select < 4 ? 8 * select : 16 * (select - 4);
  for (uint32_t &lane : values.lane) {
    uint32_t field = (lane >> shift) & ((1u << width) - 1);
    uint32_t sign = 1u << (width - 1);
    lane = signExtend ? (field ^ sign) - sign : field;
  }
}

/// The sign bit of the dword that holds the sign.
constexpr uint32_t signBit(OperandType type) {
  return isHalf(type) ? 0x8000u : 0x80000000u;
}

void applySigns(const isa::Instruction &inst, unsigned index, OperandType type,
                LaneBuffer &signDword) {
  uint32_t sign = signBit(type);
  if ((inst.abs >> index) & 1)
    for (uint32_t &lane : signDword.lane)
      lane &= ~sign;
  if ((inst.neg >> index) & 1)
    for (uint32_t &lane : signDword.lane)
      lane ^= sign;
}

void copySource(WaveState &wave, const isa::Operand &operand, unsigned dword,
                LaneBuffer &out) {
  const uint32_t *from = wave.source(operand, dword, out);
  if (from != out.lane)
    std::memcpy(out.lane, from, sizeof(out.lane));
}

} // namespace

int fly::sim::dppSourceLane(unsigned ctrl, unsigned lane) {
  unsigned row = lane / kRowLanes * kRowLanes;
  unsigned inRow = lane % kRowLanes;
  unsigned amount = ctrl & 0xF;
  if (ctrl <= 0xFF) // quad_perm
    return lane / 4 * 4 + ((ctrl >> (lane % 4 * 2)) & 3);
  switch (ctrl & 0x1F0) {
  case 0x100: // row_shl
    return inRow + amount < kRowLanes ? int(lane + amount) : kNoLane;
  case 0x110: // row_shr
    return inRow >= amount ? int(lane - amount) : kNoLane;
  case 0x120: // row_ror
    return row + (inRow + kRowLanes - amount) % kRowLanes;
  case 0x150: // row_newbcast
    return row + amount;
  default:
    break;
  }
  switch (ctrl) {
  case 0x130: // wave_shl
    return lane + 1 < waveLanes ? int(lane + 1) : kNoLane;
  case 0x134: // wave_rol
    return (lane + 1) % waveLanes;
  case 0x138: // wave_shr
    return int(lane) - 1;
  case 0x13C: // wave_ror
    return (lane + waveLanes - 1) % waveLanes;
  case 0x140: // row_mirror
    return row + kRowLanes - 1 - inRow;
  case 0x141: // row_half_mirror
    return lane / 8 * 8 + 7 - lane % 8;
  case 0x142: // row_bcast15: the last lane of the row before
    return int(row) - 1;
  case 0x143: // row_bcast31: lane 31 to the upper half
    return lane >= 32 ? 31 : kNoLane;
  default:
    return kNoLane;
  }
}

void fly::sim::readSource(const isa::Instruction &inst, WaveState &wave,
                          unsigned index, OperandType type, LaneBuffer &low,
                          LaneBuffer &high) {
  // A source tied to the destination follows the written ones, unmodified.
  bool isTied = index >= inst.numSrc;
  const isa::Operand &operand = isTied ? inst.dst[0] : inst.src[index];
  copySource(wave, operand, 0, low);
  if (isWide(type))
    copySource(wave, operand, 1, high);
  if (inst.isDpp && index == 0) {
    applyDpp(inst, wave, low);
    if (isWide(type))
      applyDpp(inst, wave, high);
  }
  if (inst.isSdwa && index < 2 && !isTied)
    applySdwaSelect(index == 0 ? inst.sdwa.src0Sel : inst.sdwa.src1Sel,
                    (inst.sext >> index) & 1, low);
  if (isHalf(type)) {
    bool upper = !isTied && (inst.opSel >> index) & 1;
    for (uint32_t &lane : low.lane)
      lane = upper ? lane >> 16 : lane & 0xFFFF;
  }
  if (isFloatType(type) && !isTied)
    applySigns(inst, index, type, isWide(type) ? high : low);
}

uint64_t fly::sim::writeMask(const isa::Instruction &inst, WaveState &wave) {
  uint64_t exec = wave.exec();
  if (!inst.isDpp)
    return exec;
  uint64_t mask = dppEnabledLanes(inst.dpp.rowMask, inst.dpp.bankMask);
  if (!inst.dpp.boundCtrl)
    mask &= dppValidLanes(inst.dpp.ctrl, exec);
  return exec & mask;
}

namespace {

/// Merges a result into the old destination as dst_sel and dst_unused say.
uint32_t mergeSdwa(const isa::SdwaControl &sdwa, uint32_t old, uint32_t value) {
  if (sdwa.dstSel >= 6)
    return value;
  unsigned width = sdwa.dstSel < 4 ? 8 : 16;
  unsigned shift = sdwa.dstSel < 4 ? 8 * sdwa.dstSel : 16 * (sdwa.dstSel - 4);
  uint32_t field = (1u << width) - 1;
  uint32_t placed = (value & field) << shift;
  switch (sdwa.dstUnused) {
  case 2: // preserve
    return (old & ~(field << shift)) | placed;
  case 1: { // sign: the bits above repeat the sign, those below are zero
    bool negative = (value >> (width - 1)) & 1;
    uint32_t above = shift + width < 32 ? ~uint32_t(0) << (shift + width) : 0;
    return placed | (negative ? above : 0);
  }
  default:
    return placed;
  }
}

} // namespace

void fly::sim::writeResult(const isa::Instruction &inst, WaveState &wave,
                           const LaneBuffer &values, unsigned dword) {
  if (!inst.isDpp && !inst.isSdwa)
    return wave.store(inst.dst[0], dword, values.lane);
  uint64_t mask = writeMask(inst, wave);
  uint32_t *out = wave.lanes(inst.dst[0], dword);
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    if (isActive(mask, lane))
      out[lane] = inst.isSdwa
                      ? mergeSdwa(inst.sdwa, out[lane], values.lane[lane])
                      : values.lane[lane];
}

void fly::sim::writeHalfResult(const isa::Instruction &inst, WaveState &wave,
                               const LaneBuffer &values, bool preserve) {
  if (inst.isSdwa)
    return writeResult(inst, wave, values);
  bool upper = (inst.opSel >> 3) & 1;
  const uint32_t *old = wave.lanes(inst.dst[0]);
  LaneBuffer merged;
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    uint32_t value = values.lane[lane] & 0xFFFF;
    if (upper)
      merged.lane[lane] = (old[lane] & 0xFFFF) | value << 16;
    else
      merged.lane[lane] = preserve ? (old[lane] & 0xFFFF0000u) | value : value;
  }
  writeResult(inst, wave, merged);
}
