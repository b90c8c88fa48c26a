//===- MfmaScaledTest.cpp - f8f6f4 matrix instructions --------------------===//
//
// Elements are placed as public kernels do [HW], one at a time; the expectation
// is a sum in double, exact for the small numbers used.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <gtest/gtest.h>

#include "BareWave.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;
using llvm::formatv;

namespace {

/// By format code: 0 E4M3, 1 E5M2, 2 E2M3, 3 E3M2, 4 E2M1.
const llvm::fltSemantics &semanticsOf(unsigned format) {
  switch (format) {
  case 0:
    return APFloat::Float8E4M3FN();
  case 1:
    return APFloat::Float8E5M2();
  case 2:
    return APFloat::Float6E2M3FN();
  case 3:
    return APFloat::Float6E3M2FN();
  default:
    return APFloat::Float4E2M1FN();
  }
}
unsigned widthOf(unsigned format) {
  return format < 2 ? 8 : format < 4 ? 6 : 4;
}
unsigned registersOf(unsigned format) { return widthOf(format); }

double valueOf(unsigned format, uint32_t code) {
  APFloat value(semanticsOf(format), llvm::APInt(widthOf(format), code));
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

/// A random code of a number of at most 4 in magnitude.
uint32_t randomCode(SeededRandom &random, unsigned format) {
  for (;;) {
    uint32_t code = random.below(1u << widthOf(format));
    double value = std::fabs(valueOf(format, code));
    // Multiples of 1/8 keep every sum exact.
    if (value <= 4 && value * 8 == std::floor(value * 8))
      return code;
  }
}

/// Reads 32 elements a lane by k: [row][k].
struct Matrix {
  unsigned dim, depth;
  std::vector<double> values;
  double &at(unsigned row, unsigned k) { return values[row * depth + k]; }
};

/// Fills an operand at `reg` with random numbers and returns them.
Matrix fillOperand(BareWave &wave, SeededRandom &random, unsigned dim,
                   unsigned format, unsigned reg) {
  Matrix m{dim, 2048 / dim, std::vector<double>(2048)};
  unsigned width = widthOf(format);
  for (unsigned lane = 0; lane != 64; ++lane) {
    for (unsigned r = 0; r != 8; ++r)
      wave.v(reg + r, lane) = 0;
    for (unsigned t = 0; t != 32; ++t) {
      uint32_t code = randomCode(random, format);
      for (unsigned bit = 0; bit != width; ++bit)
        wave.v(reg + (t * width + bit) / 32, lane) |=
            ((code >> bit) & 1) << ((t * width + bit) % 32);
      unsigned group = lane / dim;
      unsigned k = width == 8 ? (t < 16 ? 16 * group + t
                                        : m.depth / 2 + 16 * group + (t - 16))
                              : 32 * group + t;
      m.at(lane % dim, k) = valueOf(format, code);
    }
  }
  return m;
}

void expectProduct(BareWave &wave, unsigned dim, Matrix &a, Matrix &b,
                   const std::function<double(unsigned, unsigned)> &scaleA,
                   const std::function<double(unsigned, unsigned)> &scaleB,
                   const std::string &text) {
  for (unsigned i = 0; i != dim; ++i)
    for (unsigned j = 0; j != dim; ++j) {
      double sum = 1.0;
      for (unsigned k = 0; k != a.depth; ++k)
        sum += a.at(i, k) * scaleA(i, k / 32) * b.at(j, k) * scaleB(j, k / 32);
      unsigned reg = dim == 16 ? i % 4 : 4 * (i / 8) + i % 4;
      unsigned lane = dim == 16 ? 16 * (i / 4) + j : 32 * (i / 4 % 2) + j;
      ASSERT_EQ(wave.f(64 + reg, lane), static_cast<float>(sum))
          << text << " D[" << i << "][" << j << "]";
    }
}

TEST(MfmaScaled, MultipliesEveryPairOfFormats) {
  SeededRandom random(99);
  for (unsigned dim : {16u, 32u}) {
    std::string body;
    for (unsigned a = 0; a != 5; ++a)
      for (unsigned b = 0; b != 5; ++b)
        body +=
            formatv("v_mfma_f32_{0}_f8f6f4 v[64:{1}], v[0:{2}], v[16:{3}], "
                    "1.0 cbsz:{4} blgp:{5}\n",
                    dim == 16 ? "16x16x128" : "32x32x64", dim == 16 ? 67 : 79,
                    registersOf(a) - 1, 16 + registersOf(b) - 1, a, b);
    AssembledCode code(body, "gfx950");
    ASSERT_EQ(code.size(), 25u);
    auto one = [](unsigned, unsigned) { return 1.0; };
    for (unsigned n = 0; n != 25; ++n) {
      BareWave wave;
      Matrix a = fillOperand(wave, random, dim, n / 5, 0);
      Matrix b = fillOperand(wave, random, dim, n % 5, 16);
      wave.run(code[n], code.chip());
      expectProduct(wave, dim, a, b, one, one, code[n].text.str());
    }
  }
}

TEST(MfmaScaled, PicksTheScaleByte) {
  SeededRandom random(100);
  for (unsigned dim : {16u, 32u}) {
    // Byte of A, byte of B, formats.
    const unsigned cases[][4] = {
        {0, 0, 0, 0}, {1, 2, 0, 4}, {3, 0, 4, 4}, {2, 3, 2, 1}, {0, 1, 1, 3}};
    std::string body;
    for (auto &c : cases)
      body += formatv(
          "v_mfma_scale_f32_{0}_f8f6f4 v[64:{1}], v[0:{2}], v[16:{3}], 1.0, "
          "v32, v33 op_sel:[{4},{5},0] op_sel_hi:[{6},{7},0] cbsz:{8} "
          "blgp:{9}\n",
          dim == 16 ? "16x16x128" : "32x32x64", dim == 16 ? 67 : 79,
          registersOf(c[2]) - 1, 16 + registersOf(c[3]) - 1, c[0] & 1, c[1] & 1,
          c[0] >> 1, c[1] >> 1, c[2], c[3]);
    AssembledCode code(body, "gfx950");
    for (unsigned n = 0; n != 5; ++n) {
      BareWave wave;
      Matrix a = fillOperand(wave, random, dim, cases[n][2], 0);
      Matrix b = fillOperand(wave, random, dim, cases[n][3], 16);
      wave.fill(32, 2, [&] {
        uint32_t scales = 0;
        for (unsigned byte = 0; byte != 4; ++byte)
          scales |= (125 + random.below(5)) << (8 * byte);
        return scales;
      });
      auto scale = [&](unsigned reg, unsigned byte) {
        return [&wave, reg, byte, dim](unsigned row, unsigned block) {
          uint32_t lanes = wave.v(reg, dim * block + row);
          return std::ldexp(1.0, int((lanes >> (8 * byte)) & 0xFF) - 127);
        };
      };
      auto scaleA = scale(32, cases[n][0]), scaleB = scale(33, cases[n][1]);
      wave.run(code[n], code.chip());
      expectProduct(wave, dim, a, b, scaleA, scaleB, code[n].text.str());
    }
  }
}

// Even k of A hold 1.0, odd k 6.0; B picks k = n; A's scale doubles.
TEST(MfmaScaled, OrdersFp4LowNibbleFirst) {
  AssembledCode code("v_mfma_scale_f32_16x16x128_f8f6f4 v[64:67], v[0:3], "
                     "v[16:19], 0, v32, v33 op_sel_hi:[0,0,0] cbsz:4 blgp:4\n",
                     "gfx950");
  BareWave wave;
  wave.fill(0, 4, [] { return 0x72727272u; });
  for (unsigned n = 0; n != 16; ++n) // B[n][k] = 1.0 (code 2) where k == n
    wave.v(16 + n / 8, n) = 2u << (4 * (n % 8));
  wave.fill(32, 1, [] { return 128u; });
  wave.fill(33, 1, [] { return 127u; });
  wave.run(code);
  for (unsigned m = 0; m != 16; ++m)
    for (unsigned n = 0; n != 16; ++n)
      EXPECT_EQ(wave.f(64 + m % 4, 16 * (m / 4) + n), n % 2 ? 12.0f : 2.0f);
}

TEST(MfmaScaled, TakesExtremeAndNanScales) {
  AssembledCode code("v_mfma_scale_f32_16x16x128_f8f6f4 v[64:67], v[0:7], "
                     "v[16:23], 0, v32, v33 op_sel_hi:[0,0,0]\n",
                     "gfx950");
  BareWave wave;
  wave.fill(0, 8, [] { return 0x38383838u; });
  wave.fill(16, 8, [] { return 0x38383838u; });
  // Row r of A scales by 2^127, column c of B by 2^-127: 128 ones sum to 128.
  wave.fill(32, 1, [] { return 254u; });
  wave.fill(33, 1, [] { return 0u; });
  wave.v(32, 16 + 5) = 255; // NaN in row 5, second block
  wave.run(code);
  for (unsigned m = 0; m != 16; ++m)
    for (unsigned n = 0; n != 16; ++n) {
      uint32_t bits = wave.v(64 + m % 4, 16 * (m / 4) + n);
      EXPECT_EQ(bits, m == 5 ? 0x7FC00000u : 0x43000000u) << m << " " << n;
    }
}

TEST(MfmaScaled, IsUnknownOnGfx942) {
  AssembledCode code("v_mfma_f32_16x16x128_f8f6f4 v[64:67], v[0:7], v[16:23], "
                     "0\n",
                     "gfx950");
  EXPECT_EQ(sim::lookupMfma(code[0], sim::ChipKind::Gfx942), nullptr);
}

} // namespace
