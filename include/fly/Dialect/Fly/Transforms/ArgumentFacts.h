//===- ArgumentFacts.h - What is known of a kernel's arguments --*- C++ -*-===//
//
// Requirements of the launch leave the IR with fly-plan-grid, but the lowering
// of accesses still wants to know what an extent is a multiple of: a vector is
// then inside or outside its view as a whole. The argument keeps the fact.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_TRANSFORMS_ARGUMENTFACTS_H
#define FLY_DIALECT_FLY_TRANSFORMS_ARGUMENTFACTS_H

#include "llvm/ADT/StringRef.h"

namespace fly {

/// Argument attribute: an i64 that the argument is a multiple of, as the launch
/// contract requires.
inline constexpr llvm::StringLiteral multipleOfAttrName = "fly.multiple_of";

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_ARGUMENTFACTS_H
