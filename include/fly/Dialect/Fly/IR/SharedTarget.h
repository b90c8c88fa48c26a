//===- SharedTarget.h - Copies of one base in LDS ---------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_SHAREDTARGET_H
#define FLY_DIALECT_FLY_IR_SHAREDTARGET_H

#include "llvm/ADT/StringRef.h"

namespace fly {

/// On a fly.dma, a number of bytes: so much of the constant part of the target
/// goes to the immediate of the instruction, which it adds to both addresses,
/// and off the source. Who puts it there has shown that each lane's source lies
/// at least so many bytes behind the start of its view. Copies that differ in
/// it alone share the base register of their target.
inline constexpr llvm::StringLiteral targetImmediateAttrName =
    "fly.target_immediate";

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_SHAREDTARGET_H
