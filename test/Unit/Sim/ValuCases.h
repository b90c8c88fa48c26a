//===- ValuCases.h - vector instructions against references -----*- C++ -*-===//
//
// A case is one instruction and what it should do to the bits of one lane. All
// cases of a table are assembled at once and run on random operands, with all,
// some and one lane active; inactive lanes must keep their values.
//
// Operands: v10, v12, v14 (pairs for 64 bits), result in v20 (a pair where Bits
// is uint64_t). v20 starts with random bits that the reference sees as `old`.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_VALUCASES_H
#define FLY_TEST_UNIT_SIM_VALUCASES_H

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "BareWave.h"

namespace fly::test {

/// What the reference of a case sees of a lane.
struct LaneView {
  uint64_t a, b, c; ///< v10, v12, v14 with the next register as upper half.
  uint64_t old;     ///< v20 and v21.
  unsigned lane;
  uint64_t vcc; ///< Before the instruction.
};

struct ValuCase {
  const char *text;
  std::function<uint64_t(const LaneView &)> expected;
  bool isWide = false; ///< The result is a pair.
};

/// Bits of a random operand's dword.
using Operands = std::function<void(SeededRandom &, BareWave &, unsigned lane)>;

/// Operands that fit the type of a table.
void integerOperands(SeededRandom &random, BareWave &wave, unsigned lane);
void floatOperands(SeededRandom &random, BareWave &wave, unsigned lane);
void doubleOperands(SeededRandom &random, BareWave &wave, unsigned lane);
void halfOperands(SeededRandom &random, BareWave &wave, unsigned lane);

/// Runs the cases; `mode` is the MODE register.
void runCases(const std::vector<ValuCase> &cases, llvm::StringRef chip,
              const Operands &operands, uint32_t seed, uint32_t mode = 0x3F0);

template <typename To, typename From>
To asType(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
inline float asFloat(uint64_t bits) { return asType<float>(uint32_t(bits)); }
inline uint32_t bitsOf(float value) { return asType<uint32_t>(value); }
inline double asDouble(uint64_t bits) { return asType<double>(bits); }
inline uint64_t bitsOf(double value) { return asType<uint64_t>(value); }

/// The rule for NaN results of f32: the first NaN operand, quiet, or 7FC00000.
uint32_t nanRule(float result, std::initializer_list<float> operands);
uint64_t nanRule(double result, std::initializer_list<double> operands);

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_VALUCASES_H
