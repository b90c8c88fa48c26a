// Everything but matrices, as a HIP programmer writes it: row kernels, lane
// exchange, calls through tables, generic pointers, wide integers, doubles,
// atomics. The host side is test/Unit/Sim/RoutinesTest.cpp.
#include "Hip.h"

static __device__ inline float exchange(float x, int distance) {
  return __builtin_bit_cast(
      float, __builtin_amdgcn_ds_bpermute((LANE() ^ distance) * 4,
                                          __builtin_bit_cast(int, x)));
}

// The other half of the wave and the other row of 16, by what the chip has.
static __device__ inline u32 across32(u32 x) {
#if defined(__gfx950__)
  Vec<u32, 2> both = __builtin_amdgcn_permlane32_swap(x, x, false, false);
  return LANE() % 64 < 32 ? both[1] : both[0];
#else
  return __builtin_amdgcn_ds_bpermute((LANE() ^ 32) * 4, x);
#endif
}
static __device__ inline u32 across16(u32 x) {
#if defined(__gfx950__)
  Vec<u32, 2> both = __builtin_amdgcn_permlane16_swap(x, x, false, false);
  return LANE() % 32 < 16 ? both[1] : both[0];
#else
  return __builtin_amdgcn_ds_swizzle(x, 0x401f);
#endif
}

// One workgroup of 256 a row of n bf16: (x - mean) / sqrt(variance + 1/16) * 2,
// by Welford's method in each lane and a merge of the lanes.
KERNEL(256)
void layernorm(float *out, const __bf16 *in, int n) {
  __shared__ float shared[3][4];
  const __bf16 *row = in + GROUP() * n;
  float count = 0, mean = 0, square = 0;
  for (int i = LANE(); i < n; i += 256) {
    float x = row[i], delta = x - mean;
    count += 1;
    mean += delta / count;
    square += delta * (x - mean);
  }
  auto merge = [&](float count2, float mean2, float square2) {
    float all = count + count2;
    if (all == 0)
      return;
    float delta = mean2 - mean;
    mean += delta * count2 / all;
    square += square2 + delta * delta * count * count2 / all;
    count = all;
  };
  for (int distance = 1; distance < 64; distance *= 2) {
    float count2 = exchange(count, distance), mean2 = exchange(mean, distance),
          square2 = exchange(square, distance);
    merge(count2, mean2, square2);
  }
  if (LANE() % 64 == 0) {
    shared[0][LANE() / 64] = count;
    shared[1][LANE() / 64] = mean;
    shared[2][LANE() / 64] = square;
  }
  barrier();
  count = mean = square = 0;
  for (int w = 0; w < 4; ++w)
    merge(shared[0][w], shared[1][w], shared[2][w]);
  float scale = 2 * __builtin_amdgcn_rsqf(square / n + 0.0625f);
  for (int i = LANE(); i < n; i += 256)
    out[GROUP() * n + i] = (float(row[i]) - mean) * scale;
}

// Sum of a wave by DPP and row exchanges; every lane has it at the end.
KERNEL(64)
void wave_sum(u32 *out, const u32 *in) {
  u32 x = in[GROUP() * 64 + LANE()];
  x += __builtin_amdgcn_mov_dpp(x, 0x128, 0xf, 0xf, true); // row_ror:8
  x += __builtin_amdgcn_mov_dpp(x, 0x124, 0xf, 0xf, true);
  x += __builtin_amdgcn_mov_dpp(x, 0x122, 0xf, 0xf, true);
  x += __builtin_amdgcn_mov_dpp(x, 0x121, 0xf, 0xf, true);
  x += across16(x);
  x += across32(x);
  out[GROUP() * 64 + LANE()] = x;
}

// Only the odd lanes are enabled: reductions over the active lanes, ballot,
// lane numbers among them, a lane's value written by number.
KERNEL(64)
void active_lanes(u32 *out, const u32 *in) {
  u32 x = in[LANE()];
  out[LANE()] = 0;
  if (LANE() & 1) {
    out[64 + LANE()] = __builtin_amdgcn_wave_reduce_max_u32(x, 1);
    out[128 + LANE()] = __builtin_amdgcn_wave_reduce_min_u32(x, 1);
    u64 mask = __builtin_amdgcn_ballot_w64(x % 3 == 0);
    out[192 + LANE()] = __builtin_popcountll(mask);
    out[256 + LANE()] = __builtin_ctzll(mask | 1ull << 63);
    out[320 + LANE()] = __builtin_amdgcn_readfirstlane(x);
    u32 first = x;
    // One trip for each distinct value of x % 5.
    for (bool done = false; !done;) {
      u32 key = __builtin_amdgcn_readfirstlane(x % 5);
      if (x % 5 == key) {
        first = __builtin_amdgcn_readfirstlane(x);
        done = true;
      }
    }
    out[384 + LANE()] = first;
  }
}

// A counter in LDS that moves by the number of active lanes, forth and back;
// the second wave finds what the first left.
KERNEL(128)
void counter(u32 *out, const u32 *in) {
  __shared__ u32 before, place[2];
  typedef __attribute__((address_space(3))) int LdsInt;
  if (LANE() == 0)
    before = place[0] = place[1] = 1000;
  barrier();
  if (in[LANE()] % 3 == 0)
    out[LANE()] = __builtin_amdgcn_ds_append((LdsInt *)&place[1]);
  barrier();
  if (in[LANE()] & 1)
    out[128 + LANE()] = __builtin_amdgcn_ds_consume((LdsInt *)&place[1]);
  barrier();
  if (LANE() == 0) {
    out[256] = place[1];
    out[257] = before + place[0];
  }
}

struct Shape {
  __device__ NOINLINE virtual int area(int x) const { return x; }
};
struct Square : Shape {
  __device__ NOINLINE int area(int x) const override { return x * x; }
};
struct Strip : Shape {
  int width;
  __device__ Strip(int width) : width(width) {}
  __device__ NOINLINE int area(int x) const override { return x * width; }
};
static __device__ NOINLINE int triple(int x) { return 3 * x; }
static __device__ NOINLINE int flip(int x) { return ~x; }
static __device__ NOINLINE int both(int x) { return triple(flip(x)) + flip(x); }
__device__ int (*table[4])(int) = {triple, flip, both, triple};
__constant__ int offsets[4] = {11, -7, 1000, 5};
__device__ int bias = 40;

// Calls through a table of device functions and through virtual tables.
KERNEL(256)
void calls(int *out, const int *in) {
  int i = GROUP() * 256 + LANE(), x = in[i];
  Square square;
  Strip strip(LANE());
  const Shape *shape = x & 4 ? (const Shape *)&square : (const Shape *)&strip;
  out[i] = table[x & 3](x) + offsets[(x >> 3) & 3] + bias + shape->area(x);
}

// A function that takes pointers without knowing the address space: private,
// LDS and global memory by flat instructions.
static __device__ NOINLINE int fold(const int *values, int count, int step) {
  int result = 0;
  for (int i = 0; i < count; ++i)
    result = result * 31 + values[i * step];
  return result;
}
KERNEL(128)
void generic(int *out, const int *in) {
  __shared__ int shared[256];
  int own[24];
  for (int i = 0; i < 24; ++i)
    own[(i * 7 + LANE()) % 24] = in[(LANE() + i) % 128];
  shared[LANE()] = in[LANE()] + 1;
  shared[LANE() + 128] = in[LANE()] - 1;
  barrier();
  // Lanes of one wave take three address spaces at once.
  const int *where = LANE() % 3 == 0   ? own
                     : LANE() % 3 == 1 ? shared + LANE() % 16
                                       : in + LANE() % 16;
  out[LANE()] = fold(where, 12, 2);
}

// 64- and 128-bit integers.
KERNEL(64)
void wide(u64 *out, const u64 *in) {
  int i = GROUP() * 64 + LANE();
  u64 a = in[2 * i], b = in[2 * i + 1] >> (i % 61) | 1;
  unsigned __int128 product = (unsigned __int128)a * b;
  out[10 * i] = u64(product >> 64);
  out[10 * i + 1] = a / b;
  out[10 * i + 2] = a % b;
  out[10 * i + 3] = u64(i64(a) / i64(b));
  out[10 * i + 4] = u64(i64(a) % i64(b));
  out[10 * i + 5] = u64((product << (a & 127)) >> 64);
  out[10 * i + 6] = u64((__int128(product) >> (b & 127)));
  out[10 * i + 7] = __builtin_popcountll(a) + 100 * __builtin_clzll(b) +
                    10000 * __builtin_ctzll(b);
  out[10 * i + 8] = __builtin_bitreverse64(a) ^ __builtin_bswap64(b);
  out[10 * i + 9] = u64(i64(double(i64(a)) * 0.5)) + u64(double(b >> 1));
}

// Doubles: Horner, division, square root, float and integer conversions.
KERNEL(64)
void doubles(double *out, const double *in) {
  int i = GROUP() * 64 + LANE();
  double x = in[2 * i], y = in[2 * i + 1];
  out[6 * i] = ((x * 0.25 + y) * x - 3.0) / y;
  out[6 * i + 1] = __builtin_elementwise_sqrt(x * x + y * y);
  out[6 * i + 2] = __builtin_elementwise_floor(x) +
                   __builtin_elementwise_roundeven(y) +
                   __builtin_elementwise_trunc(x * y);
  out[6 * i + 3] = double(float(x)) + double(int(y)) + double(u32(x * x));
  out[6 * i + 4] = x < y ? x : y > 1 ? -y : x + y;
  out[6 * i + 5] = __builtin_elementwise_fma(x, y, 1.0) + __builtin_ldexp(x, 5);
}

struct Totals {
  u32 sum, most, least, bits, toggled, wrapped;
  u32 swapped;
  int signedMost;
  u64 sum64, most64;
  double sumDouble, mostDouble;
  float sumFloat, largest;
};
KERNEL(256)
void atomics(Totals *totals, const u32 *in, u32 *old) {
  __shared__ u64 shared;
  __shared__ float floats;
  __shared__ double doubled;
  int i = GROUP() * 256 + LANE();
  u32 x = in[i];
  if (LANE() == 0) {
    shared = 0;
    floats = 0;
    doubled = 0;
  }
  barrier();
#define OF(op, place, value)                                                   \
  __hip_atomic_fetch_##op(place, value, __ATOMIC_RELAXED,                      \
                          __HIP_MEMORY_SCOPE_AGENT)
  old[i] = OF(add, &totals->sum, 1u);
  OF(max, &totals->most, x);
  OF(min, &totals->least, x);
  OF(or, &totals->bits, x & 0xff00);
  OF(xor, &totals->toggled, x);
  OF(max, &totals->signedMost, int(x));
  OF(max, &totals->most64, u64(x) << 20);
  __builtin_amdgcn_atomic_inc32(&totals->wrapped, 99u, __ATOMIC_RELAXED,
                                "agent");
  OF(add, &totals->sumDouble, double(x % 1000));
  OF(max, &totals->mostDouble, double(x));
  OF(add, &totals->sumFloat, float(x % 8));
  // Compare and swap until it holds, each lane for itself.
  u32 seen = __hip_atomic_load((u32 *)&totals->largest, __ATOMIC_RELAXED,
                               __HIP_MEMORY_SCOPE_AGENT);
  float mine = float(x % 5000) * 0.5f;
  while (__builtin_bit_cast(float, seen) < mine &&
         !__hip_atomic_compare_exchange_strong(
             (u32 *)&totals->largest, &seen, __builtin_bit_cast(u32, mine),
             __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
    ;
  ADD_LDS(&shared, u64(x));
  ADD_LDS(&floats, float(x % 4));
  ADD_LDS(&doubled, double(x % 16));
  barrier();
  if (LANE() == 0) {
    OF(add, &totals->sum64, shared + u64(floats) + u64(doubled));
    __hip_atomic_exchange(&totals->swapped, 123u, __ATOMIC_RELEASE,
                          __HIP_MEMORY_SCOPE_SYSTEM);
  }
}

// The last workgroup to arrive adds what the others left behind.
KERNEL(128)
void last_group(u64 *out, const u32 *in, u64 *partial, u32 *arrived) {
  __shared__ u64 sums[128];
  __shared__ u32 order;
  u64 sum = 0;
  for (int i = GROUP() * 128 + LANE(); i < 5000; i += 128 * 7)
    sum += in[i];
  for (int round = 0; round < 2; ++round) {
    sums[LANE()] = sum;
    barrier();
    for (int step = 64; step > 0; step /= 2) {
      if (LANE() < step)
        sums[LANE()] += sums[LANE() + step];
      barrier();
    }
    if (round == 1) {
      if (LANE() == 0)
        out[0] = sums[0];
      return;
    }
    if (LANE() == 0) {
      partial[GROUP()] = sums[0];
      order = __hip_atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL,
                                     __HIP_MEMORY_SCOPE_AGENT);
    }
    barrier();
    if (order != 6)
      return;
    sum = LANE() < 7 ? partial[LANE()] : 0;
    barrier();
  }
}

// A state machine with a dense switch and a vector indexed at run time.
KERNEL(64)
void machine(int *out, const int *in) {
  int i = GROUP() * 64 + LANE(), x = in[i], state = x & 7, trips = 0;
  Vec<int, 16> window = 0;
  while (trips < 40) {
    window[(x >> 4) & 15] += trips;
    switch (state) {
    case 0:
      x += 3;
      state = x & 7;
      break;
    case 1:
      x = x * 5 + 1;
      state = (x >> 3) & 7;
      break;
    case 2:
      x ^= x >> 7;
      state = 3;
      break;
    case 3:
      x = int(u32(x) << 1 | u32(x) >> 31);
      state = 4 + (x & 3);
      break;
    case 4:
      x -= trips;
      state = 1;
      break;
    case 5:
      x = ~x;
      state = 6;
      break;
    case 6:
      x += window[x & 15];
      state = x & 1 ? 7 : 2;
      break;
    case 7:
      trips += 2;
      state = 0;
      break;
    }
    ++trips;
  }
  out[i] = x + window[x & 15];
}

#if defined(__gfx950__)
// bf16 pairs to scaled fp8 and back, and scaled fp4.
KERNEL(64)
void scaled(float *out, const float *in, float scale) {
  float x = in[2 * LANE()], y = in[2 * LANE() + 1];
  Vec<short, 2> packed = 0;
  packed = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(packed, x, y, scale, true);
  int bits = __builtin_bit_cast(int, packed);
  Vec<float, 2> back =
      __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(bits, scale, true);
  out[4 * LANE()] = back[0];
  out[4 * LANE() + 1] = back[1];
  int four = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0, x, y, scale, 2);
  back = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(four, scale, 2);
  out[4 * LANE() + 2] = back[0];
  out[4 * LANE() + 3] = back[1];
}
#endif
