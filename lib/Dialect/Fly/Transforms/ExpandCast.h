//===- ExpandCast.h - Rounding at random as arithmetic ----------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDCAST_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDCAST_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// Replaces a cast that rounds at random, whose tile has a static shape, by
/// integer arithmetic and a cast of numbers that the result's type has.
void expandCast(CastOp cast);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDCAST_H
