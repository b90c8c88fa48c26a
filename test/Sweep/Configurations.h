//===- Configurations.h - The combinations of the GEMM sweep ----*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_CONFIGURATIONS_H
#define FLY_TEST_SWEEP_CONFIGURATIONS_H

#include "fly/Gen/Gemm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::sweep {

/// LDS bytes that workgroups which share K have beside those of operands.
inline constexpr int64_t kShareBytes = 16;

/// One kernel and the problem that it is run on.
struct Configuration {
  std::string chip, in, out;
  /// As fly-gen's --epilogue.
  std::string epilogue;
  int64_t tileM, tileN, tileK;
  int64_t wavesM, wavesN;
  int64_t mfma;
  int64_t stages;
  /// Buffers of B where it has another number of them than A; else 0.
  int64_t stagesOfB = 0;
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

  /// Appends to `overrides`.
  void addOverride(llvm::StringRef text) {
    overrides += (overrides.empty() ? "" : ",") + text.str();
  }
  /// A line that names the configuration; a part of the results file's key.
  std::string name() const;
  /// Bits of an element of A and of B in memory.
  int64_t bitsOfA() const;
  int64_t bitsOfB() const;
  /// Bytes of a row of the tiles of A and B, as LDS holds them.
  int64_t rowBytesOfA() const { return tileK * bitsOfA() / 8; }
  int64_t rowBytesOfB() const { return tileK * bitsOfB() / 8; }
  bool isPreshuffled() const { return levers.bLayout == "preshuffle"; }
  /// B has weights of 4 bits, which are widened in registers.
  bool isWidened() const { return llvm::StringRef(in).ends_with(",i4"); }
  bool isATransposed() const { return levers.operands[0] == 't'; }
  bool isBTransposed() const { return levers.operands[1] == 'n'; }
  /// Workgroups share K.
  bool isSplit() const {
    return !levers.splitK.empty() || !levers.streamK.empty();
  }
  bool isAtomic() const {
    return llvm::StringRef(levers.splitK).ends_with(":atomic");
  }
  /// Elements of K that share a scale of the loop; 0 without such.
  int64_t scaleGroup() const;
  /// Accumulators of 32 bits that a lane has.
  int64_t accumulators() const;
  /// LDS bytes of the operands that go through it.
  int64_t ldsBytes() const;
  /// Whether the results are exact on small integers.
  bool isExact() const {
    return epilogue == "none" || epilogue == "bias" || epilogue == "bias_relu";
  }
  /// The same product and problem by the plainest schedule: one buffer, no
  /// permutation, one square tile, rows without gaps, both operands with rows
  /// of K. Its sums have the same order, since each micro-step of K lies at the
  /// same place of the instruction; where K is shared, parts are the same.
  Configuration plain() const;
};

/// All configurations in a fixed order; the quick ones are spread over it.
std::vector<Configuration> listConfigurations(bool quick);

/// Combinations drawn at random, in groups that share a plain schedule. What
/// is drawn for a group follows from its number alone.
std::vector<Configuration> listSeeded();

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_CONFIGURATIONS_H
