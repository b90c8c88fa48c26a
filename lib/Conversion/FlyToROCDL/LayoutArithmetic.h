//===- LayoutArithmetic.h - Layouts as arithmetic ---------------*- C++ -*-===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_LAYOUTARITHMETIC_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_LAYOUTARITHMETIC_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fly {

/// Writes layouts of the algebra as arithmetic: the ops on them, and accesses
/// to LDS views that have one, which become accesses to linear views. Runs
/// behind flattenVectors.
mlir::LogicalResult expandLayouts(mlir::gpu::GPUFuncOp kernel);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_LAYOUTARITHMETIC_H
