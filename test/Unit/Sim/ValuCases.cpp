//===- ValuCases.cpp - vector instructions against references -------------===//

#include "ValuCases.h"

using namespace fly;
using namespace fly::test;

void fly::test::integerOperands(SeededRandom &random, BareWave &wave,
                                unsigned lane) {
  for (unsigned reg = 10; reg != 16; ++reg) {
    // Small numbers now and then, so that shifts and comparisons meet.
    uint32_t bits = random.bits();
    wave.v(reg, lane) = random.below(4) ? bits : bits % 40;
  }
  if (random.below(8) == 0)
    wave.v(12, lane) = wave.v(10, lane);
}

void fly::test::floatOperands(SeededRandom &random, BareWave &wave,
                              unsigned lane) {
  for (unsigned reg = 10; reg != 16; ++reg)
    wave.v(reg, lane) = random.floatBits();
  if (random.below(8) == 0)
    wave.v(12, lane) = wave.v(10, lane);
}

void fly::test::doubleOperands(SeededRandom &random, BareWave &wave,
                               unsigned lane) {
  for (unsigned reg = 10; reg != 16; reg += 2)
    wave.setV64(reg, lane, random.doubleBits());
  if (random.below(8) == 0)
    wave.setV64(12, lane, wave.v64(10, lane));
}

void fly::test::halfOperands(SeededRandom &random, BareWave &wave,
                             unsigned lane) {
  for (unsigned reg = 10; reg != 16; ++reg)
    wave.v(reg, lane) = random.halfBits() | uint32_t(random.halfBits()) << 16;
  if (random.below(8) == 0)
    wave.v(12, lane) = wave.v(10, lane);
}

void fly::test::runCases(const std::vector<ValuCase> &cases,
                         llvm::StringRef chip, const Operands &operands,
                         uint32_t seed, uint32_t mode) {
  std::string body;
  for (const ValuCase &test : cases)
    body += std::string(test.text) + "\n";
  AssembledCode code(body, chip);
  ASSERT_EQ(code.size(), cases.size());
  SeededRandom random(seed);
  for (size_t n = 0; n != cases.size(); ++n)
    for (unsigned round = 0; round != 12; ++round) {
      BareWave wave;
      wave.state.mode.bits = mode;
      uint64_t exec = random.execMask();
      wave.state.setExec(exec);
      uint64_t vcc = random.bits() | uint64_t(random.bits()) << 32;
      wave.state.setVcc(vcc);
      wave.fill(20, 2, [&] { return random.bits(); });
      for (unsigned lane = 0; lane != 64; ++lane)
        operands(random, wave, lane);
      std::vector<LaneView> before;
      for (unsigned lane = 0; lane != 64; ++lane)
        before.push_back({wave.v64(10, lane), wave.v64(12, lane),
                          wave.v64(14, lane), wave.v64(20, lane), lane, vcc});
      wave.run(code[n], code.chip());
      for (const LaneView &lane : before) {
        uint64_t mask = cases[n].isWide ? ~uint64_t(0) : 0xFFFFFFFF;
        uint64_t expected =
            (exec >> lane.lane) & 1 ? cases[n].expected(lane) : lane.old;
        ASSERT_EQ(wave.v64(20, lane.lane) & mask, expected & mask)
            << code[n].text.str() << std::hex << " a=" << lane.a
            << " b=" << lane.b << " c=" << lane.c << " old=" << lane.old
            << std::dec << " lane " << lane.lane << " seed " << seed;
      }
    }
}

uint32_t fly::test::nanRule(float result,
                            std::initializer_list<float> operands) {
  if (!std::isnan(result))
    return bitsOf(result);
  for (float operand : operands)
    if (std::isnan(operand))
      return bitsOf(operand) | 0x400000;
  return 0x7FC00000;
}

uint64_t fly::test::nanRule(double result,
                            std::initializer_list<double> operands) {
  if (!std::isnan(result))
    return bitsOf(result);
  for (double operand : operands)
    if (std::isnan(operand))
      return bitsOf(operand) | uint64_t(1) << 51;
  return uint64_t(0x7FF8) << 48;
}
