//===- ContractWork.h - What a kernel has to compute ------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTWORK_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTWORK_H

#include "fly/Contract/Work.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fly {

/// The operations of the matrix products of `kernel`, which still has its grid,
/// for its launch contract: products of tiles, and matrix instructions that an
/// explicit kernel has each of its `waves` waves do. Changes nothing.
std::vector<contract::DotWork> planWork(mlir::gpu::GPUFuncOp kernel,
                                        unsigned waves);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_CONTRACTWORK_H
