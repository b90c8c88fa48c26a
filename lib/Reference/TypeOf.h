//===- TypeOf.h - The element type of an IR type ----------------*- C++ -*-===//
#ifndef FLY_LIB_REFERENCE_TYPEOF_H
#define FLY_LIB_REFERENCE_TYPEOF_H

#include "fly/Support/ElementType.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace fly::reference {

/// The element type of a number, tile, pointer or view; none for types that
/// buffers cannot have.
std::optional<ElementType> typeOf(mlir::Type type);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_TYPEOF_H
