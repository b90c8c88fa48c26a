//===- Salu.cpp - scalar arithmetic ---------------------------------------===//
//
// What idea: one captureless lambda an instruction, in a table by mnemonic.
// Most set SCC; the helpers say how. Meaning: [AMD] CDNA3 instruction set
// document, chapters SOP1, SOP2, SOPC, SOPK.
// What it refuses: mnemonics outside the table.
//
//===----------------------------------------------------------------------===//

#include "fly/Sim/Executors.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include "ExecTable.h"

using namespace fly::sim;
using fly::isa::Instruction;

namespace {

uint32_t src0(const Instruction &inst, const WaveState &wave) {
  return wave.scalar(inst.src[0]);
}
uint32_t src1(const Instruction &inst, const WaveState &wave) {
  return wave.scalar(inst.src[1]);
}
/// 64-bit sources. A 32-bit literal is zero-extended, an inline integer
/// sign-extended; the decoder gives both as 64-bit values.
uint64_t wide0(const Instruction &inst, const WaveState &wave) {
  return wave.scalar64(inst.src[0]);
}
uint64_t wide1(const Instruction &inst, const WaveState &wave) {
  return wave.scalar64(inst.src[1]);
}

void put(const Instruction &inst, WaveState &wave, uint32_t value) {
  wave.setScalar(inst.dst[0], value);
}
void put64(const Instruction &inst, WaveState &wave, uint64_t value) {
  wave.setScalar64(inst.dst[0], value);
}
/// Result with SCC = (result != 0).
void putNonZero(const Instruction &inst, WaveState &wave, uint32_t value) {
  put(inst, wave, value);
  wave.scc = value != 0;
}
void putNonZero64(const Instruction &inst, WaveState &wave, uint64_t value) {
  put64(inst, wave, value);
  wave.scc = value != 0;
}

/// Sum with carry out, and with signed overflow, in SCC.
void putUnsignedSum(const Instruction &inst, WaveState &wave, uint32_t a,
                    uint32_t b, uint32_t carry) {
  uint64_t sum = uint64_t(a) + b + carry;
  put(inst, wave, uint32_t(sum));
  wave.scc = uint32_t(sum >> 32);
}
void putUnsignedDifference(const Instruction &inst, WaveState &wave, uint32_t a,
                           uint32_t b, uint32_t borrow) {
  put(inst, wave, a - b - borrow);
  wave.scc = uint64_t(a) < uint64_t(b) + borrow;
}
void putSignedSum(const Instruction &inst, WaveState &wave, uint32_t a,
                  uint32_t b) {
  uint32_t sum = a + b;
  put(inst, wave, sum);
  wave.scc = (~(a ^ b) & (a ^ sum)) >> 31;
}

uint32_t bitfieldUnsigned(uint32_t value, uint32_t control) {
  unsigned offset = control & 31, width = (control >> 16) & 127;
  value >>= offset;
  return width >= 32 ? value : value & ((uint32_t(1) << width) - 1);
}
uint32_t bitfieldSigned(uint32_t value, uint32_t control) {
  unsigned offset = control & 31, width = (control >> 16) & 127;
  if (width == 0)
    return 0;
  int32_t shifted = int32_t(value) >> offset;
  if (width + offset >= 32)
    return uint32_t(shifted);
  return uint32_t(int32_t(uint32_t(shifted) << (32 - width)) >> (32 - width));
}
uint64_t bitfieldUnsigned64(uint64_t value, uint32_t control) {
  unsigned offset = control & 63, width = (control >> 16) & 127;
  value >>= offset;
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}
uint64_t bitfieldSigned64(uint64_t value, uint32_t control) {
  unsigned offset = control & 63, width = (control >> 16) & 127;
  if (width == 0)
    return 0;
  int64_t shifted = int64_t(value) >> offset;
  if (width + offset >= 64)
    return uint64_t(shifted);
  return uint64_t(int64_t(uint64_t(shifted) << (64 - width)) >> (64 - width));
}

/// Position of the first bit that differs from the sign, from the top; -1 if
/// there is none.
uint32_t signedHighBit(uint64_t value, unsigned bits) {
  bool sign = (value >> (bits - 1)) & 1;
  for (unsigned i = 1; i != bits; ++i)
    if (bool((value >> (bits - 1 - i)) & 1) != sign)
      return i;
  return ~0u;
}

/// Each bit becomes four: any bit set in a group of four.
template <typename T>
T quadMask(T value, unsigned bits) {
  T result = 0;
  for (unsigned i = 0; i != bits; i += 4)
    if ((value >> i) & 15)
      result |= T(1) << (i / 4);
  return result;
}
template <typename T>
T wholeQuadMask(T value, unsigned bits) {
  T result = 0;
  for (unsigned i = 0; i != bits; i += 4)
    if ((value >> i) & 15)
      result |= T(15) << i;
  return result;
}

#define OP(...)                                                                \
  [](const Instruction &i, WaveState &w) {                                     \
    (void)i;                                                                   \
    __VA_ARGS__;                                                               \
  }

const ExecEntry sop2Table[] = {
    {"s_add_u32", OP(putUnsignedSum(i, w, src0(i, w), src1(i, w), 0))},
    {"s_addc_u32", OP(putUnsignedSum(i, w, src0(i, w), src1(i, w), w.scc))},
    {"s_sub_u32", OP(putUnsignedDifference(i, w, src0(i, w), src1(i, w), 0))},
    {"s_subb_u32",
     OP(putUnsignedDifference(i, w, src0(i, w), src1(i, w), w.scc))},
    {"s_add_i32", OP(putSignedSum(i, w, src0(i, w), src1(i, w)))},
    {"s_sub_i32", OP(uint32_t a = src0(i, w), b = src1(i, w); put(i, w, a - b);
                     w.scc = ((a ^ b) & (a ^ (a - b))) >> 31)},
    {"s_absdiff_i32", OP(uint32_t d = src0(i, w) - src1(i, w);
                         putNonZero(i, w, int32_t(d) < 0 ? 0 - d : d))},
    {"s_min_i32", OP(int32_t a = int32_t(src0(i, w)), b = int32_t(src1(i, w));
                     w.scc = a < b; put(i, w, uint32_t(a < b ? a : b)))},
    {"s_max_i32", OP(int32_t a = int32_t(src0(i, w)), b = int32_t(src1(i, w));
                     w.scc = a > b; put(i, w, uint32_t(a > b ? a : b)))},
    {"s_min_u32", OP(uint32_t a = src0(i, w), b = src1(i, w); w.scc = a < b;
                     put(i, w, a < b ? a : b))},
    {"s_max_u32", OP(uint32_t a = src0(i, w), b = src1(i, w); w.scc = a > b;
                     put(i, w, a > b ? a : b))},
    {"s_cselect_b32", OP(put(i, w, w.scc ? src0(i, w) : src1(i, w)))},
    {"s_cselect_b64", OP(put64(i, w, w.scc ? wide0(i, w) : wide1(i, w)))},
    {"s_and_b32", OP(putNonZero(i, w, src0(i, w) & src1(i, w)))},
    {"s_and_b64", OP(putNonZero64(i, w, wide0(i, w) & wide1(i, w)))},
    {"s_or_b32", OP(putNonZero(i, w, src0(i, w) | src1(i, w)))},
    {"s_or_b64", OP(putNonZero64(i, w, wide0(i, w) | wide1(i, w)))},
    {"s_xor_b32", OP(putNonZero(i, w, src0(i, w) ^ src1(i, w)))},
    {"s_xor_b64", OP(putNonZero64(i, w, wide0(i, w) ^ wide1(i, w)))},
    {"s_andn2_b32", OP(putNonZero(i, w, src0(i, w) & ~src1(i, w)))},
    {"s_andn2_b64", OP(putNonZero64(i, w, wide0(i, w) & ~wide1(i, w)))},
    {"s_orn2_b32", OP(putNonZero(i, w, src0(i, w) | ~src1(i, w)))},
    {"s_orn2_b64", OP(putNonZero64(i, w, wide0(i, w) | ~wide1(i, w)))},
    {"s_nand_b32", OP(putNonZero(i, w, ~(src0(i, w) & src1(i, w))))},
    {"s_nand_b64", OP(putNonZero64(i, w, ~(wide0(i, w) & wide1(i, w))))},
    {"s_nor_b32", OP(putNonZero(i, w, ~(src0(i, w) | src1(i, w))))},
    {"s_nor_b64", OP(putNonZero64(i, w, ~(wide0(i, w) | wide1(i, w))))},
    {"s_xnor_b32", OP(putNonZero(i, w, ~(src0(i, w) ^ src1(i, w))))},
    {"s_xnor_b64", OP(putNonZero64(i, w, ~(wide0(i, w) ^ wide1(i, w))))},
    {"s_lshl_b32", OP(putNonZero(i, w, src0(i, w) << (src1(i, w) & 31)))},
    {"s_lshl_b64", OP(putNonZero64(i, w, wide0(i, w) << (src1(i, w) & 63)))},
    {"s_lshr_b32", OP(putNonZero(i, w, src0(i, w) >> (src1(i, w) & 31)))},
    {"s_lshr_b64", OP(putNonZero64(i, w, wide0(i, w) >> (src1(i, w) & 63)))},
    {"s_ashr_i32",
     OP(putNonZero(i, w, uint32_t(int32_t(src0(i, w)) >> (src1(i, w) & 31))))},
    {"s_ashr_i64",
     OP(putNonZero64(i, w,
                     uint64_t(int64_t(wide0(i, w)) >> (src1(i, w) & 63))))},
    {"s_bfm_b32",
     OP(put(i, w,
            ((uint32_t(1) << (src0(i, w) & 31)) - 1) << (src1(i, w) & 31)))},
    {"s_bfm_b64",
     OP(put64(i, w,
              ((uint64_t(1) << (src0(i, w) & 63)) - 1) << (src1(i, w) & 63)))},
    {"s_bfe_u32",
     OP(putNonZero(i, w, bitfieldUnsigned(src0(i, w), src1(i, w))))},
    {"s_bfe_i32", OP(putNonZero(i, w, bitfieldSigned(src0(i, w), src1(i, w))))},
    {"s_bfe_u64",
     OP(putNonZero64(i, w, bitfieldUnsigned64(wide0(i, w), src1(i, w))))},
    {"s_bfe_i64",
     OP(putNonZero64(i, w, bitfieldSigned64(wide0(i, w), src1(i, w))))},
    {"s_mul_i32", OP(put(i, w, src0(i, w) * src1(i, w)))},
    {"s_mul_hi_u32",
     OP(put(i, w, uint32_t((uint64_t(src0(i, w)) * src1(i, w)) >> 32)))},
    {"s_mul_hi_i32",
     OP(put(i, w,
            uint32_t((int64_t(int32_t(src0(i, w))) * int32_t(src1(i, w))) >>
                     32)))},
    {"s_lshl1_add_u32",
     OP(uint64_t s = (uint64_t(src0(i, w)) << 1) + src1(i, w);
        put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl2_add_u32",
     OP(uint64_t s = (uint64_t(src0(i, w)) << 2) + src1(i, w);
        put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl3_add_u32",
     OP(uint64_t s = (uint64_t(src0(i, w)) << 3) + src1(i, w);
        put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl4_add_u32",
     OP(uint64_t s = (uint64_t(src0(i, w)) << 4) + src1(i, w);
        put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_pack_ll_b32_b16",
     OP(put(i, w, (src0(i, w) & 0xffff) | (src1(i, w) << 16)))},
    {"s_pack_lh_b32_b16",
     OP(put(i, w, (src0(i, w) & 0xffff) | (src1(i, w) & 0xffff0000)))},
    {"s_pack_hh_b32_b16",
     OP(put(i, w, (src0(i, w) >> 16) | (src1(i, w) & 0xffff0000)))},
};

/// D = EXEC, EXEC = f(S0, EXEC), SCC = EXEC != 0.
#define SAVEEXEC(name, expression)                                             \
  {                                                                            \
    name, OP(uint64_t s = wide0(i, w); uint64_t e = w.exec(); put64(i, w, e);  \
             w.setExec(expression); w.scc = w.exec() != 0)                     \
  }
/// EXEC = f(S0, EXEC), D = EXEC, SCC = EXEC != 0.
#define WREXEC(name, expression)                                               \
  {                                                                            \
    name, OP(uint64_t s = wide0(i, w); uint64_t e = w.exec();                  \
             w.setExec(expression); put64(i, w, w.exec());                     \
             w.scc = w.exec() != 0)                                            \
  }

const ExecEntry sop1Table[] = {
    {"s_mov_b32", OP(put(i, w, src0(i, w)))},
    {"s_mov_b64", OP(put64(i, w, wide0(i, w)))},
    {"s_cmov_b32", OP(if (w.scc) put(i, w, src0(i, w)))},
    {"s_cmov_b64", OP(if (w.scc) put64(i, w, wide0(i, w)))},
    {"s_not_b32", OP(putNonZero(i, w, ~src0(i, w)))},
    {"s_not_b64", OP(putNonZero64(i, w, ~wide0(i, w)))},
    {"s_wqm_b32", OP(putNonZero(i, w, wholeQuadMask(src0(i, w), 32)))},
    {"s_wqm_b64", OP(putNonZero64(i, w, wholeQuadMask(wide0(i, w), 64)))},
    {"s_quadmask_b32", OP(putNonZero(i, w, quadMask(src0(i, w), 32)))},
    {"s_quadmask_b64", OP(putNonZero64(i, w, quadMask(wide0(i, w), 64)))},
    {"s_brev_b32", OP(put(i, w, llvm::reverseBits(src0(i, w))))},
    {"s_brev_b64", OP(put64(i, w, llvm::reverseBits(wide0(i, w))))},
    {"s_bcnt0_i32_b32",
     OP(putNonZero(i, w, uint32_t(llvm::popcount(~src0(i, w)))))},
    {"s_bcnt0_i32_b64",
     OP(putNonZero(i, w, uint32_t(llvm::popcount(~wide0(i, w)))))},
    {"s_bcnt1_i32_b32",
     OP(putNonZero(i, w, uint32_t(llvm::popcount(src0(i, w)))))},
    {"s_bcnt1_i32_b64",
     OP(putNonZero(i, w, uint32_t(llvm::popcount(wide0(i, w)))))},
    {"s_ff0_i32_b32", OP(uint32_t v = ~src0(i, w);
                         put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff0_i32_b64", OP(uint64_t v = ~wide0(i, w);
                         put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff1_i32_b32", OP(uint32_t v = src0(i, w);
                         put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_ff1_i32_b64", OP(uint64_t v = wide0(i, w);
                         put(i, w, v ? uint32_t(llvm::countr_zero(v)) : ~0u))},
    {"s_flbit_i32_b32",
     OP(uint32_t v = src0(i, w);
        put(i, w, v ? uint32_t(llvm::countl_zero(v)) : ~0u))},
    {"s_flbit_i32_b64",
     OP(uint64_t v = wide0(i, w);
        put(i, w, v ? uint32_t(llvm::countl_zero(v)) : ~0u))},
    {"s_flbit_i32", OP(put(i, w, signedHighBit(src0(i, w), 32)))},
    {"s_flbit_i32_i64", OP(put(i, w, signedHighBit(wide0(i, w), 64)))},
    {"s_sext_i32_i8", OP(put(i, w, uint32_t(int32_t(int8_t(src0(i, w))))))},
    {"s_sext_i32_i16", OP(put(i, w, uint32_t(int32_t(int16_t(src0(i, w))))))},
    {"s_abs_i32",
     OP(uint32_t v = src0(i, w); putNonZero(i, w, int32_t(v) < 0 ? 0 - v : v))},
    {"s_bitset0_b32",
     OP(w.setScalar(i.dst[0],
                    w.scalar(i.dst[0]) & ~(1u << (src0(i, w) & 31))))},
    {"s_bitset1_b32",
     OP(w.setScalar(i.dst[0], w.scalar(i.dst[0]) | 1u << (src0(i, w) & 31)))},
    {"s_bitset0_b64",
     OP(w.setScalar64(i.dst[0], w.scalar64(i.dst[0]) &
                                    ~(uint64_t(1) << (src0(i, w) & 63))))},
    {"s_bitset1_b64",
     OP(w.setScalar64(i.dst[0], w.scalar64(i.dst[0]) |
                                    uint64_t(1) << (src0(i, w) & 63)))},
    {"s_bitreplicate_b64_b32",
     OP(uint32_t v = src0(i, w); uint64_t r = 0;
        for (unsigned b = 0; b != 32; ++b) if ((v >> b) & 1) r |= uint64_t(3)
                                                                  << (2 * b);
        put64(i, w, r))},
    {"s_movrels_b32",
     OP(w.setScalar(i.dst[0], w.sgpr[(i.src[0].reg + w.m0()) & 127]))},
    {"s_movreld_b32", OP(w.sgpr[(i.dst[0].reg + w.m0()) & 127] = src0(i, w))},
    {"s_movrels_b64",
     OP(unsigned r = (i.src[0].reg + w.m0()) & 126; put64(i, w, w.sgpr64(r)))},
    {"s_movreld_b64", OP(unsigned r = (i.dst[0].reg + w.m0()) & 126;
                         w.setSgpr64(r, wide0(i, w)))},
    SAVEEXEC("s_and_saveexec_b64", s &e),
    SAVEEXEC("s_or_saveexec_b64", s | e),
    SAVEEXEC("s_xor_saveexec_b64", s ^ e),
    SAVEEXEC("s_andn2_saveexec_b64", s & ~e),
    SAVEEXEC("s_orn2_saveexec_b64", s | ~e),
    SAVEEXEC("s_nand_saveexec_b64", ~(s &e)),
    SAVEEXEC("s_nor_saveexec_b64", ~(s | e)),
    SAVEEXEC("s_xnor_saveexec_b64", ~(s ^ e)),
    SAVEEXEC("s_andn1_saveexec_b64", ~s &e),
    SAVEEXEC("s_orn1_saveexec_b64", ~s | e),
    WREXEC("s_andn1_wrexec_b64", ~s &e),
    WREXEC("s_andn2_wrexec_b64", s & ~e),
};

#define COMPARE_SIGNED(op) int32_t(src0(i, w)) op int32_t(src1(i, w))
#define COMPARE_UNSIGNED(op) src0(i, w) op src1(i, w)
/// SOPK compares: destination register against the constant, in text order.
#define COMPARE_K_UNSIGNED(op) src0(i, w) op uint32_t(uint16_t(i.simm16))

const ExecEntry compareTable[] = {
    {"s_cmp_eq_i32", OP(w.scc = COMPARE_SIGNED(==))},
    {"s_cmp_lg_i32", OP(w.scc = COMPARE_SIGNED(!=))},
    {"s_cmp_gt_i32", OP(w.scc = COMPARE_SIGNED(>))},
    {"s_cmp_ge_i32", OP(w.scc = COMPARE_SIGNED(>=))},
    {"s_cmp_lt_i32", OP(w.scc = COMPARE_SIGNED(<))},
    {"s_cmp_le_i32", OP(w.scc = COMPARE_SIGNED(<=))},
    {"s_cmp_eq_u32", OP(w.scc = COMPARE_UNSIGNED(==))},
    {"s_cmp_lg_u32", OP(w.scc = COMPARE_UNSIGNED(!=))},
    {"s_cmp_gt_u32", OP(w.scc = COMPARE_UNSIGNED(>))},
    {"s_cmp_ge_u32", OP(w.scc = COMPARE_UNSIGNED(>=))},
    {"s_cmp_lt_u32", OP(w.scc = COMPARE_UNSIGNED(<))},
    {"s_cmp_le_u32", OP(w.scc = COMPARE_UNSIGNED(<=))},
    {"s_cmp_eq_u64", OP(w.scc = wide0(i, w) == wide1(i, w))},
    {"s_cmp_lg_u64", OP(w.scc = wide0(i, w) != wide1(i, w))},
    {"s_bitcmp0_b32", OP(w.scc = !((src0(i, w) >> (src1(i, w) & 31)) & 1))},
    {"s_bitcmp1_b32", OP(w.scc = (src0(i, w) >> (src1(i, w) & 31)) & 1)},
    {"s_bitcmp0_b64", OP(w.scc = !((wide0(i, w) >> (src1(i, w) & 63)) & 1))},
    {"s_bitcmp1_b64", OP(w.scc = (wide0(i, w) >> (src1(i, w) & 63)) & 1)},
    {"s_cmpk_eq_i32", OP(w.scc = COMPARE_SIGNED(==))},
    {"s_cmpk_lg_i32", OP(w.scc = COMPARE_SIGNED(!=))},
    {"s_cmpk_gt_i32", OP(w.scc = COMPARE_SIGNED(>))},
    {"s_cmpk_ge_i32", OP(w.scc = COMPARE_SIGNED(>=))},
    {"s_cmpk_lt_i32", OP(w.scc = COMPARE_SIGNED(<))},
    {"s_cmpk_le_i32", OP(w.scc = COMPARE_SIGNED(<=))},
    {"s_cmpk_eq_u32", OP(w.scc = COMPARE_K_UNSIGNED(==))},
    {"s_cmpk_lg_u32", OP(w.scc = COMPARE_K_UNSIGNED(!=))},
    {"s_cmpk_gt_u32", OP(w.scc = COMPARE_K_UNSIGNED(>))},
    {"s_cmpk_ge_u32", OP(w.scc = COMPARE_K_UNSIGNED(>=))},
    {"s_cmpk_lt_u32", OP(w.scc = COMPARE_K_UNSIGNED(<))},
    {"s_cmpk_le_u32", OP(w.scc = COMPARE_K_UNSIGNED(<=))},
};

/// Readable part of a hardware register, for s_getreg. Register 1 is MODE;
/// others hold state that does not exist here.
bool readHardwareRegister(const WaveState &wave, unsigned id, uint32_t &value) {
  if (id == 1) {
    value = wave.mode.bits;
    return true;
  }
  return false;
}

void getRegister(const Instruction &inst, WaveState &wave) {
  unsigned spec = uint16_t(inst.simm16);
  uint32_t value;
  if (!readHardwareRegister(wave, spec & 63, value))
    return wave.raise(FaultKind::Unimplemented, inst,
                      "only the MODE register can be read");
  unsigned offset = (spec >> 6) & 31, width = ((spec >> 11) & 31) + 1;
  put(inst, wave, bitfieldUnsigned(value, offset | width << 16));
}

void setRegister(const Instruction &inst, WaveState &wave, uint32_t value) {
  unsigned spec = uint16_t(inst.simm16);
  if ((spec & 63) != 1)
    return wave.raise(FaultKind::Unimplemented, inst,
                      "only the MODE register can be written");
  unsigned offset = (spec >> 6) & 31, width = ((spec >> 11) & 31) + 1;
  uint32_t mask = width >= 32 ? ~0u : ((1u << width) - 1);
  wave.mode.bits =
      (wave.mode.bits & ~(mask << offset)) | ((value & mask) << offset);
}

const ExecEntry sopkTable[] = {
    {"s_movk_i32", OP(put(i, w, uint32_t(i.simm16)))},
    {"s_cmovk_i32", OP(if (w.scc) put(i, w, uint32_t(i.simm16)))},
    {"s_addk_i32",
     OP(putSignedSum(i, w, w.scalar(i.dst[0]), uint32_t(i.simm16)))},
    {"s_mulk_i32", OP(put(i, w, w.scalar(i.dst[0]) * uint32_t(i.simm16)))},
    {"s_getreg_b32", OP(getRegister(i, w))},
    {"s_setreg_b32", OP(setRegister(i, w, src0(i, w)))},
    {"s_setreg_imm32_b32",
     OP(uint32_t v; std::memcpy(&v, i.bytes + 4, 4); setRegister(i, w, v))},
};

} // namespace

ExecFn fly::sim::lookupSalu(const Instruction &inst, ChipKind) {
  using fly::isa::Format;
  switch (inst.format) {
  case Format::SOP1:
    return findExec(sop1Table, inst.mnemonic);
  case Format::SOP2:
    return findExec(sop2Table, inst.mnemonic);
  case Format::SOPC:
    return findExec(compareTable, inst.mnemonic);
  case Format::SOPK:
    if (ExecFn compare = findExec(compareTable, inst.mnemonic))
      return compare;
    return findExec(sopkTable, inst.mnemonic);
  default:
    return nullptr;
  }
}
