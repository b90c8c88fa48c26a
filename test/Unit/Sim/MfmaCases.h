//===- MfmaCases.h - operands of matrix instructions, by hand ---*- C++ -*-===//
//
// Small integer matrices, their encodings by LLVM, and the lane maps of
// AMD's matrix instruction calculator [AMD] written one element at a time.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_MFMACASES_H
#define FLY_TEST_UNIT_SIM_MFMACASES_H

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "BareWave.h"

namespace fly::test {

enum class Kind { F32, F16, BF16, Fp8, Bf8, Fp8Z, Bf8Z, Fp6, Bf6, Fp4, I8 };

const llvm::fltSemantics &semanticsOf(Kind kind);
/// Bits of an element.
unsigned widthOf(Kind kind);
/// The element's code of a small integer, which must be exact.
uint32_t encode(Kind kind, int value);

/// A matrix instruction as the test needs to see it.
struct Shape {
  const char *mnemonic;
  unsigned dim, blocks, depth;
  Kind a, b;
  const char *chips; ///< "both", "gfx942", "gfx950"
};

/// Small integers that every format holds: -4..4 and -3..3.
int elementA(unsigned block, unsigned i, unsigned k);
int elementB(unsigned block, unsigned j, unsigned k);
int elementC(unsigned block, unsigned i, unsigned j);

/// Writes element t of a lane's operand at register `first`.
void putElement(BareWave &wave, unsigned first, unsigned lane, unsigned t,
                unsigned width, uint32_t code);
/// Fills A at register `aReg` and B at `bReg`.
void placeOperands(BareWave &wave, const Shape &s, unsigned aReg,
                   unsigned bReg);
void placeC(BareWave &wave, const Shape &s, unsigned cReg);

/// Register and lane of D[i][j] of a block.
std::pair<unsigned, unsigned> placeOfD(const Shape &s, unsigned block,
                                       unsigned i, unsigned j);
unsigned registersOfD(const Shape &s);
/// An accumulator's bits, f32 or i32.
uint32_t resultBits(const Shape &s, int value);
/// Compares D at register `dReg` (AGPRs count from 256) with A * B + C.
void expectProduct(BareWave &wave, const Shape &s, unsigned dReg, bool hasC);

/// "v0" or "v[0:3]".
std::string tuple(char file, unsigned first, unsigned count);

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_MFMACASES_H
