//===- FatalEncodings.cpp - bytes that LLVM must not see ------------------===//
//
// What problem: LLVM 22's AMDGPU decoder and printer end the process on some
// encodings that no assembler produces: damaged files contain them.
// What idea: the cases, found by fuzzing LLVM 22.1.8 [LLVM22], are refused
// before LLVM sees them and become unknown instructions.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/Decoder.h"

#include "llvm/Support/Endian.h"

#include "DecoderParts.h"

using namespace fly::isa;
using namespace llvm;

/// True if a selector field of sub-dword addressing has no meaning.
static bool hasBadSdwaSelect(Format format, uint32_t word) {
  auto select = [word](unsigned low) { return (word >> low) & 7; };
  // Values above 6 do not exist. VOPC has its destination in the low ones,
  // VOP1 no second source.
  bool badDestination =
      format != Format::VOPC && (select(8) == 7 || ((word >> 11) & 3) == 3);
  return badDestination || select(16) == 7 ||
         (format != Format::VOP1 && select(24) == 7);
}

bool fly::isa::isFatalToLlvm(const uint8_t (&bytes)[16]) {
  constexpr unsigned literal = 255;
  uint32_t low = support::endian::read32le(bytes);
  uint32_t high = support::endian::read32le(bytes + 4);
  Format format = formatOf(low);
  switch (format) {
  case Format::VOP1:
  case Format::VOP2:
  case Format::VOPC:
    return (low & 0x1ff) == 249 && hasBadSdwaSelect(format, high);
  case Format::MUBUF:
  case Format::MTBUF:
    return high >> 24 == literal;
  case Format::VOP3:
  case Format::VOP3P: {
    // gfx9 has no literals here. 255 is a vector register as a destination,
    // but not where the destination is scalar: comparisons (opcodes below
    // 0x100), v_readfirstlane and v_readlane.
    unsigned opcode = (low >> 16) & 0x3ff;
    if (format == Format::VOP3 && (low & 0xff) == literal &&
        (opcode < 0x100 || opcode == 0x142 || opcode == 0x289))
      return true;
    for (unsigned shift : {0, 9, 18})
      if (((high >> shift) & 0x1ff) == literal)
        return true;
    // The multi-format matrix instructions know formats 0 to 4 and take
    // vector registers; the scaled ones stand behind a prefix.
    if ((low >> 16) == 0xd3ac) {
      low = support::endian::read32le(bytes + 8);
      high = support::endian::read32le(bytes + 12);
    }
    bool isMultiFormat = (low >> 16) == 0xd3ad || (low >> 16) == 0xd3ae;
    bool hasVectorSources = (high & 0x100) && (high & 0x20000);
    return isMultiFormat &&
           (((low >> 8) & 7) > 4 || (high >> 29) > 4 || !hasVectorSources);
  }
  default:
    return false;
  }
}
