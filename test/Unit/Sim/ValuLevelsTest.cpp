//===- ValuLevelsTest.cpp - the same bits on every host -------------------===//
//
// Vector instructions without modifiers may be compiled for several instruction
// sets. Those that this host has are compared on random bits and on floats with
// NaNs, infinities and denormals, over every instruction of test/Sim/Coverage:
// all registers, vector and scalar, with all lanes and with some.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <gtest/gtest.h>

#include "../../../lib/Sim/Exec/ValuTable.h"
#include "BareWave.h"

using namespace fly;
using namespace fly::test;
using sim::VectorLevel;

namespace {

std::string readList(const char *name) {
  auto file = llvm::MemoryBuffer::getFile(
      (llvm::Twine(FLY_TEST_COVERAGE) + "/" + name).str());
  if (!file)
    return "";
  // It would end the code.
  auto [front, back] = (*file)->getBuffer().split("  s_endpgm\n");
  return front.str() + back.str();
}

/// Registers that instructions of the lists use, without the accumulation half.
constexpr unsigned registers = sim::WaveState::agprBase;
constexpr size_t fileBytes = registers * sim::waveLanes * sizeof(uint32_t);

struct Registers {
  std::vector<uint8_t> vectors = std::vector<uint8_t>(fileBytes);
  uint32_t scalars[128];
  uint32_t scc;
};

Registers save(BareWave &wave) {
  Registers saved;
  std::memcpy(saved.vectors.data(), &wave.v(0, 0), fileBytes);
  std::memcpy(saved.scalars, wave.state.sgpr, sizeof(saved.scalars));
  saved.scc = wave.state.scc;
  return saved;
}

void restore(BareWave &wave, const Registers &saved) {
  std::memcpy(&wave.v(0, 0), saved.vectors.data(), fileBytes);
  std::memcpy(wave.state.sgpr, saved.scalars, sizeof(saved.scalars));
  wave.state.scc = saved.scc;
}

void compareLevels(const char *chip, const char *ownList) {
  std::vector<VectorLevel> levels;
  if (sim::hostVectorLevel() >= VectorLevel::Avx2)
    levels.push_back(VectorLevel::Avx2);
  if (sim::hostVectorLevel() >= VectorLevel::Avx512)
    levels.push_back(VectorLevel::Avx512);
  AssembledCode code(readList("Common.s") + readList(ownList), chip);
  SeededRandom random(5);
  BareWave wave;
  wave.state.mode.bits = 0x3F0;
  unsigned compared = 0;
  for (size_t i = 0; i != code.size(); ++i) {
    const isa::Instruction &inst = code[i];
    sim::ExecFn generic =
        sim::lookupValuAt(inst, code.chip(), VectorLevel::Generic);
    if (!generic)
      continue;
    for (unsigned round = 0; round != 2; ++round) {
      wave.fill(0, registers,
                [&] { return round ? random.floatBits() : random.bits(); });
      wave.state.setExec(round ? random.execMask() : ~uint64_t(0));
      wave.state.setVcc(random.bits() | uint64_t(random.bits()) << 32);
      Registers before = save(wave);
      generic(inst, wave.state);
      Registers expected = save(wave);
      for (VectorLevel level : levels) {
        restore(wave, before);
        sim::lookupValuAt(inst, code.chip(), level)(inst, wave.state);
        Registers got = save(wave);
        ASSERT_EQ(
            std::memcmp(got.vectors.data(), expected.vectors.data(), fileBytes),
            0)
            << inst.text.str() << " at level " << int(level);
        ASSERT_EQ(
            std::memcmp(got.scalars, expected.scalars, sizeof(got.scalars)), 0)
            << inst.text.str() << " at level " << int(level);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500u * levels.size());
}

TEST(ValuLevels, EveryVectorLevelGivesTheSameBitsOnGfx942) {
  compareLevels("gfx942", "Gfx942.s");
}

TEST(ValuLevels, EveryVectorLevelGivesTheSameBitsOnGfx950) {
  compareLevels("gfx950", "Gfx950.s");
}

} // namespace
