//===- MfmaCases.cpp - operands of matrix instructions, by hand -----------===//

#include "MfmaCases.h"

#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::test;
using llvm::APFloat;
using llvm::formatv;

const llvm::fltSemantics &fly::test::semanticsOf(Kind kind) {
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

unsigned fly::test::widthOf(Kind kind) {
  if (kind == Kind::I8)
    return 8;
  return APFloat::semanticsSizeInBits(semanticsOf(kind));
}

uint32_t fly::test::encode(Kind kind, int value) {
  if (kind == Kind::I8)
    return value & 0xFF;
  APFloat number(static_cast<double>(value));
  bool loses = false;
  number.convert(semanticsOf(kind), APFloat::rmNearestTiesToEven, &loses);
  EXPECT_FALSE(loses) << value;
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}

/// Small integers that every format but FP4's 5 holds: -4..4 and -3..3.
int fly::test::elementA(unsigned block, unsigned i, unsigned k) {
  return int((131 * i + 71 * k + (i * k % 17) + 29 * block) % 9) - 4;
}
int fly::test::elementB(unsigned block, unsigned j, unsigned k) {
  return int((57 * j + 101 * k + (j * k % 13) + 31 * block) % 7) - 3;
}
int fly::test::elementC(unsigned block, unsigned i, unsigned j) {
  return int((7 * i + 3 * j + 11 * block) % 41) - 20;
}

/// Writes element t of a lane's operand at register `first`.
void fly::test::putElement(BareWave &wave, unsigned first, unsigned lane,
                           unsigned t, unsigned width, uint32_t code) {
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
static Place placeOf(const Shape &s, Kind kind, unsigned lane, unsigned t) {
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
std::pair<unsigned, unsigned>
fly::test::placeOfD(const Shape &s, unsigned block, unsigned i, unsigned j) {
  if (s.dim == 4)
    return {i, 4 * block + j};
  if (s.dim == 16)
    return {4 * block + i % 4, 16 * (i / 4) + j};
  return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + j};
}

unsigned fly::test::registersOfD(const Shape &s) {
  return s.dim == 4 ? 4 : s.dim * s.dim * s.blocks / 64;
}

void fly::test::placeOperands(BareWave &wave, const Shape &s, unsigned aReg,
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

uint32_t fly::test::resultBits(const Shape &s, int value) {
  if (s.a == Kind::I8)
    return uint32_t(value);
  return uint32_t(APFloat(float(value)).bitcastToAPInt().getZExtValue());
}

static int product(const Shape &s, unsigned block, unsigned i, unsigned j) {
  int sum = 0;
  for (unsigned k = 0; k != s.depth; ++k)
    sum += elementA(block, i, k) * elementB(block, j, k);
  return sum;
}

/// Compares D at register `dReg` (AGPRs count from 256) with A * B + C.
void fly::test::expectProduct(BareWave &wave, const Shape &s, unsigned dReg,
                              bool hasC) {
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

void fly::test::placeC(BareWave &wave, const Shape &s, unsigned cReg) {
  for (unsigned block = 0; block != s.blocks; ++block)
    for (unsigned i = 0; i != s.dim; ++i)
      for (unsigned j = 0; j != s.dim; ++j) {
        auto [reg, lane] = placeOfD(s, block, i, j);
        wave.v(cReg + reg, lane) = resultBits(s, elementC(block, i, j));
      }
}

std::string fly::test::tuple(char file, unsigned first, unsigned count) {
  if (count == 1)
    return formatv("{0}{1}", file, first);
  return formatv("{0}[{1}:{2}]", file, first, first + count - 1);
}
