//===- HostFloatTest.cpp - results do not depend on the caller's thread ---===//
//
// A caller's rounding direction, and flushing of denormals where the host has
// it, change no result, on no thread of a launch, and are there afterwards.
//
//===----------------------------------------------------------------------===//

#include <cfenv>

#include "KernelRun.h"
#include "gtest/gtest.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

using namespace fly::test;

namespace {

#if defined(__SSE__)
constexpr unsigned flushing = 1u << 15 | 1u << 6; // FTZ, DAZ.
unsigned flushBits() { return _mm_getcsr() & flushing; }
void setFlushing() { _mm_setcsr(_mm_getcsr() | flushing); }
#else
constexpr unsigned flushing = 0;
unsigned flushBits() { return 0; }
void setFlushing() {}
#endif

/// Each of 8 workgroups stores what one lane computes: sums, products,
/// conversions and a matrix element that rounding or flushing would change.
constexpr unsigned groups = 8, values = 8;
const char *const body = R"(
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_lshl_b32 s6, s2, 5
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0
  v_mov_b32 v1, 0x3f800001
  v_mov_b32 v2, 0x33000000
  v_add_f32 v10, v1, v2
  v_mul_f32 v11, v1, v1
  v_mov_b32 v3, 0x00800001
  v_mul_f32 v12, 0.5, v3
  v_mov_b32 v4, 1
  v_add_f32 v13, v4, v4
  v_mov_b32 v5, 0x3f801000
  v_cvt_f16_f32 v14, v5
  v_fma_f32 v15, v1, v1, v2
  v_mov_b32 v8, 0x01000001
  v_cvt_f32_i32 v16, v8
  v_mov_b32 v20, 0
  v_mov_b32 v21, 0
  v_mov_b32 v22, 0
  v_mov_b32 v23, 0
  v_mov_b32 v18, 0x00400000
  v_mov_b32 v19, 0.5
  s_nop 4
  v_mfma_f32_16x16x4_f32 v[20:23], v18, v19, v[20:23]
  s_nop 15
  s_nop 4
  v_mov_b32 v17, v20
  v_mov_b32 v9, s6
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v9, v[10:13], s[4:5]
  global_store_dwordx4 v9, v[14:17], s[4:5] offset:16
)";

std::vector<uint32_t> compute(unsigned threads, bool other, int *rounding,
                              unsigned *flush) {
  KernelRun run = KernelRun::ofBody(body);
  EXPECT_FALSE(run.failed()) << run.message;
  uint64_t out = run.buffer(groups * values * 4);
  run.setArguments({out});
  run.params.workgroups = {groups, 1, 1};
  run.params.workgroupSize = {64, 1, 1};
  run.params.options.threads = threads;
  std::fenv_t saved;
  std::fegetenv(&saved);
  if (other) {
    std::fesetround(FE_UPWARD);
    setFlushing();
  }
  std::string error = run.launchError();
  *rounding = std::fegetround();
  *flush = flushBits();
  std::fesetenv(&saved);
  EXPECT_EQ(error, "");
  EXPECT_TRUE(run.guardsIntact());
  return run.read<uint32_t>(out, size_t(groups) * values);
}

TEST(HostFloat, CallersEnvironmentChangesNoResult) {
  // 1 + 2^-23 + 2^-25 and (1 + 2^-23)^2 to nearest; a denormal rounded to even
  // and one doubled; 1 + 2^-11 to even in f16; the fused sum; 2^24 + 1 to
  // even; four products of a denormal.
  const uint32_t expected[values] = {0x3f800001, 0x3f800002, 0x00400000,
                                     0x00000002, 0x00003c00, 0x3f800002,
                                     0x4b800000, 0x00800000};
  for (unsigned threads : {1u, 2u})
    for (bool other : {false, true}) {
      int rounding;
      unsigned flush;
      std::vector<uint32_t> results =
          compute(threads, other, &rounding, &flush);
      for (unsigned i = 0; i != results.size(); ++i)
        EXPECT_EQ(results[i], expected[i % values])
            << "value " << i % values << " of workgroup " << i / values
            << ", threads " << threads << ", other environment " << other;
      EXPECT_EQ(rounding, other ? FE_UPWARD : FE_TONEAREST);
      EXPECT_EQ(flush, other ? flushing : 0u);
    }
}

} // namespace
