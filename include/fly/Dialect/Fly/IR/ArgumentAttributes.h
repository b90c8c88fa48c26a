//===- ArgumentAttributes.h - What passes write on arguments ----*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_ARGUMENTATTRIBUTES_H
#define FLY_DIALECT_FLY_IR_ARGUMENTATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace fly {

/// On an integer argument of a kernel: the contract requires it to be at least
/// 0. fly-plan-grid writes it where coordinates rest on that.
inline constexpr llvm::StringLiteral nonNegativeAttrName = "fly.non_negative";

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_ARGUMENTATTRIBUTES_H
