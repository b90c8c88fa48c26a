// Kernels that use more than one lane: LDS, barriers, atomics, lane exchange,
// matrix instructions, divergent control flow, private arrays. The host side is
// test/Unit/Sim/WorkgroupsTest.cpp.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LANE() ((int)__builtin_amdgcn_workitem_id_x())
#define GROUP() ((int)__builtin_amdgcn_workgroup_id_x())
#define BARRIER()                                                              \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                       \
  __builtin_amdgcn_s_barrier();                                                \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
typedef half half4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));

// Tree reduction of 256 values a workgroup, then one atomic.
kernel void reduce(global int *out, global const int *in) {
  local int sums[256];
  int lane = LANE();
  sums[lane] = in[GROUP() * 256 + lane];
  BARRIER();
  for (int step = 128; step > 0; step /= 2) {
    if (lane < step)
      sums[lane] += sums[lane + step];
    BARRIER();
  }
  if (lane == 0)
    __scoped_atomic_fetch_add(out, sums[0], __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_DEVICE);
}

// Transposes 32 x 32 tiles of a 64 x 96 matrix through padded LDS.
kernel void transpose(global float *out, global const float *in) {
  local float tile[32][33];
  int x = LANE() % 32, y0 = LANE() / 32;
  int tx = GROUP() % 3 * 32, ty = GROUP() / 3 * 32;
  for (int y = y0; y < 32; y += 8)
    tile[y][x] = in[(ty + y) * 96 + tx + x];
  BARRIER();
  for (int y = y0; y < 32; y += 8)
    out[(tx + y) * 64 + ty + x] = tile[x][y];
}

// Inclusive prefix sum of a wave by cross-lane moves, and other exchanges.
kernel void lanes(global int *out, global const int *in) {
  int lane = LANE(), x = in[lane], sum = x;
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, true);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x112, 0xf, 0xf, true);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x114, 0xf, 0xf, true);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x118, 0xf, 0xf, true);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x142, 0xa, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x143, 0xc, 0xf, false);
  out[lane] = sum;
  out[64 + lane] = __builtin_amdgcn_readlane(x, 17) +
                   __builtin_amdgcn_readfirstlane(x);
  out[128 + lane] = __builtin_amdgcn_ds_bpermute((63 - lane) * 4, x);
  out[192 + lane] = __builtin_amdgcn_mov_dpp(x, 0xb1, 0xf, 0xf, true);
  out[256 + lane] = __builtin_amdgcn_mov_dpp(x, 0x140, 0xf, 0xf, true);
  out[320 + lane] = __builtin_amdgcn_ds_swizzle(x, 0x041f);
  ulong odd = __builtin_amdgcn_ballot_w64(x & 1);
  out[384 + lane] = (int)__builtin_amdgcn_mbcnt_hi(
      (uint)(odd >> 32), __builtin_amdgcn_mbcnt_lo((uint)odd, 0));
}

// 3n+1 steps: each lane leaves the loop at another time.
kernel void collatz(global int *out, global const int *in) {
  int i = GROUP() * 64 + LANE(), steps = 0;
  for (ulong n = (uint)in[i] % 10000 + 1; n != 1; ++steps) {
    if (n % 2 == 0)
      n /= 2;
    else if (n > 1000000000000ul)
      break;
    else
      n = 3 * n + 1;
  }
  out[i] = steps;
}

// A private array with dynamic index, and a switch.
kernel void privates(global int *out, global const int *in) {
  int i = GROUP() * 64 + LANE(), table[40];
  for (int k = 0; k < 40; ++k)
    table[k] = in[(i + k) % 64] * k;
  int at = ((uint)in[i % 64]) % 40, result;
  for (int k = 0; k < 10; ++k)
    table[(at + k * 7) % 40] += k;
  switch (at % 8) {
  case 0: result = table[at] + 1; break;
  case 1: result = table[(at + 1) % 40] * 3; break;
  case 2: result = table[at] ^ table[0]; break;
  case 3: result = table[39 - at]; break;
  case 4: result = -table[at / 2]; break;
  case 5: result = table[at] << 3; break;
  default: result = table[at] - table[(at + 5) % 40];
  }
  out[i] = result;
}

// Histogram in LDS with atomics, floats summed with atomics as well.
kernel void histogram(global int *out, global const int *in) {
  local int bins[16];
  local float weight[16];
  int lane = LANE();
  if (lane < 16) {
    bins[lane] = 0;
    weight[lane] = 0.0f;
  }
  BARRIER();
  for (int k = 0; k < 8; ++k) {
    int value = in[k * 256 + lane] & 15;
    __scoped_atomic_fetch_add(&bins[value], 1, __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_add(&weight[value], 0.5f, __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_WRKGRP);
  }
  BARRIER();
  if (lane < 16) {
    out[lane] = bins[lane];
    out[16 + lane] = (int)(weight[lane] * 2.0f);
  }
}

// One wave: C (16 x 16) = A (16 x 64) * B (64 x 16), f16, and 32 x 32.
kernel void matrix(global float *out, global const half *a,
                   global const half *b) {
  int lane = LANE(), row = lane % 16, group = lane / 16;
  float4v c = 0;
  for (int k0 = 0; k0 < 64; k0 += 16) {
    half4v x, y;
    for (int t = 0; t < 4; ++t) {
      x[t] = a[row * 64 + k0 + 4 * group + t];
      y[t] = b[(k0 + 4 * group + t) * 32 + row];
    }
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, c, 0, 0, 0);
  }
  for (int r = 0; r < 4; ++r)
    out[(4 * group + r) * 16 + row] = c[r];
  int row32 = lane % 32, group32 = lane / 32;
  float16v d = 0;
  for (int k0 = 0; k0 < 64; k0 += 8) {
    half4v x, y;
    for (int t = 0; t < 4; ++t) {
      x[t] = a[row32 * 64 + k0 + 4 * group32 + t];
      y[t] = b[(k0 + 4 * group32 + t) * 32 + row32];
    }
    d = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, d, 0, 0, 0);
  }
  for (int r = 0; r < 16; ++r)
    out[256 + (8 * (r / 4) + 4 * group32 + r % 4) * 32 + row32] = d[r];
}
