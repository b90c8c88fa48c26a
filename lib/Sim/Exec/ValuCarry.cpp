//===- ValuCarry.cpp - Vector integers with a carry per lane --------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries travel in lane masks (VCC or an SGPR pair): the bool argument is the
// carry in, the second result the carry out. Inactive lanes get carry 0.
//
//===----------------------------------------------------------------------===//

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using U32 = uint32_t;
using U64 = uint64_t;
using Sum = WithMask<U32>;

Sum add(U32 a, U32 b) { return {a + b, U64(a) + b > UINT32_MAX}; }
Sum sub(U32 a, U32 b) { return {a - b, b > a}; }
Sum subrev(U32 a, U32 b) { return sub(b, a); }
Sum addCarry(U32 a, U32 b, bool carry) {
  return {a + b + carry, U64(a) + b + carry > UINT32_MAX};
}
Sum subBorrow(U32 a, U32 b, bool borrow) {
  return {a - b - borrow, U64(b) + borrow > a};
}
Sum subBorrowRev(U32 a, U32 b, bool borrow) { return subBorrow(b, a, borrow); }

/// Under clamp the value saturates and the carry stays what it is.
template <Sum (*Fn)(U32, U32), U32 Limit>
Sum saturate(U32 a, U32 b) {
  Sum sum = Fn(a, b);
  return {sum.bit ? Limit : sum.value, sum.bit};
}
template <Sum (*Fn)(U32, U32, bool), U32 Limit>
Sum saturateWithCarry(U32 a, U32 b, bool carry) {
  Sum sum = Fn(a, b, carry);
  return {sum.bit ? Limit : sum.value, sum.bit};
}

WithMask<U64> madUnsigned(U32 a, U32 b, U64 c) {
  U64 product = U64(a) * b;
  return {product + c, product + c < c};
}
/// The mask holds the 65th bit of the signed sum.
WithMask<int64_t> madSigned(int32_t a, int32_t b, int64_t c) {
  __int128 sum = __int128(int64_t(a) * b) + c;
  return {static_cast<int64_t>(sum), ((sum >> 64) & 1) != 0};
}

constexpr ValuRow kRows[] = {
    valuSaturating<add, saturate<add, UINT32_MAX>>("v_add_co_u32"),
    valuSaturating<sub, saturate<sub, 0>>("v_sub_co_u32"),
    valuSaturating<subrev, saturate<subrev, 0>>("v_subrev_co_u32"),
    valuSaturating<addCarry, saturateWithCarry<addCarry, UINT32_MAX>>(
        "v_addc_co_u32"),
    valuSaturating<subBorrow, saturateWithCarry<subBorrow, 0>>("v_subb_co_u32"),
    valuSaturating<subBorrowRev, saturateWithCarry<subBorrowRev, 0>>(
        "v_subbrev_co_u32"),
    valuWide<madUnsigned>("v_mad_u64_u32"),
    valu<madSigned>("v_mad_i64_i32"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuCarryRows() { return kRows; }
