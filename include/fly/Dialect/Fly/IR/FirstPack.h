//===- FirstPack.h - The mark of reads that are carried ---------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FIRSTPACK_H
#define FLY_DIALECT_FLY_IR_FIRSTPACK_H

#include "llvm/ADT/StringRef.h"

namespace fly {

/// On a fly.read of LDS, without a value: fly-carry-reads makes it right behind
/// the barrier before it, and in a loop an iteration ahead.
inline constexpr llvm::StringLiteral firstPackAttrName = "fly.first_pack";

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FIRSTPACK_H
