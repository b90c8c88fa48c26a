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

std::pair<ElementType, ElementType>
fly::arch::multipliedTypes(const MfmaRow &row, unsigned cbsz, unsigned blgp) {
  auto chosen = [](ElementType type, unsigned code) {
    return type == ElementType::F8F6F4
               ? elementTypeOfFormat(code).value_or(type)
               : type;
  };
  return {chosen(row.a, cbsz), chosen(row.b, blgp)};
}
