//===- ExchangeParts.h - Reductions across waves ----------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// Parts of the dimension that `op` reduces which different waves hold; an
/// error where lanes share it in a way that no exchange follows. The sources
/// have `layout`.
mlir::FailureOr<int64_t> countParts(ReduceOp op, LayoutAttrInterface layout);

/// Splits `op`, whose tiles have layouts, into a reduction of each wave's part,
/// an exchange through the LDS buffers `buffer` and up, and a reduction of the
/// parts. Returns the number of buffers.
unsigned exchangeParts(ReduceOp op, int64_t parts, llvm::StringRef buffer);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H
