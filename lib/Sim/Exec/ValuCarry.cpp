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

// In 32 bits, of which a host's registers hold twice as many lanes.
Sum add(U32 a, U32 b) { return {a + b, a + b < a}; }
Sum sub(U32 a, U32 b) { return {a - b, b > a}; }
Sum subrev(U32 a, U32 b) { return sub(b, a); }
Sum addCarry(U32 a, U32 b, bool carry) {
  U32 sum = a + b, all = sum + carry;
  return {all, bool((sum < a) | (all < sum))};
}
Sum subBorrow(U32 a, U32 b, bool borrow) {
  U32 difference = a - b;
  return {difference - borrow, bool((a < b) | (difference < U32(borrow)))};
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
  Sum low = add(U32(product), U32(c));
  Sum high = addCarry(U32(product >> 32), U32(c >> 32), low.bit);
  return {low.value | U64(high.value) << 32, high.bit};
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
