//===- SeededDraws.h - Draws of combinations --------------------*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_SEEDEDDRAWS_H
#define FLY_TEST_SWEEP_SEEDEDDRAWS_H

#include <random>

#include "Configurations.h"

namespace fly::sweep {

/// Draws that are the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  int64_t below(int64_t bound) { return int64_t(engine() % uint64_t(bound)); }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T, size_t N>
  T pick(const T (&from)[N]) {
    return from[below(N)];
  }

private:
  std::mt19937_64 engine;
};

/// Draws levers that the older draws (SeededConfigurations.cpp) leave out:
/// other numbers of buffers, levers of one operand, two bodies, caches, waves a
/// SIMD, guides and patterns. `random` is its own, so that the older draws stay
/// what they are.
void drawFurther(Random random, Configuration &c);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_SEEDEDDRAWS_H
