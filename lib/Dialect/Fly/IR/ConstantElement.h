//===- ConstantElement.h - Constants in an element type ---------*- C++ -*-===//
//
// `fly.constant` and `fly.fill` write a number or a word (`neg_inf`, `pos_inf`,
// `lowest`, `nan`) once, for whatever element type there is.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_CONSTANTELEMENT_H
#define FLY_LIB_DIALECT_FLY_IR_CONSTANTELEMENT_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

namespace fly::detail {

/// The constant in `type`, null if it does not exist there: integers are exact,
/// floats rounded, but never to an infinity or NaN.
mlir::TypedAttr makeElementAttr(mlir::Type type, mlir::Attribute constant);

/// Emits an error on `op` unless the constant exists in `type`.
mlir::LogicalResult verifyConstant(mlir::Operation *op, mlir::Type type,
                                   mlir::Attribute constant);

} // namespace fly::detail

#endif // FLY_LIB_DIALECT_FLY_IR_CONSTANTELEMENT_H
