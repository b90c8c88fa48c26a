//===- MfmaTest.cpp - matrix instructions against plain products ----------===//
//
// The test places small integers by the lane maps of facts/hardware.md 1.1 and
// 1.4, written here element by element, and compares D with an integer product.
// The element encodings are LLVM's.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "../../../lib/Sim/Exec/MfmaKernels.h"
#include "../../../lib/Sim/Exec/MfmaOperands.h"
#include "BareWave.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;
using llvm::formatv;

namespace {

enum class Kind { F32, F16, BF16, Fp8, Bf8, Fp8Z, Bf8Z, Fp6, Bf6, Fp4, I8 };

const llvm::fltSemantics &semanticsOf(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return APFloat::IEEEhalf();
  case Kind::BF16:
    return APFloat::BFloat();
  case Kind::Fp8:
    return APFloat::Float8E4M3FN();
  case Kind::Bf8:
    return APFloat::Float8E5M2();
  case Kind::Fp8Z:
    return APFloat::Float8E4M3FNUZ();
  case Kind::Bf8Z:
    return APFloat::Float8E5M2FNUZ();
  case Kind::Fp6:
    return APFloat::Float6E2M3FN();
  case Kind::Bf6:
    return APFloat::Float6E3M2FN();
  case Kind::Fp4:
    return APFloat::Float4E2M1FN();
  default:
    return APFloat::IEEEsingle();
  }
}

unsigned widthOf(Kind kind) {
  if (kind == Kind::I8)
    return 8;
  return APFloat::semanticsSizeInBits(semanticsOf(kind));
}

uint32_t encode(Kind kind, int value) {
  if (kind == Kind::I8)
    return value & 0xFF;
  APFloat number(static_cast<double>(value));
  bool loses = false;
  number.convert(semanticsOf(kind), APFloat::rmNearestTiesToEven, &loses);
  EXPECT_FALSE(loses) << value;
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}

/// A matrix instruction as the test needs to see it.
struct Shape {
  const char *mnemonic;
  unsigned dim, blocks, depth;
  Kind a, b;
  const char *chips; ///< "both", "gfx942", "gfx950"
};

/// Small integers that every format but FP4's 5 holds: -4..4 and -3..3.
int elementA(unsigned block, unsigned i, unsigned k) {
  return int((131 * i + 71 * k + (i * k % 17) + 29 * block) % 9) - 4;
}
int elementB(unsigned block, unsigned j, unsigned k) {
  return int((57 * j + 101 * k + (j * k % 13) + 31 * block) % 7) - 3;
}
int elementC(unsigned block, unsigned i, unsigned j) {
  return int((7 * i + 3 * j + 11 * block) % 41) - 20;
}

/// Writes element t of a lane's operand at register `first`.
void putElement(BareWave &wave, unsigned first, unsigned lane, unsigned t,
                unsigned width, uint32_t code) {
  for (unsigned bit = 0; bit != width; ++bit) {
    unsigned place = t * width + bit;
    uint32_t &dword = wave.v(first + place / 32, lane);
    dword = (dword & ~(1u << (place % 32))) | ((code >> bit) & 1)
                                                  << (place % 32);
  }
}

/// Element t of lane l: which row (or column), block and k it is.
struct Place {
  unsigned block, row, k;
};
Place placeOf(const Shape &s, Kind kind, unsigned lane, unsigned t) {
  unsigned perLane = s.dim * s.blocks * s.depth / 64;
  if (s.blocks > 1)
    return {lane / s.dim, lane % s.dim, t};
  unsigned group = lane / s.dim;
  bool isWide8 = perLane == 32 && widthOf(kind) == 8;
  if (isWide8) // two chunks of 16
    return {0, lane % s.dim, (t / 16) * (s.depth / 2) + 16 * group + t % 16};
  return {0, lane % s.dim, perLane * group + t};
}

/// Register and lane of D[i][j] of a block.
std::pair<unsigned, unsigned> placeOfD(const Shape &s, unsigned block,
                                       unsigned i, unsigned j) {
  if (s.dim == 4)
    return {i, 4 * block + j};
  if (s.dim == 16)
    return {4 * block + i % 4, 16 * (i / 4) + j};
  return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + j};
}

unsigned registersOfD(const Shape &s) {
  return s.dim == 4 ? 4 : s.dim * s.dim * s.blocks / 64;
}

void placeOperands(BareWave &wave, const Shape &s, unsigned aReg,
                   unsigned bReg) {
  unsigned perLane = s.dim * s.blocks * s.depth / 64;
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned t = 0; t != perLane; ++t) {
      Place a = placeOf(s, s.a, lane, t), b = placeOf(s, s.b, lane, t);
      putElement(wave, aReg, lane, t, widthOf(s.a),
                 encode(s.a, elementA(a.block, a.row, a.k)));
      putElement(wave, bReg, lane, t, widthOf(s.b),
                 encode(s.b, elementB(b.block, b.row, b.k)));
    }
}

uint32_t resultBits(const Shape &s, int value) {
  if (s.a == Kind::I8)
    return uint32_t(value);
  return uint32_t(APFloat(float(value)).bitcastToAPInt().getZExtValue());
}

int product(const Shape &s, unsigned block, unsigned i, unsigned j) {
  int sum = 0;
  for (unsigned k = 0; k != s.depth; ++k)
    sum += elementA(block, i, k) * elementB(block, j, k);
  return sum;
}

/// Compares D at register `dReg` (AGPRs count from 256) with A * B + C.
void expectProduct(BareWave &wave, const Shape &s, unsigned dReg, bool hasC) {
  for (unsigned block = 0; block != s.blocks; ++block)
    for (unsigned i = 0; i != s.dim; ++i)
      for (unsigned j = 0; j != s.dim; ++j) {
        int expected =
            product(s, block, i, j) + (hasC ? elementC(block, i, j) : 0);
        auto [reg, lane] = placeOfD(s, block, i, j);
        ASSERT_EQ(wave.v(dReg + reg, lane), resultBits(s, expected))
            << s.mnemonic << " block " << block << " D[" << i << "][" << j
            << "]";
      }
}

void placeC(BareWave &wave, const Shape &s, unsigned cReg) {
  for (unsigned block = 0; block != s.blocks; ++block)
    for (unsigned i = 0; i != s.dim; ++i)
      for (unsigned j = 0; j != s.dim; ++j) {
        auto [reg, lane] = placeOfD(s, block, i, j);
        wave.v(cReg + reg, lane) = resultBits(s, elementC(block, i, j));
      }
}

std::string tuple(char file, unsigned first, unsigned count) {
  if (count == 1)
    return formatv("{0}{1}", file, first);
  return formatv("{0}[{1}:{2}]", file, first, first + count - 1);
}

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

// Two of every four k, chosen by the lane's indices.
TEST_P(MfmaOnChip, MultipliesSparseA) {
  struct Sparse {
    const char *text;
    unsigned dim, depth;
    Kind kind;
    unsigned set; ///< Which index set of the register counts.
  };
  const Sparse cases[] = {
      {"v_smfmac_f32_16x16x32_f16 v[64:67], v[0:1], v[16:19], v30\n", 16, 32,
       Kind::F16, 0},
      {"v_smfmac_f32_16x16x32_bf16 v[64:67], v[0:1], v[16:19], v30 abid:2\n",
       16, 32, Kind::BF16, 2},
      {"v_smfmac_f32_32x32x16_f16 v[64:79], v[0:1], v[16:19], v30 abid:3\n", 32,
       16, Kind::F16, 3},
      {"v_smfmac_f32_32x32x16_f16 v[64:79], v[0:1], v[16:19], v30 cbsz:1 "
       "abid:3\n",
       32, 16, Kind::F16, 0},
      {"v_smfmac_i32_16x16x64_i8 v[64:67], v[0:1], v[16:19], v30 abid:1\n", 16,
       64, Kind::I8, 1},
      {"v_smfmac_i32_32x32x32_i8 v[64:79], v[0:1], v[16:19], v30\n", 32, 32,
       Kind::I8, 0},
  };
  SeededRandom random(31);
  for (const Sparse &c : cases) {
    AssembledCode code(c.text, GetParam());
    ASSERT_EQ(code.size(), 1u);
    BareWave wave;
    Shape s = {c.text, c.dim, 1, c.depth, c.kind, c.kind, "both"};
    unsigned perLane = c.dim * c.depth / 64, width = widthOf(c.kind);
    std::vector<int> dense(c.dim * c.depth, 0); // A, [row][k]
    for (unsigned lane = 0; lane != 64; ++lane) {
      unsigned row = lane % c.dim, first = perLane * (lane / c.dim);
      wave.v(30, lane) = random.bits();
      for (unsigned t = 0; t != perLane; ++t)
        putElement(wave, 16, lane, t, width,
                   encode(c.kind, elementB(0, row, first + t)));
      for (unsigned pair = 0; pair != perLane / 4; ++pair) {
        // Two different places, in order, in the set's four bits.
        unsigned low = random.below(3);
        unsigned high = low + 1 + random.below(3 - low);
        unsigned shift = c.set * perLane + 4 * pair;
        wave.v(30, lane) &= ~(15u << shift);
        wave.v(30, lane) |= (low | high << 2) << shift;
        for (unsigned t = 0; t != 2; ++t) {
          unsigned k = first + 4 * pair + (t ? high : low);
          dense[row * c.depth + k] = elementA(0, row, k);
          putElement(wave, 0, lane, 2 * pair + t, width,
                     encode(c.kind, elementA(0, row, k)));
        }
      }
    }
    placeC(wave, s, 64);
    wave.run(code);
    for (unsigned i = 0; i != c.dim; ++i)
      for (unsigned j = 0; j != c.dim; ++j) {
        int sum = elementC(0, i, j);
        for (unsigned k = 0; k != c.depth; ++k)
          sum += dense[i * c.depth + k] * elementB(0, j, k);
        auto [reg, lane] = placeOfD(s, 0, i, j);
        ASSERT_EQ(wave.v(64 + reg, lane), resultBits(s, sum))
            << c.text << " D[" << i << "][" << j << "]";
      }
  }
}

// What another host would compute.
TEST(Mfma, EveryVectorLevelGivesTheSameBits) {
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
