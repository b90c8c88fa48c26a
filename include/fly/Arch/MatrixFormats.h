//===- MatrixFormats.h - Types that instructions choose ---------*- C++ -*-===//
//
// Matrix instructions on F8F6F4 say in a field which type each factor has.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_MATRIXFORMATS_H
#define FLY_ARCH_MATRIXFORMATS_H

#include "fly/Arch/MfmaTable.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace fly::arch {

/// Elements along K that share a scale of a scaled instruction [AMD], which
/// are those that a lane gives it next to each other where they have fewer than
/// 8 bits.
inline constexpr int64_t scaleBlock = 32;
/// Elements of 8 bits that a lane gives a scaled instruction next to each other
/// [AMD].
inline constexpr int64_t scaledRun8 = 16;

/// The type that a field (cbsz for A, blgp for B) of an instruction on F8F6F4
/// chooses; nothing for codes without a type.
std::optional<ElementType> elementTypeOfFormat(unsigned code);

/// The types that an instruction of \p row multiplies: the row's, and where it
/// takes several those of its fields. F8F6F4 for codes without a type.
std::pair<ElementType, ElementType>
multipliedTypes(const MfmaRow &row, unsigned cbsz, unsigned blgp);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXFORMATS_H
