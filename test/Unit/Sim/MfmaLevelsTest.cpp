//===- MfmaLevelsTest.cpp - the same bits on every host -------------------===//
//
// The loops of the matrix instructions exist for several instruction sets;
// those that this host has are compared on random bits, NaNs included.
//
//===----------------------------------------------------------------------===//

#include <cstring>
#include <gtest/gtest.h>

#include "../../../lib/Sim/Exec/MfmaKernels.h"
#include "../../../lib/Sim/Exec/MfmaOperands.h"
#include "BareWave.h"

using namespace fly;
using namespace fly::test;

namespace {

TEST(MfmaLevels, EveryVectorLevelGivesTheSameBits) {
  SeededRandom random(77);
  std::vector<sim::VectorLevel> levels = {sim::VectorLevel::Generic};
  if (sim::hostVectorLevel() >= sim::VectorLevel::Avx2)
    levels.push_back(sim::VectorLevel::Avx2);
  if (sim::hostVectorLevel() >= sim::VectorLevel::Avx512)
    levels.push_back(sim::VectorLevel::Avx512);
  sim::MfmaRows rows{};
  rows.depth = 16;
  for (unsigned k = 0; k != 16; ++k)
    rows.a[k] = rows.b[k] = uint16_t(64 * (k % 8) + 32 * (k / 8));
  for (unsigned round = 0; round != 50; ++round) {
    std::vector<uint32_t> registers(16 * 64);
    for (uint32_t &dword : registers)
      dword = random.bits();
    for (unsigned type = 0; type <= unsigned(sim::MatrixElement::I8); ++type) {
      auto element = sim::MatrixElement(type);
      std::vector<std::vector<float>> unpacked, sums;
      for (sim::VectorLevel level : levels) {
        std::vector<float> values(16 * 64), sum(1024, 0.5f);
        sim::unpackAt(level)(element, registers.data(), 16, values.data());
        sim::accumulateAt(level)(round % 2 ? 16 : 32, rows, values.data(),
                                 values.data() + 512, sum.data());
        unpacked.push_back(values);
        sums.push_back(sum);
      }
      for (size_t i = 1; i != levels.size(); ++i) {
        ASSERT_EQ(std::memcmp(unpacked[0].data(), unpacked[i].data(), 4096), 0)
            << type;
        ASSERT_EQ(std::memcmp(sums[0].data(), sums[i].data(), 4096), 0) << type;
      }
    }
  }
}

} // namespace
