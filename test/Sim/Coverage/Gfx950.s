; Instructions that the simulator must execute. gfx950 alone.
  v_mfma_f32_16x16x32_f16 a[0:3], v[0:3], v[4:7], a[0:3]
  v_mfma_f32_32x32x16_f16 a[0:15], v[0:3], v[4:7], a[0:15]
  v_mfma_f32_16x16x32_bf16 a[0:3], v[0:3], v[4:7], a[0:3]
  v_mfma_f32_32x32x16_bf16 a[0:15], v[0:3], v[4:7], a[0:15]
  v_mfma_i32_16x16x64_i8 a[0:3], v[0:3], v[4:7], a[0:3]
  v_mfma_i32_32x32x32_i8 a[0:15], v[0:3], v[4:7], a[0:15]
  v_bitop3_b32 v0, v1, v2, v3 bitop3:0x27
  v_bitop3_b16 v0, v1, v2, v3 bitop3:0x27
  v_cvt_pk_bf16_f32 v0, v1, v2
  v_cvt_pk_f16_f32 v0, v1, v2
  v_cvt_f32_bf16 v0, v1
  v_prng_b32 v0, v1
  v_permlane16_swap_b32 v0, v1
  v_permlane32_swap_b32 v0, v1
  v_ashr_pk_i8_i32 v0, v1, v2, v3
  v_ashr_pk_u8_i32 v0, v1, v2, v3
  v_minimum3_f32 v0, v1, v2, v3
  v_maximum3_f32 v0, v1, v2, v3
  v_pk_minimum3_f16 v0, v1, v2, v3
  v_pk_maximum3_f16 v0, v1, v2, v3
  v_dot2_f32_bf16 v0, v1, v2, v3
  v_dot2c_f32_bf16 v0, v1, v2
  v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3
  v_cvt_scalef32_pk_bf8_f32 v0, v1, v2, v3
  v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3
  v_cvt_scalef32_pk_fp8_f16 v0, v1, v2
  v_cvt_scalef32_pk_fp8_bf16 v0, v1, v2
  v_cvt_scalef32_pk_bf8_bf16 v0, v1, v2
  v_cvt_scalef32_pk_fp4_f16 v0, v1, v2
  v_cvt_scalef32_pk_fp4_bf16 v0, v1, v2
  v_cvt_scalef32_pk_f32_fp8 v[0:1], v2, v3
  v_cvt_scalef32_pk_f32_bf8 v[0:1], v2, v3
  v_cvt_scalef32_pk_f32_fp4 v[0:1], v2, v3
  v_cvt_scalef32_pk_f16_fp8 v0, v2, v3
  v_cvt_scalef32_pk_bf16_fp8 v0, v2, v3
  v_cvt_scalef32_pk_f16_fp4 v0, v2, v3
  v_cvt_scalef32_pk_bf16_fp4 v0, v2, v3
  v_cvt_scalef32_f32_fp8 v0, v1, v2
  v_cvt_scalef32_f16_fp8 v0, v1, v2
  v_cvt_scalef32_sr_fp8_f32 v0, v1, v2, v3
  v_cvt_scalef32_sr_bf8_f32 v0, v1, v2, v3
  v_cvt_scalef32_sr_fp8_bf16 v0, v1, v2, v3
  v_cvt_scalef32_pk32_fp6_f16 v[0:5], v[8:23], v24
  v_cvt_scalef32_pk32_bf6_bf16 v[0:5], v[8:23], v24
  v_cvt_scalef32_pk32_f16_fp6 v[0:15], v[16:21], v24
  v_cvt_scalef32_2xpk16_fp6_f32 v[0:5], v[8:23], v[24:39], v40
  v_cvt_scalef32_pk32_f32_fp6 v[0:31], v[32:37], v40
  ds_read_b64_tr_b16 v[0:1], v2
  ds_read_b64_tr_b8 v[0:1], v2
  ds_read_b64_tr_b4 v[0:1], v2
  ds_read_b96_tr_b6 v[0:2], v4
  buffer_load_dwordx3 v1, s[4:7], 0 offen lds
  buffer_load_dwordx4 v1, s[4:7], 0 offen lds
  global_load_lds_dwordx3 v[2:3], off
  global_load_lds_dwordx4 v[2:3], off
  buffer_atomic_pk_add_bf16 v4, v1, s[4:7], 0 offen
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:0 blgp:0
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:0 blgp:0
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:0 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:0 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3] cbsz:0 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:0 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3] cbsz:0 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:0 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:15], v[0:3] cbsz:0 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:15], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:0 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:1 blgp:0
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:0
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:1 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3] cbsz:1 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3] cbsz:1 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:15], v[0:3] cbsz:1 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:11], v[12:15], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3] cbsz:2 blgp:0
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:0
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3] cbsz:2 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:17], v[0:3] cbsz:2 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:17], v[0:3] cbsz:2 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:15], v[0:3] cbsz:2 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:15], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3] cbsz:3 blgp:0
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:3 blgp:0
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3] cbsz:3 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:3 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:17], v[0:3] cbsz:3 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:3 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:17], v[0:3] cbsz:3 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:3 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:15], v[0:3] cbsz:3 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:9], v[12:15], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:3 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:19], v[0:3] cbsz:4 blgp:0
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:7], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:0
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:19], v[0:3] cbsz:4 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:7], v[12:19], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:17], v[0:3] cbsz:4 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:7], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:17], v[0:3] cbsz:4 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:7], v[12:17], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:15], v[0:3] cbsz:4 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[4:7], v[12:15], v[32:47], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
