// What HIP's headers would define, for kernels compiled without them.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))
#define KERNEL(block)                                                          \
  extern "C" __global__                                                        \
      __attribute__((amdgpu_flat_work_group_size(block, block)))
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Float16 half;
template <typename T, int N>
using Vec = T __attribute__((ext_vector_type(N)));
#define LANE() (int(__builtin_amdgcn_workitem_id_x()))
#define GROUP() (int(__builtin_amdgcn_workgroup_id_x()))
#define GROUP_SIZE() (int(__builtin_amdgcn_workgroup_size_x()))
static __device__ inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define ADD(address, value)                                                    \
  __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED,                     \
                         __HIP_MEMORY_SCOPE_AGENT)
#define ADD_LDS(address, value)                                                \
  __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED,                     \
                         __HIP_MEMORY_SCOPE_WORKGROUP)
