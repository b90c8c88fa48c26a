//===- SaluBinary.cpp - two-source scalar maths, SOP2 --------------------===//
//
// Meaning: [AMD] CDNA3 instruction set document.
//
//===----------------------------------------------------------------------===//

#include "SaluOperands.h"

using namespace fly::sim;
using namespace fly::sim::salu;

namespace {

const ExecEntry sop2Table[] = {
    {"s_add_u32", FLY_SALU_OP(putUnsignedSum(i, w, src0(i, w), src1(i, w), 0))},
    {"s_addc_u32",
     FLY_SALU_OP(putUnsignedSum(i, w, src0(i, w), src1(i, w), w.scc))},
    {"s_sub_u32",
     FLY_SALU_OP(putUnsignedDifference(i, w, src0(i, w), src1(i, w), 0))},
    {"s_subb_u32",
     FLY_SALU_OP(putUnsignedDifference(i, w, src0(i, w), src1(i, w), w.scc))},
    {"s_add_i32", FLY_SALU_OP(putSignedSum(i, w, src0(i, w), src1(i, w)))},
    {"s_sub_i32",
     FLY_SALU_OP(uint32_t a = src0(i, w), b = src1(i, w); put(i, w, a - b);
                 w.scc = ((a ^ b) & (a ^ (a - b))) >> 31)},
    {"s_absdiff_i32",
     FLY_SALU_OP(uint32_t d = src0(i, w) - src1(i, w);
                 putNonZero(i, w, int32_t(d) < 0 ? 0 - d : d))},
    {"s_min_i32",
     FLY_SALU_OP(int32_t a = int32_t(src0(i, w)), b = int32_t(src1(i, w));
                 w.scc = a < b; put(i, w, uint32_t(a < b ? a : b)))},
    {"s_max_i32",
     FLY_SALU_OP(int32_t a = int32_t(src0(i, w)), b = int32_t(src1(i, w));
                 w.scc = a > b; put(i, w, uint32_t(a > b ? a : b)))},
    {"s_min_u32", FLY_SALU_OP(uint32_t a = src0(i, w), b = src1(i, w);
                              w.scc = a < b; put(i, w, a < b ? a : b))},
    {"s_max_u32", FLY_SALU_OP(uint32_t a = src0(i, w), b = src1(i, w);
                              w.scc = a > b; put(i, w, a > b ? a : b))},
    {"s_cselect_b32", FLY_SALU_OP(put(i, w, w.scc ? src0(i, w) : src1(i, w)))},
    {"s_cselect_b64",
     FLY_SALU_OP(put64(i, w, w.scc ? wide0(i, w) : wide1(i, w)))},
    {"s_and_b32", FLY_SALU_OP(putNonZero(i, w, src0(i, w) & src1(i, w)))},
    {"s_and_b64", FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) & wide1(i, w)))},
    {"s_or_b32", FLY_SALU_OP(putNonZero(i, w, src0(i, w) | src1(i, w)))},
    {"s_or_b64", FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) | wide1(i, w)))},
    {"s_xor_b32", FLY_SALU_OP(putNonZero(i, w, src0(i, w) ^ src1(i, w)))},
    {"s_xor_b64", FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) ^ wide1(i, w)))},
    {"s_andn2_b32", FLY_SALU_OP(putNonZero(i, w, src0(i, w) & ~src1(i, w)))},
    {"s_andn2_b64",
     FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) & ~wide1(i, w)))},
    {"s_orn2_b32", FLY_SALU_OP(putNonZero(i, w, src0(i, w) | ~src1(i, w)))},
    {"s_orn2_b64", FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) | ~wide1(i, w)))},
    {"s_nand_b32", FLY_SALU_OP(putNonZero(i, w, ~(src0(i, w) & src1(i, w))))},
    {"s_nand_b64",
     FLY_SALU_OP(putNonZero64(i, w, ~(wide0(i, w) & wide1(i, w))))},
    {"s_nor_b32", FLY_SALU_OP(putNonZero(i, w, ~(src0(i, w) | src1(i, w))))},
    {"s_nor_b64",
     FLY_SALU_OP(putNonZero64(i, w, ~(wide0(i, w) | wide1(i, w))))},
    {"s_xnor_b32", FLY_SALU_OP(putNonZero(i, w, ~(src0(i, w) ^ src1(i, w))))},
    {"s_xnor_b64",
     FLY_SALU_OP(putNonZero64(i, w, ~(wide0(i, w) ^ wide1(i, w))))},
    {"s_lshl_b32",
     FLY_SALU_OP(putNonZero(i, w, src0(i, w) << (src1(i, w) & 31)))},
    {"s_lshl_b64",
     FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) << (src1(i, w) & 63)))},
    {"s_lshr_b32",
     FLY_SALU_OP(putNonZero(i, w, src0(i, w) >> (src1(i, w) & 31)))},
    {"s_lshr_b64",
     FLY_SALU_OP(putNonZero64(i, w, wide0(i, w) >> (src1(i, w) & 63)))},
    {"s_ashr_i32",
     FLY_SALU_OP(
         putNonZero(i, w, uint32_t(int32_t(src0(i, w)) >> (src1(i, w) & 31))))},
    {"s_ashr_i64",
     FLY_SALU_OP(putNonZero64(
         i, w, uint64_t(int64_t(wide0(i, w)) >> (src1(i, w) & 63))))},
    {"s_bfm_b32",
     FLY_SALU_OP(put(
         i, w, ((uint32_t(1) << (src0(i, w) & 31)) - 1) << (src1(i, w) & 31)))},
    {"s_bfm_b64",
     FLY_SALU_OP(put64(
         i, w, ((uint64_t(1) << (src0(i, w) & 63)) - 1) << (src1(i, w) & 63)))},
    {"s_bfe_u32",
     FLY_SALU_OP(putNonZero(i, w, bitfieldUnsigned(src0(i, w), src1(i, w))))},
    {"s_bfe_i32",
     FLY_SALU_OP(putNonZero(i, w, bitfieldSigned(src0(i, w), src1(i, w))))},
    {"s_bfe_u64", FLY_SALU_OP(putNonZero64(
                      i, w, bitfieldUnsigned64(wide0(i, w), src1(i, w))))},
    {"s_bfe_i64", FLY_SALU_OP(putNonZero64(
                      i, w, bitfieldSigned64(wide0(i, w), src1(i, w))))},
    {"s_mul_i32", FLY_SALU_OP(put(i, w, src0(i, w) * src1(i, w)))},
    {"s_mul_hi_u32",
     FLY_SALU_OP(
         put(i, w, uint32_t((uint64_t(src0(i, w)) * src1(i, w)) >> 32)))},
    {"s_mul_hi_i32", FLY_SALU_OP(put(i, w,
                                     uint32_t((int64_t(int32_t(src0(i, w))) *
                                               int32_t(src1(i, w))) >>
                                              32)))},
    {"s_lshl1_add_u32",
     FLY_SALU_OP(uint64_t s = (uint64_t(src0(i, w)) << 1) + src1(i, w);
                 put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl2_add_u32",
     FLY_SALU_OP(uint64_t s = (uint64_t(src0(i, w)) << 2) + src1(i, w);
                 put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl3_add_u32",
     FLY_SALU_OP(uint64_t s = (uint64_t(src0(i, w)) << 3) + src1(i, w);
                 put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_lshl4_add_u32",
     FLY_SALU_OP(uint64_t s = (uint64_t(src0(i, w)) << 4) + src1(i, w);
                 put(i, w, uint32_t(s)); w.scc = (s >> 32) != 0)},
    {"s_pack_ll_b32_b16",
     FLY_SALU_OP(put(i, w, (src0(i, w) & 0xffff) | (src1(i, w) << 16)))},
    {"s_pack_lh_b32_b16",
     FLY_SALU_OP(put(i, w, (src0(i, w) & 0xffff) | (src1(i, w) & 0xffff0000)))},
    {"s_pack_hh_b32_b16",
     FLY_SALU_OP(put(i, w, (src0(i, w) >> 16) | (src1(i, w) & 0xffff0000)))},
};

} // namespace

ExecFn fly::sim::salu::findBinary(llvm::StringRef mnemonic) {
  return findExec(sop2Table, mnemonic);
}
