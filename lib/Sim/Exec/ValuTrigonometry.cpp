//===- ValuTrigonometry.cpp - Bits of 2/pi for argument reduction ---------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_trig_preop_f64 gives 53 bits of 2/pi from a place that the exponent of a
// huge argument and a segment number choose; device libraries reduce f64
// arguments of sine and cosine with it [AMD: CDNA3 ISA, V_TRIG_PREOP_F64].
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// The fraction bits of 2/pi, the most significant first. The hardware's table
/// ends after 1201 bits.
constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};
constexpr unsigned kTableBits = 1201;
constexpr unsigned kSegmentBits = 53;

uint64_t tableBit(unsigned index) {
  return index < kTableBits ? (kTwoOverPi[index / 64] >> (63 - index % 64)) & 1
                            : 0;
}

double trigSegment(double argument, uint32_t segment) {
  int exponent = static_cast<int>((bitCast<uint64_t>(argument) >> 52) & 0x7FF);
  int shift = static_cast<int>((segment & 31) * kSegmentBits);
  if (exponent > 1077)
    shift += exponent - 1077;
  uint64_t bits = 0;
  for (unsigned i = 0; i != kSegmentBits; ++i)
    bits = bits << 1 | tableBit(static_cast<unsigned>(shift) + i);
  int scale = -static_cast<int>(kSegmentBits) - shift;
  if (exponent >= 1968)
    scale += 128;
  return std::ldexp(static_cast<double>(bits), scale);
}

constexpr ValuRow kRows[] = {
    valu<trigSegment>("v_trig_preop_f64"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuTrigonometryRows() { return kRows; }
