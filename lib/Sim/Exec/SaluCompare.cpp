//===- SaluCompare.cpp - scalar comparisons, SOPC and SOPK ---------------===//
//
// Meaning: [AMD] CDNA3 instruction set document.
//
//===----------------------------------------------------------------------===//

#include "SaluOperands.h"

using namespace fly::sim;
using namespace fly::sim::salu;

namespace {

#define COMPARE_SIGNED(op) int32_t(src0(i, w)) op int32_t(src1(i, w))
#define COMPARE_UNSIGNED(op) src0(i, w) op src1(i, w)
/// SOPK compares: destination register against the constant, in text order.
#define COMPARE_K_UNSIGNED(op) src0(i, w) op uint32_t(uint16_t(i.simm16))

const ExecEntry compareTable[] = {
    {"s_cmp_eq_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(==))},
    {"s_cmp_lg_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(!=))},
    {"s_cmp_gt_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(>))},
    {"s_cmp_ge_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(>=))},
    {"s_cmp_lt_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(<))},
    {"s_cmp_le_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(<=))},
    {"s_cmp_eq_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(==))},
    {"s_cmp_lg_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(!=))},
    {"s_cmp_gt_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(>))},
    {"s_cmp_ge_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(>=))},
    {"s_cmp_lt_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(<))},
    {"s_cmp_le_u32", FLY_SALU_OP(w.scc = COMPARE_UNSIGNED(<=))},
    {"s_cmp_eq_u64", FLY_SALU_OP(w.scc = wide0(i, w) == wide1(i, w))},
    {"s_cmp_lg_u64", FLY_SALU_OP(w.scc = wide0(i, w) != wide1(i, w))},
    {"s_bitcmp0_b32",
     FLY_SALU_OP(w.scc = !((src0(i, w) >> (src1(i, w) & 31)) & 1))},
    {"s_bitcmp1_b32",
     FLY_SALU_OP(w.scc = (src0(i, w) >> (src1(i, w) & 31)) & 1)},
    {"s_bitcmp0_b64",
     FLY_SALU_OP(w.scc = !((wide0(i, w) >> (src1(i, w) & 63)) & 1))},
    {"s_bitcmp1_b64",
     FLY_SALU_OP(w.scc = (wide0(i, w) >> (src1(i, w) & 63)) & 1)},
    {"s_cmpk_eq_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(==))},
    {"s_cmpk_lg_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(!=))},
    {"s_cmpk_gt_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(>))},
    {"s_cmpk_ge_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(>=))},
    {"s_cmpk_lt_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(<))},
    {"s_cmpk_le_i32", FLY_SALU_OP(w.scc = COMPARE_SIGNED(<=))},
    {"s_cmpk_eq_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(==))},
    {"s_cmpk_lg_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(!=))},
    {"s_cmpk_gt_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(>))},
    {"s_cmpk_ge_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(>=))},
    {"s_cmpk_lt_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(<))},
    {"s_cmpk_le_u32", FLY_SALU_OP(w.scc = COMPARE_K_UNSIGNED(<=))},
};

} // namespace

ExecFn fly::sim::salu::findCompare(llvm::StringRef mnemonic) {
  return findExec(compareTable, mnemonic);
}
