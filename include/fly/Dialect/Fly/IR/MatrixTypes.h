//===- MatrixTypes.h - Element types of matrix instructions -----*- C++ -*-===//
//
// MLIR's types in the terms of the chip tables, in one place.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_MATRIXTYPES_H
#define FLY_DIALECT_FLY_IR_MATRIXTYPES_H

#include "fly/Arch/MfmaTable.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace fly {

/// The operand type that matrix instructions have for `type`, whatever the
/// flavour of 8-bit floats; none where no chip multiplies it.
std::optional<arch::ElementType> getMatrixType(mlir::Type type);

/// The flavour of an 8-bit float; none for other types.
std::optional<arch::Fp8Flavour> getFp8Flavour(mlir::Type type);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_MATRIXTYPES_H
