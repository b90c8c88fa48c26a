//===- ValuBits.cpp - Vector moves, logic, shifts and bit fields ----------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/bit.h"

#include "ValuPermute.h"
#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;

U32 mov(U32 a) { return a; }
U64 mov64(U64 a) { return a; }
U32 bitNot(U32 a) { return ~a; }
U32 bitAnd(U32 a, U32 b) { return a & b; }
U32 bitOr(U32 a, U32 b) { return a | b; }
U32 bitXor(U32 a, U32 b) { return a ^ b; }
U32 bitXnor(U32 a, U32 b) { return ~(a ^ b); }

/// Operands are floats to the modifiers: neg and abs change the sign bit.
float select(float a, float b, bool chooseB) { return chooseB ? b : a; }

U32 shiftLeft(U32 amount, U32 a) { return a << (amount & 31); }
U32 shiftRight(U32 amount, U32 a) { return a >> (amount & 31); }
I32 shiftRightSigned(U32 amount, I32 a) { return a >> (amount & 31); }
// In dwords, of which a host's registers hold twice as many lanes.
U64 shiftLeft64(U32 amount, U64 a) {
  U32 shift = amount & 31, low = U32(a), high = U32(a >> 32);
  bool isLong = amount & 32;
  high = isLong ? low << shift : high << shift | low >> 1 >> (31 - shift);
  low = isLong ? 0 : low << shift;
  return low | U64(high) << 32;
}
/// Bits above the highest are those of `fill`.
template <typename Dword>
U64 shiftDown64(U32 amount, U64 a, U32 fill) {
  U32 shift = amount & 31, low = U32(a), high = U32(a >> 32);
  bool isLong = amount & 32;
  U32 shifted = U32(Dword(high) >> shift);
  low = isLong ? shifted : low >> shift | high << 1 << (31 - shift);
  high = isLong ? fill : shifted;
  return low | U64(high) << 32;
}
U64 shiftRight64(U32 amount, U64 a) { return shiftDown64<U32>(amount, a, 0); }
int64_t shiftRightSigned64(U32 amount, int64_t a) {
  return int64_t(shiftDown64<I32>(amount, U64(a), a < 0 ? ~U32(0) : 0));
}

U32 shiftOr(U32 a, U32 b, U32 c) { return (a << (b & 31)) | c; }
U32 andOr(U32 a, U32 b, U32 c) { return (a & b) | c; }
U32 or3(U32 a, U32 b, U32 c) { return a | b | c; }

U32 extract(U32 a, U32 offset, U32 width) {
  return (a >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
I32 extractSigned(I32 a, U32 offset, U32 width) {
  width &= 31;
  if (width == 0)
    return 0;
  U32 field = U32(a >> (offset & 31)) & ((1u << width) - 1);
  U32 sign = 1u << (width - 1);
  return I32((field ^ sign) - sign);
}
U32 insert(U32 mask, U32 a, U32 b) { return (mask & a) | (~mask & b); }
U32 fieldMask(U32 width, U32 offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}

U32 reverse(U32 a) {
  U32 result = 0;
  for (unsigned bit = 0; bit != 32; ++bit)
    result |= ((a >> bit) & 1) << (31 - bit);
  return result;
}
U32 countOnes(U32 a, U32 b) { return U32(llvm::popcount(a)) + b; }
/// Places from the top to the first one; -1 where there is none.
U32 firstFromHigh(U32 a) { return a == 0 ? ~0u : U32(llvm::countl_zero(a)); }
U32 firstFromLow(U32 a) { return a == 0 ? ~0u : U32(llvm::countr_zero(a)); }
/// Places from the top to the first bit unlike the sign.
U32 firstUnlikeSign(I32 a) {
  U32 unlike = a < 0 ? ~U32(a) : U32(a);
  return unlike == 0 ? ~0u : U32(llvm::countl_zero(unlike));
}

U32 alignBits(U32 a, U32 b, U32 shift) {
  shift &= 31;
  return b >> shift | a << 1 << (31 - shift);
}
U32 alignBytes(U32 a, U32 b, U32 shift) {
  return alignBits(a, b, 8 * (shift & 3));
}

/// Byte 0..7 of {a, b}, or a constant: 8..11 repeat the sign of a word of the
/// pair, 12 is 0, 13 and above 0xFF.
U32 permByte(U32 a, U32 b, U32 select) {
  U32 byte = ((select & 4 ? a : b) >> (8 * (select & 3))) & 0xFF;
  U32 sign = ((select & 2 ? a : b) >> (16 * (select & 1) + 15)) & 1;
  U32 constant = select == 12 ? 0 : 0xFF;
  return select < 8 ? byte : select < 12 ? 0xFF * sign : constant;
}
U32 perm(U32 a, U32 b, U32 selector) {
  U32 result = 0;
  for (unsigned shift = 0; shift != 32; shift += 8)
    result |= permByte(a, b, (selector >> shift) & 0xFF) << shift;
  return result;
}

/// The truth table of v_bitop3 lies in the bits that are omod, abs and neg
/// elsewhere [LLVM22: encoding of VOP3 bitop3].
unsigned truthTable(const isa::Instruction &inst) {
  return unsigned(inst.omod) << 6 | unsigned(inst.abs) << 3 | inst.neg;
}
/// All ones where the row of the table is 1.
U32 truth(unsigned table, unsigned row) { return 0 - ((table >> row) & 1); }
U32 choose(U32 mask, U32 ones, U32 zeros) {
  return (mask & ones) | (~mask & zeros);
}
/// Bit i of the table is the result for a, b, c = bits 2, 1, 0 of i.
U32 applyTruthTable(unsigned table, U32 a, U32 b, U32 c) {
  auto byC = [&](unsigned row) {
    return choose(c, truth(table, row + 1), truth(table, row));
  };
  return choose(a, choose(b, byC(6), byC(4)), choose(b, byC(2), byC(0)));
}

/// Of dwords, whose sources are read in place.
struct Bitop3Dwords {
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    LaneBuffer buffers[3];
    const uint32_t *source[3];
    for (unsigned i = 0; i != 3; ++i)
      source[i] = wave.source(inst.src[i], 0, buffers[i]);
    unsigned table = truthTable(inst);
    uint32_t *out = wave.lanes(inst.dst[0]);
    for (unsigned first = 0; first != waveLanes; first += blockLanes) {
      alignas(64) uint32_t block[blockLanes];
      FLY_LANES_LOOP
      for (unsigned lane = 0; lane != blockLanes; ++lane)
        FLY_INLINE_CALLS block[lane] =
            applyTruthTable(table, source[0][first + lane],
                            source[1][first + lane], source[2][first + lane]);
      storeBlock(out + first, block,
                 uint32_t(wave.exec() >> first) & wholeBlock);
    }
  }
};

struct Bitop3Words {
  FLY_INLINE static void execute(const isa::Instruction &inst,
                                 WaveState &wave) {
    LaneBuffer source[3], unused, result;
    for (unsigned i = 0; i != 3; ++i)
      readSource(inst, wave, i, OperandType::Bits16, source[i], unused);
    unsigned table = truthTable(inst);
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      result.lane[lane] =
          applyTruthTable(table, source[0].lane[lane], source[1].lane[lane],
                          source[2].lane[lane]);
    writeHalfResult(inst, wave, result, true);
  }
};

constexpr ValuRow permRow() {
  ValuRow row = valu<perm>("v_perm_b32");
  row.avx2.plain = permBytesAvx2;
  row.avx512.plain = permBytesAvx512;
  return row;
}

constexpr ValuRow kRows[] = {
    valuWide<mov>("v_mov_b32"),
    valuWide<mov64>("v_mov_b64"),
    valuWide<bitNot>("v_not_b32"),
    valuWide<bitAnd>("v_and_b32"),
    valuWide<bitOr>("v_or_b32"),
    valuWide<bitXor>("v_xor_b32"),
    valuWide<bitXnor>("v_xnor_b32"),
    valuWide<select>("v_cndmask_b32"),

    valuWide<shiftLeft>("v_lshlrev_b32"),
    valuWide<shiftRight>("v_lshrrev_b32"),
    valuWide<shiftRightSigned>("v_ashrrev_i32"),
    valuWide<shiftLeft64>("v_lshlrev_b64"),
    valuWide<shiftRight64>("v_lshrrev_b64"),
    valuWide<shiftRightSigned64>("v_ashrrev_i64"),
    valuWide<shiftOr>("v_lshl_or_b32"),
    valuWide<andOr>("v_and_or_b32"),
    valuWide<or3>("v_or3_b32"),

    valuWide<extract>("v_bfe_u32"),
    valuWide<extractSigned>("v_bfe_i32"),
    valuWide<insert>("v_bfi_b32"),
    valuWide<fieldMask>("v_bfm_b32"),
    valuWide<reverse>("v_bfrev_b32"),
    valuWide<countOnes>("v_bcnt_u32_b32"),
    valuWide<firstFromHigh>("v_ffbh_u32"),
    valuWide<firstFromLow>("v_ffbl_b32"),
    valuWide<firstUnlikeSign>("v_ffbh_i32"),
    valuWide<alignBits>("v_alignbit_b32"),
    valuWide<alignBytes>("v_alignbyte_b32"),
    permRow(),
    customWide<Bitop3Dwords>("v_bitop3_b32", ValuChips::Gfx950),
    customWide<Bitop3Words>("v_bitop3_b16", ValuChips::Gfx950),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuBitRows() { return kRows; }
