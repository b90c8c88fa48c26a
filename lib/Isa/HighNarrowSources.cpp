//===- HighNarrowSources.cpp - Factors that end at the last register ------===//
//
// What problem: the factors of the multi-format matrix instructions have 8, 6
// or 4 registers by their formats. LLVM 22's decoder first reads them as 8, and
// fails on a[250:255] of 6-bit elements, which ends at the last register: what
// its own assembler has written is no instruction then, or a scale prefix alone
// [LLVM22].
// What idea: such factors are moved down by 8 registers in what LLVM sees, and
// back in what it returns.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include "DecoderParts.h"

using namespace fly::isa;
using namespace llvm;

/// Registers that LLVM reads at first.
static constexpr unsigned kWidest = 8;
static constexpr unsigned kLastRegister = 255;

/// Registers of a factor by its format (CBSZ, BLGP): fp8, bf8, fp6, bf6, fp4.
static unsigned registersOf(unsigned format) {
  return format < 2 ? 8 : format < 4 ? 6 : 4;
}

LoweredSources fly::isa::lowerHighSources(uint8_t (&bytes)[16]) {
  LoweredSources lowered;
  uint8_t *word = bytes;
  if (support::endian::read32le(word) >> 16 == 0xd3ac)
    word += 8; // Behind the scale prefix.
  uint32_t low = support::endian::read32le(word);
  uint32_t high = support::endian::read32le(word + 4);
  if (low >> 16 != 0xd3ad && low >> 16 != 0xd3ae)
    return lowered;
  unsigned formats[2] = {(low >> 8) & 7, high >> 29};
  for (unsigned i = 0; i != 2; ++i) {
    unsigned shift = i * 9;
    unsigned first = (high >> shift) & 0xff;
    // Without this bit the number is a constant's or names no register.
    bool isRegister = (high >> shift) & 0x100;
    lowered.isLowered[i] = isRegister && first + kWidest - 1 > kLastRegister &&
                           first + registersOf(formats[i]) - 1 <= kLastRegister;
    if (lowered.isLowered[i])
      high -= kWidest << shift;
  }
  support::endian::write32le(word + 4, high);
  return lowered;
}

std::string fly::isa::raiseSources(StringRef text, LoweredSources lowered,
                                   Instruction &inst) {
  SmallVector<StringRef> operands; // The first one has the mnemonic.
  text.split(operands, ", ");
  std::string raised;
  for (auto [index, operand] : enumerate(operands)) {
    raised += index ? ", " : "";
    if (index == 0 || index > 2 || !lowered.isLowered[index - 1]) {
      raised += operand;
      continue;
    }
    Operand &source = inst.src[index - 1];
    source.reg += kWidest;
    raised +=
        formatv("{0}[{1}:{2}]", source.kind == OperandKind::AGPR ? "a" : "v",
                source.reg, source.reg + source.dwords - 1);
  }
  return raised;
}
