//===- MfmaTest.cpp - matrix instructions against plain products ----------===//
//
// The test places small integers by the lane maps of AMD's matrix instruction
// calculator [AMD] and of public kernels [HW], written here element by element,
// and compares D with an integer product. The element encodings are LLVM's.
//
// Rests on the assumption MFMA-BLOCK-ORDER.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "MfmaCases.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;
using llvm::formatv;

namespace {

const Shape kShapes[] = {
    {"v_mfma_f32_32x32x1_2b_f32", 32, 2, 1, Kind::F32, Kind::F32, "both"},
    {"v_mfma_f32_16x16x1_4b_f32", 16, 4, 1, Kind::F32, Kind::F32, "both"},
    {"v_mfma_f32_4x4x1_16b_f32", 4, 16, 1, Kind::F32, Kind::F32, "both"},
    {"v_mfma_f32_32x32x2_f32", 32, 1, 2, Kind::F32, Kind::F32, "both"},
    {"v_mfma_f32_16x16x4_f32", 16, 1, 4, Kind::F32, Kind::F32, "both"},
    {"v_mfma_f32_32x32x4_xf32", 32, 1, 4, Kind::F32, Kind::F32, "gfx942"},
    {"v_mfma_f32_16x16x8_xf32", 16, 1, 8, Kind::F32, Kind::F32, "gfx942"},
    {"v_mfma_f32_32x32x4_2b_f16", 32, 2, 4, Kind::F16, Kind::F16, "both"},
    {"v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, Kind::F16, Kind::F16, "both"},
    {"v_mfma_f32_4x4x4_16b_f16", 4, 16, 4, Kind::F16, Kind::F16, "both"},
    {"v_mfma_f32_32x32x8_f16", 32, 1, 8, Kind::F16, Kind::F16, "both"},
    {"v_mfma_f32_16x16x16_f16", 16, 1, 16, Kind::F16, Kind::F16, "both"},
    {"v_mfma_f32_32x32x16_f16", 32, 1, 16, Kind::F16, Kind::F16, "gfx950"},
    {"v_mfma_f32_16x16x32_f16", 16, 1, 32, Kind::F16, Kind::F16, "gfx950"},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 2, 4, Kind::BF16, Kind::BF16, "both"},
    {"v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, Kind::BF16, Kind::BF16, "both"},
    {"v_mfma_f32_4x4x4_16b_bf16", 4, 16, 4, Kind::BF16, Kind::BF16, "both"},
    {"v_mfma_f32_32x32x8_bf16", 32, 1, 8, Kind::BF16, Kind::BF16, "both"},
    {"v_mfma_f32_16x16x16_bf16", 16, 1, 16, Kind::BF16, Kind::BF16, "both"},
    {"v_mfma_f32_32x32x16_bf16", 32, 1, 16, Kind::BF16, Kind::BF16, "gfx950"},
    {"v_mfma_f32_16x16x32_bf16", 16, 1, 32, Kind::BF16, Kind::BF16, "gfx950"},
    {"v_mfma_i32_32x32x4_2b_i8", 32, 2, 4, Kind::I8, Kind::I8, "both"},
    {"v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, Kind::I8, Kind::I8, "both"},
    {"v_mfma_i32_4x4x4_16b_i8", 4, 16, 4, Kind::I8, Kind::I8, "both"},
    {"v_mfma_i32_32x32x16_i8", 32, 1, 16, Kind::I8, Kind::I8, "both"},
    {"v_mfma_i32_16x16x32_i8", 16, 1, 32, Kind::I8, Kind::I8, "both"},
    {"v_mfma_i32_32x32x32_i8", 32, 1, 32, Kind::I8, Kind::I8, "gfx950"},
    {"v_mfma_i32_16x16x64_i8", 16, 1, 64, Kind::I8, Kind::I8, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 1, 32, Kind::Fp8Z, Kind::Fp8Z,
     "gfx942"},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 1, 32, Kind::Fp8Z, Kind::Bf8Z,
     "gfx942"},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 1, 32, Kind::Bf8Z, Kind::Fp8Z,
     "gfx942"},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 1, 32, Kind::Bf8Z, Kind::Bf8Z,
     "gfx942"},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 1, 16, Kind::Fp8Z, Kind::Fp8Z,
     "gfx942"},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 1, 16, Kind::Fp8Z, Kind::Bf8Z,
     "gfx942"},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 1, 16, Kind::Bf8Z, Kind::Fp8Z,
     "gfx942"},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 1, 16, Kind::Bf8Z, Kind::Bf8Z,
     "gfx942"},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 1, 32, Kind::Fp8, Kind::Fp8, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 1, 32, Kind::Fp8, Kind::Bf8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 1, 32, Kind::Bf8, Kind::Fp8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 1, 32, Kind::Bf8, Kind::Bf8, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 1, 16, Kind::Fp8, Kind::Fp8, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 1, 16, Kind::Fp8, Kind::Bf8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 1, 16, Kind::Bf8, Kind::Fp8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 1, 16, Kind::Bf8, Kind::Bf8, "gfx950"},
};

/// Registers of a lane's operand.
unsigned operandRegisters(const Shape &s, Kind kind) {
  return (s.dim * s.blocks * s.depth / 64 * widthOf(kind) + 31) / 32;
}

/// Instruction text: D and C at `d`/`c`, A at v0 and B at v16.
std::string textOf(const Shape &s, const std::string &d, const std::string &c) {
  return formatv("{0} {1}, {2}, {3}, {4}\n", s.mnemonic, d,
                 tuple('v', 0, operandRegisters(s, s.a)),
                 tuple('v', 16, operandRegisters(s, s.b)), c);
}

class MfmaOnChip : public ::testing::TestWithParam<const char *> {
protected:
  std::vector<Shape> shapes() const {
    std::vector<Shape> result;
    for (const Shape &s : kShapes)
      if (llvm::StringRef(s.chips) == "both" ||
          llvm::StringRef(s.chips) == GetParam())
        result.push_back(s);
    return result;
  }
};

TEST_P(MfmaOnChip, MultipliesIntegersExactly) {
  std::vector<Shape> all = shapes();
  std::string body;
  for (const Shape &s : all) {
    unsigned count = registersOfD(s);
    std::string v = tuple('v', 64, count), a = tuple('a', 64, count);
    body += textOf(s, v, "0");
    body += textOf(s, v, tuple('v', 128, count));
    body += textOf(s, a, a);
  }
  AssembledCode code(body, GetParam());
  ASSERT_EQ(code.size(), 3 * all.size());
  for (size_t i = 0; i != all.size(); ++i) {
    const Shape &s = all[i];
    BareWave wave;
    wave.state.setExec(i % 2 ? 0 : 0x123); // EXEC does not matter.
    placeOperands(wave, s, 0, 16);
    wave.run(code[3 * i], code.chip());
    expectProduct(wave, s, 64, false);
    placeC(wave, s, 128);
    wave.run(code[3 * i + 1], code.chip());
    expectProduct(wave, s, 64, true);
    placeC(wave, s, 256 + 64);
    wave.run(code[3 * i + 2], code.chip());
    expectProduct(wave, s, 256 + 64, true);
  }
}

TEST_P(MfmaOnChip, ReadsAllOperandsBeforeItWrites) {
  // D lies over A, over B, and half over C.
  const Shape s = {
      "v_mfma_f32_16x16x16_f16", 16, 1, 16, Kind::F16, Kind::F16, "both"};
  AssembledCode code(textOf(s, "v[0:3]", "v[64:67]") +
                         textOf(s, "v[14:17]", "v[64:67]") +
                         textOf(s, "v[66:69]", "v[64:67]"),
                     GetParam());
  const unsigned results[] = {0, 14, 66};
  for (unsigned i = 0; i != 3; ++i) {
    BareWave wave;
    placeOperands(wave, s, 0, 16);
    placeC(wave, s, 64);
    wave.run(code[i], code.chip());
    expectProduct(wave, s, results[i], true);
  }
}

TEST_P(MfmaOnChip, BroadcastsBlocksOfAAndPermutesLanesOfB) {
  const Shape s = {
      "v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, Kind::F16, Kind::F16, "both"};
  AssembledCode code(
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 cbsz:1 abid:1\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 cbsz:2 abid:3\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 blgp:1\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 blgp:2\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 blgp:3\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 blgp:6\n",
      GetParam());
  // Block of A, then of B, that each of the four blocks uses.
  const unsigned blocksOfA[6][4] = {{1, 1, 3, 3}, {3, 3, 3, 3}, {0, 1, 2, 3},
                                    {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  const unsigned blocksOfB[6][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 0, 1},
                                    {2, 3, 2, 3}, {1, 2, 3, 0}, {2, 2, 2, 2}};
  for (unsigned n = 0; n != 6; ++n) {
    BareWave wave;
    placeOperands(wave, s, 0, 16);
    wave.run(code[n], code.chip());
    for (unsigned block = 0; block != 4; ++block)
      for (unsigned i = 0; i != 16; ++i)
        for (unsigned j = 0; j != 16; ++j) {
          int expected = 0;
          for (unsigned k = 0; k != 4; ++k)
            expected += elementA(blocksOfA[n][block], i, k) *
                        elementB(blocksOfB[n][block], j, k);
          auto [reg, lane] = placeOfD(s, block, i, j);
          ASSERT_EQ(wave.v(64 + reg, lane), resultBits(s, expected))
              << code[n].text.str() << " block " << block;
        }
  }
}

TEST_P(MfmaOnChip, ChainsFusedStepsInOrderOfK) {
  SeededRandom random(2024);
  AssembledCode code(
      "v_mfma_f32_16x16x16_bf16 v[64:67], v[0:1], v[16:17], v[64:67]\n",
      GetParam());
  BareWave wave;
  auto smallBf16 = [&] {
    auto half = [&] {
      return (random.bits() & 0x807F) | (120 + random.below(16)) << 7;
    };
    return half() | half() << 16;
  };
  wave.fill(0, 2, smallBf16);
  wave.fill(16, 2, smallBf16);
  wave.fill(64, 4, [&] { return (random.bits() & 0x807FFFFF) | 126 << 23; });
  auto element = [&](unsigned reg, unsigned row, unsigned k) {
    unsigned lane = 16 * (k / 4) + row, t = k % 4;
    uint32_t bits = wave.v(reg + t / 2, lane) >> (16 * (t % 2)) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  };
  float expected[16][16];
  for (unsigned i = 0; i != 16; ++i)
    for (unsigned j = 0; j != 16; ++j) {
      float sum = wave.f(64 + i % 4, 16 * (i / 4) + j);
      for (unsigned k = 0; k != 16; ++k)
        sum = std::fma(element(0, i, k), element(16, j, k), sum);
      expected[i][j] = sum;
    }
  wave.run(code);
  for (unsigned i = 0; i != 16; ++i)
    for (unsigned j = 0; j != 16; ++j)
      ASSERT_EQ(wave.f(64 + i % 4, 16 * (i / 4) + j), expected[i][j]);
}

TEST_P(MfmaOnChip, GivesOneNan) {
  AssembledCode code("v_mfma_f32_16x16x16_f16 v[64:67], v[0:1], v[16:17], 0\n",
                     GetParam());
  BareWave wave;
  wave.v(0, 3) = 0xFE12;  // a NaN in row 3
  wave.v(0, 5) = 0x7C00;  // infinity in row 5
  wave.v(16, 0) = 0x3C00; // 1.0 in column 0; 0 elsewhere: inf * 0 = NaN
  wave.run(code);
  EXPECT_EQ(wave.v(64 + 3, 0), 0x7FC00000u);
  EXPECT_EQ(wave.v(64 + 1, 16), 0x7F800000u);
  EXPECT_EQ(wave.v(64 + 1, 16 + 1), 0x7FC00000u);
  EXPECT_EQ(wave.v(64 + 0, 0), 0u);
}

TEST_P(MfmaOnChip, WrapsIntegerAccumulators) {
  AssembledCode code(
      "v_mfma_i32_16x16x32_i8 v[64:67], v[0:1], v[16:17], v[64:67]\n",
      GetParam());
  BareWave wave;
  wave.fill(64, 4, [] { return 0x7FFFFFFFu; });
  wave.v(0, 0) = 1;
  wave.v(16, 0) = 1;
  wave.run(code);
  for (unsigned reg = 0; reg != 4; ++reg)
    for (unsigned lane = 0; lane != 64; ++lane)
      ASSERT_EQ(wave.v(64 + reg, lane),
                reg == 0 && lane == 0 ? 0x80000000u : 0x7FFFFFFFu);
}

TEST_P(MfmaOnChip, MultipliesDoublesWithSigns) {
  AssembledCode code(
      "v_mfma_f64_16x16x4_f64 v[64:71], v[0:1], v[16:17], v[64:71]\n"
      "v_mfma_f64_16x16x4_f64 a[64:71], v[0:1], v[16:17], 1.0 neg:[1,0,0]\n"
      "v_mfma_f64_4x4x4_4b_f64 v[80:81], v[0:1], v[16:17], v[82:83] "
      "neg:[0,1,1]\n",
      GetParam());
  BareWave wave;
  auto bits = [](double value) {
    uint64_t result;
    std::memcpy(&result, &value, 8);
    return result;
  };
  auto a = [](unsigned i, unsigned k) { return 1.5 * elementA(0, i, k); };
  auto b = [](unsigned j, unsigned k) { return 1e10 + elementB(0, j, k); };
  for (unsigned lane = 0; lane != 64; ++lane) {
    wave.setV64(0, lane, bits(a(lane % 16, lane / 16)));
    wave.setV64(16, lane, bits(b(lane % 16, lane / 16)));
    for (unsigned p = 0; p != 4; ++p)
      wave.setV64(64 + 2 * p, lane,
                  bits(elementC(0, 4 * p + lane / 16, lane % 16)));
    wave.setV64(82, lane, bits(lane));
  }
  wave.run(code);
  for (unsigned i = 0; i != 16; ++i)
    for (unsigned j = 0; j != 16; ++j) {
      double sum = 0;
      for (unsigned k = 0; k != 4; ++k)
        sum += a(i, k) * b(j, k);
      unsigned lane = 16 * (i % 4) + j, reg = 2 * (i / 4);
      EXPECT_EQ(wave.v64(64 + reg, lane), bits(sum + elementC(0, i, j)));
      EXPECT_EQ(wave.v64(256 + 64 + reg, lane), bits(1.0 - sum));
    }
  for (unsigned block = 0; block != 4; ++block)
    for (unsigned m = 0; m != 4; ++m)
      for (unsigned n = 0; n != 4; ++n) {
        unsigned lane = 4 * block + 16 * m + n;
        double sum = -double(lane);
        for (unsigned k = 0; k != 4; ++k)
          sum -= a(4 * block + m, k) * b(4 * block + n, k);
        EXPECT_EQ(wave.v64(80, lane), bits(sum)) << block << m << n;
      }
}

TEST_P(MfmaOnChip, ReadsEightBitOnesByTheChipsFormat) {
  AssembledCode code("v_mfma_f32_16x16x32_fp8_fp8 v[64:67], v[0:1], v[16:17], "
                     "0\n",
                     GetParam());
  BareWave wave;
  wave.fill(0, 2, [] { return 0x38383838u; });
  wave.fill(16, 2, [] { return 0x38383838u; });
  wave.run(code);
  // 0x38 is 1.0 in OCP E4M3 and 0.5 in FNUZ.
  float expected = code.chip() == sim::ChipKind::Gfx950 ? 32.0f : 8.0f;
  for (unsigned lane = 0; lane != 64; ++lane)
    EXPECT_EQ(wave.f(64, lane), expected);
}

INSTANTIATE_TEST_SUITE_P(Chips, MfmaOnChip,
                         ::testing::Values("gfx942", "gfx950"),
                         [](const auto &info) { return info.param; });

TEST(Mfma, MovesBetweenRegisterFilesUnderExec) {
  AssembledCode code("v_accvgpr_write_b32 a3, v1\n"
                     "v_accvgpr_write_b32 a4, 1.0\n"
                     "v_accvgpr_mov_b32 a5, a3\n"
                     "v_accvgpr_read_b32 v7, a5\n",
                     "gfx942");
  BareWave wave;
  SeededRandom random(5);
  wave.fill(1, 1, [&] { return random.bits(); });
  wave.state.setExec(0xF0F0);
  wave.run(code);
  for (unsigned lane = 0; lane != 64; ++lane) {
    bool active = (0xF0F0u >> (lane < 32 ? lane : 31)) & (lane < 32);
    EXPECT_EQ(wave.v(7, lane), active ? wave.v(1, lane) : 0);
    EXPECT_EQ(wave.a(4, lane), active ? 0x3F800000u : 0);
  }
}

TEST(Mfma, RefusesModifiersThatAShapeLacks) {
  AssembledCode code(
      "v_mfma_f32_16x16x16_f16 v[64:67], v[0:1], v[16:17], 0 cbsz:1\n"
      "v_mfma_f32_16x16x4_4b_f16 v[64:79], v[0:1], v[16:17], 0 cbsz:1 abid:2\n",
      "gfx942");
  ASSERT_EQ(code.size(), 2u);
  for (size_t i = 0; i != 2; ++i)
    EXPECT_EQ(sim::lookupMfma(code[i], code.chip()), nullptr)
        << code[i].text.str();
}

} // namespace
