//===- ValuInt.cpp - Vector arithmetic on 32- and 64-bit integers ---------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything wraps; the clamp bit makes the additions saturate.
//
//===----------------------------------------------------------------------===//

#include <algorithm>

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;

U32 saturateUnsigned(int64_t value) {
  return static_cast<U32>(std::clamp<int64_t>(value, 0, UINT32_MAX));
}
I32 saturateSigned(int64_t value) {
  return static_cast<I32>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}

U32 add(U32 a, U32 b) { return a + b; }
U32 sub(U32 a, U32 b) { return a - b; }
U32 subrev(U32 a, U32 b) { return b - a; }
U32 addSaturating(U32 a, U32 b) { return saturateUnsigned(int64_t(a) + b); }
U32 subSaturating(U32 a, U32 b) { return saturateUnsigned(int64_t(a) - b); }
U32 subrevSaturating(U32 a, U32 b) { return subSaturating(b, a); }
I32 addSigned(I32 a, I32 b) { return static_cast<I32>(U32(a) + U32(b)); }
I32 subSigned(I32 a, I32 b) { return static_cast<I32>(U32(a) - U32(b)); }
I32 addSignedSaturating(I32 a, I32 b) { return saturateSigned(int64_t(a) + b); }
I32 subSignedSaturating(I32 a, I32 b) { return saturateSigned(int64_t(a) - b); }

U32 mulLow(U32 a, U32 b) { return a * b; }
U32 mulHigh(U32 a, U32 b) { return U32(U64(a) * b >> 32); }
I32 mulHighSigned(I32 a, I32 b) { return I32(int64_t(a) * b >> 32); }

/// The low 24 bits as a signed or unsigned number.
int64_t signed24(I32 a) { return I32(U32(a) << 8) >> 8; }
U64 unsigned24(U32 a) { return a & 0xFFFFFF; }

I32 mul24(I32 a, I32 b) { return I32(signed24(a) * signed24(b)); }
U32 mulUnsigned24(U32 a, U32 b) { return U32(unsigned24(a) * unsigned24(b)); }
I32 mulHigh24(I32 a, I32 b) { return I32(signed24(a) * signed24(b) >> 32); }
U32 mulHighUnsigned24(U32 a, U32 b) {
  return U32(unsigned24(a) * unsigned24(b) >> 32);
}
I32 mad24(I32 a, I32 b, I32 c) { return addSigned(mul24(a, b), c); }
U32 madUnsigned24(U32 a, U32 b, U32 c) { return mulUnsigned24(a, b) + c; }
I32 mad24Saturating(I32 a, I32 b, I32 c) {
  return saturateSigned(signed24(a) * signed24(b) + c);
}
U32 madUnsigned24Saturating(U32 a, U32 b, U32 c) {
  return saturateUnsigned(int64_t(unsigned24(a) * unsigned24(b) + c));
}

I32 minSigned(I32 a, I32 b) { return std::min(a, b); }
I32 maxSigned(I32 a, I32 b) { return std::max(a, b); }
U32 minUnsigned(U32 a, U32 b) { return std::min(a, b); }
U32 maxUnsigned(U32 a, U32 b) { return std::max(a, b); }

template <typename T>
T min3(T a, T b, T c) {
  return std::min(std::min(a, b), c);
}
template <typename T>
T max3(T a, T b, T c) {
  return std::max(std::max(a, b), c);
}
template <typename T>
T med3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

U32 add3(U32 a, U32 b, U32 c) { return a + b + c; }
U32 shiftAdd(U32 a, U32 b, U32 c) { return (a << (b & 31)) + c; }
U32 addShift(U32 a, U32 b, U32 c) { return (a + b) << (c & 31); }
U32 xorAdd(U32 a, U32 b, U32 c) { return (a ^ b) + c; }
/// The shift is at most 4 by definition; the hardware reads three bits of it.
U64 shiftAdd64(U64 a, U32 b, U64 c) {
  // In dwords, of which a host's registers hold twice as many lanes.
  U32 shift = b & 7, low = U32(a), high = U32(a >> 32);
  high = high << shift | low >> 1 >> (31 - shift);
  low = (low << shift) + U32(c);
  high += U32(c >> 32) + (low < U32(c));
  return low | U64(high) << 32;
}

/// Averages of bytes; the low bit of each byte of c rounds up.
U32 averageBytes(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (unsigned shift = 0; shift != 32; shift += 8) {
    U32 sum = ((a >> shift) & 0xFF) + ((b >> shift) & 0xFF);
    result |= ((sum + ((c >> shift) & 1)) >> 1) << shift;
  }
  return result;
}

constexpr ValuRow kRows[] = {
    valuSaturating<add, addSaturating>("v_add_u32"),
    valuSaturating<sub, subSaturating>("v_sub_u32"),
    valuSaturating<subrev, subrevSaturating>("v_subrev_u32"),
    valuSaturating<addSigned, addSignedSaturating>("v_add_i32"),
    valuSaturating<subSigned, subSignedSaturating>("v_sub_i32"),

    valuWide<mulLow>("v_mul_lo_u32"),
    valuWide<mulHigh>("v_mul_hi_u32"),
    valuWide<mulHighSigned>("v_mul_hi_i32"),
    valuWide<mul24>("v_mul_i32_i24"),
    valuWide<mulUnsigned24>("v_mul_u32_u24"),
    valuWide<mulHigh24>("v_mul_hi_i32_i24"),
    valuWide<mulHighUnsigned24>("v_mul_hi_u32_u24"),
    valuSaturating<mad24, mad24Saturating>("v_mad_i32_i24"),
    valuSaturating<madUnsigned24, madUnsigned24Saturating>("v_mad_u32_u24"),

    valuWide<minSigned>("v_min_i32"),
    valuWide<maxSigned>("v_max_i32"),
    valuWide<minUnsigned>("v_min_u32"),
    valuWide<maxUnsigned>("v_max_u32"),
    valuWide<min3<I32>>("v_min3_i32"),
    valuWide<max3<I32>>("v_max3_i32"),
    valuWide<med3<I32>>("v_med3_i32"),
    valuWide<min3<U32>>("v_min3_u32"),
    valuWide<max3<U32>>("v_max3_u32"),
    valuWide<med3<U32>>("v_med3_u32"),

    valuWide<add3>("v_add3_u32"),
    valuWide<shiftAdd>("v_lshl_add_u32"),
    valuWide<addShift>("v_add_lshl_u32"),
    valuWide<xorAdd>("v_xad_u32"),
    valuWide<shiftAdd64>("v_lshl_add_u64"),
    valu<averageBytes>("v_lerp_u8"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuIntRows() { return kRows; }
