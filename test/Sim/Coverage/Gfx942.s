; Instructions that the simulator must execute. gfx942 alone.
  v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]
  v_mfma_f32_32x32x4_xf32 a[0:15], v[0:1], v[2:3], a[0:15]
