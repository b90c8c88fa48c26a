//===- MatrixFormats.cpp - Types that instructions choose -----------------===//

#include "fly/Arch/MatrixFormats.h"

#include <iterator>

using namespace fly::arch;

std::optional<ElementType> fly::arch::elementTypeOfFormat(unsigned code) {
  // [AMD] CDNA4 ISA document, matrix instructions on F8F6F4: CBSZ and BLGP.
  using E = ElementType;
  static constexpr E formats[] = {E::Fp8, E::Bf8, E::Fp6, E::Bf6, E::Fp4};
  return code < std::size(formats) ? std::optional(formats[code])
                                   : std::nullopt;
}
