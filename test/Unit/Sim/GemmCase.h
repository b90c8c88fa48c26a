//===- GemmCase.h - exact integer GEMM data ---------------------*- C++ -*-===//
//
// A[m][k] = ((131m + 71k + (m*k mod 17)) mod 9) - 4,
// B[n][k] = ((57n + 101k + (n*k mod 13)) mod 7) - 3, C = A * B^T: small
// integers that every matrix type represents exactly, so that results are
// compared bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_GEMMCASE_H
#define FLY_TEST_UNIT_SIM_GEMMCASE_H

#include <cstdint>
#include <vector>

namespace fly::test {

inline int gemmA(int64_t m, int64_t k) {
  return int((131 * m + 71 * k + (m * k) % 17) % 9) - 4;
}
inline int gemmB(int64_t n, int64_t k) {
  return int((57 * n + 101 * k + (n * k) % 13) % 7) - 3;
}

/// Row-major C of M x N.
inline std::vector<int32_t> gemmReference(unsigned m, unsigned n, unsigned k) {
  std::vector<int16_t> a(size_t(m) * k), b(size_t(n) * k);
  for (unsigned i = 0; i != m; ++i)
    for (unsigned p = 0; p != k; ++p)
      a[size_t(i) * k + p] = int16_t(gemmA(i, p));
  for (unsigned j = 0; j != n; ++j)
    for (unsigned p = 0; p != k; ++p)
      b[size_t(j) * k + p] = int16_t(gemmB(j, p));
  std::vector<int32_t> c(size_t(m) * n);
  for (unsigned i = 0; i != m; ++i)
    for (unsigned j = 0; j != n; ++j) {
      const int16_t *row = &a[size_t(i) * k], *column = &b[size_t(j) * k];
      int32_t sum = 0;
      for (unsigned p = 0; p != k; ++p)
        sum += int32_t(row[p]) * column[p];
      c[size_t(i) * n + j] = sum;
    }
  return c;
}

/// Nearest even, for finite values.
inline uint16_t toBf16(float value) {
  uint32_t bits;
  static_assert(sizeof(bits) == sizeof(value));
  __builtin_memcpy(&bits, &value, 4);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
inline float fromBf16(uint16_t half) {
  uint32_t bits = uint32_t(half) << 16;
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_GEMMCASE_H
