//===- ValuMoves.cpp - Lanes and bits that move on their way --------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ValuOperands.cpp says lane by lane what DPP and SDWA mean; a test holds this
// to that.
//
//===----------------------------------------------------------------------===//

#include "ValuMoves.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace fly;
using namespace fly::sim;

namespace {

constexpr unsigned kRowLanes = 16;
/// Lane 0 of each row.
constexpr uint64_t kRowStarts = 0x0001000100010001u;

/// Lane `amount` of each row and those above it.
uint64_t fromLane(unsigned amount) {
  return kRowStarts * ((0xFFFFu << amount) & 0xFFFF);
}

/// Whether every lane's source lies in its own row.
bool staysInRow(unsigned ctrl) {
  return ctrl <= 0x12F || ctrl == 0x140 || ctrl == 0x141 ||
         (ctrl & 0x1F0) == 0x150;
}

using RowIndices = std::array<uint8_t, kRowLanes>;

/// The source inside the row of each lane of a row, by control.
const RowIndices &rowIndices(unsigned ctrl) {
  static const std::array<RowIndices, 512> all = [] {
    std::array<RowIndices, 512> indices = {};
    for (unsigned control = 0; control != indices.size(); ++control)
      for (unsigned lane = 0; lane != kRowLanes; ++lane)
        indices[control][lane] = dppSourceLane(control, lane) % kRowLanes;
    return indices;
  }();
  return all[ctrl % all.size()];
}

} // namespace

uint64_t fly::sim::dppValidLanes(unsigned ctrl, uint64_t exec) {
  unsigned amount = ctrl & 0xF;
  uint64_t valid = 0;
  if (ctrl <= 0xFF) { // quad_perm
    for (unsigned lane = 0; lane != 4; ++lane)
      valid |= ((exec >> ((ctrl >> (2 * lane)) & 3)) & 0x1111111111111111u)
               << lane;
    return valid;
  }
  switch (ctrl & 0x1F0) {
  case 0x100: // row_shl
    return exec >> amount & ~fromLane(kRowLanes - amount);
  case 0x110: // row_shr
    return exec << amount & fromLane(amount);
  case 0x120: // row_ror
    return (exec << amount & fromLane(amount)) |
           (exec >> (kRowLanes - amount) & ~fromLane(amount));
  case 0x150: // row_newbcast
    return (exec >> amount & kRowStarts) * 0xFFFF;
  default:
    break;
  }
  switch (ctrl) {
  case 0x130: // wave_shl
    return exec >> 1;
  case 0x134: // wave_rol
    return llvm::rotr(exec, 1);
  case 0x138: // wave_shr
    return exec << 1;
  case 0x13C: // wave_ror
    return llvm::rotl(exec, 1);
  case 0x140: // row_mirror: all bits turned round, then the rows turned back
    exec = llvm::reverseBits(exec);
    exec = llvm::rotl(exec, 32);
    return (exec & 0x0000FFFF0000FFFFu) << 16 |
           (exec >> 16 & 0x0000FFFF0000FFFFu);
  case 0x141: // row_half_mirror
    return llvm::byteswap(llvm::reverseBits(exec));
  case 0x142: // row_bcast15
    return ((exec >> 15 & kRowStarts) << 16) * 0xFFFF;
  case 0x143: // row_bcast31
    return (exec >> 31 & 1) != 0 ? ~uint64_t(0) << 32 : 0;
  default:
    return 0;
  }
}

BitPlacement fly::sim::placementOf(const isa::Instruction &inst,
                                   bool isHalfResult, bool preserve) {
  BitPlacement placement;
  if (inst.isSdwa) {
    const isa::SdwaControl &sdwa = inst.sdwa;
    if (sdwa.dstSel >= 6)
      return placement;
    unsigned width = sdwa.dstSel < 4 ? 8 : 16;
    placement.field = (1u << width) - 1;
    placement.shift =
        sdwa.dstSel < 4 ? 8 * sdwa.dstSel : 16 * (sdwa.dstSel - 4);
    if (sdwa.dstUnused == 2) // preserve
      placement.keep = ~(placement.field << placement.shift);
    if (sdwa.dstUnused == 1) { // sign
      placement.sign = 1u << (width - 1);
      placement.above = uint32_t(~uint64_t(0) << (placement.shift + width));
    }
    return placement;
  }
  if (!isHalfResult)
    return placement;
  bool upper = (inst.opSel >> 3) & 1;
  placement.field = 0xFFFF;
  placement.shift = upper ? 16 : 0;
  placement.keep = upper ? 0xFFFFu : preserve ? 0xFFFF0000u : 0;
  return placement;
}

namespace {

#if defined(__x86_64__)
/// Every row by the same indices; lanes that are not in `valid` become 0.
FLY_TARGET_AVX512 void permuteRowsAvx512(const uint32_t *from,
                                         const RowIndices &indices,
                                         uint64_t valid, uint32_t *out) {
  __m512i index = _mm512_cvtepu8_epi32(
      _mm_loadu_si128(reinterpret_cast<const __m128i *>(indices.data())));
  for (unsigned first = 0; first != waveLanes; first += kRowLanes)
    _mm512_store_si512(out + first, _mm512_maskz_permutexvar_epi32(
                                        __mmask16(valid >> first), index,
                                        _mm512_loadu_si512(from + first)));
}

FLY_TARGET_AVX2 void permuteRowsAvx2(const uint32_t *from,
                                     const RowIndices &indices, uint64_t valid,
                                     uint32_t *out) {
  constexpr unsigned half = kRowLanes / 2;
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (unsigned first = 0; first != waveLanes; first += half) {
    uint64_t eight;
    std::memcpy(&eight, indices.data() + first % kRowLanes, sizeof(eight));
    __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(int64_t(eight)));
    const uint32_t *row = from + first / kRowLanes * kRowLanes;
    auto load = [&](unsigned lane) FLY_TARGET_AVX2 {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row + lane));
    };
    __m256i low = _mm256_permutevar8x32_epi32(load(0), index);
    __m256i high = _mm256_permutevar8x32_epi32(load(half), index);
    // Bit 3 of an index chooses the upper half of the row.
    __m256 chosen =
        _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                         _mm256_castsi256_ps(_mm256_slli_epi32(index, 28)));
    __m256i isValid = _mm256_cmpeq_epi32(
        _mm256_and_si256(_mm256_set1_epi32(int(valid >> first)), bits), bits);
    _mm256_store_si256(reinterpret_cast<__m256i *>(out + first),
                       _mm256_and_si256(_mm256_castps_si256(chosen), isValid));
  }
}
#endif

/// Lanes of other rows, one by one.
void permuteLanes(const uint32_t *from, unsigned ctrl, uint64_t valid,
                  uint32_t *out) {
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    out[lane] = (valid >> lane) & 1 ? from[dppSourceLane(ctrl, lane)] : 0;
}

/// Row 0 becomes 0, the others the last lane of the row before.
void broadcastRowEnds(const uint32_t *from, uint64_t valid, uint32_t *out) {
  for (unsigned row = waveLanes / kRowLanes - 1; row != 0; --row) {
    unsigned first = row * kRowLanes;
    uint32_t value = (valid >> first) & 1 ? from[first - 1] : 0;
    std::fill_n(out + first, kRowLanes, value);
  }
  std::fill_n(out, kRowLanes, 0);
}

template <VectorLevel Level>
FLY_INLINE void permuteLanesAt(const isa::Instruction &inst, WaveState &wave,
                               const uint32_t *from, LaneBuffer &buffer) {
  unsigned ctrl = inst.dpp.ctrl;
  uint64_t valid = dppValidLanes(ctrl, wave.exec());
#if defined(__x86_64__)
  if (LLVM_LIKELY(staysInRow(ctrl)))
    return (Level == VectorLevel::Avx512 ? permuteRowsAvx512 : permuteRowsAvx2)(
        from, rowIndices(ctrl), valid, buffer.lane);
#endif
  if (ctrl == 0x142)
    return broadcastRowEnds(from, valid, buffer.lane);
  LaneBuffer old;
  std::memcpy(old.lane, from, sizeof(old.lane));
  permuteLanes(old.lane, ctrl, valid, buffer.lane);
}

} // namespace

template <>
FLY_TARGET_AVX2 void
LaneMoves<VectorLevel::Avx2>::permute(const isa::Instruction &inst,
                                      WaveState &wave, const uint32_t *from,
                                      LaneBuffer &buffer) {
  permuteLanesAt<VectorLevel::Avx2>(inst, wave, from, buffer);
}
template <>
FLY_TARGET_AVX512 void
LaneMoves<VectorLevel::Avx512>::permute(const isa::Instruction &inst,
                                        WaveState &wave, const uint32_t *from,
                                        LaneBuffer &buffer) {
  permuteLanesAt<VectorLevel::Avx512>(inst, wave, from, buffer);
}
