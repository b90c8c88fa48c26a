//===- Instantiated.h - Kernels in which names are numbers ------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATED_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATED_H

#include "mlir/IR/Operation.h"

namespace fly {

/// One error at the first op of `kernel` that fly-instantiate would have
/// replaced, or a tile of which has an extent that is no number.
mlir::LogicalResult checkIsInstantiated(mlir::Operation *kernel);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INSTANTIATED_H
