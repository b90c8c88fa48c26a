//===- MatrixWork.cpp - What a matrix instruction counts ------------------===//
//
// "v_mfma_f32_4x4x4_16b_f16" is 16 products of 4x4x4, of f16.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/MatrixWork.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace fly::arch;
using llvm::StringRef;

const char *fly::arch::matrixCounterName(MatrixCounter counter) {
  switch (counter) {
  case MatrixCounter::F16:
    return "F16";
  case MatrixCounter::Bf16:
    return "BF16";
  case MatrixCounter::F8:
    return "F8";
  case MatrixCounter::F6F4:
    return "F6F4";
  case MatrixCounter::I8:
    return "I8";
  case MatrixCounter::F32:
    return "F32";
  case MatrixCounter::F64:
    return "F64";
  case MatrixCounter::Xf32:
    return "XF32";
  }
  return "";
}

/// The numbers of "16x16x32"; nothing for other words.
static std::optional<unsigned> volumeOf(StringRef shape) {
  llvm::SmallVector<StringRef, 3> sides;
  shape.split(sides, 'x');
  unsigned volume = 1;
  for (StringRef side : sides) {
    unsigned number;
    if (side.getAsInteger(10, number))
      return std::nullopt;
    volume *= number;
  }
  if (sides.size() != 3)
    return std::nullopt;
  return volume;
}

std::optional<MatrixWork> fly::arch::matrixWork(StringRef mnemonic,
                                                bool isNarrow) {
  if (!mnemonic.consume_front("v_mfma_") &&
      !mnemonic.consume_front("v_smfmac_"))
    return std::nullopt;
  mnemonic.consume_front("scale_");
  // The result's type, the shape, blocks if there are several, the sources.
  llvm::SmallVector<StringRef, 5> words;
  mnemonic.split(words, '_');
  if (words.size() < 3)
    return std::nullopt;
  std::optional<unsigned> volume = volumeOf(words[1]);
  if (!volume)
    return std::nullopt;
  unsigned blocks = 1;
  StringRef source = words[2];
  if (words.size() > 3 && source.consume_back("b")) {
    if (source.getAsInteger(10, blocks))
      return std::nullopt;
    source = words[3];
  }
  auto counter =
      llvm::StringSwitch<std::optional<MatrixCounter>>(source)
          .Case("f16", MatrixCounter::F16)
          .Case("bf16", MatrixCounter::Bf16)
          .Cases({"fp8", "bf8"}, MatrixCounter::F8)
          .Case("f8f6f4", isNarrow ? MatrixCounter::F6F4 : MatrixCounter::F8)
          .Case("i8", MatrixCounter::I8)
          .Case("f32", MatrixCounter::F32)
          .Case("f64", MatrixCounter::F64)
          .Case("xf32", MatrixCounter::Xf32)
          .Default(std::nullopt);
  if (!counter)
    return std::nullopt;
  return MatrixWork{*counter, 2 * *volume * blocks};
}
