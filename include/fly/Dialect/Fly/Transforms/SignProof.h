//===- SignProof.h - Scalars that are at least 0 ----------------*- C++ -*-===//
//
// What addresses memory must not be negative: range checks of the hardware read
// offsets as unsigned numbers. The proofs hold for every lane, workgroup and
// iteration, in i32, where sums wrap: a sum or product counts only where it is
// known not to (`overflow<nsw>`, which fly-prove-access and fly-plan-grid write
// where ranges or the launch guarantee it). Of type index are coordinates of
// lanes: a tile's origin plus its extents, which the launch contract keeps
// within 31 bits.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_TRANSFORMS_SIGNPROOF_H
#define FLY_DIALECT_FLY_TRANSFORMS_SIGNPROOF_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace fly {

/// True if `value`, taken as a signed number, is proved to be at least 0. With
/// `sums`, integer sums and products are taken not to wrap, and those that the
/// proof rests on are appended; with `arguments`, arguments of the kernel are
/// taken to be at least 0 in the same way. Without, those are that carry
/// `fly.non_negative`.
bool isNonNegative(
    mlir::Value value, llvm::SmallVectorImpl<mlir::Operation *> *sums = nullptr,
    llvm::SmallVectorImpl<mlir::BlockArgument> *arguments = nullptr);

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_SIGNPROOF_H
