//===- ExchangeParts.h - Reductions across waves ----------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

/// Whether lanes can combine what they hold of tiles of this layout: powers of
/// two of them share the dimension, all alike.
bool canReduce(ReduceOp op, mlir::Attribute layout);

/// Splits `op`, whose tiles have layouts, into a reduction of each wave's part,
/// an exchange through LDS, and a reduction of the parts. `makeBuffer` gives
/// the label of a new buffer, one for each tile. Returns the number of buffers.
unsigned exchangeParts(ReduceOp op, int64_t parts,
                       llvm::function_ref<std::string()> makeBuffer);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_EXCHANGEPARTS_H
