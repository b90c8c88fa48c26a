//===- MatrixFormats.h - Types that instructions choose ---------*- C++ -*-===//
//
// Matrix instructions on F8F6F4 say in a field which type each factor has.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_MATRIXFORMATS_H
#define FLY_ARCH_MATRIXFORMATS_H

#include "fly/Arch/MfmaTable.h"

#include <optional>

namespace fly::arch {

/// The type that a field (cbsz for A, blgp for B) of an instruction on F8F6F4
/// chooses; nothing for codes without a type.
std::optional<ElementType> elementTypeOfFormat(unsigned code);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXFORMATS_H
