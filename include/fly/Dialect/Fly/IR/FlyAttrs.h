//===- FlyAttrs.h - Schedules, sizes and layouts ----------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FLYATTRS_H
#define FLY_DIALECT_FLY_IR_FLYATTRS_H

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/LaneMap.h"
#include "fly/Layout/ComposedLayout.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TensorEncoding.h"

// Generated code declares nothing itself: the order matters.
// clang-format off
#include "fly/Dialect/Fly/IR/FlyEnums.h.inc"
#include "fly/Dialect/Fly/IR/FlyAttrInterfaces.h.inc"
// clang-format on

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttrs.h.inc"

namespace fly {
/// Whether elements of this type combine by `kind` (fly.reduce, fly.scan).
bool hasKind(mlir::Type element, ReduceKind kind);
/// The value of a pad in elements of `type`; null where it has no such value.
mlir::TypedAttr getPadElement(Pad pad, mlir::Type type);
} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYATTRS_H
