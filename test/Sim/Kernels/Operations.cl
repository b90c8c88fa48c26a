// The GPU side of Operations.inc: one kernel an operation over arrays of three
// 64-bit inputs a work-item.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char u8;
typedef signed char i8;
#define bf16 __bf16
#define ISNAN(x) __builtin_isnan(x)
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define F(x) __builtin_bit_cast(float, (uint)(x))
#define D(x) __builtin_bit_cast(double, (ulong)(x))
#define H(x) __builtin_bit_cast(half, (ushort)(x))
#define B(x) __builtin_bit_cast(bf16, (ushort)(x))
typedef short short2v __attribute__((ext_vector_type(2)));
typedef half half2v __attribute__((ext_vector_type(2)));
typedef float float2v __attribute__((ext_vector_type(2)));
#define S2(x) __builtin_bit_cast(short2v, (uint)(x))
#define H2(x) __builtin_bit_cast(half2v, (uint)(x))
#define F2(x, y) ((float2v)(F(x), F(y)))
#define R2S(x) ((ulong)__builtin_bit_cast(uint, (short2v)(x)))
#define R2H(x) ((ulong)__builtin_bit_cast(uint, (half2v)(x)))
#define R2F(x) __builtin_bit_cast(ulong, (float2v)(x))
#define RH(x) ((ulong)__builtin_bit_cast(ushort, (half)(x)))
#define RB(x) ((ulong)__builtin_bit_cast(ushort, (bf16)(x)))
#define R2B(x, y) (RB(x) | RB(y) << 16)
#define OVERLOAD __attribute__((overloadable)) static inline
OVERLOAD ulong R(int x) { return (ulong)(long)x; }
OVERLOAD ulong R(uint x) { return x; }
OVERLOAD ulong R(short x) { return (ulong)(long)x; }
OVERLOAD ulong R(ushort x) { return x; }
OVERLOAD ulong R(long x) { return (ulong)x; }
OVERLOAD ulong R(ulong x) { return x; }
OVERLOAD ulong R(float x) { return __builtin_bit_cast(uint, x); }
OVERLOAD ulong R(double x) { return __builtin_bit_cast(ulong, x); }
#define OP(name, expression)                                                   \
  kernel void name(global ulong *out, global const ulong *in, int n) {         \
    int i = (int)(__builtin_amdgcn_workgroup_id_x() *                          \
                      __builtin_amdgcn_workgroup_size_x() +                    \
                  __builtin_amdgcn_workitem_id_x());                           \
    if (i >= n)                                                                \
      return;                                                                  \
    ulong a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];                 \
    out[i] = (expression);                                                     \
  }
#include "Operations.inc"
