//===- ValuLevelsTest.cpp - the same bits on every host -------------------===//
//
// Vector instructions are compiled for several instruction sets. Those that
// this host has are compared on random bits and on floats with NaNs, infinities
// and denormals, over every instruction of test/Sim/Coverage and changes of it:
// signs and output modifiers, DPP, SDWA and op_sel, a destination among the
// sources, accumulation registers; with all lanes and with some, in every
// rounding and denormal mode. All registers are compared, vector, accumulation
// and scalar.
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

constexpr size_t fileBytes =
    sim::WaveState::numVectorRegisters * sim::waveLanes * sizeof(uint32_t);
/// Of each half of the file, those that change between the rounds; the lists
/// use few others.
constexpr unsigned freshRegisters = 24;

struct Registers {
  std::vector<uint8_t> vectors = std::vector<uint8_t>(fileBytes);
  uint32_t scalars[128];
  uint32_t scc;
};

void save(BareWave &wave, Registers &saved) {
  std::memcpy(saved.vectors.data(), &wave.v(0, 0), fileBytes);
  std::memcpy(saved.scalars, wave.state.sgpr, sizeof(saved.scalars));
  saved.scc = wave.state.scc;
}

void restore(BareWave &wave, const Registers &saved) {
  std::memcpy(&wave.v(0, 0), saved.vectors.data(), fileBytes);
  std::memcpy(wave.state.sgpr, saved.scalars, sizeof(saved.scalars));
  wave.state.scc = saved.scc;
}

bool isEqual(BareWave &wave, const Registers &saved) {
  return std::memcmp(&wave.v(0, 0), saved.vectors.data(), fileBytes) == 0 &&
         std::memcmp(wave.state.sgpr, saved.scalars, sizeof(saved.scalars)) ==
             0 &&
         wave.state.scc == saved.scc;
}

void fill(BareWave &wave, unsigned round, SeededRandom &random) {
  for (unsigned first : {0u, sim::WaveState::agprBase})
    wave.fill(first, freshRegisters, [&]() -> uint32_t {
      switch (round % 3) {
      case 0:
        return random.bits();
      case 1:
        return random.floatBits();
      default:
        return random.halfBits() | uint32_t(random.halfBits()) << 16;
      }
    });
  wave.state.setVcc(random.bits() | uint64_t(random.bits()) << 32);
}

/// Rounding and denormals of f32 and of f16 and f64, DX10 clamp, IEEE, and now
/// and then the overflow of f16.
uint32_t drawMode(SeededRandom &random) {
  return random.below(1024) | (random.below(4) == 0 ? 1u << 23 : 0);
}

/// All kinds of lane moves, and some that do not exist.
void drawDpp(isa::Instruction &inst, SeededRandom &random) {
  constexpr uint16_t wholeWave[] = {0x130, 0x134, 0x138, 0x13C, 0x140,
                                    0x141, 0x142, 0x143, 0x144};
  inst.isDpp = true;
  inst.dpp.ctrl = random.below(3) == 0
                      ? wholeWave[random.below(std::size(wholeWave))]
                      : uint16_t(random.below(0x160));
  inst.dpp.rowMask = random.below(2) ? 15 : uint8_t(random.below(16));
  inst.dpp.bankMask = random.below(2) ? 15 : uint8_t(random.below(16));
  inst.dpp.boundCtrl = random.below(2);
}

void drawSdwa(isa::Instruction &inst, SeededRandom &random) {
  inst.isSdwa = true;
  inst.sdwa.dstSel = uint8_t(random.below(7));
  inst.sdwa.dstUnused = uint8_t(random.below(3));
  inst.sdwa.src0Sel = uint8_t(random.below(7));
  inst.sdwa.src1Sel = uint8_t(random.below(7));
  inst.sext = uint8_t(random.below(4));
}

/// Another form of the instruction; some have no meaning, and no executor.
isa::Instruction change(const isa::Instruction &inst, SeededRandom &random) {
  isa::Instruction changed = inst;
  bool hasSigns =
      inst.format == isa::Format::VOP3 || inst.format == isa::Format::VOP3P ||
      inst.format == isa::Format::VOP1 || inst.format == isa::Format::VOP2;
  if (hasSigns && !inst.isSdwa && !inst.isDpp) {
    changed.neg = uint8_t(random.below(8));
    bool isPacked = inst.format == isa::Format::VOP3P;
    (isPacked ? changed.negHi : changed.abs) = uint8_t(random.below(8));
    changed.clamp = random.below(2);
    changed.omod = isPacked ? 0 : uint8_t(random.below(4));
  }
  // Any of two operands may have DPP or SDWA, whatever encodings say; SDWA has
  // dwords alone.
  bool isShort =
      inst.format == isa::Format::VOP1 || inst.format == isa::Format::VOP2;
  bool hasPairs = inst.dst[0].dwords > 1 || inst.src[0].dwords > 1 ||
                  inst.src[1].dwords > 1;
  unsigned moves = isShort ? random.below(4) : 0;
  if (inst.isDpp || moves == 1)
    drawDpp(changed, random);
  else if (inst.isSdwa || (moves == 2 && !hasPairs))
    drawSdwa(changed, random);
  else if (inst.format == isa::Format::VOP3)
    changed.opSel = uint8_t(random.below(16));
  auto moveToAccumulators = [&](isa::Operand &operand) {
    if (operand.kind == isa::OperandKind::VGPR && random.below(2))
      operand.kind = isa::OperandKind::AGPR;
  };
  moveToAccumulators(changed.dst[0]);
  for (isa::Operand &source : changed.src)
    moveToAccumulators(source);
  const isa::Operand &first = changed.src[0];
  if (first.isVector() && changed.dst[0].isVector() && random.below(2)) {
    changed.dst[0].kind = first.kind;
    changed.dst[0].reg = uint16_t(first.reg + random.below(2));
  }
  return changed;
}

class ValuLevels : public ::testing::Test {
protected:
  void SetUp() override {
    for (VectorLevel level : {VectorLevel::Avx2, VectorLevel::Avx512})
      if (sim::hostVectorLevel() >= level)
        levels.push_back(level);
    if (levels.empty())
      GTEST_SKIP() << "the host has the baseline alone";
    wave.fill(0, sim::WaveState::numVectorRegisters,
              [&] { return random.bits(); });
  }

  /// On new registers, by every level.
  void compare(const isa::Instruction &inst, sim::ChipKind chip,
               unsigned round) {
    sim::ExecFn generic = sim::lookupValuAt(inst, chip, VectorLevel::Generic);
    if (!generic)
      return;
    fill(wave, round, random);
    wave.state.setExec(round % 2 ? random.execMask() : ~uint64_t(0));
    wave.state.mode.bits = round < 3 ? 0x3F0 : drawMode(random);
    save(wave, before);
    generic(inst, wave.state);
    save(wave, expected);
    for (VectorLevel level : levels) {
      sim::ExecFn execute = sim::lookupValuAt(inst, chip, level);
      ASSERT_NE(execute, nullptr) << inst.text.str();
      wide += execute != generic;
      restore(wave, before);
      execute(inst, wave.state);
      ASSERT_TRUE(isEqual(wave, expected))
          << inst.text.str() << " at level " << int(level) << ", MODE "
          << wave.state.mode.bits << ", round " << round << ", neg "
          << int(inst.neg) << ", abs " << int(inst.abs) << ", clamp "
          << inst.clamp << ", dpp " << inst.isDpp << " " << inst.dpp.ctrl
          << ", sdwa " << inst.isSdwa << ", op_sel " << int(inst.opSel);
    }
  }

  void compareAll(const char *chip, const char *ownList) {
    AssembledCode code(readList("Common.s") + readList(ownList), chip);
    for (size_t i = 0; i != code.size() && !HasFatalFailure(); ++i)
      for (unsigned round = 0; round != 6 && !HasFatalFailure(); ++round) {
        compare(code[i], code.chip(), round);
        if (sim::lookupValuAt(code[i], code.chip(), VectorLevel::Generic))
          for (unsigned draw = 0; draw != 3 && !HasFatalFailure(); ++draw)
            compare(change(code[i], random), code.chip(), round);
      }
    EXPECT_GT(wide, 4000u * levels.size());
  }

  std::vector<VectorLevel> levels;
  SeededRandom random{5};
  BareWave wave;
  Registers before, expected;
  /// Comparisons of two different functions.
  size_t wide = 0;
};

TEST_F(ValuLevels, EveryVectorLevelGivesTheSameBitsOnGfx942) {
  compareAll("gfx942", "Gfx942.s");
}

TEST_F(ValuLevels, EveryVectorLevelGivesTheSameBitsOnGfx950) {
  compareAll("gfx950", "Gfx950.s");
}

} // namespace
