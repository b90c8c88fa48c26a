//===- GemmFixture.h - A GEMM kernel and its exact answer -------*- C++ -*-===//
//
// The generator of integer-valued matrices of the public test cases, and an
// integer GEMM that shares no code with the executor.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_UNIT_REFERENCE_GEMMFIXTURE_H
#define FLY_TEST_UNIT_REFERENCE_GEMMFIXTURE_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace fly::test {

inline int64_t elementA(int64_t m, int64_t k) {
  return (131 * m + 71 * k + (m * k % 17)) % 9 - 4;
}
inline int64_t elementB(int64_t n, int64_t k) {
  return (57 * n + 101 * k + (n * k % 13)) % 7 - 3;
}
inline int64_t elementC(int64_t m, int64_t n, int64_t K) {
  int64_t sum = 0;
  for (int64_t k = 0; k < K; ++k)
    sum += elementA(m, k) * elementB(n, k);
  return sum;
}

/// Small integers are exact in bf16: the upper half of the float.
inline uint16_t bf16(int64_t value) {
  float number = float(value);
  uint32_t bits;
  std::memcpy(&bits, &number, 4);
  return bits >> 16;
}

template <typename Fn>
std::vector<uint16_t> makeMatrix(int64_t rows, int64_t columns, Fn element) {
  std::vector<uint16_t> data(rows * columns);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      data[r * columns + c] = bf16(element(r, c));
  return data;
}

/// C = A * B^T; %SIZES% and %REQUIRE% are filled in by the test.
inline const char *const kGemm = R"mlir(
#sched = #fly.schedule<sizes = {%SIZES%}, waves = [2, 2]>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!V   = !fly.view<?x?xbf16>
!VC  = !fly.view<?x?xf32>
gpu.module @gemm [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<bf16> {fly.name = "A"}, %B: !fly.ptr<bf16> {fly.name = "B"},
                 %C: !fly.ptr<f32> {fly.name = "C"}, %M: i32 {fly.name = "M"},
                 %N: i32 {fly.name = "N"}, %K: i32 {fly.name = "K"})
      kernel attributes {fly.schedule = #sched} {
    %REQUIRE%
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !VC
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %c[%m, %n] label "c" : !Acc, !VC
    gpu.return
  }
}
)mlir";

} // namespace fly::test

#endif // FLY_TEST_UNIT_REFERENCE_GEMMFIXTURE_H
