//===- ValuSad.cpp - Sums of absolute differences -------------------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of differences of four bytes, of two words or of a dword; the four-fold
// forms slide the four bytes of b along the eight of a. The sums of 16 bits
// wrap [AMD: CDNA3 ISA, V_SAD_*, V_QSAD_*, V_MQSAD_*].
//
//===----------------------------------------------------------------------===//

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;

/// Sum over the bytes of |a - b|.
U32 differences(U32 a, U32 b) {
  U32 sum = 0;
  for (unsigned shift = 0; shift != 32; shift += 8) {
    I32 difference = I32((a >> shift) & 0xFF) - I32((b >> shift) & 0xFF);
    sum += U32(difference < 0 ? -difference : difference);
  }
  return sum;
}
/// Bytes where the reference b is 0 do not count.
U32 maskedDifferences(U32 a, U32 b) {
  U32 mask = 0;
  for (unsigned shift = 0; shift != 32; shift += 8)
    if ((b >> shift) & 0xFF)
      mask |= 0xFFu << shift;
  return differences(a & mask, b & mask);
}

U32 bytes(U32 a, U32 b, U32 c) { return differences(a, b) + c; }
U32 maskedBytes(U32 a, U32 b, U32 c) { return maskedDifferences(a, b) + c; }
U32 bytesHigh(U32 a, U32 b, U32 c) { return (differences(a, b) << 16) + c; }
U32 words(U32 a, U32 b, U32 c) {
  U32 low = (a & 0xFFFF) > (b & 0xFFFF) ? (a & 0xFFFF) - (b & 0xFFFF)
                                        : (b & 0xFFFF) - (a & 0xFFFF);
  U32 high =
      (a >> 16) > (b >> 16) ? (a >> 16) - (b >> 16) : (b >> 16) - (a >> 16);
  return low + high + c;
}
U32 dword(U32 a, U32 b, U32 c) { return (a > b ? a - b : b - a) + c; }

/// Bytes i to i + 3 of a against b, onto word i of c.
template <U32 (*Difference)(U32, U32)>
U64 sliding(U64 a, U32 b, U64 c) {
  U64 result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    U64 sum = Difference(U32(a >> (8 * i)), b) + (c >> (16 * i));
    result |= (sum & 0xFFFF) << (16 * i);
  }
  return result;
}

/// The same onto four dwords.
void slidingDwords(const isa::Instruction &inst, WaveState &wave) {
  Argument<U64> a;
  Argument<U32> b;
  a.read<false>(inst, wave, 0);
  b.read<false>(inst, wave, 1);
  LaneBuffer sums[4];
  for (unsigned i = 0; i != 4; ++i) {
    LaneBuffer buffer;
    const uint32_t *addends = wave.source(inst.src[2], i, buffer);
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      sums[i].lane[lane] =
          maskedDifferences(U32(a.get(lane) >> (8 * i)), b.get(lane)) +
          addends[lane];
  }
  for (unsigned i = 0; i != 4; ++i)
    wave.store(inst.dst[0], i, sums[i].lane);
}

constexpr ValuRow kRows[] = {
    valu<bytes>("v_sad_u8"),
    valu<bytesHigh>("v_sad_hi_u8"),
    valu<words>("v_sad_u16"),
    valu<dword>("v_sad_u32"),
    valu<maskedBytes>("v_msad_u8"),
    valu<sliding<differences>>("v_qsad_pk_u16_u8"),
    valu<sliding<maskedDifferences>>("v_mqsad_pk_u16_u8"),
    unmodified("v_mqsad_u32_u8", slidingDwords),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuSadRows() { return kRows; }
