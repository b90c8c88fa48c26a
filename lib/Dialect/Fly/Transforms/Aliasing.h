//===- Aliasing.h - Which views may share memory ----------------*- C++ -*-===//
//
// Views of LDS share memory where they are of one field; views of global memory
// where they come from one pointer, or an argument says `fly.may_alias`. A view
// or pointer that cannot be followed may be any of its memory.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ALIASING_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ALIASING_H

#include "mlir/IR/Value.h"

namespace fly {

/// Whether two views may share memory.
bool mayAlias(mlir::Value lhs, mlir::Value rhs);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ALIASING_H
