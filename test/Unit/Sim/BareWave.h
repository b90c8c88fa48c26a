//===- BareWave.h - one wave without memory or a launch ---------*- C++ -*-===//
//
// Tests of arithmetic assemble a few instructions, put values into the
// registers of one wave, run the instructions one after the other and look at
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_BAREWAVE_H
#define FLY_TEST_UNIT_SIM_BAREWAVE_H

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"
#include "fly/Sim/Executors.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace fly::test {

/// Instructions of a piece of assembly, in order.
class AssembledCode {
public:
  /// Fails the test, and stays empty, if the text does not assemble.
  AssembledCode(llvm::StringRef body, llvm::StringRef chip);
  size_t size() const { return count; }
  const isa::Instruction &operator[](size_t index) const {
    return program->instructions()[index];
  }
  sim::ChipKind chip() const { return kind; }

private:
  std::unique_ptr<isa::Program> program;
  size_t count = 0;
  sim::ChipKind kind;
};

/// One wave with 512 vector registers.
class BareWave {
public:
  BareWave();
  sim::WaveState state;

  uint32_t &v(unsigned reg, unsigned lane) {
    return storage[size_t(reg) * sim::waveLanes + lane];
  }
  uint32_t &a(unsigned reg, unsigned lane) {
    return v(sim::WaveState::agprBase + reg, lane);
  }
  float f(unsigned reg, unsigned lane);
  uint64_t v64(unsigned reg, unsigned lane) {
    return v(reg, lane) | uint64_t(v(reg + 1, lane)) << 32;
  }
  void setV64(unsigned reg, unsigned lane, uint64_t value) {
    v(reg, lane) = uint32_t(value);
    v(reg + 1, lane) = uint32_t(value >> 32);
  }

  /// Fills registers [first, first + count) of all lanes by a function.
  void fill(unsigned first, unsigned count,
            const std::function<uint32_t()> &value);
  /// Runs all instructions; fails the test where one has no executor or faults.
  void run(const AssembledCode &code);
  void run(const isa::Instruction &inst, sim::ChipKind chip);

private:
  std::vector<uint32_t> memory;
  uint32_t *storage;
};

/// The seed of a test's random numbers, printed when the test fails.
class SeededRandom {
public:
  explicit SeededRandom(uint32_t seed) : seed(seed), engine(seed) {}
  ~SeededRandom();
  SeededRandom(const SeededRandom &) = delete;
  SeededRandom &operator=(const SeededRandom &) = delete;
  uint32_t bits() { return engine(); }
  /// Finite and infinite floats, zeros, denormals, NaNs and nearby values.
  uint32_t floatBits();
  uint16_t halfBits();
  uint64_t doubleBits();
  /// 0 .. limit - 1.
  uint32_t below(uint32_t limit) { return engine() % limit; }
  /// All lanes, a random half of them, or a single one.
  uint64_t execMask();

private:
  uint32_t seed;
  std::mt19937 engine;
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_BAREWAVE_H
