// Matrix kernels as a HIP programmer writes them: dynamic LDS, double buffers,
// copies to LDS, transposing reads, two chained products. The host side is
// test/Unit/Sim/TilesTest.cpp.
#include "Hip.h"

extern __shared__ __attribute__((aligned(16))) char dynamicLds[];

// What a matrix instruction of one type looks like: 32 x 32, `depth` values of
// k an instruction, `run` consecutive ones a lane.
struct Bf16 {
  typedef __bf16 Element;
  typedef float Sum;
  static constexpr int depth = 8, run = 4;
  static __device__ Vec<float, 16> multiply(const Element *a, const Element *b,
                                            Vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
        *(const Vec<short, 4> *)a, *(const Vec<short, 4> *)b, c, 0, 0, 0);
  }
};
struct F16 {
  typedef half Element;
  typedef float Sum;
#if defined(__gfx950__)
  static constexpr int depth = 16, run = 8;
  static __device__ Vec<float, 16> multiply(const Element *a, const Element *b,
                                            Vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x16_f16(
        *(const Vec<half, 8> *)a, *(const Vec<half, 8> *)b, c, 0, 0, 0);
  }
#else
  static constexpr int depth = 8, run = 4;
  static __device__ Vec<float, 16> multiply(const Element *a, const Element *b,
                                            Vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(
        *(const Vec<half, 4> *)a, *(const Vec<half, 4> *)b, c, 0, 0, 0);
  }
#endif
};
struct Fp8 {
  typedef unsigned char Element;
  typedef float Sum;
#if defined(__gfx950__)
  static constexpr int depth = 64, run = 32;
  static __device__ Vec<float, 16> multiply(const Element *a, const Element *b,
                                            Vec<float, 16> c) {
    return __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(
        *(const Vec<int, 8> *)a, *(const Vec<int, 8> *)b, c, 0, 0, 0,
        0x7f7f7f7f, 0, 0x7f7f7f7f);
  }
#else
  static constexpr int depth = 16, run = 8;
  static __device__ Vec<float, 16> multiply(const Element *a, const Element *b,
                                            Vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(
        *(const long *)a, *(const long *)b, c, 0, 0, 0);
  }
#endif
};
struct I8 {
  typedef signed char Element;
  typedef int Sum;
#if defined(__gfx950__)
  static constexpr int depth = 32, run = 16;
  static __device__ Vec<int, 16> multiply(const Element *a, const Element *b,
                                          Vec<int, 16> c) {
    return __builtin_amdgcn_mfma_i32_32x32x32_i8(
        *(const Vec<int, 4> *)a, *(const Vec<int, 4> *)b, c, 0, 0, 0);
  }
#else
  static constexpr int depth = 16, run = 8;
  static __device__ Vec<int, 16> multiply(const Element *a, const Element *b,
                                          Vec<int, 16> c) {
    return __builtin_amdgcn_mfma_i32_32x32x16_i8(*(const long *)a,
                                                 *(const long *)b, c, 0, 0, 0);
  }
#endif
};

// C (M x N) = A (M x K) * B^T (N x K), 64 x 64 a workgroup of 4 waves, 64 of k
// a step, two buffers in dynamic LDS. K is a multiple of 64; M and N are any.
template <typename Type>
static __device__ inline void
gemm(typename Type::Sum *c, const typename Type::Element *a,
     const typename Type::Element *b, int m, int n, int k) {
  typedef typename Type::Element Element;
  constexpr int tile = 64, step = 64, chunk = 16 / sizeof(Element);
  constexpr int pitch = step + chunk; // padded, whole 16-byte chunks
  constexpr int chunks = tile * step / chunk / 256;
  Element *lds = (Element *)dynamicLds;
  const int lane = LANE() % 64, wave = LANE() / 64;
  const int row0 = GROUP() * tile,
            column0 = int(__builtin_amdgcn_workgroup_id_y()) * tile;
  Vec<int, 4> heldA[chunks], heldB[chunks];
  auto load = [&](int k0) {
    for (int i = 0; i < chunks; ++i) {
      int at = (LANE() + 256 * i) * chunk, row = at / step, column = at % step;
      heldA[i] =
          row0 + row < m
              ? *(const Vec<int, 4> *)(a + (row0 + row) * k + k0 + column)
              : Vec<int, 4>(0);
      heldB[i] =
          column0 + row < n
              ? *(const Vec<int, 4> *)(b + (column0 + row) * k + k0 + column)
              : Vec<int, 4>(0);
    }
  };
  auto store = [&](int buffer) {
    for (int i = 0; i < chunks; ++i) {
      int at = (LANE() + 256 * i) * chunk, row = at / step, column = at % step;
      Element *place = lds + buffer * 2 * tile * pitch + row * pitch + column;
      *(Vec<int, 4> *)place = heldA[i];
      *(Vec<int, 4> *)(place + tile * pitch) = heldB[i];
    }
  };
  Vec<typename Type::Sum, 16> sum = 0;
  load(0);
  store(0);
  int buffer = 0;
  for (int k0 = 0; k0 < k; k0 += step, buffer ^= 1) {
    barrier();
    if (k0 + step < k)
      load(k0 + step);
    const Element *left =
        lds + buffer * 2 * tile * pitch + (wave / 2 * 32 + lane % 32) * pitch;
    const Element *right = lds + buffer * 2 * tile * pitch + tile * pitch +
                           (wave % 2 * 32 + lane % 32) * pitch;
    for (int i = 0; i < step; i += Type::depth) {
      int at = i + lane / 32 * Type::run;
      sum = Type::multiply(left + at, right + at, sum);
    }
    if (k0 + step < k)
      store(buffer ^ 1);
  }
  for (int r = 0; r < 16; ++r) {
    int row = row0 + wave / 2 * 32 + 8 * (r / 4) + 4 * (lane / 32) + r % 4;
    int column = column0 + wave % 2 * 32 + lane % 32;
    if (row < m && column < n)
      c[row * n + column] = sum[r];
  }
}
KERNEL(256)
void gemm_bf16(float *c, const __bf16 *a, const __bf16 *b, int m, int n,
               int k) {
  gemm<Bf16>(c, a, b, m, n, k);
}
KERNEL(256)
void gemm_f16(float *c, const half *a, const half *b, int m, int n, int k) {
  gemm<F16>(c, a, b, m, n, k);
}
KERNEL(256)
void gemm_fp8(float *c, const unsigned char *a, const unsigned char *b, int m,
              int n, int k) {
  gemm<Fp8>(c, a, b, m, n, k);
}
KERNEL(256)
void gemm_i8(int *c, const signed char *a, const signed char *b, int m, int n,
             int k) {
  gemm<I8>(c, a, b, m, n, k);
}

#if defined(__gfx950__)
#define COPY_BYTES 16
#else
#define COPY_BYTES 4
#endif
typedef __attribute__((address_space(1))) void GlobalVoid;
typedef __attribute__((address_space(3))) void LdsVoid;

// One wave: C (32 x 32) = A (32 x K) * B^T (32 x K), f16; A comes by
// global_load_lds, B by buffer loads to LDS that end after `n` rows.
KERNEL(64)
void copied(float *c, const half *a, const half *b, int m, int n, int k) {
  __shared__ __attribute__((aligned(16))) half left[32 * 64], right[32 * 64];
  constexpr int perLane = COPY_BYTES / 2, perWave = 64 * perLane;
  __amdgpu_buffer_rsrc_t resource =
      __builtin_amdgcn_make_buffer_rsrc((void *)b, 0, n * k * 2, 0x00027000);
  Vec<float, 16> sum = 0;
  for (int k0 = 0; k0 < k; k0 += 64) {
    for (int i = 0; i < 32 * 64; i += perWave) {
      int at = i + LANE() * perLane, row = at / 64, column = at % 64;
      __builtin_amdgcn_global_load_lds(
          (GlobalVoid *)(a + row * k + k0 + column), (LdsVoid *)(left + i),
          COPY_BYTES, 0, 0);
      __builtin_amdgcn_raw_ptr_buffer_load_lds(
          resource, (LdsVoid *)(right + i), COPY_BYTES, (row * k + column) * 2,
          k0 * 2, 0, 0);
    }
    __builtin_amdgcn_s_waitcnt(0);
    barrier();
    for (int i = 0; i < 64; i += 8) {
      int at = LANE() % 32 * 64 + i + LANE() / 32 * 4;
      sum = __builtin_amdgcn_mfma_f32_32x32x8f16(*(Vec<half, 4> *)(left + at),
                                                 *(Vec<half, 4> *)(right + at),
                                                 sum, 0, 0, 0);
    }
    barrier();
  }
  for (int r = 0; r < 16; ++r)
    c[(8 * (r / 4) + 4 * (LANE() / 32) + r % 4) * 32 + LANE() % 32] = sum[r];
}

// One wave, attention: O (32 x 32) = softmax2(Q K^T) V with 2^x, f16, 128 keys
// in blocks of 32 with a running maximum. The row sums cross lanes by DPP.
KERNEL(64)
void attention(float *out, const half *q, const half *key, const half *value) {
  __shared__ half probability[32 * 36];
  const int lane = LANE(), low = lane % 32, high = lane / 32;
  float maximum[16], total[16];
  Vec<float, 16> output = 0;
  for (int r = 0; r < 16; ++r) {
    maximum[r] = -__builtin_inff();
    total[r] = 0;
  }
  for (int key0 = 0; key0 < 128; key0 += 32) {
    Vec<float, 16> score = 0;
    for (int i = 0; i < 32; i += 8)
      score = __builtin_amdgcn_mfma_f32_32x32x8f16(
          *(const Vec<half, 4> *)(q + low * 32 + i + 4 * high),
          *(const Vec<half, 4> *)(key + (key0 + low) * 32 + i + 4 * high),
          score, 0, 0, 0);
    for (int r = 0; r < 16; ++r) {
      float top = score[r];
#define STEP(control)                                                          \
  top = __builtin_fmaxf(                                                       \
      top, __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(              \
                                         0, __builtin_bit_cast(int, top),      \
                                         control, 0xf, 0xf, true)))
      STEP(0xb1);
      STEP(0x4e);
      STEP(0x141);
      STEP(0x140);
#undef STEP
      top = __builtin_fmaxf(
          top,
          __builtin_bit_cast(float, __builtin_amdgcn_ds_swizzle(
                                        __builtin_bit_cast(int, top), 0x401f)));
      top = __builtin_fmaxf(top, maximum[r]);
      float scale = __builtin_amdgcn_exp2f(maximum[r] - top);
      float p = __builtin_amdgcn_exp2f(score[r] - top);
      maximum[r] = top;
      total[r] = total[r] * scale + p;
      output[r] *= scale;
      probability[(8 * (r / 4) + 4 * high + r % 4) * 36 + low] = half(p);
    }
    barrier();
    for (int i = 0; i < 32; i += 8) {
      Vec<half, 4> x = *(Vec<half, 4> *)(probability + low * 36 + i + 4 * high),
                   y;
      for (int t = 0; t < 4; ++t)
        y[t] = value[(key0 + i + 4 * high + t) * 32 + low];
      output = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, output, 0, 0, 0);
    }
    barrier();
  }
  for (int r = 0; r < 16; ++r) {
    float sum = total[r];
    for (int distance = 1; distance < 32; distance *= 2)
      sum += __builtin_bit_cast(
          float, __builtin_amdgcn_ds_bpermute((lane ^ distance) * 4,
                                              __builtin_bit_cast(int, sum)));
    out[(8 * (r / 4) + 4 * high + r % 4) * 32 + low] = output[r] / sum;
  }
}

#if defined(__gfx950__)
typedef __attribute__((address_space(3))) Vec<short, 4> LdsShort4;
// One wave: C (16 x 16) = A (16 x 32) * B (32 x 16); B lies k-major in LDS and
// is transposed by the reads: lane l of a group of 16 gives the address of four
// columns of row l / 4 and gets four rows of column l.
KERNEL(64)
void transposed(float *c, const half *a, const half *b) {
  __shared__ __attribute__((aligned(16))) half right[32 * 16];
  *(Vec<half, 8> *)(right + LANE() * 8) =
      *(const Vec<half, 8> *)(b + LANE() * 8);
  barrier();
  int group = LANE() / 16, within = LANE() % 16;
  Vec<half, 8> x = *(const Vec<half, 8> *)(a + within * 32 + group * 8), y;
  for (int h = 0; h < 2; ++h) {
    int row = group * 8 + h * 4 + within / 4;
    Vec<half, 4> part = __builtin_bit_cast(
        Vec<half, 4>, __builtin_amdgcn_ds_read_tr16_b64_v4i16(
                          (LdsShort4 *)(right + row * 16 + within % 4 * 4)));
    for (int t = 0; t < 4; ++t)
      y[h * 4 + t] = part[t];
  }
  Vec<float, 4> sum = 0;
  sum = __builtin_amdgcn_mfma_f32_16x16x32_f16(x, y, sum, 0, 0, 0);
  for (int r = 0; r < 4; ++r)
    c[(4 * group + r) * 16 + within] = sum[r];
}
#endif
