//===- Configurations.h - The combinations of the GEMM sweep ----*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_CONFIGURATIONS_H
#define FLY_TEST_SWEEP_CONFIGURATIONS_H

#include "fly/Gen/Gemm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::sweep {

/// One kernel and the problem that it is run on.
struct Configuration {
  std::string chip, in, out;
  /// As fly-gen's --epilogue.
  std::string epilogue;
  int64_t tileM, tileN, tileK;
  int64_t wavesM, wavesN;
  int64_t mfma;
  int64_t stages;
  /// What else the schedule says: options of fly-gen, and changes of the
  /// schedule as --schedule takes them.
  gen::GemmOptions levers;
  std::string overrides;
  /// Problem size, and how many elements lie between the rows of A, B and C
  /// beyond their length (0: contiguous views without leading dimensions).
  int64_t m, n, k, gap;
  /// K and N are declared as multiples, so that wide accesses are taken.
  bool declared;
  /// Also run on numbers that round, and compared with the bits of the plain
  /// schedule of the same order of sums.
  bool comparesBits = false;

  /// A line that names the configuration; a part of the results file's key.
  std::string name() const;
  /// LDS bytes of A and B.
  int64_t ldsBytes() const;
  /// Whether the results are exact on small integers.
  bool isExact() const {
    return epilogue == "none" || epilogue == "bias" || epilogue == "bias_relu";
  }
  /// The same product and problem by the plainest schedule: one buffer, no
  /// permutation, one square tile. Its sums have the same order, since each
  /// micro-step of K lies at the same place of the instruction.
  Configuration plain() const;
};

/// All configurations in a fixed order; the quick ones are spread over it.
std::vector<Configuration> listConfigurations(bool quick);

/// Combinations drawn at random, in groups that share a plain schedule. What
/// is drawn for a group follows from its number alone.
std::vector<Configuration> listSeeded(unsigned groups, unsigned perGroup);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_CONFIGURATIONS_H
