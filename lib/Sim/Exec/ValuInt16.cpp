//===- ValuInt16.cpp - Vector arithmetic on 16-bit integers ---------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything wraps; the clamp bit makes additions and products saturate. Which
// forms keep the other half of the destination: ValuFloat16.cpp.
//
//===----------------------------------------------------------------------===//

#include "ValuInt16.h"

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

template <typename T>
T subrev(T a, T b) {
  return sub16<T>(b, a);
}
template <typename T>
T subrevSaturating(T a, T b) {
  return sub16Saturating<T>(b, a);
}
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

int32_t madWide(int16_t a, int16_t b, int32_t c) {
  return static_cast<int32_t>(uint32_t(int32_t(a) * b) + uint32_t(c));
}
uint32_t madWideUnsigned(uint16_t a, uint16_t b, uint32_t c) {
  return uint32_t(a) * b + c;
}

/// A saturating pair whose result keeps the other half of the register.
template <auto Fn, auto Saturating>
constexpr ValuRow keeping(const char *mnemonic) {
  ValuRow row = valuWide<Fn, kKeepsHigh>(mnemonic);
  row.clamped = ValuExecutor<Saturating, kKeepsHigh>::template execute<true>;
  return row;
}

using I16 = int16_t;
using U16 = uint16_t;

constexpr ValuRow kRows[] = {
    valuSaturating<add16<U16>, add16Saturating<U16>>("v_add_u16"),
    valuSaturating<sub16<U16>, sub16Saturating<U16>>("v_sub_u16"),
    valuSaturating<subrev<U16>, subrevSaturating<U16>>("v_subrev_u16"),
    valuWide<mul16<U16>>("v_mul_lo_u16"),
    keeping<add16<I16>, add16Saturating<I16>>("v_add_i16"),
    keeping<sub16<I16>, sub16Saturating<I16>>("v_sub_i16"),
    keeping<mad16<U16>, mad16Saturating<U16>>("v_mad_u16"),
    keeping<mad16<I16>, mad16Saturating<I16>>("v_mad_i16"),
    valuSaturating<mad16<U16>, mad16Saturating<U16>>("v_mad_legacy_u16"),
    valuSaturating<mad16<I16>, mad16Saturating<I16>>("v_mad_legacy_i16"),
    valuWide<madWide>("v_mad_i32_i16"),
    valuWide<madWideUnsigned>("v_mad_u32_u16"),

    valuWide<shiftLeft16>("v_lshlrev_b16"),
    valuWide<shiftRight16<U16>>("v_lshrrev_b16"),
    valuWide<shiftRight16<I16>>("v_ashrrev_i16"),
    valuWide<min16<I16>>("v_min_i16"),
    valuWide<max16<I16>>("v_max_i16"),
    valuWide<min16<U16>>("v_min_u16"),
    valuWide<max16<U16>>("v_max_u16"),
    valuWide<min3<I16>, kKeepsHigh>("v_min3_i16"),
    valuWide<max3<I16>, kKeepsHigh>("v_max3_i16"),
    valuWide<med3<I16>, kKeepsHigh>("v_med3_i16"),
    valuWide<min3<U16>, kKeepsHigh>("v_min3_u16"),
    valuWide<max3<U16>, kKeepsHigh>("v_max3_u16"),
    valuWide<med3<U16>, kKeepsHigh>("v_med3_u16"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuInt16Rows() { return kRows; }
