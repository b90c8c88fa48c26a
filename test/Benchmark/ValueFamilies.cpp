//===- ValueFamilies.cpp - rates of vector arithmetic ---------------------===//
//
// One or more of each family that real kernels execute: what an instruction
// costs depends on how many registers it reads, on what it computes, and on
// whether lanes or parts of them move on the way.
//
//===----------------------------------------------------------------------===//
#include "Loop.h"

using namespace fly;
using namespace fly::bench;

static constexpr arch::Chip gfx942 = arch::Chip::Gfx942;
static constexpr arch::Chip gfx950 = arch::Chip::Gfx950;

static const Loop families[] = {
    // What an instruction costs without any work.
    {"values/v_nop", "v_nop"},

    // Moves and selects.
    {"values/v_mov_b32", "v_mov_b32 v12, v4"},
    {"values/v_mov_b32_scalar", "v_mov_b32 v12, s4"},
    {"values/v_mov_b64", "v_mov_b64 v[16:17], v[4:5]"},
    {"values/v_cndmask_b32", "v_cndmask_b32 v12, v4, v5, vcc"},
    {"values/v_accvgpr_write_b32", "v_accvgpr_write_b32 a0, v4"},
    {"values/v_accvgpr_read_b32", "v_accvgpr_read_b32 v12, a0"},

    // Integers.
    {"values/v_add_u32", "v_add_u32 v12, v4, v5"},
    {"values/v_add_u32_scalar", "v_add_u32 v12, s4, v5"},
    {"values/v_sub_u32", "v_sub_u32 v12, v4, v5"},
    {"values/v_add_co_u32", "v_add_co_u32 v12, vcc, v4, v5"},
    {"values/v_addc_co_u32", "v_addc_co_u32 v12, vcc, v4, v5, vcc"},
    {"values/v_mul_lo_u32", "v_mul_lo_u32 v12, v4, v5"},
    {"values/v_mul_hi_u32", "v_mul_hi_u32 v12, v4, v5"},
    {"values/v_mul_u32_u24", "v_mul_u32_u24 v12, v4, v5"},
    {"values/v_mad_u32_u24", "v_mad_u32_u24 v12, v4, v5, v6"},
    {"values/v_mad_u64_u32", "v_mad_u64_u32 v[16:17], vcc, v4, v5, v[6:7]"},
    {"values/v_lshl_add_u32", "v_lshl_add_u32 v12, v4, 2, v5"},
    {"values/v_lshl_add_u64", "v_lshl_add_u64 v[16:17], v[4:5], 2, v[6:7]"},
    {"values/v_add_lshl_u32", "v_add_lshl_u32 v12, v4, v5, 2"},
    {"values/v_add3_u32", "v_add3_u32 v12, v4, v5, v6"},
    {"values/v_min_u32", "v_min_u32 v12, v4, v5"},
    {"values/v_mbcnt_lo_u32_b32", "v_mbcnt_lo_u32_b32 v12, -1, 0"},
    {"values/v_pk_add_u16", "v_pk_add_u16 v12, v4, v5"},

    // Bits.
    {"values/v_and_b32", "v_and_b32 v12, v4, v5"},
    {"values/v_and_or_b32", "v_and_or_b32 v12, v4, v5, v6"},
    {"values/v_or3_b32", "v_or3_b32 v12, v4, v5, v6"},
    {"values/v_lshlrev_b32", "v_lshlrev_b32 v12, 3, v5"},
    {"values/v_lshlrev_b64", "v_lshlrev_b64 v[16:17], 3, v[4:5]"},
    {"values/v_ashrrev_i32", "v_ashrrev_i32 v12, 31, v5"},
    {"values/v_bfe_u32", "v_bfe_u32 v12, v4, 4, 8"},
    {"values/v_bfe_i32", "v_bfe_i32 v12, v4, 4, 8"},
    {"values/v_bfi_b32", "v_bfi_b32 v12, v4, v5, v6"},
    {"values/v_alignbit_b32", "v_alignbit_b32 v12, v4, v5, 16"},
    {"values/v_perm_b32", "v_perm_b32 v12, v4, v5, v6"},
    {"values/v_perm_b32_constant", "v_perm_b32 v12, v4, v5, 5"},
    {"values/v_bitop3_b32", "v_bitop3_b32 v12, v4, v5, v6 bitop3:0x6c", gfx950},

    // f32.
    {"values/v_add_f32", "v_add_f32 v12, v4, v5"},
    {"values/v_mul_f32_negated", "v_mul_f32 v12, -v4, |v5|"},
    {"values/v_fma_f32", "v_fma_f32 v12, v4, v5, v6"},
    {"values/v_fmac_f32", "v_fmac_f32 v12, v4, v5"},
    {"values/v_pk_fma_f32", "v_pk_fma_f32 v[16:17], v[4:5], v[6:7], v[8:9]"},
    {"values/v_pk_mul_f32", "v_pk_mul_f32 v[16:17], v[4:5], v[6:7]"},
    {"values/v_pk_mul_f32_broadcast",
     "v_pk_mul_f32 v[16:17], v[4:5], v[6:7] op_sel_hi:[1,0]"},
    {"values/v_max_f32", "v_max_f32 v12, v4, v5"},
    {"values/v_max3_f32", "v_max3_f32 v12, v4, v5, v6"},
    {"values/v_med3_f32", "v_med3_f32 v12, v4, v5, v6"},
    {"values/v_rndne_f32", "v_rndne_f32 v12, v4"},
    {"values/v_ldexp_f32", "v_ldexp_f32 v12, v4, v1"},
    {"values/v_add_f64", "v_add_f64 v[16:17], v[4:5], v[6:7]"},
    {"values/v_fma_f64", "v_fma_f64 v[16:17], v[4:5], v[6:7], v[8:9]"},

    // f16 and mixed.
    {"values/v_add_f16", "v_add_f16 v12, v14, v15"},
    {"values/v_mul_f16", "v_mul_f16 v12, v14, v15"},
    {"values/v_fma_f16", "v_fma_f16 v12, v14, v15, v14"},
    {"values/v_max_f16", "v_max_f16 v12, v14, v15"},
    {"values/v_pk_add_f16", "v_pk_add_f16 v12, v14, v15"},
    {"values/v_pk_mul_f16", "v_pk_mul_f16 v12, v14, v15"},
    {"values/v_pk_fma_f16", "v_pk_fma_f16 v12, v14, v15, v14"},
    {"values/v_pk_max_f16", "v_pk_max_f16 v12, v14, v15"},
    {"values/v_fma_mix_f32",
     "v_fma_mix_f32 v12, v14, v15, v4 op_sel_hi:[1,1,0]"},
    {"values/v_dot2_f32_f16", "v_dot2_f32_f16 v12, v14, v15, v4"},
    {"values/v_dot4_i32_i8", "v_dot4_i32_i8 v12, v14, v15, v4"},

    // Comparisons.
    {"values/v_cmp_lt_u32", "v_cmp_lt_u32 vcc, v4, v5"},
    {"values/v_cmp_lt_f32", "v_cmp_lt_f32 vcc, v4, v5"},
    {"values/v_cmp_class_f32", "v_cmp_class_f32 vcc, v4, v5"},
    {"values/v_cmp_eq_u64", "v_cmp_eq_u64 vcc, v[4:5], v[6:7]"},
    {"values/v_cmp_lt_f16", "v_cmp_lt_f16 vcc, v14, v15"},
    {"values/v_cmp_lt_i16", "v_cmp_lt_i16 vcc, v14, v15"},
    {"values/v_cmpx_lt_u32", "v_cmpx_le_u32 vcc, v4, v4"},

    // Conversions.
    {"values/v_cvt_f32_u32", "v_cvt_f32_u32 v12, v4"},
    {"values/v_cvt_u32_f32", "v_cvt_u32_f32 v12, v4"},
    {"values/v_cvt_i32_f32", "v_cvt_i32_f32 v12, v4"},
    {"values/v_cvt_f32_ubyte1", "v_cvt_f32_ubyte1 v12, v4"},
    {"values/v_cvt_f16_f32", "v_cvt_f16_f32 v12, v4"},
    {"values/v_cvt_f32_f16", "v_cvt_f32_f16 v12, v14"},
    {"values/v_cvt_pkrtz_f16_f32", "v_cvt_pkrtz_f16_f32 v12, v4, v5"},
    {"values/v_cvt_pk_bf16_f32", "v_cvt_pk_bf16_f32 v12, v4, v5", gfx950},
    {"values/v_cvt_pk_fp8_f32", "v_cvt_pk_fp8_f32 v12, v4, v5", gfx942},
    {"values/v_cvt_pk_fp8_f32_ocp", "v_cvt_pk_fp8_f32 v12, v4, v5", gfx950},
    {"values/v_cvt_pk_f32_fp8", "v_cvt_pk_f32_fp8 v[16:17], v14", gfx942},
    {"values/v_cvt_f32_fp8_sdwa", "v_cvt_f32_fp8_sdwa v12, v14 src0_sel:BYTE_1",
     gfx942},
    {"values/v_cvt_scalef32_pk_f32_fp4",
     "v_cvt_scalef32_pk_f32_fp4 v[16:17], v14, v4", gfx950},
    {"values/v_cvt_scalef32_pk_fp4_f32",
     "v_cvt_scalef32_pk_fp4_f32 v12, v4, v5, v6", gfx950},

    // The transcendental unit and division.
    {"values/v_exp_f32", "v_exp_f32 v12, v13", gfx942, 200},
    {"values/v_log_f32", "v_log_f32 v12, v13", gfx942, 200},
    {"values/v_rcp_f32", "v_rcp_f32 v12, v13", gfx942, 200},
    {"values/v_rsq_f32", "v_rsq_f32 v12, v13", gfx942, 200},
    {"values/v_sqrt_f32", "v_sqrt_f32 v12, v13", gfx942, 200},
    {"values/v_sin_f32", "v_sin_f32 v12, v13", gfx942, 20},
    {"values/v_exp_f16", "v_exp_f16 v12, v14", gfx942, 20},
    {"values/v_div_scale_f32", "v_div_scale_f32 v12, vcc, v4, v5, v4", gfx942,
     200},
    {"values/v_div_fixup_f32", "v_div_fixup_f32 v12, v4, v5, v6", gfx942, 200},

    // Other lanes, and parts of them.
    {"values/v_mov_b32_quad_perm",
     "v_mov_b32_dpp v12, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"},
    {"values/v_add_f32_row_shr",
     "v_add_f32_dpp v12, v4, v5 row_shr:1 row_mask:0xf bank_mask:0xf"},
    {"values/v_add_f32_row_ror",
     "v_add_f32_dpp v12, v4, v5 row_ror:8 row_mask:0xf bank_mask:0xf"},
    {"values/v_max_f32_row_newbcast",
     "v_max_f32_dpp v12, v4, v5 row_newbcast:3 row_mask:0xf bank_mask:0xf"},
    {"values/v_add_f32_row_bcast",
     "v_add_f32_dpp v12, v4, v5 row_bcast:15 row_mask:0xa bank_mask:0xf"},
    {"values/v_add_f32_row_mirror",
     "v_add_f32_dpp v12, v4, v5 row_mirror row_mask:0xf bank_mask:0xf"},
    {"values/v_add_u32_sdwa",
     "v_add_u32_sdwa v12, v4, v5 dst_sel:DWORD dst_unused:UNUSED_PAD "
     "src0_sel:WORD_1 src1_sel:DWORD"},
    {"values/v_or_b32_sdwa",
     "v_or_b32_sdwa v12, v4, v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
     "src0_sel:BYTE_0 src1_sel:DWORD"},
    {"values/v_mul_f16_sdwa",
     "v_mul_f16_sdwa v12, v14, v15 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
     "src0_sel:WORD_0 src1_sel:WORD_1"},
    {"values/v_cvt_f32_f16_sdwa",
     "v_cvt_f32_f16_sdwa v12, v14 dst_sel:DWORD dst_unused:UNUSED_PAD "
     "src0_sel:WORD_1"},
    {"values/v_fma_f16_op_sel",
     "v_fma_f16 v12, v14, v15, v14 op_sel:[1,0,1,1]"},
    {"values/v_pack_b32_f16", "v_pack_b32_f16 v12, v14, v15"},
    {"values/v_pack_b32_f16_op_sel",
     "v_pack_b32_f16 v12, v14, v15 op_sel:[1,1,0]"},
    {"values/v_readlane_b32", "v_readlane_b32 s6, v4, 5"},
    {"values/v_readfirstlane_b32", "v_readfirstlane_b32 s6, v4"},
    {"values/v_writelane_b32", "v_writelane_b32 v12, s6, 5"},
    {"values/v_permlane32_swap_b32", "v_permlane32_swap_b32 v16, v17", gfx950},
    {"values/v_permlane16_swap_b32", "v_permlane16_swap_b32 v16, v17", gfx950},
    {"values/v_swap_b32", "v_swap_b32 v16, v17"},
};

[[maybe_unused]] static const bool isRegistered = registerLoops(families);
