; Instructions that the simulator must execute. Both chips.
  s_mov_b32 s0, s1
  s_not_b32 s0, s1
  s_brev_b32 s0, s1
  s_cmov_b32 s0, s1
  s_bcnt0_i32_b32 s0, s1
  s_bcnt1_i32_b32 s0, s1
  s_ff0_i32_b32 s0, s1
  s_ff1_i32_b32 s0, s1
  s_flbit_i32_b32 s0, s1
  s_flbit_i32 s0, s1
  s_sext_i32_i8 s0, s1
  s_sext_i32_i16 s0, s1
  s_bitset0_b32 s0, s1
  s_bitset1_b32 s0, s1
  s_abs_i32 s0, s1
  s_wqm_b32 s0, s1
  s_quadmask_b32 s0, s1
  s_movrels_b32 s0, s1
  s_movreld_b32 s0, s1
  s_mov_b64 s[0:1], s[2:3]
  s_not_b64 s[0:1], s[2:3]
  s_brev_b64 s[0:1], s[2:3]
  s_cmov_b64 s[0:1], s[2:3]
  s_wqm_b64 s[0:1], s[2:3]
  s_quadmask_b64 s[0:1], s[2:3]
  s_and_saveexec_b64 s[0:1], s[2:3]
  s_or_saveexec_b64 s[0:1], s[2:3]
  s_xor_saveexec_b64 s[0:1], s[2:3]
  s_andn2_saveexec_b64 s[0:1], s[2:3]
  s_orn2_saveexec_b64 s[0:1], s[2:3]
  s_nand_saveexec_b64 s[0:1], s[2:3]
  s_nor_saveexec_b64 s[0:1], s[2:3]
  s_xnor_saveexec_b64 s[0:1], s[2:3]
  s_andn1_saveexec_b64 s[0:1], s[2:3]
  s_orn1_saveexec_b64 s[0:1], s[2:3]
  s_andn1_wrexec_b64 s[0:1], s[2:3]
  s_andn2_wrexec_b64 s[0:1], s[2:3]
  s_swappc_b64 s[0:1], s[2:3]
  s_movrels_b64 s[0:1], s[2:3]
  s_movreld_b64 s[0:1], s[2:3]
  s_bcnt0_i32_b64 s0, s[2:3]
  s_bcnt1_i32_b64 s0, s[2:3]
  s_ff0_i32_b64 s0, s[2:3]
  s_ff1_i32_b64 s0, s[2:3]
  s_flbit_i32_b64 s0, s[2:3]
  s_flbit_i32_i64 s0, s[2:3]
  s_bitset0_b64 s[0:1], s2
  s_bitset1_b64 s[0:1], s2
  s_bitreplicate_b64_b32 s[0:1], s2
  s_getpc_b64 s[0:1]
  s_setpc_b64 s[0:1]
  s_set_gpr_idx_idx s0
  s_add_u32 s0, s1, s2
  s_sub_u32 s0, s1, s2
  s_add_i32 s0, s1, s2
  s_sub_i32 s0, s1, s2
  s_addc_u32 s0, s1, s2
  s_subb_u32 s0, s1, s2
  s_min_i32 s0, s1, s2
  s_min_u32 s0, s1, s2
  s_max_i32 s0, s1, s2
  s_max_u32 s0, s1, s2
  s_cselect_b32 s0, s1, s2
  s_and_b32 s0, s1, s2
  s_or_b32 s0, s1, s2
  s_xor_b32 s0, s1, s2
  s_andn2_b32 s0, s1, s2
  s_orn2_b32 s0, s1, s2
  s_nand_b32 s0, s1, s2
  s_nor_b32 s0, s1, s2
  s_xnor_b32 s0, s1, s2
  s_lshl_b32 s0, s1, s2
  s_lshr_b32 s0, s1, s2
  s_ashr_i32 s0, s1, s2
  s_bfm_b32 s0, s1, s2
  s_mul_i32 s0, s1, s2
  s_bfe_u32 s0, s1, s2
  s_bfe_i32 s0, s1, s2
  s_absdiff_i32 s0, s1, s2
  s_mul_hi_u32 s0, s1, s2
  s_mul_hi_i32 s0, s1, s2
  s_lshl1_add_u32 s0, s1, s2
  s_lshl2_add_u32 s0, s1, s2
  s_lshl3_add_u32 s0, s1, s2
  s_lshl4_add_u32 s0, s1, s2
  s_pack_ll_b32_b16 s0, s1, s2
  s_pack_lh_b32_b16 s0, s1, s2
  s_pack_hh_b32_b16 s0, s1, s2
  s_cselect_b64 s[0:1], s[2:3], s[4:5]
  s_and_b64 s[0:1], s[2:3], s[4:5]
  s_or_b64 s[0:1], s[2:3], s[4:5]
  s_xor_b64 s[0:1], s[2:3], s[4:5]
  s_andn2_b64 s[0:1], s[2:3], s[4:5]
  s_orn2_b64 s[0:1], s[2:3], s[4:5]
  s_nand_b64 s[0:1], s[2:3], s[4:5]
  s_nor_b64 s[0:1], s[2:3], s[4:5]
  s_xnor_b64 s[0:1], s[2:3], s[4:5]
  s_lshl_b64 s[0:1], s[2:3], s4
  s_lshr_b64 s[0:1], s[2:3], s4
  s_ashr_i64 s[0:1], s[2:3], s4
  s_bfe_u64 s[0:1], s[2:3], s4
  s_bfe_i64 s[0:1], s[2:3], s4
  s_bfm_b64 s[0:1], s2, s3
  s_cmp_eq_i32 s0, s1
  s_cmpk_eq_i32 s0, 0x12
  s_cmp_eq_u32 s0, s1
  s_cmpk_eq_u32 s0, 0x12
  s_cmp_lg_i32 s0, s1
  s_cmpk_lg_i32 s0, 0x12
  s_cmp_lg_u32 s0, s1
  s_cmpk_lg_u32 s0, 0x12
  s_cmp_gt_i32 s0, s1
  s_cmpk_gt_i32 s0, 0x12
  s_cmp_gt_u32 s0, s1
  s_cmpk_gt_u32 s0, 0x12
  s_cmp_ge_i32 s0, s1
  s_cmpk_ge_i32 s0, 0x12
  s_cmp_ge_u32 s0, s1
  s_cmpk_ge_u32 s0, 0x12
  s_cmp_lt_i32 s0, s1
  s_cmpk_lt_i32 s0, 0x12
  s_cmp_lt_u32 s0, s1
  s_cmpk_lt_u32 s0, 0x12
  s_cmp_le_i32 s0, s1
  s_cmpk_le_i32 s0, 0x12
  s_cmp_le_u32 s0, s1
  s_cmpk_le_u32 s0, 0x12
  s_cmp_eq_u64 s[0:1], s[2:3]
  s_cmp_lg_u64 s[0:1], s[2:3]
  s_bitcmp0_b32 s0, s1
  s_bitcmp1_b32 s0, s1
  s_bitcmp0_b64 s[0:1], s2
  s_bitcmp1_b64 s[0:1], s2
  s_set_gpr_idx_on s0, gpr_idx(SRC0)
  s_set_gpr_idx_off
  s_set_gpr_idx_mode gpr_idx(DST)
  s_movk_i32 s0, 0x1234
  s_cmovk_i32 s0, 1
  s_addk_i32 s0, 1
  s_mulk_i32 s0, 3
  s_getreg_b32 s0, hwreg(HW_REG_MODE)
  s_setreg_b32 hwreg(HW_REG_MODE), s0
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5
  s_call_b64 s[0:1], 4
  s_nop 0
  s_endpgm
  s_branch 4
  s_cbranch_scc0 4
  s_cbranch_scc1 4
  s_cbranch_vccz 4
  s_cbranch_vccnz 4
  s_cbranch_execz 4
  s_cbranch_execnz 4
  s_barrier
  s_waitcnt vmcnt(0)
  s_setprio 1
  s_sleep 1
  s_sendmsg sendmsg(MSG_INTERRUPT)
  s_icache_inv
  s_trap 2
  s_sethalt 0
  s_load_dword s8, s[2:3], 0x10
  s_buffer_load_dword s8, s[4:7], 0x10
  s_load_dwordx2 s[8:9], s[2:3], 0x10
  s_buffer_load_dwordx2 s[8:9], s[4:7], 0x10
  s_load_dwordx4 s[8:11], s[2:3], 0x10
  s_buffer_load_dwordx4 s[8:11], s[4:7], 0x10
  s_load_dwordx8 s[8:15], s[2:3], 0x10
  s_buffer_load_dwordx8 s[8:15], s[4:7], 0x10
  s_load_dwordx16 s[8:23], s[2:3], 0x10
  s_buffer_load_dwordx16 s[8:23], s[4:7], 0x10
  s_load_dword s8, s[2:3], s5
  s_memtime s[0:1]
  s_memrealtime s[0:1]
  s_dcache_inv
  s_dcache_wb
  v_mov_b32 v0, v1
  v_not_b32 v0, v1
  v_bfrev_b32 v0, v1
  v_ffbh_u32 v0, v1
  v_ffbl_b32 v0, v1
  v_ffbh_i32 v0, v1
  v_cvt_f32_i32 v0, v1
  v_cvt_f32_u32 v0, v1
  v_cvt_i32_f32 v0, v1
  v_cvt_u32_f32 v0, v1
  v_cvt_f16_f32 v0, v1
  v_cvt_f32_f16 v0, v1
  v_cvt_rpi_i32_f32 v0, v1
  v_cvt_flr_i32_f32 v0, v1
  v_cvt_f32_ubyte0 v0, v1
  v_cvt_f32_ubyte1 v0, v1
  v_cvt_f32_ubyte2 v0, v1
  v_cvt_f32_ubyte3 v0, v1
  v_fract_f32 v0, v1
  v_trunc_f32 v0, v1
  v_ceil_f32 v0, v1
  v_rndne_f32 v0, v1
  v_floor_f32 v0, v1
  v_exp_f32 v0, v1
  v_log_f32 v0, v1
  v_rcp_f32 v0, v1
  v_rcp_iflag_f32 v0, v1
  v_rsq_f32 v0, v1
  v_sqrt_f32 v0, v1
  v_sin_f32 v0, v1
  v_cos_f32 v0, v1
  v_frexp_exp_i32_f32 v0, v1
  v_frexp_mant_f32 v0, v1
  v_cvt_f16_u16 v0, v1
  v_cvt_f16_i16 v0, v1
  v_cvt_u16_f16 v0, v1
  v_cvt_i16_f16 v0, v1
  v_rcp_f16 v0, v1
  v_sqrt_f16 v0, v1
  v_rsq_f16 v0, v1
  v_log_f16 v0, v1
  v_exp_f16 v0, v1
  v_frexp_mant_f16 v0, v1
  v_frexp_exp_i16_f16 v0, v1
  v_floor_f16 v0, v1
  v_ceil_f16 v0, v1
  v_trunc_f16 v0, v1
  v_rndne_f16 v0, v1
  v_fract_f16 v0, v1
  v_sin_f16 v0, v1
  v_cos_f16 v0, v1
  v_exp_legacy_f32 v0, v1
  v_log_legacy_f32 v0, v1
  v_sat_pk_u8_i16 v0, v1
  v_cvt_f32_fp8 v0, v1
  v_cvt_f32_bf8 v0, v1
  v_swap_b32 v0, v1
  v_mov_b64 v[0:1], v[2:3]
  v_readfirstlane_b32 s0, v1
  v_nop
  v_cvt_i32_f64 v0, v[2:3]
  v_cvt_u32_f64 v0, v[2:3]
  v_cvt_f32_f64 v0, v[2:3]
  v_frexp_exp_i32_f64 v0, v[2:3]
  v_cvt_f64_i32 v[0:1], v2
  v_cvt_f64_u32 v[0:1], v2
  v_cvt_f64_f32 v[0:1], v2
  v_trunc_f64 v[0:1], v[2:3]
  v_ceil_f64 v[0:1], v[2:3]
  v_rndne_f64 v[0:1], v[2:3]
  v_floor_f64 v[0:1], v[2:3]
  v_fract_f64 v[0:1], v[2:3]
  v_rcp_f64 v[0:1], v[2:3]
  v_rsq_f64 v[0:1], v[2:3]
  v_sqrt_f64 v[0:1], v[2:3]
  v_frexp_mant_f64 v[0:1], v[2:3]
  v_cvt_pk_f32_fp8 v[0:1], v2
  v_cvt_pk_f32_bf8 v[0:1], v2
  v_add_f32 v0, v1, v2
  v_sub_f32 v0, v1, v2
  v_subrev_f32 v0, v1, v2
  v_mul_f32 v0, v1, v2
  v_mul_legacy_f32 v0, v1, v2
  v_mul_i32_i24 v0, v1, v2
  v_mul_hi_i32_i24 v0, v1, v2
  v_mul_u32_u24 v0, v1, v2
  v_mul_hi_u32_u24 v0, v1, v2
  v_min_f32 v0, v1, v2
  v_max_f32 v0, v1, v2
  v_min_i32 v0, v1, v2
  v_max_i32 v0, v1, v2
  v_min_u32 v0, v1, v2
  v_max_u32 v0, v1, v2
  v_lshrrev_b32 v0, v1, v2
  v_ashrrev_i32 v0, v1, v2
  v_lshlrev_b32 v0, v1, v2
  v_and_b32 v0, v1, v2
  v_or_b32 v0, v1, v2
  v_xor_b32 v0, v1, v2
  v_xnor_b32 v0, v1, v2
  v_fmac_f32 v0, v1, v2
  v_add_f16 v0, v1, v2
  v_sub_f16 v0, v1, v2
  v_subrev_f16 v0, v1, v2
  v_mul_f16 v0, v1, v2
  v_max_f16 v0, v1, v2
  v_min_f16 v0, v1, v2
  v_ldexp_f16 v0, v1, v2
  v_add_u16 v0, v1, v2
  v_sub_u16 v0, v1, v2
  v_subrev_u16 v0, v1, v2
  v_mul_lo_u16 v0, v1, v2
  v_lshlrev_b16 v0, v1, v2
  v_lshrrev_b16 v0, v1, v2
  v_ashrrev_i16 v0, v1, v2
  v_max_u16 v0, v1, v2
  v_max_i16 v0, v1, v2
  v_min_u16 v0, v1, v2
  v_min_i16 v0, v1, v2
  v_add_u32 v0, v1, v2
  v_sub_u32 v0, v1, v2
  v_subrev_u32 v0, v1, v2
  v_dot2c_f32_f16 v0, v1, v2
  v_dot2c_i32_i16 v0, v1, v2
  v_dot4c_i32_i8 v0, v1, v2
  v_dot8c_i32_i4 v0, v1, v2
  v_pk_fmac_f16 v0, v1, v2
  v_ldexp_f32 v0, v1, v2
  v_bcnt_u32_b32 v0, v1, v2
  v_mbcnt_lo_u32_b32 v0, v1, v2
  v_mbcnt_hi_u32_b32 v0, v1, v2
  v_mul_lo_u32 v0, v1, v2
  v_mul_hi_u32 v0, v1, v2
  v_mul_hi_i32 v0, v1, v2
  v_bfm_b32 v0, v1, v2
  v_cvt_pk_u16_u32 v0, v1, v2
  v_cvt_pk_i16_i32 v0, v1, v2
  v_cvt_pknorm_i16_f32 v0, v1, v2
  v_cvt_pknorm_u16_f32 v0, v1, v2
  v_cvt_pkrtz_f16_f32 v0, v1, v2
  v_add_i32 v0, v1, v2
  v_sub_i32 v0, v1, v2
  v_add_i16 v0, v1, v2
  v_sub_i16 v0, v1, v2
  v_pack_b32_f16 v0, v1, v2
  v_cvt_pk_fp8_f32 v0, v1, v2
  v_cvt_pk_bf8_f32 v0, v1, v2
  v_cvt_sr_fp8_f32 v0, v1, v2
  v_cvt_sr_bf8_f32 v0, v1, v2
  v_cndmask_b32 v0, v1, v2, vcc
  v_cndmask_b32 v0, v1, v2, s[2:3]
  v_fmamk_f32 v0, v1, 0x40490fdb, v2
  v_fmaak_f32 v0, v1, v2, 0x40490fdb
  v_add_co_u32 v0, vcc, v1, v2
  v_sub_co_u32 v0, vcc, v1, v2
  v_subrev_co_u32 v0, vcc, v1, v2
  v_add_co_u32 v0, s[2:3], v1, v2
  v_addc_co_u32 v0, vcc, v1, v2, vcc
  v_subb_co_u32 v0, vcc, v1, v2, vcc
  v_subbrev_co_u32 v0, vcc, v1, v2, vcc
  v_addc_co_u32 v0, s[2:3], v1, v2, s[4:5]
  v_readlane_b32 s0, v1, s2
  v_writelane_b32 v0, s1, 5
  v_add_f64 v[0:1], v[2:3], v[4:5]
  v_mul_f64 v[0:1], v[2:3], v[4:5]
  v_min_f64 v[0:1], v[2:3], v[4:5]
  v_max_f64 v[0:1], v[2:3], v[4:5]
  v_fmac_f64 v[0:1], v[2:3], v[4:5]
  v_ldexp_f64 v[0:1], v[2:3], v4
  v_lshlrev_b64 v[0:1], v2, v[4:5]
  v_lshrrev_b64 v[0:1], v2, v[4:5]
  v_ashrrev_i64 v[0:1], v2, v[4:5]
  v_fma_f32 v0, v1, v2, v3
  v_mad_i32_i24 v0, v1, v2, v3
  v_mad_u32_u24 v0, v1, v2, v3
  v_bfe_u32 v0, v1, v2, v3
  v_bfe_i32 v0, v1, v2, v3
  v_bfi_b32 v0, v1, v2, v3
  v_alignbit_b32 v0, v1, v2, v3
  v_alignbyte_b32 v0, v1, v2, v3
  v_min3_f32 v0, v1, v2, v3
  v_min3_i32 v0, v1, v2, v3
  v_min3_u32 v0, v1, v2, v3
  v_max3_f32 v0, v1, v2, v3
  v_max3_i32 v0, v1, v2, v3
  v_max3_u32 v0, v1, v2, v3
  v_med3_f32 v0, v1, v2, v3
  v_med3_i32 v0, v1, v2, v3
  v_med3_u32 v0, v1, v2, v3
  v_sad_u8 v0, v1, v2, v3
  v_msad_u8 v0, v1, v2, v3
  v_lerp_u8 v0, v1, v2, v3
  v_sad_hi_u8 v0, v1, v2, v3
  v_sad_u16 v0, v1, v2, v3
  v_sad_u32 v0, v1, v2, v3
  v_qsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]
  v_mqsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]
  v_mqsad_u32_u8 v[0:3], v[4:5], v6, v[8:11]
  v_cubeid_f32 v0, v1, v2, v3
  v_cubesc_f32 v0, v1, v2, v3
  v_cubetc_f32 v0, v1, v2, v3
  v_cubema_f32 v0, v1, v2, v3
  v_cvt_pk_u8_f32 v0, v1, v2, v3
  v_div_fixup_f32 v0, v1, v2, v3
  v_div_fmas_f32 v0, v1, v2, v3
  v_mad_u32_u16 v0, v1, v2, v3
  v_mad_i32_i16 v0, v1, v2, v3
  v_perm_b32 v0, v1, v2, v3
  v_fma_f16 v0, v1, v2, v3
  v_div_fixup_f16 v0, v1, v2, v3
  v_lshl_add_u32 v0, v1, v2, v3
  v_add_lshl_u32 v0, v1, v2, v3
  v_add3_u32 v0, v1, v2, v3
  v_lshl_or_b32 v0, v1, v2, v3
  v_and_or_b32 v0, v1, v2, v3
  v_or3_b32 v0, v1, v2, v3
  v_xad_u32 v0, v1, v2, v3
  v_min3_f16 v0, v1, v2, v3
  v_min3_i16 v0, v1, v2, v3
  v_min3_u16 v0, v1, v2, v3
  v_max3_f16 v0, v1, v2, v3
  v_max3_i16 v0, v1, v2, v3
  v_max3_u16 v0, v1, v2, v3
  v_med3_f16 v0, v1, v2, v3
  v_med3_i16 v0, v1, v2, v3
  v_med3_u16 v0, v1, v2, v3
  v_mad_u16 v0, v1, v2, v3
  v_mad_i16 v0, v1, v2, v3
  v_dot2_f32_f16 v0, v1, v2, v3
  v_dot2_i32_i16 v0, v1, v2, v3
  v_dot2_u32_u16 v0, v1, v2, v3
  v_dot4_i32_i8 v0, v1, v2, v3
  v_dot4_u32_u8 v0, v1, v2, v3
  v_dot8_i32_i4 v0, v1, v2, v3
  v_dot8_u32_u4 v0, v1, v2, v3
  v_fma_mix_f32 v0, v1, v2, v3
  v_fma_mixlo_f16 v0, v1, v2, v3
  v_fma_mixhi_f16 v0, v1, v2, v3
  v_pk_fma_f16 v0, v1, v2, v3
  v_pk_mad_i16 v0, v1, v2, v3
  v_pk_mad_u16 v0, v1, v2, v3
  v_mad_u64_u32 v[0:1], s[2:3], v4, v5, v[6:7]
  v_mad_i64_i32 v[0:1], s[2:3], v4, v5, v[6:7]
  v_lshl_add_u64 v[0:1], v[2:3], v4, v[6:7]
  v_div_scale_f32 v0, vcc, v1, v2, v3
  v_div_scale_f64 v[0:1], vcc, v[2:3], v[4:5], v[6:7]
  v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]
  v_div_fixup_f64 v[0:1], v[2:3], v[4:5], v[6:7]
  v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]
  v_pk_add_f16 v0, v1, v2
  v_pk_mul_f16 v0, v1, v2
  v_pk_min_f16 v0, v1, v2
  v_pk_max_f16 v0, v1, v2
  v_pk_add_i16 v0, v1, v2
  v_pk_add_u16 v0, v1, v2
  v_pk_sub_i16 v0, v1, v2
  v_pk_sub_u16 v0, v1, v2
  v_pk_mul_lo_u16 v0, v1, v2
  v_pk_lshlrev_b16 v0, v1, v2
  v_pk_lshrrev_b16 v0, v1, v2
  v_pk_ashrrev_i16 v0, v1, v2
  v_pk_max_i16 v0, v1, v2
  v_pk_max_u16 v0, v1, v2
  v_pk_min_i16 v0, v1, v2
  v_pk_min_u16 v0, v1, v2
  v_pk_add_f32 v[0:1], v[2:3], v[4:5]
  v_pk_mul_f32 v[0:1], v[2:3], v[4:5]
  v_pk_mov_b32 v[0:1], v[2:3], v[4:5]
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]
  v_cmp_f_f16 vcc, v1, v2
  v_cmpx_f_f16 vcc, v1, v2
  v_cmp_f_f32 vcc, v1, v2
  v_cmpx_f_f32 vcc, v1, v2
  v_cmp_f_f64 vcc, v[2:3], v[4:5]
  v_cmpx_f_f64 vcc, v[2:3], v[4:5]
  v_cmp_lt_f16 vcc, v1, v2
  v_cmpx_lt_f16 vcc, v1, v2
  v_cmp_lt_f32 vcc, v1, v2
  v_cmpx_lt_f32 vcc, v1, v2
  v_cmp_lt_f64 vcc, v[2:3], v[4:5]
  v_cmpx_lt_f64 vcc, v[2:3], v[4:5]
  v_cmp_eq_f16 vcc, v1, v2
  v_cmpx_eq_f16 vcc, v1, v2
  v_cmp_eq_f32 vcc, v1, v2
  v_cmpx_eq_f32 vcc, v1, v2
  v_cmp_eq_f64 vcc, v[2:3], v[4:5]
  v_cmpx_eq_f64 vcc, v[2:3], v[4:5]
  v_cmp_le_f16 vcc, v1, v2
  v_cmpx_le_f16 vcc, v1, v2
  v_cmp_le_f32 vcc, v1, v2
  v_cmpx_le_f32 vcc, v1, v2
  v_cmp_le_f64 vcc, v[2:3], v[4:5]
  v_cmpx_le_f64 vcc, v[2:3], v[4:5]
  v_cmp_gt_f16 vcc, v1, v2
  v_cmpx_gt_f16 vcc, v1, v2
  v_cmp_gt_f32 vcc, v1, v2
  v_cmpx_gt_f32 vcc, v1, v2
  v_cmp_gt_f64 vcc, v[2:3], v[4:5]
  v_cmpx_gt_f64 vcc, v[2:3], v[4:5]
  v_cmp_lg_f16 vcc, v1, v2
  v_cmpx_lg_f16 vcc, v1, v2
  v_cmp_lg_f32 vcc, v1, v2
  v_cmpx_lg_f32 vcc, v1, v2
  v_cmp_lg_f64 vcc, v[2:3], v[4:5]
  v_cmpx_lg_f64 vcc, v[2:3], v[4:5]
  v_cmp_ge_f16 vcc, v1, v2
  v_cmpx_ge_f16 vcc, v1, v2
  v_cmp_ge_f32 vcc, v1, v2
  v_cmpx_ge_f32 vcc, v1, v2
  v_cmp_ge_f64 vcc, v[2:3], v[4:5]
  v_cmpx_ge_f64 vcc, v[2:3], v[4:5]
  v_cmp_o_f16 vcc, v1, v2
  v_cmpx_o_f16 vcc, v1, v2
  v_cmp_o_f32 vcc, v1, v2
  v_cmpx_o_f32 vcc, v1, v2
  v_cmp_o_f64 vcc, v[2:3], v[4:5]
  v_cmpx_o_f64 vcc, v[2:3], v[4:5]
  v_cmp_u_f16 vcc, v1, v2
  v_cmpx_u_f16 vcc, v1, v2
  v_cmp_u_f32 vcc, v1, v2
  v_cmpx_u_f32 vcc, v1, v2
  v_cmp_u_f64 vcc, v[2:3], v[4:5]
  v_cmpx_u_f64 vcc, v[2:3], v[4:5]
  v_cmp_nge_f16 vcc, v1, v2
  v_cmpx_nge_f16 vcc, v1, v2
  v_cmp_nge_f32 vcc, v1, v2
  v_cmpx_nge_f32 vcc, v1, v2
  v_cmp_nge_f64 vcc, v[2:3], v[4:5]
  v_cmpx_nge_f64 vcc, v[2:3], v[4:5]
  v_cmp_nlg_f16 vcc, v1, v2
  v_cmpx_nlg_f16 vcc, v1, v2
  v_cmp_nlg_f32 vcc, v1, v2
  v_cmpx_nlg_f32 vcc, v1, v2
  v_cmp_nlg_f64 vcc, v[2:3], v[4:5]
  v_cmpx_nlg_f64 vcc, v[2:3], v[4:5]
  v_cmp_ngt_f16 vcc, v1, v2
  v_cmpx_ngt_f16 vcc, v1, v2
  v_cmp_ngt_f32 vcc, v1, v2
  v_cmpx_ngt_f32 vcc, v1, v2
  v_cmp_ngt_f64 vcc, v[2:3], v[4:5]
  v_cmpx_ngt_f64 vcc, v[2:3], v[4:5]
  v_cmp_nle_f16 vcc, v1, v2
  v_cmpx_nle_f16 vcc, v1, v2
  v_cmp_nle_f32 vcc, v1, v2
  v_cmpx_nle_f32 vcc, v1, v2
  v_cmp_nle_f64 vcc, v[2:3], v[4:5]
  v_cmpx_nle_f64 vcc, v[2:3], v[4:5]
  v_cmp_neq_f16 vcc, v1, v2
  v_cmpx_neq_f16 vcc, v1, v2
  v_cmp_neq_f32 vcc, v1, v2
  v_cmpx_neq_f32 vcc, v1, v2
  v_cmp_neq_f64 vcc, v[2:3], v[4:5]
  v_cmpx_neq_f64 vcc, v[2:3], v[4:5]
  v_cmp_nlt_f16 vcc, v1, v2
  v_cmpx_nlt_f16 vcc, v1, v2
  v_cmp_nlt_f32 vcc, v1, v2
  v_cmpx_nlt_f32 vcc, v1, v2
  v_cmp_nlt_f64 vcc, v[2:3], v[4:5]
  v_cmpx_nlt_f64 vcc, v[2:3], v[4:5]
  v_cmp_tru_f16 vcc, v1, v2
  v_cmpx_tru_f16 vcc, v1, v2
  v_cmp_tru_f32 vcc, v1, v2
  v_cmpx_tru_f32 vcc, v1, v2
  v_cmp_tru_f64 vcc, v[2:3], v[4:5]
  v_cmpx_tru_f64 vcc, v[2:3], v[4:5]
  v_cmp_lt_i16 s[0:1], v1, v2
  v_cmpx_lt_i16 vcc, v1, v2
  v_cmp_lt_u16 s[0:1], v1, v2
  v_cmpx_lt_u16 vcc, v1, v2
  v_cmp_lt_i32 s[0:1], v1, v2
  v_cmpx_lt_i32 vcc, v1, v2
  v_cmp_lt_u32 s[0:1], v1, v2
  v_cmpx_lt_u32 vcc, v1, v2
  v_cmp_lt_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_lt_i64 vcc, v[2:3], v[4:5]
  v_cmp_lt_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_lt_u64 vcc, v[2:3], v[4:5]
  v_cmp_eq_i16 s[0:1], v1, v2
  v_cmpx_eq_i16 vcc, v1, v2
  v_cmp_eq_u16 s[0:1], v1, v2
  v_cmpx_eq_u16 vcc, v1, v2
  v_cmp_eq_i32 s[0:1], v1, v2
  v_cmpx_eq_i32 vcc, v1, v2
  v_cmp_eq_u32 s[0:1], v1, v2
  v_cmpx_eq_u32 vcc, v1, v2
  v_cmp_eq_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_eq_i64 vcc, v[2:3], v[4:5]
  v_cmp_eq_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_eq_u64 vcc, v[2:3], v[4:5]
  v_cmp_le_i16 s[0:1], v1, v2
  v_cmpx_le_i16 vcc, v1, v2
  v_cmp_le_u16 s[0:1], v1, v2
  v_cmpx_le_u16 vcc, v1, v2
  v_cmp_le_i32 s[0:1], v1, v2
  v_cmpx_le_i32 vcc, v1, v2
  v_cmp_le_u32 s[0:1], v1, v2
  v_cmpx_le_u32 vcc, v1, v2
  v_cmp_le_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_le_i64 vcc, v[2:3], v[4:5]
  v_cmp_le_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_le_u64 vcc, v[2:3], v[4:5]
  v_cmp_gt_i16 s[0:1], v1, v2
  v_cmpx_gt_i16 vcc, v1, v2
  v_cmp_gt_u16 s[0:1], v1, v2
  v_cmpx_gt_u16 vcc, v1, v2
  v_cmp_gt_i32 s[0:1], v1, v2
  v_cmpx_gt_i32 vcc, v1, v2
  v_cmp_gt_u32 s[0:1], v1, v2
  v_cmpx_gt_u32 vcc, v1, v2
  v_cmp_gt_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_gt_i64 vcc, v[2:3], v[4:5]
  v_cmp_gt_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_gt_u64 vcc, v[2:3], v[4:5]
  v_cmp_ne_i16 s[0:1], v1, v2
  v_cmpx_ne_i16 vcc, v1, v2
  v_cmp_ne_u16 s[0:1], v1, v2
  v_cmpx_ne_u16 vcc, v1, v2
  v_cmp_ne_i32 s[0:1], v1, v2
  v_cmpx_ne_i32 vcc, v1, v2
  v_cmp_ne_u32 s[0:1], v1, v2
  v_cmpx_ne_u32 vcc, v1, v2
  v_cmp_ne_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_ne_i64 vcc, v[2:3], v[4:5]
  v_cmp_ne_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_ne_u64 vcc, v[2:3], v[4:5]
  v_cmp_ge_i16 s[0:1], v1, v2
  v_cmpx_ge_i16 vcc, v1, v2
  v_cmp_ge_u16 s[0:1], v1, v2
  v_cmpx_ge_u16 vcc, v1, v2
  v_cmp_ge_i32 s[0:1], v1, v2
  v_cmpx_ge_i32 vcc, v1, v2
  v_cmp_ge_u32 s[0:1], v1, v2
  v_cmpx_ge_u32 vcc, v1, v2
  v_cmp_ge_i64 s[0:1], v[2:3], v[4:5]
  v_cmpx_ge_i64 vcc, v[2:3], v[4:5]
  v_cmp_ge_u64 s[0:1], v[2:3], v[4:5]
  v_cmpx_ge_u64 vcc, v[2:3], v[4:5]
  v_cmp_class_f32 vcc, v1, v2
  v_cmp_class_f16 vcc, v1, v2
  v_cmp_class_f64 vcc, v[2:3], v4
  v_cmpx_class_f32 vcc, v1, v2
  v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| quad_perm:[3,2,1,0] row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_shl:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_shr:3 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_shr:3 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_ror:4 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_ror:4 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 wave_shl:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| wave_shl:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| wave_rol:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| wave_shr:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| wave_ror:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_mirror row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_half_mirror row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_bcast:15 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_bcast:31 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_bcast:31 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b32_dpp v0, v1 row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| row_newbcast:3 row_mask:0xa bank_mask:0x3 bound_ctrl:0
  v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:1 row_mask:0xf bank_mask:0xf
  v_add_co_u32_dpp v0, vcc, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1
  v_mov_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_f32_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_mul_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:WORD_1
  v_cmp_eq_u16_sdwa vcc, v1, v2 src0_sel:BYTE_0 src1_sel:WORD_1
  v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
  v_lshlrev_b32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
  v_or_b32_sdwa v0, v1, s2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
  v_max_f32_sdwa v0, v1, v2 clamp dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
  global_load_ubyte v0, v[2:3], off
  flat_load_ubyte v0, v[2:3]
  buffer_load_ubyte v0, v1, s[4:7], 0 offen
  scratch_load_ubyte v0, v1, off
  global_load_sbyte v0, v[2:3], off
  flat_load_sbyte v0, v[2:3]
  buffer_load_sbyte v0, v1, s[4:7], 0 offen
  scratch_load_sbyte v0, v1, off
  global_load_ushort v0, v[2:3], off
  flat_load_ushort v0, v[2:3]
  buffer_load_ushort v0, v1, s[4:7], 0 offen
  scratch_load_ushort v0, v1, off
  global_load_sshort v0, v[2:3], off
  flat_load_sshort v0, v[2:3]
  buffer_load_sshort v0, v1, s[4:7], 0 offen
  scratch_load_sshort v0, v1, off
  global_load_ubyte_d16 v0, v[2:3], off
  flat_load_ubyte_d16 v0, v[2:3]
  buffer_load_ubyte_d16 v0, v1, s[4:7], 0 offen
  scratch_load_ubyte_d16 v0, v1, off
  global_load_ubyte_d16_hi v0, v[2:3], off
  flat_load_ubyte_d16_hi v0, v[2:3]
  buffer_load_ubyte_d16_hi v0, v1, s[4:7], 0 offen
  scratch_load_ubyte_d16_hi v0, v1, off
  global_load_sbyte_d16 v0, v[2:3], off
  flat_load_sbyte_d16 v0, v[2:3]
  buffer_load_sbyte_d16 v0, v1, s[4:7], 0 offen
  scratch_load_sbyte_d16 v0, v1, off
  global_load_sbyte_d16_hi v0, v[2:3], off
  flat_load_sbyte_d16_hi v0, v[2:3]
  buffer_load_sbyte_d16_hi v0, v1, s[4:7], 0 offen
  scratch_load_sbyte_d16_hi v0, v1, off
  global_load_short_d16 v0, v[2:3], off
  flat_load_short_d16 v0, v[2:3]
  buffer_load_short_d16 v0, v1, s[4:7], 0 offen
  scratch_load_short_d16 v0, v1, off
  global_load_short_d16_hi v0, v[2:3], off
  flat_load_short_d16_hi v0, v[2:3]
  buffer_load_short_d16_hi v0, v1, s[4:7], 0 offen
  scratch_load_short_d16_hi v0, v1, off
  global_load_dword v0, v[2:3], off
  flat_load_dword v0, v[2:3]
  buffer_load_dword v0, v1, s[4:7], 0 offen
  scratch_load_dword v0, v1, off
  global_load_dwordx2 v[4:5], v[2:3], off
  flat_load_dwordx2 v[4:5], v[2:3]
  buffer_load_dwordx2 v[4:5], v1, s[4:7], 0 offen
  scratch_load_dwordx2 v[4:5], v1, off
  global_store_dwordx2 v[2:3], v[4:5], off
  flat_store_dwordx2 v[2:3], v[4:5]
  buffer_store_dwordx2 v[4:5], v1, s[4:7], 0 offen
  scratch_store_dwordx2 v1, v[4:5], off
  global_load_dwordx3 v[4:6], v[2:3], off
  flat_load_dwordx3 v[4:6], v[2:3]
  buffer_load_dwordx3 v[4:6], v1, s[4:7], 0 offen
  scratch_load_dwordx3 v[4:6], v1, off
  global_store_dwordx3 v[2:3], v[4:6], off
  flat_store_dwordx3 v[2:3], v[4:6]
  buffer_store_dwordx3 v[4:6], v1, s[4:7], 0 offen
  scratch_store_dwordx3 v1, v[4:6], off
  global_load_dwordx4 v[4:7], v[2:3], off
  flat_load_dwordx4 v[4:7], v[2:3]
  buffer_load_dwordx4 v[4:7], v1, s[4:7], 0 offen
  scratch_load_dwordx4 v[4:7], v1, off
  global_store_dwordx4 v[2:3], v[4:7], off
  flat_store_dwordx4 v[2:3], v[4:7]
  buffer_store_dwordx4 v[4:7], v1, s[4:7], 0 offen
  scratch_store_dwordx4 v1, v[4:7], off
  global_store_byte v[2:3], v0, off
  flat_store_byte v[2:3], v0
  buffer_store_byte v0, v1, s[4:7], 0 offen
  scratch_store_byte v1, v0, off
  global_store_byte_d16_hi v[2:3], v0, off
  flat_store_byte_d16_hi v[2:3], v0
  buffer_store_byte_d16_hi v0, v1, s[4:7], 0 offen
  scratch_store_byte_d16_hi v1, v0, off
  global_store_short v[2:3], v0, off
  flat_store_short v[2:3], v0
  buffer_store_short v0, v1, s[4:7], 0 offen
  scratch_store_short v1, v0, off
  global_store_short_d16_hi v[2:3], v0, off
  flat_store_short_d16_hi v[2:3], v0
  buffer_store_short_d16_hi v0, v1, s[4:7], 0 offen
  scratch_store_short_d16_hi v1, v0, off
  global_store_dword v[2:3], v0, off
  flat_store_dword v[2:3], v0
  buffer_store_dword v0, v1, s[4:7], 0 offen
  scratch_store_dword v1, v0, off
  global_atomic_add v0, v[2:3], v4, off sc0
  flat_atomic_add v[2:3], v4
  buffer_atomic_add v4, v1, s[4:7], 0 offen sc0
  global_atomic_add_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_sub v0, v[2:3], v4, off sc0
  flat_atomic_sub v[2:3], v4
  buffer_atomic_sub v4, v1, s[4:7], 0 offen sc0
  global_atomic_sub_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_smin v0, v[2:3], v4, off sc0
  flat_atomic_smin v[2:3], v4
  buffer_atomic_smin v4, v1, s[4:7], 0 offen sc0
  global_atomic_smin_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_umin v0, v[2:3], v4, off sc0
  flat_atomic_umin v[2:3], v4
  buffer_atomic_umin v4, v1, s[4:7], 0 offen sc0
  global_atomic_umin_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_smax v0, v[2:3], v4, off sc0
  flat_atomic_smax v[2:3], v4
  buffer_atomic_smax v4, v1, s[4:7], 0 offen sc0
  global_atomic_smax_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_umax v0, v[2:3], v4, off sc0
  flat_atomic_umax v[2:3], v4
  buffer_atomic_umax v4, v1, s[4:7], 0 offen sc0
  global_atomic_umax_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_and v0, v[2:3], v4, off sc0
  flat_atomic_and v[2:3], v4
  buffer_atomic_and v4, v1, s[4:7], 0 offen sc0
  global_atomic_and_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_or v0, v[2:3], v4, off sc0
  flat_atomic_or v[2:3], v4
  buffer_atomic_or v4, v1, s[4:7], 0 offen sc0
  global_atomic_or_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_xor v0, v[2:3], v4, off sc0
  flat_atomic_xor v[2:3], v4
  buffer_atomic_xor v4, v1, s[4:7], 0 offen sc0
  global_atomic_xor_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_inc v0, v[2:3], v4, off sc0
  flat_atomic_inc v[2:3], v4
  buffer_atomic_inc v4, v1, s[4:7], 0 offen sc0
  global_atomic_inc_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_dec v0, v[2:3], v4, off sc0
  flat_atomic_dec v[2:3], v4
  buffer_atomic_dec v4, v1, s[4:7], 0 offen sc0
  global_atomic_dec_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_swap v0, v[2:3], v4, off sc0
  flat_atomic_swap v[2:3], v4
  buffer_atomic_swap v4, v1, s[4:7], 0 offen sc0
  global_atomic_swap_x2 v[0:1], v[2:3], v[4:5], off sc0
  global_atomic_cmpswap v0, v[2:3], v[4:5], off sc0
  global_atomic_cmpswap_x2 v[0:1], v[2:3], v[4:7], off sc0
  flat_atomic_cmpswap v[2:3], v[4:5]
  buffer_atomic_cmpswap v[4:5], v1, s[4:7], 0 offen sc0
  global_atomic_add_f32 v[2:3], v4, off
  flat_atomic_add_f32 v[2:3], v4
  global_atomic_pk_add_f16 v[2:3], v4, off
  flat_atomic_pk_add_f16 v[2:3], v4
  global_atomic_pk_add_bf16 v[2:3], v4, off
  flat_atomic_pk_add_bf16 v[2:3], v4
  global_atomic_add_f64 v[2:3], v[4:5], off
  flat_atomic_add_f64 v[2:3], v[4:5]
  global_atomic_min_f64 v[2:3], v[4:5], off
  flat_atomic_min_f64 v[2:3], v[4:5]
  global_atomic_max_f64 v[2:3], v[4:5], off
  flat_atomic_max_f64 v[2:3], v[4:5]
  flat_atomic_add_x2 v[2:3], v[4:5]
  flat_atomic_add_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_sub_x2 v[2:3], v[4:5]
  flat_atomic_sub_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_smin_x2 v[2:3], v[4:5]
  flat_atomic_smin_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_umin_x2 v[2:3], v[4:5]
  flat_atomic_umin_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_smax_x2 v[2:3], v[4:5]
  flat_atomic_smax_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_umax_x2 v[2:3], v[4:5]
  flat_atomic_umax_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_and_x2 v[2:3], v[4:5]
  flat_atomic_and_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_or_x2 v[2:3], v[4:5]
  flat_atomic_or_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_xor_x2 v[2:3], v[4:5]
  flat_atomic_xor_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_inc_x2 v[2:3], v[4:5]
  flat_atomic_inc_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_dec_x2 v[2:3], v[4:5]
  flat_atomic_dec_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_swap_x2 v[2:3], v[4:5]
  flat_atomic_swap_x2 v[0:1], v[2:3], v[4:5] sc0
  flat_atomic_cmpswap_x2 v[2:3], v[4:7]
  flat_atomic_cmpswap_x2 v[0:1], v[2:3], v[4:7] sc0
  buffer_atomic_add_f32 v4, v1, s[4:7], 0 offen
  buffer_atomic_pk_add_f16 v4, v1, s[4:7], 0 offen
  buffer_load_ubyte v1, s[4:7], 0 offen lds
  global_load_lds_ubyte v[2:3], off
  buffer_load_sbyte v1, s[4:7], 0 offen lds
  global_load_lds_sbyte v[2:3], off
  buffer_load_ushort v1, s[4:7], 0 offen lds
  global_load_lds_ushort v[2:3], off
  buffer_load_sshort v1, s[4:7], 0 offen lds
  global_load_lds_sshort v[2:3], off
  buffer_load_dword v1, s[4:7], 0 offen lds
  global_load_lds_dword v[2:3], off
  buffer_wbl2 sc1
  buffer_inv sc1
  ds_read_u8 v0, v1
  ds_read_i8 v0, v1
  ds_read_u16 v0, v1
  ds_read_i16 v0, v1
  ds_read_u8_d16 v0, v1
  ds_read_u8_d16_hi v0, v1
  ds_read_i8_d16 v0, v1
  ds_read_i8_d16_hi v0, v1
  ds_read_u16_d16 v0, v1
  ds_read_u16_d16_hi v0, v1
  ds_read_b32 v0, v1
  ds_read_b64 v[4:5], v1
  ds_write_b64 v1, v[4:5]
  ds_read_b96 v[4:6], v1
  ds_write_b96 v1, v[4:6]
  ds_read_b128 v[4:7], v1
  ds_write_b128 v1, v[4:7]
  ds_write_b8 v1, v2
  ds_write_b8_d16_hi v1, v2
  ds_write_b16 v1, v2
  ds_write_b16_d16_hi v1, v2
  ds_write_b32 v1, v2
  ds_read2_b32 v[0:1], v2 offset1:1
  ds_read2_b64 v[4:7], v2 offset1:1
  ds_write2_b32 v2, v3, v4 offset1:1
  ds_write2_b64 v2, v[4:5], v[6:7] offset1:1
  ds_read2st64_b32 v[0:1], v2 offset1:1
  ds_read2st64_b64 v[4:7], v2 offset1:1
  ds_write2st64_b32 v2, v3, v4 offset1:1
  ds_write2st64_b64 v2, v[4:5], v[6:7] offset1:1
  ds_bpermute_b32 v0, v1, v2
  ds_permute_b32 v0, v1, v2
  ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,32,1)
  ds_append v1
  ds_consume v1 offset:4
  ds_add_u32 v1, v2
  ds_add_rtn_u32 v0, v1, v2
  ds_sub_u32 v1, v2
  ds_sub_rtn_u32 v0, v1, v2
  ds_rsub_u32 v1, v2
  ds_rsub_rtn_u32 v0, v1, v2
  ds_inc_u32 v1, v2
  ds_inc_rtn_u32 v0, v1, v2
  ds_dec_u32 v1, v2
  ds_dec_rtn_u32 v0, v1, v2
  ds_min_i32 v1, v2
  ds_min_rtn_i32 v0, v1, v2
  ds_max_i32 v1, v2
  ds_max_rtn_i32 v0, v1, v2
  ds_min_u32 v1, v2
  ds_min_rtn_u32 v0, v1, v2
  ds_max_u32 v1, v2
  ds_max_rtn_u32 v0, v1, v2
  ds_and_b32 v1, v2
  ds_and_rtn_b32 v0, v1, v2
  ds_or_b32 v1, v2
  ds_or_rtn_b32 v0, v1, v2
  ds_xor_b32 v1, v2
  ds_xor_rtn_b32 v0, v1, v2
  ds_min_f32 v1, v2
  ds_min_rtn_f32 v0, v1, v2
  ds_max_f32 v1, v2
  ds_max_rtn_f32 v0, v1, v2
  ds_add_f32 v1, v2
  ds_add_rtn_f32 v0, v1, v2
  ds_pk_add_f16 v1, v2
  ds_pk_add_rtn_f16 v0, v1, v2
  ds_pk_add_bf16 v1, v2
  ds_pk_add_rtn_bf16 v0, v1, v2
  ds_wrxchg_rtn_b32 v0, v1, v2
  ds_cmpst_b32 v1, v2, v3
  ds_cmpst_rtn_b32 v0, v1, v2, v3
  ds_add_u64 v1, v[2:3]
  ds_add_rtn_u64 v[4:5], v1, v[2:3]
  ds_sub_u64 v1, v[2:3]
  ds_sub_rtn_u64 v[4:5], v1, v[2:3]
  ds_min_i64 v1, v[2:3]
  ds_min_rtn_i64 v[4:5], v1, v[2:3]
  ds_max_u64 v1, v[2:3]
  ds_max_rtn_u64 v[4:5], v1, v[2:3]
  ds_min_u64 v1, v[2:3]
  ds_min_rtn_u64 v[4:5], v1, v[2:3]
  ds_max_i64 v1, v[2:3]
  ds_max_rtn_i64 v[4:5], v1, v[2:3]
  ds_inc_u64 v1, v[2:3]
  ds_inc_rtn_u64 v[4:5], v1, v[2:3]
  ds_dec_u64 v1, v[2:3]
  ds_dec_rtn_u64 v[4:5], v1, v[2:3]
  ds_and_b64 v1, v[2:3]
  ds_and_rtn_b64 v[4:5], v1, v[2:3]
  ds_or_b64 v1, v[2:3]
  ds_or_rtn_b64 v[4:5], v1, v[2:3]
  ds_xor_b64 v1, v[2:3]
  ds_xor_rtn_b64 v[4:5], v1, v[2:3]
  ds_add_f64 v1, v[2:3]
  ds_add_rtn_f64 v[4:5], v1, v[2:3]
  ds_min_f64 v1, v[2:3]
  ds_min_rtn_f64 v[4:5], v1, v[2:3]
  ds_max_f64 v1, v[2:3]
  ds_max_rtn_f64 v[4:5], v1, v[2:3]
  ds_wrxchg_rtn_b64 v[4:5], v1, v[2:3]
  ds_cmpst_rtn_b64 v[4:5], v1, v[2:3], v[6:7]
  v_accvgpr_read_b32 v0, a1
  v_accvgpr_write_b32 a0, v1
  v_accvgpr_write_b32 a0, 0
  v_accvgpr_mov_b32 a0, a1
  v_mfma_f32_32x32x1_2b_f32 a[0:31], v0, v1, a[0:31]
  v_mfma_f32_16x16x1_4b_f32 a[0:15], v0, v1, a[0:15]
  v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
  v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]
  v_mfma_f32_16x16x4_f32 a[0:3], v0, v1, a[0:3]
  v_mfma_f32_32x32x4_2b_f16 a[0:31], v[0:1], v[2:3], a[0:31]
  v_mfma_f32_16x16x4_4b_f16 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], 0
  v_mfma_f32_32x32x4_2b_bf16 a[0:31], v[0:1], v[2:3], a[0:31]
  v_mfma_f32_16x16x4_4b_bf16 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_4x4x4_16b_bf16 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_16x16x16_bf16 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_i32_32x32x4_2b_i8 a[0:31], v0, v1, a[0:31]
  v_mfma_i32_16x16x4_4b_i8 a[0:15], v0, v1, a[0:15]
  v_mfma_i32_4x4x4_16b_i8 a[0:3], v0, v1, a[0:3]
  v_mfma_i32_32x32x16_i8 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_i32_16x16x32_i8 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]
  v_mfma_f64_4x4x4_4b_f64 a[0:1], v[0:1], v[2:3], a[0:1]
  v_mfma_f32_16x16x32_fp8_fp8 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x16_fp8_bf8 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_16x16x32_bf8_fp8 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x16_bf8_fp8 a[0:15], v[0:1], v[2:3], a[0:15]
  v_mfma_f32_16x16x32_bf8_bf8 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x16_bf8_bf8 a[0:15], v[0:1], v[2:3], a[0:15]
