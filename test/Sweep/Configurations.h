//===- Configurations.h - The combinations of the GEMM sweep ----*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_CONFIGURATIONS_H
#define FLY_TEST_SWEEP_CONFIGURATIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace fly::sweep {

/// One kernel and the problem that it is run on.
struct Configuration {
  std::string chip, in, out;
  /// As fly-gen's --epilogue: of those that are exact on integers.
  std::string epilogue;
  int64_t tileM, tileN, tileK;
  int64_t wavesM, wavesN;
  int64_t mfma;
  int64_t stages;
  /// Problem size, and how many elements lie between the rows of A, B and C
  /// beyond their length (0: contiguous views without leading dimensions).
  int64_t m, n, k, gap;
  /// K and N are declared as multiples, so that wide accesses are taken.
  bool declared;

  /// A line that names the configuration; a part of the results file's key.
  std::string name() const;
  /// LDS bytes of A and B.
  int64_t ldsBytes() const { return stages * (tileM + tileN) * tileK * 2; }
};

/// All configurations in a fixed order; the quick ones are spread over it.
std::vector<Configuration> listConfigurations(bool quick);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_CONFIGURATIONS_H
