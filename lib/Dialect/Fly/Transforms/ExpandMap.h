//===- ExpandMap.h - fly.map as arith and math ------------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMAP_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMAP_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// Replaces `map`, whose tiles have static shapes, by fly.broadcast, arith and
/// math on f32 and one rounding to the type of its result.
void expandMap(MapOp map);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_EXPANDMAP_H
